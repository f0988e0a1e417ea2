//! Checks the record of signatures that every interface to a key must leave. A crate that includes
//! this file must import the store crate as `store`.

use std::path::Path;

use super::store::Options;

/// SHA-256 of the message `firmware`.
#[allow(dead_code)]
pub const FIRMWARE: &str = "c3bf47ea1f4a4a605470313cacb3a44f4a461f68c6faeab07e737610cb5ac835";

/// Asserts that the record of the key in `dir` lists signatures for these purposes, in this order,
/// and that no signature of a used index is missing. The newest message must have the SHA-256
/// `newest`, if one is given. Guard and witness must have confirmed the whole record.
pub fn must_tell(dir: &Path, purposes: &[&str], newest: Option<&str>) {
    let entries = Options::new().peek_audit(dir).unwrap();
    let unsaid = entries.iter().filter(|entry| entry.what == "used").count();
    assert_eq!(unsaid, 0, "an index was used, and not for what: {entries:?}");
    let told: Vec<_> = entries.iter().filter_map(|entry| entry.signed.as_ref()).collect();
    let named: Vec<_> = told.iter().filter_map(|told| told.purpose.as_deref()).collect();
    assert_eq!(named, purposes);
    assert!(told.iter().all(|told| told.sha256.len() == 64));
    if let Some(newest) = newest {
        assert_eq!(told.last().map(|told| &told.sha256[..]), Some(newest));
    }
    assert_eq!(entries.last().map(|entry| entry.what), Some("confirm"), "{entries:?}");
}
