//! Nodes: the hash of a pair of values under a key and two masks.
//!
//! node ← core ‖ KEY ‖ (left ⊕ MASK_0) ‖ (right ⊕ MASK_1), where `‖` is concatenation and
//! KEY, MASK_0 and MASK_1 are the digests prf ‖ head\[at ← 0\], prf ‖ head\[at ← 1\] and
//! prf ‖ head\[at ← 2\], n bytes each.
//!
//! **Table.** A row is 3n bytes. The first n bytes are KEY, or the state after core ‖ KEY if that
//! state has n bytes and KEY ends a block ([`Midstate::keeps_state`]). Both masks follow.
//!
//! Software hashes rows and nodes as messages ([`many`](crate::many),
//! [`keyed_many`](crate::keyed_many)). A hardware unit that applies the masks itself implements
//! [`Nodes`] and returns it from [`Kernel::nodes`](crate::Kernel::nodes).

use super::chain::{HEAD, Rule};
use super::function::HashFunction;
use super::grid::Grid;
use super::midstate::Midstate;

/// The computation of a node; see the [module](self).
pub struct Node<'a, H: HashFunction> {
    /// The beginning of the messages of KEY and masks.
    pub prf: &'a Midstate<H>,
    /// The beginning of a node's message.
    pub core: &'a Midstate<H>,
    /// Number of first bytes of a head that `prf` has already absorbed.
    pub lead: usize,
    /// Offset of the byte of a head that selects KEY, MASK_0 or MASK_1.
    pub at: usize,
    /// Size of a value in bytes.
    pub n: usize,
}

/// The rows of nodes, or the heads that they are computed from.
pub enum Given<'a> {
    /// The rows, one after another.
    Rows(&'a [u8]),
    /// The heads. Each row is computed from its head when it is needed.
    Heads(&'a mut dyn Iterator<Item = [u8; HEAD]>),
}

/// A backend with its own implementation for nodes, and for the chains below them.
pub trait Nodes<H: HashFunction>: Sync {
    /// Fills the row of each head. Returns false if this backend does not support `rule`; `rows` is
    /// then unchanged.
    ///
    /// # Panics
    /// If `rows` is not 3n bytes for each head.
    fn node_rows(&self, rule: &Node<'_, H>, heads: &[[u8; HEAD]], rows: &mut [u8]) -> bool;

    /// Hashes each pair of values, 2n bytes, to a node under its row. Returns false if this backend
    /// does not support `rule`; `nodes` is then unchanged.
    ///
    /// # Panics
    /// If `rows` is not 3n bytes, or `pairs` not 2n bytes, for each n bytes of `nodes`.
    fn join(&self, rule: &Node<'_, H>, rows: &[u8], pairs: &[u8], nodes: &mut [u8]) -> bool;

    /// Advances the chain of every item of `grid` from its step in `from` to step `last`. The
    /// values are read from `given` and written to `ends`. [`Rule::Rows`] has `last` rows for each
    /// chain. Returns false, with nothing done, if this backend is no better with `rule` than
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

    /// Copies value `steps[i]` of chain i to `out`, n bytes for each chain. `table` has all values
    /// of the first chain, then those of the second, and so on. Returns false, with nothing done,
    /// if this backend is no better at it than the processor.
    ///
    /// # Panics
    /// If a chain has no value of this step.
    fn look_up(&self, _table: &[u8], _steps: &[u8], _out: &mut [u8]) -> bool {
        false
    }

    /// Joins neighbouring `values`, n bytes each, level by level until one value is left, which is
    /// then the first. If a level has an odd number of values, the last one moves up unchanged.
    /// `given` has the nodes from left to right, lowest level first. Returns false, with nothing
    /// done, if this backend does not support `rule` or the form of `given`.
    ///
    /// # Panics
    /// If there are no values, or fewer rows or heads than nodes.
    fn reduce(&self, _rule: &Node<'_, H>, _given: Given<'_>, _values: &mut [u8]) -> bool {
        false
    }

    /// Hashes `pairs`, 2n bytes each, lowest first. The node of a pair becomes one side of the pair
    /// above it: of pair i the right side if bit i of `sides` is 1, the left side otherwise. The
    /// caller sets the other side of each pair, and both sides of the lowest one. The highest node
    /// goes to `root`. Returns false, with nothing done, if this backend does not support `rule` or
    /// the form of `given`.
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
