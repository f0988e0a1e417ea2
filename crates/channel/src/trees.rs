//! The session trees that a subscriber knows. Their number is limited, whatever is announced.

use crate::Refusal;
use crate::format::Kind;
use crate::signed_keys::SignedKeys;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use hasten_hbs::{LeafVerifier, PreparedVerifier, Set, Verifier, VerifierLevel};
use hasten_kernels::Kernels;

/// Number of session trees that a subscriber keeps: the one in use, earlier ones whose messages may
/// still arrive, and those announced ahead.
pub const MOST_TREES: usize = 4;

/// Number of verified batches of a tree that are remembered, so that each is verified only once
/// although messages are reordered.
const MOST_PROVEN: usize = 4;

/// A tree that the identity has signed.
pub(crate) struct Tree<'k> {
    pub number: u64,
    /// The announced keys without the leaves, to recognise them again.
    keys: Box<[u8]>,
    set: &'static Set,
    verifier: PreparedVerifier<'k>,
    /// The leaves, if they were announced.
    leaves: Option<LeafVerifier<'k>>,
    batches: VecDeque<Proven>,
}

/// A batch whose signature was verified.
struct Proven {
    statement: Vec<u8>,
    signature: Box<[u8]>,
}

impl<'k> Tree<'k> {
    /// Returns a tree whose announcement was verified.
    pub fn new(keys: &SignedKeys<'_>, kernels: Kernels<'k>) -> Self {
        let verifier = Verifier::new(&keys.tree, kernels);
        Self {
            number: keys.number,
            keys: keys.front.into(),
            set: keys.tree.set(),
            verifier: PreparedVerifier::new(verifier, VerifierLevel::NodeCache, 0),
            leaves: None,
            batches: VecDeque::new(),
        }
    }

    /// Returns true if its leaves are known.
    pub const fn has_leaves(&self) -> bool {
        self.leaves.is_some()
    }

    /// Returns the parameter set.
    pub const fn set(&self) -> &'static Set {
        self.set
    }

    /// Compares an announcement of this tree with the known data. Returns whether both are equal,
    /// or `None` if the part of the identity is equal and the leaves are new and must be checked.
    pub fn is_same(&self, keys: &SignedKeys<'_>) -> Option<bool> {
        match (&self.leaves, keys.leaves) {
            _ if *self.keys != *keys.front => Some(false),
            (_, None) => Some(true),
            (Some(known), Some(leaves)) => Some(known.leaves() == leaves),
            (None, Some(_)) => None,
        }
    }

    /// Stores the announced leaves after checking that they lead to the root.
    pub fn learn(&mut self, keys: &SignedKeys<'_>, kernels: Kernels<'k>) -> Result<(), Refusal> {
        let Some(leaves) = keys.leaves else { return Ok(()) };
        let checked = LeafVerifier::new(&keys.tree, leaves, kernels);
        self.leaves = Some(checked.map_err(|_| Refusal::BadSignature)?);
        Ok(())
    }

    /// Returns the length of a signature in a message of this kind, in bytes.
    pub const fn signature_bytes(&self, kind: Kind) -> usize {
        signature_bytes(self.set, kind)
    }

    /// Checks that the tree has signed `message`.
    pub fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), Refusal> {
        let done = match &self.leaves {
            Some(leaves) if signature.len() < self.set.signature_bytes() => {
                leaves.verify(message, signature)
            }
            _ => self.verifier.verify(message, signature),
        };
        done.map_err(|_| Refusal::BadSignature)
    }

    /// Checks that the tree has signed the root of a batch. The same bytes are verified only once.
    pub fn verify_batch(&mut self, statement: Vec<u8>, signature: &[u8]) -> Result<(), Refusal> {
        let same = |known: &Proven| known.statement == statement && *known.signature == *signature;
        if self.batches.iter().any(same) {
            return Ok(());
        }
        self.verify(&statement, signature)?;
        self.batches.truncate(MOST_PROVEN - 1);
        self.batches.push_front(Proven { statement, signature: signature.into() });
        Ok(())
    }
}

/// Returns the length of a signature by a tree of `set` in a message of this kind, in bytes.
pub(crate) const fn signature_bytes(set: &Set, kind: Kind) -> usize {
    if kind.is_short() { LeafVerifier::short_bytes(set) } else { set.signature_bytes() }
}

/// The known trees, oldest first.
#[derive(Default)]
pub(crate) struct Trees<'k>(Vec<Tree<'k>>);

impl<'k> Trees<'k> {
    /// Returns tree `number`.
    pub fn get(&mut self, number: u64) -> Option<&mut Tree<'k>> {
        self.0.iter_mut().find(|tree| tree.number == number)
    }

    /// Returns the number of the newest tree.
    pub fn newest(&self) -> Option<u64> {
        self.0.last().map(|tree| tree.number)
    }

    /// Returns true if a tree with this number would be kept: up to [`MOST_TREES`] all are kept,
    /// and then only those that are newer than the oldest.
    pub fn takes(&self, number: u64) -> bool {
        self.0.len() < MOST_TREES || self.0[0].number < number
    }

    /// Keeps a tree, and removes the oldest if there are too many.
    pub fn keep(&mut self, tree: Tree<'k>) {
        let at = self.0.partition_point(|kept| kept.number < tree.number);
        self.0.insert(at, tree);
        if self.0.len() > MOST_TREES {
            self.0.remove(0);
        }
    }

    /// Removes the trees before `number`.
    pub fn forget_before(&mut self, number: u64) {
        self.0.retain(|tree| tree.number >= number);
    }
}
