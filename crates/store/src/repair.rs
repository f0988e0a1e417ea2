//! The account of what opening a store had to mend.

use serde::Serialize;

/// The mends made when the store was opened. No index becomes available by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// Bytes that are no record lay behind the last record: a torn write.
    pub torn_tail: bool,
    /// The last commit never returned to its caller; its indices are among `lost`.
    pub unfinished_commit: bool,
    /// The newest commit was damaged in the log and taken from the guard.
    pub from_guard: bool,
    /// A refusal was overridden.
    pub overridden: bool,
    /// The store was of an older form and is of today's from now on.
    pub upgraded: bool,
    /// Guard or log were other files than those written last, which was accepted.
    pub moved: bool,
    /// Indices that were reserved before and never recorded: lost from now on.
    pub lost: u64,
}
