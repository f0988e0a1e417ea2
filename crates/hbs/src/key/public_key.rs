//! Public keys in their standard's encoding. For XMSS: RFC 8391, section 4.1.7 (XMSS Key
//! Generation), with the OID in front. For LMS: RFC 8554, section 5.3 (LMS Public Key). For HSS:
//! RFC 8554, section 6.1 (Key Generation).

use crate::Error;
use crate::params::{LMS_ID_BYTES, MOST_LEVELS, Scheme, Set};
use alloc::boxed::Box;
use core::fmt;
use core::ops::Range;

/// A public key: its parameter set, the root of the tree, and the public seed of its hashes.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    set: &'static Set,
    /// Number of levels, for HSS.
    levels: Option<u32>,
    bytes: Box<[u8]>,
}

impl PublicKey {
    /// Returns the key of `set` with this root, n bytes, and the public part of its seed.
    #[cfg(feature = "sign")]
    pub(crate) fn new(set: &'static Set, root: &[u8], seed: &[u8]) -> Self {
        let bytes = match set.scheme {
            Scheme::Lms { .. } => crate::lms::encoded_key(set, seed, root),
            Scheme::Hss { levels } => {
                return Self::of_levels(set.d, &Self::new(levels[0], root, seed));
            }
            _ => [&set.number.get().to_be_bytes(), root, seed].concat(),
        };
        Self { set, levels: None, bytes: bytes.into() }
    }

    /// Returns the HSS key whose highest tree has the key `highest`.
    #[cfg(feature = "sign")]
    fn of_levels(levels: u32, highest: &Self) -> Self {
        let bytes = [&levels.to_be_bytes(), highest.as_bytes()].concat();
        Self { set: highest.set, levels: Some(levels), bytes: bytes.into() }
    }

    /// Reads an XMSS key: OID ‖ root ‖ SEED.
    ///
    /// # Errors
    /// [`Error::BadKey`] for a wrong length or an OID that no set has.
    pub fn from_xmss_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let oid = bytes.first_chunk().ok_or(Error::BadKey)?;
        Self::read(Set::xmss_by_oid(u32::from_be_bytes(*oid))?, bytes)
    }

    /// Reads an XMSS^MT key: OID ‖ root ‖ SEED. The OIDs overlap with those of XMSS.
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

    /// Reads an HSS key: u32str(L) ‖ the LMS key of the highest tree.
    ///
    /// # Errors
    /// [`Error::BadKey`] for a wrong length, no level or more than eight, or types that no set has.
    pub fn from_hss_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (levels, highest) = bytes.split_first_chunk().ok_or(Error::BadKey)?;
        let levels = u32::from_be_bytes(*levels);
        if levels == 0 || levels as usize > MOST_LEVELS {
            return Err(Error::BadKey);
        }
        let Self { set, .. } = Self::from_lms_bytes(highest)?;
        Ok(Self { set, levels: Some(levels), bytes: bytes.into() })
    }

    fn read(set: &'static Set, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != set.public_key_bytes() {
            return Err(Error::BadKey);
        }
        Ok(Self { set, levels: None, bytes: bytes.into() })
    }

    /// Returns the LMS key of the highest tree of an HSS key. Any other key is returned unchanged.
    pub(crate) fn highest(&self) -> Self {
        let from = if self.levels.is_some() { 4 } else { 0 };
        Self { set: self.set, levels: None, bytes: self.bytes[from..].into() }
    }

    /// Returns the encoded bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the number of levels of an HSS key, 1 to 8, or `None` for any other key.
    pub const fn levels(&self) -> Option<u32> {
        self.levels
    }

    /// Returns the parameter set. For HSS, this is the set of the highest tree, the only one that
    /// the key names.
    pub const fn set(&self) -> &'static Set {
        self.set
    }

    /// Returns the byte ranges of root and seed.
    const fn places(&self) -> (Range<usize>, Range<usize>) {
        let front = if self.levels.is_some() { 12 } else { 8 };
        match self.set.scheme {
            Scheme::Lms { .. } => {
                (front + LMS_ID_BYTES..self.bytes.len(), front..front + LMS_ID_BYTES)
            }
            _ => (4..4 + self.set.n, 4 + self.set.n..self.bytes.len()),
        }
    }

    /// Returns the root of the tree, n bytes.
    pub fn root(&self) -> &[u8] {
        &self.bytes[self.places().0]
    }

    /// Returns PUB_SEED, n bytes; for LMS and HSS, I, 16 bytes.
    pub fn seed(&self) -> &[u8] {
        &self.bytes[self.places().1]
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.levels {
            Some(levels) => write!(f, "PublicKey({levels} levels, {}, ", self.set.name)?,
            None => write!(f, "PublicKey({}, ", self.set.name)?,
        }
        self.bytes.iter().try_for_each(|b| write!(f, "{b:02x}"))?;
        f.write_str(")")
    }
}
