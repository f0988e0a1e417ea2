//! What a tree signs of a tree below it, at once or a part at a time.
//!
//! In XMSS^MT it is the root, which takes the place of a digest: a voucher is the one-time
//! signature and its path. In HSS it is the public key, signed like a message; a voucher is
//! signed_pub_key of RFC 8554, section 6.2 (Signature Generation): LMS signature, public key.

use crate::key::layered_key::Grown;
use crate::key::signature::Layout;
use crate::one_time::OneTime;
use crate::one_time::auth_path::root_of;
use crate::one_time::partial_chains::Slow;
use crate::params::{Scheme, Set};
use alloc::vec;
use alloc::vec::Vec;

/// Bytes of the voucher for a tree of `layer` of a key of `set`.
pub fn bytes(set: &Set, layer: u32) -> usize {
    match set.scheme {
        Scheme::Hss { .. } => {
            set.layer(layer + 1).signature_bytes() + set.layer(layer).public_key_bytes()
        }
        _ => set.ots_bytes() + set.path_bytes(),
    }
}

/// A voucher that is being made.
pub struct Voucher {
    statement: Vec<u8>,
    /// For HSS the signature without its chains and its path.
    frame: Vec<u8>,
    chains: Slow,
    /// The leaf that the traversal will ask for with this path.
    due: Option<u32>,
    leaf: Option<Slow>,
}

impl Voucher {
    /// Begins the voucher of `tree` for `statement`, with one-time key `leaf`.
    pub fn new(tree: &Grown<'_>, leaf: u32, statement: Vec<u8>) -> Self {
        let set = tree.tree.public().set();
        let (frame, digest) = match set.scheme {
            Scheme::Lms { .. } => framed(tree, leaf, &statement),
            _ => (Vec::new(), statement.clone()),
        };
        let chains = Slow::signing(&*tree.tree, leaf, &digest);
        Self { statement, frame, chains, due: tree.traversal.due(leaf), leaf: None }
    }

    /// What beginning has cost, in steps.
    pub fn begun(&self) -> u64 {
        self.chains.begun()
    }

    /// Whether all that `finish` takes is there.
    pub fn is_done(&self) -> bool {
        let leaf = self.due.is_none() || self.leaf.as_ref().is_some_and(Slow::is_done);
        self.chains.is_done() && leaf
    }

    /// Does a part of what is missing, as far as `budget` goes; what it cost.
    pub fn advance(&mut self, tree: &Grown<'_>, budget: u64) -> u64 {
        if !self.chains.is_done() {
            return self.chains.advance(&*tree.tree, budget);
        }
        match (&mut self.leaf, self.due) {
            (Some(leaf), _) => leaf.advance(&*tree.tree, budget),
            (None, Some(due)) => {
                let leaf = self.leaf.insert(Slow::whole(&*tree.tree, due));
                leaf.begun()
            }
            (None, None) => 0,
        }
    }

    /// The voucher, what is missing done now.
    pub fn finish(mut self, tree: &mut Grown<'_>) -> Vec<u8> {
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

/// The voucher of `tree` for `statement`, with one-time key `leaf`.
pub fn sign(tree: &mut Grown<'_>, leaf: u32, statement: Vec<u8>) -> Vec<u8> {
    Voucher::new(tree, leaf, statement).finish(tree)
}

/// An LMS signature of `message` but for its chains and its path, and the digest.
fn framed(tree: &Grown<'_>, leaf: u32, message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let set = tree.tree.public().set();
    let layout = Layout::of(set);
    let mut out = vec![0; layout.len];
    layout.stamp(leaf.into(), &mut out);
    let r = layout.r..layout.r + set.n;
    tree.tree.randomizer(leaf.into(), &mut out[r.clone()]);
    let digest = digest(tree.tree.public(), leaf, &out[r], message);
    (out, digest)
}

/// The digest of `message`, n bytes.
fn digest(public: &dyn OneTime<'_>, leaf: u32, r: &[u8], message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; public.set().n];
    public.opening(&[], leaf.into(), r).finish(message, &mut digest);
    digest
}

/// Whether `voucher` leads from `statement` to the root of `tree`.
pub fn verify(tree: &Grown<'_>, leaf: u32, statement: &[u8], voucher: &[u8]) -> bool {
    let public = tree.tree.public();
    let set = public.set();
    let root = match set.scheme {
        Scheme::Lms { .. } => {
            let Some(signature) = voucher.strip_suffix(statement) else { return false };
            let parts = Layout::of(set).split(signature, set.capacity());
            let Some(parts) = parts.ok().filter(|p| p.index == leaf.into()) else { return false };
            let digest = digest(public, leaf, parts.r, statement);
            root_of(public, leaf, &digest, (parts.ots, parts.path))
        }
        _ => root_of(public, leaf, statement, voucher.split_at(set.ots_bytes())),
    };
    root == tree.traversal.root()
}
