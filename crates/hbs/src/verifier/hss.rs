//! Prepared verification for HSS. The signed public keys of the trees in use are kept once they are
//! verified, and the lowest tree is handled like any single tree.

use super::level::VerifierLevel;
use super::signed_keys::{Front, under};
use super::single_tree::SingleTreeVerifier;
use crate::Error;
use crate::key::PublicKey;
use crate::verifier::Verifier;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Maximum number of kept lowest trees: the one in use, and one that was announced.
const MOST_TREES: usize = 2;

/// A lowest tree whose signed public keys were verified.
struct Tree<'k> {
    number: u64,
    front: Box<[u8]>,
    watch: SingleTreeVerifier<'k>,
}

/// A verifier of an HSS key.
pub(super) struct HssVerifier<'k> {
    verifier: Verifier<'k>,
    level: VerifierLevel,
    expected: u64,
    /// The tree that was used last is the last element.
    trees: Vec<Tree<'k>>,
}

impl<'k> HssVerifier<'k> {
    pub const fn new(verifier: Verifier<'k>, level: VerifierLevel, expected: u64) -> Self {
        Self { verifier, level, expected, trees: Vec::new() }
    }

    pub const fn public_key(&self) -> &PublicKey {
        self.verifier.public_key()
    }

    pub const fn expected(&self) -> u64 {
        self.expected
    }

    pub fn pending(&self) -> usize {
        self.trees.iter().map(|tree| tree.watch.pending()).sum()
    }

    pub fn prepare(&mut self) {
        if let Some(tree) = self.trees.last_mut() {
            tree.watch.prepare();
        }
    }

    pub fn announce(&mut self, announcement: &[u8]) -> Result<(), Error> {
        if self.level < VerifierLevel::OtsKey {
            return Err(Error::BadAnnouncement);
        }
        let refused = |_| Error::BadAnnouncement;
        let (mut tree, rest) = self.take(announcement).map_err(refused)?;
        let index = under(tree.number, tree.watch.public_key().set(), rest);
        let passed = index < self.expected;
        let outcome = if passed { Err(Error::BadAnnouncement) } else { tree.watch.announce(rest) };
        self.put(tree, outcome.is_ok());
        outcome
    }

    pub fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        let (mut tree, rest) = self.take(signature)?;
        let outcome = tree.watch.verify(message, rest);
        let index = under(tree.number, tree.watch.public_key().set(), rest);
        if outcome.is_ok() {
            self.expected = self.expected.max(index.saturating_add(1));
        }
        self.put(tree, outcome.is_ok());
        outcome
    }

    /// Returns the lowest tree of the signature or announcement `whole`, and the bytes after the
    /// signed public keys. The tree is one of the kept trees, or is verified now.
    fn take<'s>(&mut self, whole: &'s [u8]) -> Result<(Tree<'k>, &'s [u8]), Error> {
        let front = Front::split(self.public_key(), whole)?;
        let kept = self.trees.iter().position(|tree| *tree.front == *front.bytes);
        if let Some(at) = kept.filter(|_| self.level >= VerifierLevel::NodeCache) {
            return Ok((self.trees.remove(at), front.rest));
        }
        let kernels = self.verifier.kernels();
        let front = Front::verified(self.public_key(), whole, kernels)?;
        let watch = SingleTreeVerifier::new(Verifier::new(&front.lowest, kernels), self.level, 0);
        Ok((Tree { number: front.number, front: front.bytes.into(), watch }, front.rest))
    }

    /// Keeps a tree. If `good` is true, it becomes the tree in use. If there are too many trees,
    /// the oldest is dropped.
    fn put(&mut self, tree: Tree<'k>, good: bool) {
        let at = if good { self.trees.len() } else { 0 };
        self.trees.insert(at, tree);
        if self.trees.len() > MOST_TREES {
            self.trees.remove(0);
        }
    }
}
