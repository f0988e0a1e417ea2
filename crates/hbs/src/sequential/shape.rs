//! The columns of the table of parameter sets that a verification needs.

use super::unit::Unit;
use super::{lms, number, xmss};
use crate::params::{Hash, SETS, Scheme, Set};

/// The encoding of keys and signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// RFC 8554, section 5 (Leighton-Micali Signatures): one tree.
    Lms,
    /// RFC 8554, section 6 (Hierarchical Signatures): one to eight levels.
    Hss,
    /// RFC 8391, section 4.1 (XMSS: eXtended Merkle Signature Scheme).
    Xmss,
}

/// A set of LMS or XMSS with SHA-256, copied from the table at compile time. The program does not
/// contain the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The numbers at the beginning of a key: that of the tree, and for LMS that of its one-time
    /// keys.
    pub(super) numbers: [u32; 2],
    n: usize,
    lg_w: u32,
    pub(super) h: u32,
    pub(super) len1: u32,
    pub(super) len: usize,
    key_bytes: usize,
    signature_bytes: usize,
    /// Offset of the root in a public key.
    pub(super) root_at: usize,
    /// Offset of the randomizer in a signature.
    pub(super) random_at: usize,
    /// Offset of the part of a signature after the chains.
    pub(super) path_at: usize,
}

/// The second number of an XMSS set, which has only one.
const XMSS: u32 = 0;

impl Shape {
    /// Returns the set with this name. It must be the full name as in [`SETS`], not an alias.
    ///
    /// # Panics
    /// If no set of LMS or XMSS with SHA-256 and n = 24 or 32 has this name. In a constant, this is
    /// an error at compile time.
    #[must_use]
    pub const fn named(name: &str) -> Self {
        let mut at = 0;
        while !same(SETS[at].name.as_bytes(), name.as_bytes()) {
            at += 1;
        }
        Self::of(&SETS[at])
    }

    const fn of(set: &Set) -> Self {
        assert!(matches!(set.hash, Hash::Sha256) && set.n <= super::DIGEST_BYTES);
        let (second, root_at, random_at) = match set.scheme {
            Scheme::Lms { ots } => (ots, lms::ROOT_AT, lms::RANDOM_AT),
            Scheme::Xmss => (XMSS, xmss::ROOT_AT, xmss::RANDOM_AT),
            _ => panic!("a set of LMS or XMSS"),
        };
        Self {
            numbers: [set.number.get(), second],
            n: set.n,
            lg_w: set.lg_w,
            h: set.h,
            len1: set.len1() as u32,
            len: set.len(),
            key_bytes: set.public_key_bytes(),
            signature_bytes: set.signature_bytes(),
            root_at,
            random_at,
            path_at: random_at + (1 + set.len()) * set.n,
        }
    }

    pub(super) const fn is_xmss(&self) -> bool {
        self.numbers[1] == XMSS
    }

    /// Returns the size of a public key in bytes.
    #[must_use]
    pub const fn key_bytes(&self) -> usize {
        self.key_bytes
    }

    /// Returns the size of a signature in bytes.
    #[must_use]
    pub const fn signature_bytes(&self) -> usize {
        self.signature_bytes
    }

    /// Returns the size of a value in bytes and of a digit in bits. Both are constants if the unit
    /// has only one kind of chains.
    #[inline(always)]
    const fn values<U: Unit>(&self) -> (usize, u32) {
        match U::VALUES {
            Some(values) => values,
            None => (self.n, self.lg_w),
        }
    }

    pub(super) const fn n<U: Unit>(&self) -> usize {
        self.values::<U>().0
    }

    pub(super) const fn lg_w<U: Unit>(&self) -> u32 {
        self.values::<U>().1
    }

    /// Returns true if unit `U` accepts chains of the kind that the set has.
    pub(super) fn is_for<U: Unit>(&self) -> bool {
        (self.n, self.lg_w) == self.values::<U>()
    }

    /// Returns true if `bytes` begins with the numbers of the set.
    pub(super) fn begins(&self, bytes: &[u8]) -> bool {
        let second = bytes.get(4..).map_or(u32::MAX, number);
        number(bytes) == self.numbers[0] && (self.is_xmss() || second == self.numbers[1])
    }
}

/// Returns the shape that fits a key.
pub(super) fn find<'s>(shapes: &'s [Shape], form: Form, key: &[u8]) -> Option<&'s Shape> {
    let fits = |shape: &&Shape| shape.is_xmss() == (form == Form::Xmss) && shape.begins(key);
    shapes.iter().find(fits)
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
