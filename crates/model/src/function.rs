//! The function of its standard to which a compression belongs, determined from the message that it
//! hashes: every hash begins with bytes that distinguish it from all others.

mod lms;
mod slhdsa;
mod xmss;

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use serde::{Deserialize, Serialize};

/// A function of a standard. The names are common to all three standards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    /// A constant beginning shared by many hashes.
    Prefix,
    /// The randomizer, or its part of the key of a message hash.
    Randomizer,
    /// The hash of the message.
    Message,
    /// A secret element of a chain.
    Element,
    /// Key or mask of a chain step.
    ChainMask,
    /// A chain step.
    Chain,
    /// Key or mask of a node over chain ends.
    EndsMask,
    /// The hash over chain ends: L-tree, K of LM-OTS, T_len.
    Ends,
    /// The leaf over a one-time public key.
    Leaf,
    /// Key or mask of a node of the tree.
    NodeMask,
    /// A node of the tree.
    Node,
    /// A secret element of FORS.
    ForsElement,
    /// A leaf or node of a FORS tree.
    ForsNode,
    /// The hash over FORS roots.
    ForsRoots,
    /// Not recognised.
    Other,
}

/// A function with the numbers that distinguish its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The function.
    pub function: Function,
    /// The layer of the hypertree, 0 the lowest.
    pub layer: u32,
    /// The tree within the layer.
    pub tree: u64,
    /// The one-time key within the tree.
    pub leaf: u32,
    /// The chain; for a node, its height.
    pub chain: u32,
    /// The step; for a node, its index.
    pub step: u32,
    /// 0 for the key, 1 or more for the masks.
    pub part: u32,
}

impl Place {
    /// Returns the place of a function that occurs only once.
    pub(crate) const fn only(function: Function) -> Self {
        Self { function, layer: 0, tree: 0, leaf: 0, chain: 0, step: 0, part: 0 }
    }
}

/// Context needed to distinguish functions whose messages begin alike.
pub(crate) struct Hints<'a> {
    pub set: &'static Set,
    /// PUB_SEED, PK.seed or I.
    pub public_seed: &'a [u8],
}

/// Returns the place of a hash whose message begins with `head`, or `None` if `head` is too short.
pub(crate) fn place(hints: &Hints<'_>, head: &[u8]) -> Option<Place> {
    match hints.set.scheme {
        Scheme::Xmss | Scheme::XmssMt => xmss::place(hints, head),
        Scheme::Lms { .. } => lms::place(hints, head),
        _ => slhdsa::place(hints, head),
    }
}

/// Returns the names of a function in the standard of `set`, preceded by those of its callers,
/// outermost first. `own` is false for a leaf other than that of the signature, which is computed
/// for the tree.
pub(crate) fn names(set: &Set, function: Function, own: bool, signs: bool) -> Vec<&'static str> {
    match set.scheme {
        Scheme::Xmss | Scheme::XmssMt => xmss::names(function, own, signs),
        Scheme::Lms { .. } => lms::names(function, own, signs),
        _ => slhdsa::names(function, own, signs),
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |b| u32::from_be_bytes(b.try_into().expect("four bytes")))
}

fn long(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).map_or(0, |b| u64::from_be_bytes(b.try_into().expect("eight bytes")))
}
