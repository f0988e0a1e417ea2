//! Report of the repairs made when a store was opened.

use serde::Serialize;

/// Repairs made when the store was opened. A repair never makes an index available again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// True if invalid bytes followed the last record: a torn write.
    pub torn_tail: bool,
    /// True if the last commit never returned to its caller. Its indices are included in `lost`.
    pub unfinished_commit: bool,
    /// True if the newest commit was damaged in the log and taken from the guard.
    pub from_guard: bool,
    /// True if a refusal was overridden.
    pub overridden: bool,
    /// True if the store had an older format and was upgraded.
    pub upgraded: bool,
    /// True if guard or log were not the files written last, or were changed by somebody else, and
    /// this was accepted.
    pub moved: bool,
    /// Number of indices that were reserved before and never recorded. They count as lost from now
    /// on.
    pub lost: u64,
}
