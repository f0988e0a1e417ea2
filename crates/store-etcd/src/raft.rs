//! Position of a cluster's Raft log.

use hasten_store::GuardMark;

/// Position of a cluster's Raft log. Neither number decreases in a live cluster. Both restart in a
/// cluster that was restored from a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Raft {
    pub term: u64,
    /// Index of the newest entry that is known to be committed; 0 if it was not asked for.
    pub committed: u64,
}

impl Raft {
    /// Returns the position that the guard has noted.
    pub fn of(mark: &GuardMark) -> Raft {
        let (term, committed) = mark.machine.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().fold(0, |n, b| n << 8 | u64::from(*b));
        Raft { term: number(term), committed: number(committed) }
    }

    pub fn bytes(self) -> [u8; 16] {
        (u128::from(self.term) << 64 | u128::from(self.committed)).to_be_bytes()
    }

    /// Returns the position that is known after `before` and then `self` were seen.
    pub fn after(self, before: Raft) -> Raft {
        let committed = self.committed.max(before.committed);
        Raft { term: self.term.max(before.term), committed }
    }
}
