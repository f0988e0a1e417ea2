//! A tree with its signature: from the digest of the message to the root.

use super::hashing::{DIGEST_BYTES, Digest, Hashing};
use super::shape::{self, Form, Shape};
use super::verdict::Comparisons;
use super::{lms, number, xmss};

/// A tree with its signature, whose form is that of the key.
#[derive(Debug)]
pub struct Tree<'b> {
    shape: &'b Shape,
    key: &'b [u8],
    signature: &'b mut [u8],
}

impl<'b> Tree<'b> {
    /// Returns nothing if no shape has the key's numbers, or the signature has another form.
    pub fn of(
        shapes: &'b [Shape],
        form: Form,
        key: &'b [u8],
        signature: &'b mut [u8],
    ) -> Option<Self> {
        let shape = shape::find(shapes, form, key)?;
        let right = key.len() == shape.key_bytes()
            && signature.len() == shape.signature_bytes()
            && number(signature) >> shape.h == 0
            && (shape.is_xmss() || lms::has_types(shape, signature));
        right.then_some(Self { shape, key, signature })
    }

    /// Absorbs all that comes before the message.
    pub fn open(&self, message: &mut Hashing) {
        match self.shape.is_xmss() {
            true => xmss::open(self.shape, self.key, self.signature, message),
            false => lms::open(self.shape, self.key, self.signature, message),
        }
    }

    /// Compares the root that the signature leads to with the key's, twice.
    pub fn judge(&mut self, message: Hashing, roots: &mut Comparisons) {
        let (mut node, n) = ([0; DIGEST_BYTES], self.shape.n);
        message.finish(&mut node);
        self.climb(&mut node);
        roots.compare(&node[..n], &self.key[self.shape.root_at..][..n]);
    }

    /// Replaces the digest of the message by the root.
    fn climb(&mut self, node: &mut Digest) {
        let (shape, key, n) = (self.shape, self.key, self.shape.n);
        let leaf = number(self.signature);
        let (front, path) = self.signature.split_at_mut(shape.path_at);
        let ends = &mut front[shape.random_at + n..];
        advance(shape, key, leaf, node, ends);
        match shape.is_xmss() {
            true => xmss::leaf(shape, key, leaf, ends, node),
            false => lms::leaf(shape, key, leaf, ends, node),
        }
        // The path of LMS comes behind a typecode.
        let path = &path[path.len() - shape.h as usize * n..];
        for (height, other) in (0..).zip(path.chunks_exact(n)) {
            let (own, above) = (*node, (height, leaf >> height >> 1));
            let pair = match leaf >> height & 1 {
                0 => [&own[..n], other],
                _ => [other, &own[..n]],
            };
            match shape.is_xmss() {
                true => xmss::join(shape, key, above, pair, node),
                false => lms::join(shape, key, above, pair, node),
            }
        }
    }
}

/// Advances every chain of a one-time signature to its end.
fn advance(shape: &Shape, key: &[u8], leaf: u32, digest: &Digest, values: &mut [u8]) {
    let text = with_checksum(shape, digest);
    for (chain, value) in (0..).zip(values.chunks_exact_mut(shape.n)) {
        for j in digit(shape, &text, chain)..(1 << shape.lg_w) - 1 {
            let (at, mut next) = ((chain, j), [0; DIGEST_BYTES]);
            match shape.is_xmss() {
                true => xmss::step(shape, key, leaf, at, value, &mut next),
                false => lms::step(key, leaf, at, value, &mut next),
            }
            value.copy_from_slice(&next[..shape.n]);
        }
    }
}

/// Returns the digest with the checksum of its digits behind it: RFC 8554, section 4.4 (Checksum),
/// and RFC 8391, section 3.1.5 (WOTS+ Signature Generation), which shift it alike.
fn with_checksum(shape: &Shape, digest: &Digest) -> [u8; DIGEST_BYTES + 2] {
    let mut text = [0; DIGEST_BYTES + 2];
    text[..shape.n].copy_from_slice(&digest[..shape.n]);
    let largest = (1 << shape.lg_w) - 1;
    let sum: u32 = (0..shape.len1).map(|chain| largest - digit(shape, &text, chain)).sum();
    let shift = 16 - (shape.len as u32 - shape.len1) * shape.lg_w;
    text[shape.n..][..2].copy_from_slice(&((sum << shift) as u16).to_be_bytes());
    text
}

/// Returns a digit: RFC 8391, Algorithm 1 (base_w).
fn digit(shape: &Shape, text: &[u8], chain: u32) -> u32 {
    let bit = chain * shape.lg_w;
    let byte = u32::from(text[(bit / 8) as usize]);
    byte >> (8 - shape.lg_w - bit % 8) & ((1 << shape.lg_w) - 1)
}
