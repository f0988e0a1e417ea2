//! The sending side in one thread.

use super::error::Error;
use super::preparer::{Made, Preparer};
use super::slot::Slot;
use crate::announced_tree;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use core::fmt;

/// The announcements to be sent, the oldest first: of the tree in use and of those that follow.
#[derive(Default)]
pub(super) struct Shown(VecDeque<Arc<[u8]>>);

impl Shown {
    pub fn add(&mut self, announcement: Arc<[u8]>) {
        self.0.push_back(announcement);
    }

    /// Forgets the trees before `tree`, which is the one in use.
    pub fn use_tree(&mut self, tree: u64) {
        while self.0.front().and_then(|shown| announced_tree(shown)).is_some_and(|at| at < tree) {
            self.0.pop_front();
        }
    }

    pub fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|announcement| &**announcement)
    }
}

/// The sending side of a channel, with a pool of prepared messages.
pub struct Publisher<'k> {
    preparer: Preparer<'k>,
    ready: VecDeque<Slot<'k>>,
    pool: usize,
    shown: Shown,
    late: u64,
}

impl<'k> Publisher<'k> {
    /// Returns a publisher that prepares up to `pool` messages ahead.
    pub fn new(preparer: Preparer<'k>, pool: usize) -> Self {
        let (ready, shown) = (VecDeque::with_capacity(pool), Shown::default());
        Self { preparer, ready, pool, shown, late: 0 }
    }

    /// Does up to `budget` steps of preparation: small pieces of the next tree, and slots until
    /// the pool is full. Returns the steps that were done; fewer than `budget` when nothing is
    /// left to prepare.
    ///
    /// # Errors
    /// As [`Preparer::step`].
    pub fn prepare(&mut self, budget: usize) -> Result<usize, Error> {
        for done in 0..budget {
            if !self.step(self.ready.len() < self.pool)? {
                return Ok(done);
            }
        }
        Ok(budget)
    }

    fn step(&mut self, want_slot: bool) -> Result<bool, Error> {
        match self.preparer.step(want_slot)? {
            Made::Slot(slot) => self.ready.push_back(slot),
            Made::Announcement(announcement) => self.shown.add(announcement),
            Made::Part => {}
            Made::Nothing => return Ok(false),
        }
        Ok(true)
    }

    /// Writes the datagram of `payload` into `out`. Returns its length. Where nothing is prepared
    /// it prepares first, and counts the message as [`late`](Self::late).
    ///
    /// # Errors
    /// `LongPayload` and `ShortBuffer`, which use no key up; `UsedUp`, `Forked`; as
    /// [`Preparer::step`].
    pub fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        self.late += u64::from(self.ready.is_empty());
        while self.ready.is_empty() {
            if !self.step(true)? {
                return Err(Error::UsedUp);
            }
        }
        let slot = self.ready.front().ok_or(Error::Ended)?;
        slot.fits(payload, out)?;
        let slot = self.ready.pop_front().ok_or(Error::Ended)?;
        self.shown.use_tree(slot.tree());
        slot.seal(payload, out)
    }

    /// Returns the announcements to be sent now, and again and again: at least once in the time
    /// that a late receiver may wait. There is none before a tree is signed.
    pub fn announcements(&self) -> impl Iterator<Item = &[u8]> {
        self.shown.all()
    }

    /// Returns how many messages wait for their payloads.
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Returns how many messages found nothing prepared.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// Returns how many more messages can be sealed before the identity is used up.
    pub fn remaining(&self) -> u64 {
        self.preparer.remaining() + self.ready.len() as u64
    }
}

impl fmt::Debug for Publisher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Publisher({:?}, {} ready)", self.preparer, self.ready.len())
    }
}
