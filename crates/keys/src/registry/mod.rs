//! One row per algorithm: names, object identifiers, TLS numbers and sizes.
//!
//! Everything that names an algorithm (key files, certificates, TLS, the command line, the
//! published tables) uses these rows. Names are compared without regard to case.

mod classical;
mod families;
mod hash_based;
mod hierarchy;
mod lattice;
mod legacy;
mod meaning;
mod row;
mod slh;

pub(crate) use classical::{EC_PUBLIC_KEY, RSA_ENCRYPTION};
pub use families::example_of_family;
pub(crate) use hash_based::{HSS, XMSS, XMSS_MT};
pub(crate) use meaning::BOTAN_XMSS;
pub use meaning::{Meaning, oid_meanings, oid_of_vendor, tls_meanings};
pub use row::{Era, Family, Kind, Naming, Row, Sizes};

use std::sync::LazyLock;

use crate::Error;

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    [classical::rows(), hash_based::rows(), slh::rows(), lattice::rows(), legacy::rows()].concat()
});

/// Returns true if the object identifier stands for keys of HSS/LMS, XMSS or XMSS^MT.
#[must_use]
pub fn is_of_stateful(oid: &str) -> bool {
    [HSS, XMSS, XMSS_MT, BOTAN_XMSS].contains(&oid)
}

/// Returns every row, in the order of printed tables.
pub fn all() -> &'static [Row] {
    &ROWS
}

/// Returns the standard algorithm that replaced an algorithm of the competition. They are related,
/// but never the same.
pub fn successor(row: &Row) -> Option<&'static Row> {
    find(row.successor.as_deref()?).ok()
}

/// Returns the row with this canonical name or alias. `HSS(A,B)` and its other names share one row,
/// which is created on the first request. A public key alone leads only to the row `HSS`.
///
/// ```
/// let row = hasten_keys::registry::find("x25519mlkem768")?;
/// assert_eq!(row.name, "X25519MLKEM768");
/// assert!(hasten_keys::registry::find("X25519MLKEM769").is_err());
/// # Ok::<(), hasten_keys::Error>(())
/// ```
///
/// # Errors
/// `UnknownAlgorithm` if no row has this name.
pub fn find(name: &str) -> Result<&'static Row, Error> {
    let is = |s: &str| s.eq_ignore_ascii_case(name);
    ROWS.iter()
        .find(|row| is(&row.name) || row.aliases.iter().any(|(_, alias)| is(alias)))
        .or_else(|| hierarchy::row(name))
        .ok_or(Error::UnknownAlgorithm)
}
