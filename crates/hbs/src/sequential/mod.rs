//! Verification for a boot ROM: one hash at a time, no heap, little code.
//!
//! The module verifies LMS and HSS (RFC 8554) and XMSS (RFC 8391, SP 800-208) with SHA-256, for the
//! sets that the caller names. A hardware [`Unit`] may do the hashing. The message comes in pieces
//! and is not stored. A ROM may be attacked with faults, so the answer is not a single bit:
//! [`Verdict`] has two words, each from a separate comparison.
//!
//! [`Verifier`](crate::Verifier) is faster, has none of these restrictions, and supports every set.
//! Tests compare the two.
//!
//! ```
//! use hasten_hbs::sequential::{Form, Shape, Verification};
//! const SHAPES: &[Shape] = &[Shape::named("XMSS-SHA2_10_192")];
//! # let (key, mut signature, image) = ([0; 52], [0; 1492], [0; 64]);
//! let verification = Verification::begin::<1>(SHAPES, Form::Xmss, &key, &mut signature);
//! # assert!(verification.is_none());
//! # let good = || {
//! let mut verification = verification?;
//! image.chunks(16).for_each(|part| verification.update(part));
//! Some(verification.finish().is_good())
//! # };
//! ```

mod hashing;
mod lms;
mod shape;
mod tree;
mod unit;
mod verdict;
mod xmss;

pub use hashing::{DIGEST_BYTES, Digest, Hashing, hash};
pub use shape::{Form, Shape};
pub use unit::{Alone, Block, Chains, Head, Unit};
pub use verdict::Verdict;

use crate::params::MOST_LEVELS;
use tree::Tree;
use verdict::Comparisons;

/// A verification that is still receiving its message.
#[derive(Debug)]
pub struct Verification<'b, U = Alone> {
    tree: Tree<'b, U>,
    message: Hashing<U>,
    roots: Comparisons,
}

impl<'b> Verification<'b> {
    /// Begins a verification, which overwrites the chains of the signature. Returns `None` if no
    /// shape has the numbers of the key, if the signature has another form, or if an HSS key has
    /// more than `LEVELS` levels. `LEVELS` is from one to eight; a program with one level has less
    /// code.
    pub fn begin<const LEVELS: u32>(
        shapes: &'b [Shape],
        form: Form,
        key: &'b [u8],
        signature: &'b mut [u8],
    ) -> Option<Self> {
        Self::begin_by::<LEVELS>(Alone, shapes, form, key, signature)
    }
}

impl<'b, U: Unit> Verification<'b, U> {
    /// Begins a verification as [`begin`](Verification::begin) does, with hashing by `unit`.
    pub fn begin_by<const LEVELS: u32>(
        unit: U,
        shapes: &'b [Shape],
        form: Form,
        key: &'b [u8],
        signature: &'b mut [u8],
    ) -> Option<Self> {
        let (tree, mut roots) = match form {
            Form::Hss => lowest::<LEVELS, U>(unit, shapes, key, signature)?,
            _ => (Tree::of(unit, shapes, form, key, signature)?, Comparisons::of(1)),
        };
        roots.owe(tree.root_bytes());
        let mut message = Hashing::by(unit);
        tree.open(&mut message);
        Some(Self { tree, message, roots })
    }

    /// Absorbs a part of the message.
    pub fn update(&mut self, part: &[u8]) {
        self.message.update(&[part]);
    }

    /// Absorbs `count` words of the message; see [`Hashing::update_words`].
    pub fn update_words(&mut self, count: usize, words: impl Iterator<Item = u32>) {
        self.message.update_words(count, words);
    }

    /// Ends the message and returns the verdict.
    pub fn finish(mut self) -> Verdict {
        self.tree.judge(&mut self.message, &mut self.roots);
        self.roots.verdict()
    }
}

/// Verifies the signed public keys of HSS, and returns the lowest tree.
fn lowest<'b, const LEVELS: u32, U: Unit>(
    unit: U,
    shapes: &'b [Shape],
    key: &'b [u8],
    signature: &'b mut [u8],
) -> Option<(Tree<'b, U>, Comparisons)> {
    let (levels, mut key) = (number(key), key.get(4..)?);
    const { assert!(1 <= LEVELS && LEVELS <= MOST_LEVELS as u32) }
    if !(1..=LEVELS).contains(&levels) || number(signature) != levels - 1 {
        return None;
    }
    let mut roots = Comparisons::of(levels);
    let mut rest = signature.get_mut(4..)?;
    for _ in 1..levels {
        let shape = shape::find(shapes, Form::Lms, key)?;
        let (signature, after) = rest.split_at_mut_checked(shape.signature_bytes())?;
        let signed = shape::find(shapes, Form::Lms, after)?;
        let (signed, after) = after.split_at_mut_checked(signed.key_bytes())?;
        let mut tree = Tree::of(unit, shapes, Form::Lms, key, signature)?;
        roots.owe(tree.root_bytes());
        let mut message = Hashing::by(unit);
        tree.open(&mut message);
        message.update(&[signed]);
        tree.judge(&mut message, &mut roots);
        (key, rest) = (signed, after);
    }
    Some((Tree::of(unit, shapes, Form::Lms, key, rest)?, roots))
}

/// Returns the number in the first four bytes. If there are fewer bytes, returns a number that no
/// set and no signature has.
#[inline(never)]
fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(u32::MAX, |four| u32::from_be_bytes(*four))
}
