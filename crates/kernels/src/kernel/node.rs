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

use super::chain::{HEAD, Rule};
use super::function::HashFunction;
use super::grid::Grid;
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

/// The rows of nodes.
pub enum Given<'a> {
    /// They are at hand, one behind the other.
    Rows(&'a [u8]),
    /// They are to be made on the way, each from its head.
    Heads(&'a mut dyn Iterator<Item = [u8; HEAD]>),
}

/// A backend that has its own way with nodes, and with the chains below them.
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

    /// Advances the chain of every item of `grid` up to step `last`, each from its own step: the
    /// values `given` to `ends`. A rule with rows has those of `last` steps for each chain. Returns
    /// false, with nothing done, if it has no better way with `rule` than that of
    /// [`Kernel::chains`](crate::Kernel::chains).
    ///
    /// # Panics
    /// If `given` or `ends` is not n bytes for each of `from`.
    fn finish(
        &self,
        _rule: &Rule<'_, H>,
        _grid: &Grid,
        (_from, _last): (&[u8], u32),
        _given: &[u8],
        _ends: &mut [u8],
    ) -> bool {
        false
    }

    /// Copies value `steps[i]` of chain i to `out`, n bytes for each chain; `table` has the values
    /// of each chain behind each other. Returns false, with nothing done, if it has no better way
    /// than the processor's own.
    ///
    /// # Panics
    /// If a step is no value of its chain.
    fn look_up(&self, _table: &[u8], _steps: &[u8], _out: &mut [u8]) -> bool {
        false
    }

    /// Joins neighbours among `values`, n bytes each, and what they come to, until one value is
    /// left, which is then the first. The last of an odd number goes up as it is. Nodes are given
    /// from left to right, lowest first. Returns false, with nothing done, if it has no way with
    /// `rule` or with what is given.
    ///
    /// # Panics
    /// If there are no values, or fewer rows or heads than nodes.
    fn reduce(&self, _rule: &Node<'_, H>, _given: Given<'_>, _values: &mut [u8]) -> bool {
        false
    }

    /// Hashes `pairs`, 2n bytes each, lowest first. Bit i of `sides` says at which side of pair i
    /// the node of the pair below goes, 1 for the right one; the other side is given, and the whole
    /// lowest pair. The highest node goes to `root`. Returns false, with nothing done, if it has no
    /// way with `rule` or with what is given.
    ///
    /// # Panics
    /// If there are fewer rows or heads than pairs, or `root` is not n bytes.
    fn climb(
        &self,
        _rule: &Node<'_, H>,
        _given: Given<'_>,
        _sides: u32,
        _pairs: &mut [u8],
        _root: &mut [u8],
    ) -> bool {
        false
    }
}
