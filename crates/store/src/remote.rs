//! Indices from a service: what the service promises, and the permits that are made of it.
//!
//! The service says which indices it reserved; permits are made here alone, and of no index twice
//! in the life of a [`Remote`]. Whoever implements [`Service`] must keep its promise towards other
//! processes: nobody here can check that.

use crate::env::Env;
use crate::error::{Argument, StoreError};
use crate::identity::Identity;
use crate::indices::Indices;
use crate::log::Signed;
use crate::owner::Owner;
use crate::permit::{Interval, Ledger, Oversight, lock};
use crate::status::Status;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many indices of a range this session has recorded as used.
pub type Used<'a> = &'a dyn Fn(&Range<u64>) -> u64;

/// A service that keeps the state of a key for several signers: this signer's session with it.
pub trait Service: Send + Sync {
    /// Returns which key the indices are of.
    fn identity(&self) -> Identity;

    /// Reserves the next `count` indices, durably and for this session alone, and gives them.
    ///
    /// # Errors
    /// Any; then nothing is handed out, and what may have been reserved is lost and counted.
    fn reserve(&self, count: u64) -> Result<Range<u64>, StoreError>;

    /// Checks whether what this session reserved may be used now: asked right before every use.
    ///
    /// # Errors
    /// The refusal; then the index is not used.
    fn check(&self) -> Result<(), StoreError>;

    /// Settles the reservations that are used up.
    ///
    /// # Errors
    /// [`StoreError::ServiceUnreachable`]; they are settled later.
    fn settle(&self, used: Used<'_>) -> Result<(), StoreError>;

    /// Settles every reservation: what is not used is lost from now on. The session is over.
    ///
    /// # Errors
    /// As [`settle`](Service::settle); the session is over all the same.
    fn end(&self, used: Used<'_>) -> Result<Status, StoreError>;

    /// Returns the account as this session last saw it.
    fn status(&self) -> Status;

    /// Acknowledges the exhaustion warning, for all signers.
    ///
    /// # Errors
    /// As [`reserve`](Service::reserve).
    fn acknowledge(&self) -> Result<(), StoreError>;

    /// Retires the key, for all signers.
    ///
    /// # Errors
    /// As [`reserve`](Service::reserve); [`StoreError::Retired`].
    fn retire(&self) -> Result<(), StoreError>;
}

/// The indices of a service, as this process has them: the one place that makes permits of them.
/// Not `Clone`.
pub struct Remote<S> {
    inner: Arc<Inner<S>>,
    commit_time: Duration,
}

struct Inner<S> {
    service: S,
    env: Arc<dyn Env>,
    owner: Owner,
    alive: AtomicBool,
    ledger: Mutex<Ledger>,
}

impl<S: Service + 'static> Remote<S> {
    /// Takes the session over.
    pub fn new(service: S, env: Arc<dyn Env>) -> Remote<S> {
        let (owner, alive, ledger) = (Owner::new(&*env), AtomicBool::new(true), Mutex::default());
        let inner = Inner { service, env, owner, alive, ledger };
        Remote { inner: Arc::new(inner), commit_time: Duration::ZERO }
    }

    /// Returns the service, for what it offers besides.
    pub fn service(&self) -> &S {
        &self.inner.service
    }

    /// Reserves as [`Indices::reserve`] does.
    ///
    /// # Errors
    /// Those of the service; [`StoreError::ReservedTwice`] and [`StoreError::Argument`] when what
    /// it reserved cannot be right.
    pub fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        self.inner.check_owner()?;
        if count == 0 {
            return Err(StoreError::Argument(Argument::NoCount));
        }
        let begun = self.inner.env.monotonic();
        let range = self.inner.service.reserve(count)?;
        self.commit_time = self.inner.env.monotonic().saturating_sub(begun);
        if range.start.checked_add(count) != Some(range.end) {
            return Err(StoreError::Argument(Argument::OtherCount));
        }
        lock(&self.inner.ledger).grant(range.clone())?;
        Ok(Interval::new(range, Arc::clone(&self.inner) as Arc<dyn Oversight>))
    }

    /// Records as [`Indices::record`] does.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record(&self, index: u64) -> Result<(), StoreError> {
        self.inner.record(index)
    }

    /// Flushes as [`Indices::flush`] does.
    ///
    /// # Errors
    /// As [`Service::settle`].
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.inner.check_owner()?;
        self.inner.service.settle(&|range| self.inner.used(range))
    }

    /// Acknowledges as [`Indices::acknowledge`] does.
    ///
    /// # Errors
    /// As [`Service::acknowledge`].
    pub fn acknowledge(&mut self) -> Result<(), StoreError> {
        self.inner.check_owner()?;
        self.inner.service.acknowledge()
    }

    /// Retires as [`Indices::retire`] does.
    ///
    /// # Errors
    /// As [`Service::retire`].
    pub fn retire(&mut self) -> Result<(), StoreError> {
        self.inner.check_owner()?;
        self.inner.service.retire()
    }

    /// Closes as [`Indices::close`] does.
    ///
    /// # Errors
    /// As [`Service::end`].
    pub fn close(self) -> Result<Status, StoreError> {
        self.inner.check_owner()?;
        self.inner.alive.store(false, Ordering::Release);
        self.inner.service.end(&|range| self.inner.used(range))
    }
}

impl<S> Drop for Remote<S> {
    fn drop(&mut self) {
        self.inner.alive.store(false, Ordering::Release);
    }
}

impl<S> Inner<S> {
    fn used(&self, range: &Range<u64>) -> u64 {
        lock(&self.ledger).used_within(range)
    }

    fn check_owner(&self) -> Result<(), StoreError> {
        self.owner.check(&*self.env)?;
        if self.alive.load(Ordering::Acquire) { Ok(()) } else { Err(StoreError::Closed) }
    }
}

impl<S: Service> Oversight for Inner<S> {
    fn check(&self) -> Result<(), StoreError> {
        self.check_owner()?;
        self.service.check()
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        self.check_owner()?;
        lock(&self.ledger).record(index)
    }

    /// Records the index alone: the entries of what was signed are kept where a key has a state of
    /// its own.
    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        self.record(signed.index)
    }
}

impl<S: Service + 'static> Indices for Remote<S> {
    fn identity(&self) -> Identity {
        self.inner.service.identity()
    }

    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        Remote::reserve(self, count)
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        Remote::record(self, index)
    }

    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        self.inner.record_signed(signed)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        Remote::flush(self)
    }

    fn status(&self) -> Status {
        self.inner.service.status()
    }

    fn last_commit(&self) -> Duration {
        self.commit_time
    }

    fn acknowledge(&mut self) -> Result<(), StoreError> {
        Remote::acknowledge(self)
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        Remote::retire(self)
    }

    fn close(self: Box<Self>) -> Result<Status, StoreError> {
        Remote::close(*self)
    }
}
