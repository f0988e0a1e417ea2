//! The sending side in one thread.

use super::error::Error;
use super::preparer::{Made, Preparer};
use super::slot::Slot;
use crate::announced_tree;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// The announcements to be sent, oldest first: those of the tree in use and of the trees after it.
#[derive(Default)]
pub(super) struct Shown(VecDeque<Arc<[u8]>>);

impl Shown {
    pub fn add(&mut self, announcement: Arc<[u8]>) {
        self.0.push_back(announcement);
    }

    /// Removes the trees before `tree`, which is the one in use.
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
    /// Number of messages that were sealed.
    sealed: u64,
}

impl<'k> Publisher<'k> {
    /// Returns a publisher that prepares up to `pool` messages ahead.
    pub fn new(preparer: Preparer<'k>, pool: usize) -> Self {
        let (ready, shown) = (VecDeque::with_capacity(pool), Shown::default());
        Self { preparer, ready, pool, shown, late: 0, sealed: 0 }
    }

    /// Ends the use of the identity.
    ///
    /// # Errors
    /// As [`Preparer::close`].
    pub fn close(self) -> Result<(), Error> {
        self.preparer.close()
    }

    /// Does up to `budget` steps of preparation: small pieces of the next tree, and slots until the
    /// pool is full. Returns the number of steps done, which is less than `budget` if nothing is
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

    /// Writes the datagram of `payload` into `out` and returns its length. If nothing is prepared,
    /// prepares first and counts the message as [`late`](Self::late).
    ///
    /// # Errors
    /// `LongPayload` and `ShortBuffer`, which use up no key; `UsedUp`, `Forked`; as
    /// [`Preparer::step`].
    pub fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        self.slot(1)?.fits(payload, out)?;
        let slot = self.take()?.at(self.sealed);
        self.sealed += 1;
        slot.seal(payload, out)
    }

    /// Appends the datagrams of `payloads` to `out`, in order. With a preparer
    /// [`for_batches`](Preparer::for_batches), one key signs up to
    /// [`MOST_BATCH`](crate::MOST_BATCH) of them. A single payload is sealed as by
    /// [`seal`](Self::seal).
    ///
    /// # Errors
    /// As [`seal`](Self::seal); `Randomness`. The datagrams from before the error are in `out`.
    pub fn seal_batch<P>(&mut self, payloads: &[P], out: &mut Vec<Vec<u8>>) -> Result<(), Error>
    where
        P: AsRef<[u8]>,
    {
        let mut rest = payloads;
        while !rest.is_empty() {
            let taken = self.slot(rest.len() as u64)?.takes(rest)?;
            let (now, later) = rest.split_at(taken);
            self.take()?.seal_some(self.sealed, now, out)?;
            self.sealed += now.len() as u64;
            rest = later;
        }
        Ok(())
    }

    /// Returns the next slot. If there is none, prepares it and counts `messages` as late.
    fn slot(&mut self, messages: u64) -> Result<&Slot<'k>, Error> {
        self.late += if self.ready.is_empty() { messages } else { 0 };
        while self.ready.is_empty() {
            if !self.step(true)? {
                return Err(Error::UsedUp);
            }
        }
        self.ready.front().ok_or(Error::Ended)
    }

    fn take(&mut self) -> Result<Slot<'k>, Error> {
        let slot = self.ready.pop_front().ok_or(Error::Ended)?;
        self.shown.use_tree(slot.tree());
        Ok(slot)
    }

    /// Returns the announcements to be sent now and repeatedly, at least once in the time that a
    /// late receiver may have to wait. There are none before a tree is signed.
    pub fn announcements(&self) -> impl Iterator<Item = &[u8]> {
        self.shown.all()
    }

    /// Returns the number of prepared messages that wait for their payloads.
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Returns the number of messages for which nothing was prepared.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// Returns the number of messages that can still be sealed before the identity is used up.
    pub fn remaining(&self) -> u64 {
        self.preparer.remaining() + self.ready.len() as u64
    }
}

impl fmt::Debug for Publisher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Publisher({:?}, {} ready)", self.preparer, self.ready.len())
    }
}
