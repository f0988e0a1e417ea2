//! Public keys in their standard's encoding. For XMSS: RFC 8391, section 4.1.7 (XMSS Key
//! Generation), with the OID in front. For LMS: RFC 8554, section 5.3 (LMS Public Key).

use crate::Error;
use crate::lms::ID;
use crate::params::{Scheme, Set};
use alloc::boxed::Box;
use core::fmt;
use core::ops::Range;

/// A public key: its set, the root of the tree and what its hashes are seeded with.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    set: &'static Set,
    bytes: Box<[u8]>,
}

impl PublicKey {
    /// The key of `set` with this root, n bytes, and the public part of its seed.
    #[cfg(feature = "sign")]
    pub(crate) fn new(set: &'static Set, root: &[u8], seed: &[u8]) -> Self {
        let oid = &set.oid.to_be_bytes();
        let bytes = match set.scheme {
            Scheme::Lms { ots } => [oid, &ots.to_be_bytes()[..], seed, root].concat(),
            _ => [oid, root, seed].concat(),
        };
        Self { set, bytes: bytes.into() }
    }

    /// Reads an XMSS key: OID ‖ root ‖ SEED.
    ///
    /// # Errors
    /// [`Error::BadKey`] for a wrong length or an OID that no set has.
    pub fn from_xmss_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let oid = bytes.first_chunk().ok_or(Error::BadKey)?;
        Self::read(Set::xmss_by_oid(u32::from_be_bytes(*oid))?, bytes)
    }

    /// Reads an XMSS^MT key: OID ‖ root ‖ SEED. The numbers overlap with those of XMSS.
    ///
    /// # Errors
    /// [`Error::BadKey`] for a wrong length or an OID that no set has.
    pub fn from_xmssmt_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let oid = bytes.first_chunk().ok_or(Error::BadKey)?;
        Self::read(Set::xmssmt_by_oid(u32::from_be_bytes(*oid))?, bytes)
    }

    /// Reads an LMS key: u32str(type) ‖ u32str(otstype) ‖ I ‖ T\[1\].
    ///
    /// # Errors
    /// [`Error::BadKey`] for a wrong length or types that no set has.
    pub fn from_lms_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(Set::lms_by_types(bytes.first_chunk().ok_or(Error::BadKey)?)?, bytes)
    }

    fn read(set: &'static Set, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != set.public_key_bytes() {
            return Err(Error::BadKey);
        }
        Ok(Self { set, bytes: bytes.into() })
    }

    /// The encoded bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The parameter set.
    pub const fn set(&self) -> &'static Set {
        self.set
    }

    /// Where root and seed lie.
    const fn places(&self) -> (Range<usize>, Range<usize>) {
        match self.set.scheme {
            Scheme::Lms { .. } => (8 + ID..self.bytes.len(), 8..8 + ID),
            _ => (4..4 + self.set.n, 4 + self.set.n..self.bytes.len()),
        }
    }

    /// The root of the tree, n bytes.
    pub fn root(&self) -> &[u8] {
        &self.bytes[self.places().0]
    }

    /// PUB_SEED, n bytes; for LMS I, 16 bytes.
    pub fn seed(&self) -> &[u8] {
        &self.bytes[self.places().1]
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({}, ", self.set.name)?;
        self.bytes.iter().try_for_each(|b| write!(f, "{b:02x}"))?;
        f.write_str(")")
    }
}
