//! The session trees that a subscriber knows: a few, whatever is announced.

use alloc::boxed::Box;
use alloc::vec::Vec;
use hasten_hbs::{PreparedVerifier, PublicKey, Verifier, VerifierLevel};
use hasten_kernels::Kernels;

/// Session trees that a subscriber keeps: the one in use, those before it whose messages may still
/// come, and those announced ahead.
pub const MOST_TREES: usize = 4;

/// A tree that the identity has signed.
pub(crate) struct Tree<'k> {
    pub number: u64,
    /// The announcement, to know it again.
    pub announcement: Box<[u8]>,
    /// Bytes of a signature.
    pub signature_bytes: usize,
    pub verifier: PreparedVerifier<'k>,
}

impl<'k> Tree<'k> {
    /// Returns a tree that was verified.
    pub fn new(number: u64, announcement: &[u8], key: &PublicKey, kernels: Kernels<'k>) -> Self {
        let verifier = Verifier::new(key, kernels);
        Self {
            number,
            announcement: announcement.into(),
            signature_bytes: key.set().signature_bytes(),
            verifier: PreparedVerifier::new(verifier, VerifierLevel::NodeCache, 0),
        }
    }
}

/// The trees that are known, the oldest first.
#[derive(Default)]
pub(crate) struct Trees<'k>(Vec<Tree<'k>>);

impl<'k> Trees<'k> {
    /// Returns tree `number`.
    pub fn get(&mut self, number: u64) -> Option<&mut Tree<'k>> {
        self.0.iter_mut().find(|tree| tree.number == number)
    }

    /// Returns the number of the newest.
    pub fn newest(&self) -> Option<u64> {
        self.0.last().map(|tree| tree.number)
    }

    /// Returns whether a tree of this number would be kept: all are, up to [`MOST_TREES`], then
    /// those newer than the oldest.
    pub fn takes(&self, number: u64) -> bool {
        self.0.len() < MOST_TREES || self.0[0].number < number
    }

    /// Keeps a tree; the oldest gives way.
    pub fn keep(&mut self, tree: Tree<'k>) {
        let at = self.0.partition_point(|kept| kept.number < tree.number);
        self.0.insert(at, tree);
        if self.0.len() > MOST_TREES {
            self.0.remove(0);
        }
    }

    /// Forgets the trees before `number`.
    pub fn forget_before(&mut self, number: u64) {
        self.0.retain(|tree| tree.number >= number);
    }
}
