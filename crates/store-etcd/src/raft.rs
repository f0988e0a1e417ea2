//! Where a cluster's Raft log stands.

use hasten_store::GuardMark;

/// Where a cluster's Raft log stands. Neither falls in a live cluster; both begin anew in one
/// restored from a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Raft {
    pub term: u64,
    /// Newest entry known to be committed; 0 if nobody asked.
    pub committed: u64,
}

impl Raft {
    /// Returns where the log stood when the guard was written.
    pub fn of(mark: &GuardMark) -> Raft {
        let (term, committed) = mark.machine.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().fold(0, |n, b| n << 8 | u64::from(*b));
        Raft { term: number(term), committed: number(committed) }
    }

    pub fn bytes(self) -> [u8; 16] {
        (u128::from(self.term) << 64 | u128::from(self.committed)).to_be_bytes()
    }

    /// Returns what is known after `self` was seen later than `before`.
    pub fn after(self, before: Raft) -> Raft {
        let committed = self.committed.max(before.committed);
        Raft { term: self.term.max(before.term), committed }
    }
}
