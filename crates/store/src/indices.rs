//! The interface to a source of one-time indices: the embedded store, or a fleet's service.

use crate::error::StoreError;
use crate::identity::Identity;
use crate::log::Signed;
use crate::permit::Interval;
use crate::status::Status;
use std::time::Duration;

/// A source of durably reserved indices: one session of one signer.
pub trait Indices: Send {
    /// Returns the identity of the key.
    fn identity(&self) -> Identity;

    /// Reserves `count` indices. The reservation is durable when this returns.
    ///
    /// # Errors
    /// After an error nothing was handed out. Indices that may have been reserved count as lost.
    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError>;

    /// Records that `index` was used. Does not wait for a disk or a network.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    fn record(&self, index: u64) -> Result<(), StoreError>;

    /// Records that an index was used and what it signed, for the audit log of a store. A source
    /// without an audit log records only the index.
    ///
    /// # Errors
    /// As [`record`](Indices::record).
    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        self.record(signed.index)
    }

    /// Commits the recorded indices, so that guard and witness have the head of the signing record.
    /// Does nothing if nothing was recorded, or if the source has no signing record.
    ///
    /// # Errors
    /// As [`reserve`](Indices::reserve).
    fn confirm(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Writes the recorded indices.
    ///
    /// # Errors
    /// A failed write.
    fn flush(&mut self) -> Result<(), StoreError>;

    /// Returns the status of the key.
    fn status(&self) -> Status;

    /// Returns the time that the last reservation took to become durable.
    fn last_commit(&self) -> Duration;

    /// Acknowledges the exhaustion warning.
    ///
    /// # Errors
    /// As [`reserve`](Indices::reserve).
    fn acknowledge(&mut self) -> Result<(), StoreError>;

    /// Retires the key: burns all remaining indices permanently.
    ///
    /// # Errors
    /// As [`reserve`](Indices::reserve); [`StoreError::Retired`].
    fn retire(&mut self) -> Result<(), StoreError>;

    /// Keeps the public `bytes` under `name` next to the state, if the state is in a directory.
    /// Otherwise does nothing.
    ///
    /// # Errors
    /// A failed call.
    fn keep(&self, _name: &str, _bytes: &[u8]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Ends the session. Indices that were reserved and not recorded count as lost.
    ///
    /// # Errors
    /// A failed write. The session has ended anyway.
    fn close(self: Box<Self>) -> Result<Status, StoreError>;
}

/// A source that is chosen at run time.
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
