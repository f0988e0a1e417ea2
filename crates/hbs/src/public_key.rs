//! Public keys in their standard's encoding. For XMSS: RFC 8391, section 4.1.7 (XMSS Key
//! Generation), with the OID in front.

use crate::Error;
use crate::params::Set;
use alloc::boxed::Box;
use core::fmt;

/// A public key: its set, the root of the tree and what its hashes are seeded with.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    set: &'static Set,
    bytes: Box<[u8]>,
}

impl PublicKey {
    /// The key of `set` with this root and seed, n bytes each.
    #[cfg(feature = "sign")]
    pub(crate) fn new(set: &'static Set, root: &[u8], seed: &[u8]) -> Self {
        Self { set, bytes: [&set.oid.to_be_bytes(), root, seed].concat().into() }
    }

    /// Reads an XMSS key: OID ‖ root ‖ SEED.
    ///
    /// # Errors
    /// [`Error::BadKey`] for a wrong length or an OID that no set has.
    pub fn from_xmss_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let oid = bytes.first_chunk().ok_or(Error::BadKey)?;
        let set = Set::xmss_by_oid(u32::from_be_bytes(*oid))?;
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

    /// The root of the tree, n bytes.
    pub fn root(&self) -> &[u8] {
        &self.bytes[4..4 + self.set.n]
    }

    /// PUB_SEED, n bytes.
    pub fn seed(&self) -> &[u8] {
        &self.bytes[4 + self.set.n..]
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({}, ", self.set.name)?;
        self.bytes.iter().try_for_each(|b| write!(f, "{b:02x}"))?;
        f.write_str(")")
    }
}
