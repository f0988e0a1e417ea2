//! Upper signatures: the signatures of a tree for the trees below it, computed at once or in parts.
//!
//! In XMSS^MT, the tree above signs the root in place of a digest. The upper signature is a
//! one-time signature and its path. In HSS, the tree above signs the public key like a message. The
//! upper signature is signed_pub_key of RFC 8554, section 6.2 (Signature Generation): an LMS
//! signature and the public key.

use crate::key::active_tree::ActiveTree;
use crate::key::signature::Layout;
use crate::one_time::OneTime;
use crate::one_time::auth_path::root_of;
use crate::one_time::partial_chains::PartialChains;
use crate::params::{Scheme, Set};
use alloc::vec;
use alloc::vec::Vec;

/// Returns the size in bytes of the upper signature of a tree of `layer` in a key of `set`.
pub fn bytes(set: &Set, layer: u32) -> usize {
    match set.scheme {
        Scheme::Hss { .. } => {
            set.layer(layer + 1).signature_bytes() + set.layer(layer).public_key_bytes()
        }
        _ => set.ots_bytes() + set.path_bytes(),
    }
}

/// An upper signature in progress.
pub struct UpperSignature {
    statement: Vec<u8>,
    /// For HSS, the signature without its chains and its path.
    frame: Vec<u8>,
    chains: PartialChains,
    /// The leaf that the traversal needs for this path.
    due: Option<u32>,
    leaf: Option<PartialChains>,
}

impl UpperSignature {
    /// Begins the signature of `statement` by one-time key `leaf` of `tree`.
    pub fn new(tree: &ActiveTree<'_>, leaf: u32, statement: Vec<u8>) -> Self {
        let set = tree.tree.public().set();
        let (frame, digest) = match set.scheme {
            Scheme::Lms { .. } => framed(tree, leaf, &statement),
            _ => (Vec::new(), statement.clone()),
        };
        let chains = PartialChains::signing(&*tree.tree, leaf, &digest);
        Self { statement, frame, chains, due: tree.traversal.due(leaf), leaf: None }
    }

    /// Returns the number of steps that [`new`](Self::new) has done.
    pub fn begun(&self) -> u64 {
        self.chains.begun()
    }

    /// Returns true if `finish` has nothing left to compute.
    pub fn is_done(&self) -> bool {
        let leaf = self.due.is_none() || self.leaf.as_ref().is_some_and(PartialChains::is_done);
        self.chains.is_done() && leaf
    }

    /// Does missing work as far as `budget` allows. Returns the number of steps done.
    pub fn advance(&mut self, tree: &ActiveTree<'_>, budget: u64) -> u64 {
        if !self.chains.is_done() {
            return self.chains.advance(&*tree.tree, budget);
        }
        match (&mut self.leaf, self.due) {
            (Some(leaf), _) => leaf.advance(&*tree.tree, budget),
            (None, Some(due)) => {
                let leaf = self.leaf.insert(PartialChains::whole(&*tree.tree, due));
                leaf.begun()
            }
            (None, None) => 0,
        }
    }

    /// Does all missing work and returns the upper signature.
    pub fn finish(mut self, tree: &mut ActiveTree<'_>) -> Vec<u8> {
        while !self.is_done() {
            self.advance(tree, u64::MAX);
        }
        let (index, set) = (self.chains.leaf(), tree.tree.public().set());
        let given = self.leaf.map(|leaf| (leaf.leaf(), leaf.into_leaf(&*tree.tree)));
        let mut out = self.frame;
        match set.scheme {
            Scheme::Lms { .. } => {
                let layout = Layout::of(set);
                out[layout.ots_range()].copy_from_slice(self.chains.values());
                out.truncate(layout.path);
            }
            _ => out.extend(self.chains.values()),
        }
        tree.traversal.path_given(&*tree.tree, index, given, &mut out);
        if let Scheme::Lms { .. } = set.scheme {
            out.extend(self.statement);
        }
        out
    }
}

/// Signs `statement` with one-time key `leaf` of `tree`.
pub fn sign(tree: &mut ActiveTree<'_>, leaf: u32, statement: Vec<u8>) -> Vec<u8> {
    UpperSignature::new(tree, leaf, statement).finish(tree)
}

/// Returns an LMS signature of `message` without its chains and its path, and the digest.
fn framed(tree: &ActiveTree<'_>, leaf: u32, message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let set = tree.tree.public().set();
    let layout = Layout::of(set);
    let mut out = vec![0; layout.len];
    layout.stamp(leaf.into(), &mut out);
    let r = layout.r..layout.r + set.n;
    tree.tree.randomizer(leaf.into(), &mut out[r.clone()]);
    let digest = digest(tree.tree.public(), leaf, &out[r], message);
    (out, digest)
}

/// Returns the digest of `message`, n bytes.
fn digest(public: &dyn OneTime<'_>, leaf: u32, r: &[u8], message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; public.set().n];
    public.opening(&[], leaf.into(), r).finish(message, &mut digest);
    digest
}

/// Returns true if the upper signature `upper` leads from `statement` to the root of `tree`.
pub fn verify(tree: &ActiveTree<'_>, leaf: u32, statement: &[u8], upper: &[u8]) -> bool {
    let public = tree.tree.public();
    let set = public.set();
    let root = match set.scheme {
        Scheme::Lms { .. } => {
            let Some(signature) = upper.strip_suffix(statement) else { return false };
            let parts = Layout::of(set).split(signature, set.capacity());
            let Some(parts) = parts.ok().filter(|p| p.index == leaf.into()) else { return false };
            let digest = digest(public, leaf, parts.r, statement);
            root_of(public, leaf, &digest, (parts.ots, parts.path))
        }
        _ => root_of(public, leaf, statement, upper.split_at(set.ots_bytes())),
    };
    root == tree.traversal.root()
}
