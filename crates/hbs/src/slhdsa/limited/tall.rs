//! The only tree of a key: FIPS 205, Algorithm 9 (xmss_node).

use crate::secret::Secret;
use crate::slhdsa::address::{Head, KeyPair};
use crate::slhdsa::hashes::Hashes;
use crate::slhdsa::hypertree;
use crate::tree::{Place, Position, Shape, Tree};
use alloc::vec::Vec;

/// A private key without the nodes of its tree.
pub(super) struct Tall<'k> {
    pub hashes: Hashes<'k>,
    pub sk_seed: Secret,
}

impl Tall<'_> {
    /// Returns the one-time key of a leaf.
    pub const fn key(leaf: u32) -> KeyPair {
        KeyPair { place: Place { layer: 0, tree: 0 }, leaf }
    }
}

impl Shape for Tall<'_> {
    fn n(&self) -> usize {
        self.hashes.set.n
    }

    fn height(&self) -> u32 {
        self.hashes.set.h
    }
}

impl Tree for Tall<'_> {
    fn leaves(&self, indices: &[u32], out: &mut [u8]) {
        let keys: Vec<KeyPair> = indices.iter().map(|leaf| Self::key(*leaf)).collect();
        out.copy_from_slice(&hypertree::leaves(&self.hashes, &self.sk_seed, &keys, 1));
    }

    fn nodes(&self, at: &[Position], pairs: &[u8], out: &mut [u8]) {
        let head = |p: &Position| hypertree::node(&self.hashes, Self::key(0), p.height, p.index);
        let heads: Vec<Head> = at.iter().map(head).collect();
        self.hashes.wide(&heads, pairs, out);
    }
}
