//! Permits: the proof that an index was durably set aside, before anything is computed for it.

use crate::Error;

/// A one-time key's number, durably reserved for one signature.
///
/// A store writes the reservation down before it hands a permit out; a signer asks
/// [`check`](Permit::check) when it prepares the index and again when it signs with it. A permit
/// is consumed by [`prepare`](crate::Signer::prepare) and is not given back: an index whose
/// signature was not made is lost, never reused. Implementations are not `Clone`.
pub trait Permit: Send {
    /// Returns the reserved index.
    fn index(&self) -> u64;

    /// Checks whether the reservation still holds.
    ///
    /// # Errors
    /// [`Error::PermitLost`] if it does not; then nothing may be signed with the index.
    fn check(&self) -> Result<(), Error>;

    /// Returns whether the index was reserved for the key with this encoded public key. A store
    /// that holds several keys says no to the others; permits in memory fit any.
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

/// Holds what remembers how far a key has been used: a store, which its permits come from too.
///
/// A key is loaded by its account ([`load`](crate::load)), never by a number that its
/// caller makes up: the nodes that it prepares are those of the index that follows.
pub trait Account {
    /// Returns the lowest index that was not handed out yet.
    fn next_index(&self) -> u64;
}

/// An index that came out of a permit whose check passed; nothing else makes one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Index(u64);

impl Index {
    /// Returns the index of `permit`, if its reservation holds and it is below `capacity`.
    ///
    /// # Errors
    /// [`Error::PermitLost`] or [`Error::Exhausted`].
    pub fn mint(permit: &dyn Permit, capacity: u64) -> Result<Self, Error> {
        permit.check()?;
        let index = permit.index();
        if index < capacity { Ok(Self(index)) } else { Err(Error::Exhausted) }
    }

    /// Returns the number.
    pub const fn get(&self) -> u64 {
        self.0
    }
}
