//! Permits: the proof that an index was durably set aside, before anything is computed for it.

use crate::Error;

/// A one-time key's number, durably reserved for one signature.
///
/// A store writes the reservation down before it hands a permit out; a signer asks
/// [`check`](Permit::check) when it prepares the index and again when it signs with it. A permit
/// is consumed by [`prepare`](crate::Signer::prepare) and is not given back: an index whose
/// signature was not made is lost, never reused. Implementations are not `Clone`.
pub trait Permit: Send {
    /// The reserved index.
    fn index(&self) -> u64;

    /// Whether the reservation still holds.
    ///
    /// # Errors
    /// [`Error::PermitLost`] if it does not; then nothing may be signed with the index.
    fn check(&self) -> Result<(), Error>;

    /// Whether the index was reserved for the key with this encoded public key. A store that
    /// holds several keys says no to the others; permits in memory fit any.
    fn is_for(&self, public_key: &[u8]) -> bool {
        let _ = public_key;
        true
    }
}

impl<P: Permit + ?Sized> Permit for alloc::boxed::Box<P> {
    fn index(&self) -> u64 {
        (**self).index()
    }

    fn check(&self) -> Result<(), Error> {
        (**self).check()
    }

    fn is_for(&self, public_key: &[u8]) -> bool {
        (**self).is_for(public_key)
    }
}

/// An index that came out of a permit whose check passed; nothing else makes one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Index(u64);

impl Index {
    /// The index of `permit`, if its reservation holds and it is below `capacity`.
    ///
    /// # Errors
    /// [`Error::PermitLost`] or [`Error::Exhausted`].
    pub fn mint(permit: &dyn Permit, capacity: u64) -> Result<Self, Error> {
        permit.check()?;
        let index = permit.index();
        if index < capacity { Ok(Self(index)) } else { Err(Error::Exhausted) }
    }

    /// The number.
    pub const fn get(&self) -> u64 {
        self.0
    }
}

/// Permits counted in memory only, for keys that die with the process: measurements and tests.
///
/// A key that outlives the process needs a store: after a restart these permits begin again, and
/// a one-time key used twice gives its secrets away.
#[derive(Debug, Default)]
pub struct Throwaway {
    next: u64,
}

/// A permit of [`Throwaway`].
#[derive(Debug)]
#[must_use = "dropped without `prepare`, its index is lost"]
pub struct ThrowawayPermit(u64);

impl Throwaway {
    /// Permits from index 0 on.
    pub const fn new() -> Self {
        Self { next: 0 }
    }

    /// Permits from `next` on: the earlier ones are given up.
    pub const fn starting_at(next: u64) -> Self {
        Self { next }
    }

    /// The next permit.
    pub const fn permit(&mut self) -> ThrowawayPermit {
        self.next += 1;
        ThrowawayPermit(self.next - 1)
    }
}

impl Permit for ThrowawayPermit {
    fn index(&self) -> u64 {
        self.0
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
}
