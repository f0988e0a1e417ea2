//! LMS, HSS, XMSS and XMSS^MT: one row for each set of `hasten-hbs`, in the order of its table.

use hasten_hbs::params::{SETS, Scheme, Set};

use super::row::{Era::Standard, Family, Kind, Naming, Row};

/// HSS (RFC 9802; RFC 9708 assigned the number).
pub(crate) const HSS: &str = "1.2.840.113549.1.9.16.3.17";
/// XMSS (RFC 9802).
pub(crate) const XMSS: &str = "1.3.6.1.5.5.7.6.34";
/// XMSS^MT (RFC 9802).
pub(crate) const XMSS_MT: &str = "1.3.6.1.5.5.7.6.35";

/// Returns the row of an XMSS or XMSS^MT set.
fn xmss(set: &Set, family: Family, oid: &str) -> Row {
    let row = Row::new(set.name, family, Kind::StatefulSignature);
    let row = match set.name.contains('/') {
        true => row.alias(Naming::FileSafe, set.name.replace('/', "_")),
        false => row,
    };
    let secret = 4 * set.n + set.index_bytes();
    row.oid(Standard, oid)
        .signs(set.public_key_bytes(), secret, set.signature_bytes())
        .seed(set.seed_bytes())
}

/// Returns the row of an LMS set.
fn lms(set: &Set) -> Row {
    Row::new(set.name, Family::Lms, Kind::StatefulSignature)
        .alias(Naming::Short, set.short_name())
        .alias(Naming::FileSafe, set.name.replace('/', "_"))
        .signs(set.public_key_bytes(), 0, set.signature_bytes())
        .seed(set.seed_bytes())
}

/// Returns the row of a stateful set, or `None` for a set of SLH-DSA.
fn row(set: &Set) -> Option<Row> {
    match set.scheme {
        Scheme::Xmss => Some(xmss(set, Family::Xmss, XMSS)),
        Scheme::XmssMt => Some(xmss(set, Family::XmssMt, XMSS_MT)),
        Scheme::Lms { .. } => Some(lms(set)),
        _ => None,
    }
}

pub(super) fn rows() -> Vec<Row> {
    let hss = Row::new("HSS", Family::Hss, Kind::StatefulSignature)
        .alias(Naming::Short, "HSS/LMS")
        .oid(Standard, HSS);
    SETS.iter().filter_map(row).chain([hss]).collect()
}
