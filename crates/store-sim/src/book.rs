//! The referee: a record of every signature really made, which no crash affects.

use hasten_store::{Permit, Signed, Status, StoreError};
use std::collections::BTreeSet;

/// A broken promise of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// An index was used twice.
    UsedTwice(u64),
    /// A used index is still available.
    UsedIsAvailable(u64),
    /// Used, lost, burned, given, reserved and remaining indices do not add up to the range.
    SilentLoss(Box<Status>),
    /// The store's count of used indices does not fit the signatures made.
    CountsTooMany(Box<Status>),
    /// A store that must open did not open.
    DoesNotOpen(StoreError),
    /// An old copy of a store was opened.
    OldCopyOpened,
    /// A second owner, a forked child or a finished session could use the store.
    SecondOwner,
    /// A blob was only partly there.
    TornBlob,
    /// The audit log does not verify, although nothing changed it.
    TornRecord(StoreError),
}

/// Every index used, over all processes, shards and crashes.
#[derive(Clone, Debug, Default)]
pub struct Book {
    used: BTreeSet<u64>,
    /// All broken promises found.
    pub wrong: Vec<Wrong>,
}

impl Book {
    /// Uses a permit as a signer does: checks it, signs, and records the signature if `record` is
    /// true. Every second record states what was signed. Returns false if the check refused.
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

    /// Returns the number of signatures made.
    pub fn signatures(&self) -> u64 {
        self.used.len() as u64
    }

    /// Compares the store's account with the book.
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
