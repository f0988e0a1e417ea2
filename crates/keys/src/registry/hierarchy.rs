//! Rows of HSS with named levels: there are too many combinations for a table.

use std::sync::{Mutex, PoisonError};

use hasten_hbs::params::{Scheme, Set};

use super::{
    HSS, ROWS,
    row::{Era::Standard, Family, Kind, Row},
};

/// Returns the row for a name that `hasten-hbs` knows but that is no alias in the table: HSS with
/// several levels, or another name for an LMS tree.
pub(super) fn row(name: &str) -> Option<&'static Row> {
    let set = Set::named(name).ok()?;
    match set.scheme {
        Scheme::Hss { .. } => Some(kept(set)),
        _ => ROWS.iter().find(|row| row.name == set.name),
    }
}

/// Returns the only row of an HSS set. The row is kept for the life of the program, like the set.
fn kept(set: &'static Set) -> &'static Row {
    static MADE: Mutex<Vec<&'static Row>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(row) = made.iter().find(|row| row.name == set.name) {
        return row;
    }
    made.push(Box::leak(Box::new(hss(set))));
    made[made.len() - 1]
}

fn hss(set: &Set) -> Row {
    Row::new(set.name, Family::Hss, Kind::StatefulSignature)
        .oid(Standard, HSS)
        .signs(set.public_key_bytes(), 0, set.signature_bytes())
        .seed(set.seed_bytes())
}
