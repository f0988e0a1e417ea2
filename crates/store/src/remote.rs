//! Indices from a service: the interface of the service, and the permits for its indices.
//!
//! The service reports which indices it reserved. Permits are created only here, and in the
//! lifetime of a [`Remote`] only once for each index. An implementation of [`Service`] must
//! guarantee that no other process gets the same indices. That cannot be checked here.

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

/// Function that returns how many indices of a range this session has recorded as used.
pub type Used<'a> = &'a dyn Fn(&Range<u64>) -> u64;

/// A signer's session with a service that keeps the state of a key for several signers.
pub trait Service: Send + Sync {
    /// Returns the identity of the key.
    fn identity(&self) -> Identity;

    /// Reserves the next `count` indices, durably and for this session alone, and returns them.
    ///
    /// # Errors
    /// Any error. Nothing is then handed out, and indices that may have been reserved count as
    /// lost.
    fn reserve(&self, count: u64) -> Result<Range<u64>, StoreError>;

    /// Checks that the indices reserved by this session may be used now. Called right before every
    /// use.
    ///
    /// # Errors
    /// The refusal. The index is then not used.
    fn check(&self) -> Result<(), StoreError>;

    /// Settles the reservations that are used up.
    ///
    /// # Errors
    /// [`StoreError::ServiceUnreachable`]; they are settled later.
    fn settle(&self, used: Used<'_>) -> Result<(), StoreError>;

    /// Settles every reservation and ends the session. Unused indices are lost from now on.
    ///
    /// # Errors
    /// As [`settle`](Service::settle). The session has ended anyway.
    fn end(&self, used: Used<'_>) -> Result<Status, StoreError>;

    /// Returns the status as this session last saw it.
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

/// The indices of a service as seen by this process. Only this type creates permits for them. Not
/// `Clone`.
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
    /// Takes over a session with a service.
    pub fn new(service: S, env: Arc<dyn Env>) -> Remote<S> {
        let (owner, alive, ledger) = (Owner::new(&*env), AtomicBool::new(true), Mutex::default());
        let inner = Inner { service, env, owner, alive, ledger };
        Remote { inner: Arc::new(inner), commit_time: Duration::ZERO }
    }

    /// Returns the service, for its other functions.
    pub fn service(&self) -> &S {
        &self.inner.service
    }

    /// Reserves indices as [`Indices::reserve`] does.
    ///
    /// # Errors
    /// The errors of the service; [`StoreError::ReservedTwice`] and [`StoreError::Argument`] if the
    /// service returned a range that cannot be right.
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

    /// Records an index as [`Indices::record`] does.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record(&self, index: u64) -> Result<(), StoreError> {
        self.inner.record(index)
    }

    /// Reports the recorded indices as [`Indices::flush`] does.
    ///
    /// # Errors
    /// As [`Service::settle`].
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.inner.check_owner()?;
        self.inner.service.settle(&|range| self.inner.used(range))
    }

    /// Acknowledges the exhaustion warning as [`Indices::acknowledge`] does.
    ///
    /// # Errors
    /// As [`Service::acknowledge`].
    pub fn acknowledge(&mut self) -> Result<(), StoreError> {
        self.inner.check_owner()?;
        self.inner.service.acknowledge()
    }

    /// Retires the key as [`Indices::retire`] does.
    ///
    /// # Errors
    /// As [`Service::retire`].
    pub fn retire(&mut self) -> Result<(), StoreError> {
        self.inner.check_owner()?;
        self.inner.service.retire()
    }

    /// Ends the session as [`Indices::close`] does.
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

    /// Records only the index. A signing record is kept only for a key with a state of its own.
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
