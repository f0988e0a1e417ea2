//! The referee: a book of what was really signed, which no crash touches.

use hasten_store::{Permit, Signed, Status, StoreError};
use std::collections::BTreeSet;

/// A broken promise of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// An index was used twice.
    UsedTwice(u64),
    /// A used index is still available.
    UsedIsAvailable(u64),
    /// Used, lost, burned, given, reserved and remaining do not add up to the range.
    SilentLoss(Box<Status>),
    /// The store counts more used indices than were used.
    CountsTooMany(Box<Status>),
    /// A store that must open did not.
    DoesNotOpen(StoreError),
    /// An old copy was opened.
    OldCopyOpened,
    /// A second owner, a fork, or a finished session was let in.
    SecondOwner,
    /// A blob was found in part.
    TornBlob,
    /// The audit log does not hold, though nobody changed it.
    TornRecord(StoreError),
}

/// Every index that was used, over all processes, shards and crashes.
#[derive(Clone, Debug, Default)]
pub struct Book {
    used: BTreeSet<u64>,
    /// Everything that went wrong.
    pub wrong: Vec<Wrong>,
}

impl Book {
    /// Uses a permit as a signer does: checks it, signs, and (if `record`) notes it, every second
    /// one with what it signed. `false`: the check refused.
    pub fn sign(&mut self, permit: Permit, record: bool) -> bool {
        let index = permit.index();
        if permit.check().is_err() {
            return false;
        }
        if !self.used.insert(index) {
            self.wrong.push(Wrong::UsedTwice(index));
        }
        if record && index.is_multiple_of(2) {
            drop(permit.recorder().record_signed(&Signed::new(index, [index as u8; 32])));
        } else if record {
            drop(permit.record());
        }
        true
    }

    /// Returns how many signatures were made.
    pub fn signatures(&self) -> u64 {
        self.used.len() as u64
    }

    /// Compares an account with the book.
    pub fn audit(&mut self, status: &Status) {
        let gone = status.used + status.lost + status.burned + status.given + status.reserved;
        if gone + status.remaining != status.top - status.start
            || status.remaining != status.end - status.next
        {
            self.wrong.push(Wrong::SilentLoss(Box::new(status.clone())));
        }
        if let Some(index) = self.used.range(status.next..status.end).next() {
            self.wrong.push(Wrong::UsedIsAvailable(*index));
        }
        let really = self.used.range(status.start..status.end).count() as u64;
        if status.used > really || really > status.used + status.lost + status.reserved {
            self.wrong.push(Wrong::CountsTooMany(Box::new(status.clone())));
        }
    }
}
