//! Where one-time indices come from: the embedded store, or a fleet's.

use crate::error::StoreError;
use crate::permit::Interval;
use crate::status::Status;
use std::time::Duration;

/// A source of durably reserved indices.
pub trait Indices: Send {
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

    /// Writes down what was recorded.
    ///
    /// # Errors
    /// A failed write.
    fn flush(&mut self) -> Result<(), StoreError>;

    /// The account.
    fn status(&self) -> Status;

    /// How long the last reservation took to become durable.
    fn last_commit(&self) -> Duration;
}
