//! Rows of HSS with its levels named: there are more than any table holds.

use std::sync::{Mutex, PoisonError};

use hasten_hbs::params::{Scheme, Set};

use super::{
    HSS, ROWS,
    row::{Era::Standard, Family, Kind, Row},
};

/// Returns the row of any name that `hasten-hbs` knows and no alias here has: HSS of several
/// levels, or an LMS tree by another's name for it.
pub(super) fn row(name: &str) -> Option<&'static Row> {
    let set = Set::named(name).ok()?;
    match set.scheme {
        Scheme::Hss { .. } => Some(kept(set)),
        _ => ROWS.iter().find(|row| row.name == set.name),
    }
}

/// Returns the one row of a set of HSS, kept for the life of the program as the set is.
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
