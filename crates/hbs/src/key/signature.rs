//! Encoded signatures and the offsets of their parts.

use crate::Error;
use crate::params::{Scheme, Set};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

/// A signature in its standard's encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(Vec<u8>);

impl Signature {
    /// Returns the encoded bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the encoded bytes, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl From<Vec<u8>> for Signature {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

/// Accepts any bytes. Only verification checks them.
impl From<&[u8]> for Signature {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Signature> for Box<[u8]> {
    fn from(signature: Signature) -> Self {
        signature.0.into()
    }
}

impl signature::SignatureEncoding for Signature {
    type Repr = Box<[u8]>;
}

/// The offsets of the parts of a stateful signature, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Size of the part before the index: for HSS, Nspk and the signed public keys.
    pub front: usize,
    /// Size of the index.
    pub index: usize,
    /// Offset of the randomizer.
    pub r: usize,
    /// Offset of the one-time signature.
    pub ots: usize,
    /// Offset of the authentication path.
    pub path: usize,
    /// Length of the whole signature.
    pub len: usize,
    n: usize,
    ots_bytes: usize,
    /// The typecodes that LMS writes before the randomizer and before the path.
    types: Option<[u32; 2]>,
}

impl Layout {
    /// Returns the layout of `set`. For XMSS: RFC 8391, section 4.1.8 (XMSS Signature); for
    /// XMSS^MT, the higher layers are part of the path. For LMS: RFC 8554, section 5.4 (LMS
    /// Signature); for HSS, the layout of its lowest tree after the higher levels.
    pub const fn of(set: &Set) -> Self {
        let lowest = set.layer(0);
        let types = match lowest.scheme {
            Scheme::Xmss | Scheme::XmssMt => None,
            Scheme::Lms { ots } => Some([ots, lowest.number.get()]),
            _ => panic!("not a single tree"),
        };
        let gap = if types.is_some() { 4 } else { 0 };
        let (n, ots_bytes) = (set.n, set.ots_bytes());
        let (front, index) = (set.front_bytes(), set.index_bytes());
        let r = front + index + gap;
        let ots = r + n;
        let path = ots + ots_bytes + gap;
        let len = path + lowest.above_bytes();
        Self { front, index, r, ots, path, len, n, ots_bytes, types }
    }

    /// Returns the byte range of the index.
    pub const fn index_range(&self) -> Range<usize> {
        self.front..self.front + self.index
    }

    /// Writes the index and the typecodes, which are the same in every signature.
    #[cfg(feature = "sign")]
    pub fn stamp(&self, index: u64, signature: &mut [u8]) {
        signature[self.index_range()].copy_from_slice(&index.to_be_bytes()[8 - self.index..]);
        for (place, kind) in self.types() {
            signature[place].copy_from_slice(&kind);
        }
    }

    /// Returns the byte ranges of the typecodes, and the typecodes.
    fn types(&self) -> impl Iterator<Item = (Range<usize>, [u8; 4])> {
        let ends = [self.r, self.path];
        let types = self.types.map(|types| types.map(u32::to_be_bytes));
        let placed = move |(end, kind)| (end - 4..end, kind);
        types.into_iter().flat_map(move |types| ends.into_iter().zip(types).map(placed))
    }

    /// Returns the parts of `signature`, which has no front, if its length and its typecodes are
    /// right and its index is below `capacity`.
    pub fn split<'s>(&self, signature: &'s [u8], capacity: u64) -> Result<Parts<'s>, Error> {
        if signature.len() != self.len {
            return Err(Error::BadSignature);
        }
        let index = signature[self.index_range()].iter().fold(0, |i, b| i << 8 | u64::from(*b));
        let strange = self.types().any(|(place, kind)| signature[place] != kind);
        if index >= capacity || strange {
            return Err(Error::BadSignature);
        }
        Ok(Parts {
            index,
            r: &signature[self.r..self.r + self.n],
            ots: &signature[self.ots_range()],
            path: &signature[self.path..],
        })
    }

    /// Returns the byte range of the one-time signature.
    pub const fn ots_range(&self) -> Range<usize> {
        self.ots..self.ots + self.ots_bytes
    }
}

/// The parts of a signature whose length, typecodes and index are valid.
pub(crate) struct Parts<'s> {
    pub index: u64,
    pub r: &'s [u8],
    pub ots: &'s [u8],
    pub path: &'s [u8],
}
