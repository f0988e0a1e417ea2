//! Permits of the store, in the form that the schemes require.

use std::sync::{Arc, Mutex, PoisonError};

use hasten_hbs as hbs;
use hasten_store::{Interval, Permit, Recorder, StoreError};

/// The reason why the last permit of a key was refused; shared by all permits of the key.
#[derive(Clone, Default)]
pub(super) struct Refusal(Arc<Mutex<Option<StoreError>>>);

impl Refusal {
    /// Returns true if both belong to the same open key.
    pub(super) fn is_of_same_key(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn keep(&self, error: StoreError) -> hbs::Error {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        hbs::Error::PermitLost
    }

    /// Returns the store's error if the scheme could report only that its permit was lost.
    pub(super) fn explain(&self, error: hbs::Error) -> crate::Error {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (error, kept) {
            (hbs::Error::PermitLost, Some(state)) => crate::Error::State(state),
            (error, _) => crate::Error::Scheme(error),
        }
    }
}

/// One durably reserved index of one key. It is not `Clone` and is consumed by the preparation.
pub struct StorePermit {
    inner: Permit,
    key: Arc<[u8]>,
    refusal: Refusal,
}

impl StorePermit {
    pub(super) fn new(inner: Permit, key: Arc<[u8]>, refusal: Refusal) -> Self {
        Self { inner, key, refusal }
    }

    /// Returns the recorder that records the index after the signature is released.
    pub(super) fn recorder(&self) -> Recorder {
        self.inner.recorder()
    }
}

impl hbs::Permit for StorePermit {
    fn index(&self) -> u64 {
        self.inner.index()
    }

    /// Asks the store again to check owner, process, generation and lease.
    fn check(&self) -> Result<(), hbs::Error> {
        self.inner.check().map_err(|error| self.refusal.keep(error))
    }

    fn is_for(&self, public_key: &[u8]) -> bool {
        *self.key == *public_key
    }
}

/// A durably reserved interval of indices of one key: an iterator of permits, in order.
#[must_use = "indices that are not used are lost"]
pub struct Reserved {
    pub(super) interval: Interval,
    pub(super) key: Arc<[u8]>,
    pub(super) refusal: Refusal,
}

impl Reserved {
    /// Returns the indices for which no permit has been taken.
    pub fn range(&self) -> core::ops::Range<u64> {
        self.interval.range()
    }

    /// Takes the permit of the first remaining index.
    ///
    /// # Errors
    /// `State` with `Empty` if none is left.
    pub fn first(&mut self) -> Result<StorePermit, crate::Error> {
        self.next().ok_or(crate::Error::State(StoreError::Empty))
    }
}

impl Iterator for Reserved {
    type Item = StorePermit;

    fn next(&mut self) -> Option<StorePermit> {
        let (key, refusal) = (self.key.clone(), self.refusal.clone());
        self.interval.next().map(|inner| StorePermit::new(inner, key, refusal))
    }
}
