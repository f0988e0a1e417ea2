//! Nodes: the hash of a pair of values under a key and two masks.
//!
//! node ← core ‖ KEY ‖ (left ⊕ MASK_0) ‖ (right ⊕ MASK_1), where `‖` is concatenation and
//! KEY, MASK_0 and MASK_1 are the digests prf ‖ head\[at ← 0\], prf ‖ head\[at ← 1\] and
//! prf ‖ head\[at ← 2\], n bytes each.
//!
//! **Table.** A row is 3n bytes: first KEY, or the state after core ‖ KEY where that state has n
//! bytes and KEY ends a block ([`Midstate::keeps_state`]); then both masks.
//!
//! Software hashes rows and nodes as messages ([`many`](crate::many),
//! [`keyed_many`](crate::keyed_many)). A unit that masks on the way to its compressions says so by
//! [`Kernel::nodes`](crate::Kernel::nodes).

use super::chain::HEAD;
use super::function::HashFunction;
use super::midstate::Midstate;

/// How nodes are hashed; see the [module](self).
pub struct Node<'a, H: HashFunction> {
    /// The beginning of the messages of KEY and masks.
    pub prf: &'a Midstate<H>,
    /// The beginning of a node's message.
    pub core: &'a Midstate<H>,
    /// Bytes of a head that `prf` has absorbed.
    pub lead: usize,
    /// The byte of a head that says which of the three is computed.
    pub at: usize,
    /// Bytes of a value.
    pub n: usize,
}

/// A backend that has its own way with nodes.
pub trait Nodes<H: HashFunction>: Sync {
    /// Fills the row of each head. Returns false, with nothing done, if it has no way with `rule`.
    ///
    /// # Panics
    /// If `rows` is not 3n bytes for each head.
    fn node_rows(&self, rule: &Node<'_, H>, heads: &[[u8; HEAD]], rows: &mut [u8]) -> bool;

    /// Hashes each pair, 2n bytes, to a node, with its row. Returns false, with nothing done, if it
    /// has no way with `rule`.
    ///
    /// # Panics
    /// If `rows` is not 3n bytes and `pairs` not 2n bytes for each n bytes of `nodes`.
    fn join(&self, rule: &Node<'_, H>, rows: &[u8], pairs: &[u8], nodes: &mut [u8]) -> bool;
}
