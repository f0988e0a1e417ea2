//! Where one-time indices come from: the embedded store, or a fleet's.

use crate::error::StoreError;
use crate::identity::Identity;
use crate::log::Signed;
use crate::permit::Interval;
use crate::status::Status;
use std::time::Duration;

/// A source of durably reserved indices: one session of one signer.
pub trait Indices: Send {
    /// Returns which key the indices are of.
    fn identity(&self) -> Identity;

    /// Reserves `count` indices, durably, before it returns.
    ///
    /// # Errors
    /// After an error nothing was handed out; what may have been reserved is lost and counted.
    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError>;

    /// Notes that `index` was used; does not wait for a disk or a network.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    fn record(&self, index: u64) -> Result<(), StoreError>;

    /// Notes that an index was used, and what it signed: for the audit log of a store; elsewhere
    /// the index alone counts.
    ///
    /// # Errors
    /// As [`record`](Indices::record).
    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        self.record(signed.index)
    }

    /// Commits what was recorded, so that guard and witness hold the head of the record of what was
    /// signed. Where nothing was, and where there is no such record, nothing is done.
    ///
    /// # Errors
    /// As [`reserve`](Indices::reserve).
    fn confirm(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Writes down what was recorded.
    ///
    /// # Errors
    /// A failed write.
    fn flush(&mut self) -> Result<(), StoreError>;

    /// Returns the account.
    fn status(&self) -> Status;

    /// Returns how long the last reservation took to become durable.
    fn last_commit(&self) -> Duration;

    /// Acknowledges the exhaustion warning.
    ///
    /// # Errors
    /// As [`reserve`](Indices::reserve).
    fn acknowledge(&mut self) -> Result<(), StoreError>;

    /// Burns every index that is left, for good.
    ///
    /// # Errors
    /// As [`reserve`](Indices::reserve); [`StoreError::Retired`].
    fn retire(&mut self) -> Result<(), StoreError>;

    /// Keeps `bytes`, which are public, under `name` beside the state, where that is in a
    /// directory; elsewhere nothing is done.
    ///
    /// # Errors
    /// A failed call.
    fn keep(&self, _name: &str, _bytes: &[u8]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Ends the session: what was reserved and not recorded is lost, and counted.
    ///
    /// # Errors
    /// A failed write; the session is over all the same.
    fn close(self: Box<Self>) -> Result<Status, StoreError>;
}

/// A source chosen when the program runs.
impl Indices for Box<dyn Indices> {
    fn identity(&self) -> Identity {
        (**self).identity()
    }

    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        (**self).reserve(count)
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        (**self).record(index)
    }

    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        (**self).record_signed(signed)
    }

    fn confirm(&mut self) -> Result<(), StoreError> {
        (**self).confirm()
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        (**self).flush()
    }

    fn status(&self) -> Status {
        (**self).status()
    }

    fn last_commit(&self) -> Duration {
        (**self).last_commit()
    }

    fn acknowledge(&mut self) -> Result<(), StoreError> {
        (**self).acknowledge()
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        (**self).retire()
    }

    fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        (**self).keep(name, bytes)
    }

    fn close(self: Box<Self>) -> Result<Status, StoreError> {
        (*self).close()
    }
}
