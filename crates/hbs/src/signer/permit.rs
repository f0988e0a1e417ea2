//! Permits: proofs that an index was durably reserved before anything is computed for it.

use crate::Error;

/// The number of a one-time key, durably reserved for one signature.
///
/// A store records the reservation before it issues a permit. A signer calls
/// [`check`](Permit::check) when it prepares the index, and again when it signs with it. A permit
/// is consumed by [`prepare`](crate::Signer::prepare) and is never returned: an index without a
/// signature is lost, never reused. Implementations must not be `Clone`.
pub trait Permit: Send {
    /// Returns the reserved index.
    fn index(&self) -> u64;

    /// Checks that the reservation still holds.
    ///
    /// # Errors
    /// [`Error::PermitLost`] if it does not. Nothing may then be signed with the index.
    fn check(&self) -> Result<(), Error>;

    /// Returns true if the index was reserved for the key with this encoded public key. A permit of
    /// a store with several keys fits only one of them; permits in memory fit any key.
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

/// The record of how far a key has been used: the store that also issues its permits.
///
/// A key is loaded with its account ([`load`](crate::load)), never with an index that the caller
/// chooses. Loading prepares the nodes for the next index of the account.
pub trait Account {
    /// Returns the lowest index that has not been issued yet.
    fn next_index(&self) -> u64;
}

/// An index from a permit whose check has passed. There is no other way to obtain one.
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
