//! Verification of the signature of one tree: from the digest of the message to the root.

use super::hashing::{DIGEST_BYTES, Digest, Hashing};
use super::shape::{self, Form, Shape};
use super::unit::{Chains, Head, Unit};
use super::verdict::Comparisons;
use super::{lms, number, xmss};

/// A tree with a signature whose form matches the key.
#[derive(Debug)]
pub struct Tree<'b, U> {
    unit: U,
    shape: &'b Shape,
    key: &'b [u8],
    signature: &'b mut [u8],
}

impl<'b, U: Unit> Tree<'b, U> {
    /// Returns `None` if no shape has the numbers of the key, or the signature has another form.
    pub fn of(
        unit: U,
        shapes: &'b [Shape],
        form: Form,
        key: &'b [u8],
        signature: &'b mut [u8],
    ) -> Option<Self> {
        let shape = shape::find(shapes, form, key)?;
        let right = shape.is_for::<U>()
            && key.len() == shape.key_bytes()
            && signature.len() == shape.signature_bytes()
            && number(signature) >> shape.h == 0
            && (shape.is_xmss() || lms::has_types(shape, signature));
        right.then_some(Self { unit, shape, key, signature })
    }

    /// Absorbs everything that comes before the message.
    pub fn open(&self, message: &mut Hashing<U>) {
        match self.shape.is_xmss() {
            true => xmss::open(self.shape, self.key, self.signature, message),
            false => lms::open(self.shape, self.key, self.signature, message),
        }
    }

    /// Computes the root that the signature leads to, and compares it twice with that of the key.
    pub fn judge(&mut self, message: &mut Hashing<U>, roots: &mut Comparisons) {
        let (mut node, n) = ([0; DIGEST_BYTES], self.shape.n::<U>());
        message.end(&mut node);
        self.climb(&mut node);
        roots.compare(&node, &self.key[self.shape.root_at..][..n]);
    }

    /// Returns the size of a root in bytes.
    pub const fn root_bytes(&self) -> u32 {
        self.shape.n::<U>() as u32
    }

    /// Replaces the digest of the message by the root.
    fn climb(&mut self, node: &mut Digest) {
        let (unit, shape, key, n) = (self.unit, self.shape, self.key, self.shape.n::<U>());
        let leaf = number(self.signature);
        let (front, path) = self.signature.split_at_mut(shape.path_at);
        let ends = &mut front[shape.random_at + n..];
        advance(unit, shape, key, leaf, node, ends);
        match shape.is_xmss() {
            true => xmss::leaf(unit, shape, key, leaf, ends, node),
            false => lms::leaf(unit, shape, key, leaf, ends, node),
        }
        // In LMS, the path follows a typecode.
        let path = &path[path.len() - shape.h as usize * n..];
        for (height, other) in (0..).zip(path.chunks_exact(n)) {
            let (own, above) = (*node, (height, leaf >> height >> 1));
            let pair = match leaf >> height & 1 {
                0 => [&own[..n], other],
                _ => [other, &own[..n]],
            };
            match shape.is_xmss() {
                true => xmss::join(unit, shape, key, above, pair, node),
                false => lms::join(unit, shape, key, above, pair, node),
            }
        }
    }
}

/// Advances every chain of a one-time signature to its end.
fn advance<U: Unit>(
    unit: U,
    shape: &Shape,
    key: &[u8],
    leaf: u32,
    digest: &Digest,
    values: &mut [u8],
) {
    let (text, mut head) = (with_checksum::<U>(shape, digest), Head([0; 32]));
    let last = (1 << shape.lg_w::<U>()) - 1;
    let (at, seed) = match shape.is_xmss() {
        true => (xmss::head(leaf, &mut head), Some(xmss::seed::<U>(shape, key))),
        false => (lms::head(key, leaf, &mut head), None),
    };
    let from = |chain| digit::<U>(shape, &text, chain);
    let n = shape.n::<U>();
    if unit.chains(&Chains { seed, head, at, last, n }, from, values) {
        return;
    }
    for (chain, value) in (0..).zip(values.chunks_exact_mut(n)) {
        for j in from(chain)..last {
            let (at, mut next) = ((chain, j), [0; DIGEST_BYTES]);
            match seed {
                Some(_) => xmss::step(unit, shape, key, leaf, at, value, &mut next),
                None => lms::step(unit, key, leaf, at, value, &mut next),
            }
            value.copy_from_slice(&next[..n]);
        }
    }
}

/// Returns the digest followed by the checksum of its digits. RFC 8554, section 4.4 (Checksum), and
/// RFC 8391, section 3.1.5 (WOTS+ Signature Generation), shift the checksum in the same way.
fn with_checksum<U: Unit>(shape: &Shape, digest: &Digest) -> [u8; DIGEST_BYTES + 2] {
    let mut text = [0; DIGEST_BYTES + 2];
    text[..shape.n::<U>()].copy_from_slice(&digest[..shape.n::<U>()]);
    let largest = (1 << shape.lg_w::<U>()) - 1;
    let sum: u32 = (0..shape.len1).map(|chain| largest - digit::<U>(shape, &text, chain)).sum();
    let shift = 16 - (shape.len as u32 - shape.len1) * shape.lg_w::<U>();
    text[shape.n::<U>()..][..2].copy_from_slice(&((sum << shift) as u16).to_be_bytes());
    text
}

/// Returns the digit of a chain: RFC 8391, Algorithm 1 (base_w).
fn digit<U: Unit>(shape: &Shape, text: &[u8], chain: u32) -> u32 {
    let bit = chain * shape.lg_w::<U>();
    let byte = u32::from(text[(bit / 8) as usize]);
    byte >> (8 - shape.lg_w::<U>() - bit % 8) & ((1 << shape.lg_w::<U>()) - 1)
}
