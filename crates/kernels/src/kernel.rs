//! The interface of the kernels: one object-safe trait, whose unit of work is a batch.

pub mod chain;
pub(crate) mod function;
pub mod grid;
mod kernels;
pub(crate) mod message;
pub(crate) mod midstate;
pub mod node;

pub use self::kernels::Kernels;

use self::chain::{Masked, Rule, Span};
use self::function::HashFunction;
use self::grid::Grids;
use self::message::Messages;
use self::node::Nodes;

/// An implementation of the compression function of a hash function; for Keccak, of the
/// permutation.
///
/// A scheme takes a `&dyn Kernel<H>` from a bundle of [`Kernels`](crate::Kernels). A backend must
/// implement the first three methods. The default bodies of the others use
/// [`compress`](Self::compress). A kernel that wraps another one forwards all methods but
/// [`nodes`](Self::nodes) and [`depth`](Self::depth).
pub trait Kernel<H: HashFunction>: Sync {
    /// Returns the name of the backend, as [`Kernels::named`](crate::Kernels::named) takes it.
    fn name(&self) -> &'static str;

    /// Returns the number of states that one step advances. It is a hint for batch sizes, not a
    /// requirement.
    fn lanes(&self) -> usize;

    /// Absorbs `blocks[i]` into `states[i]`, for every i
    /// (FIPS 180-4, section 6.2.2 (SHA-256 Hash Computation) and section 6.4.2 (SHA-512 Hash
    /// Computation)); for Keccak, permutes every state (FIPS 202, section 3.3 (KECCAK-p[b, nr])).
    ///
    /// # Panics
    /// If the two slices differ in length.
    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]);

    /// Advances every chain; see [`chain`](crate::chain).
    ///
    /// # Panics
    /// If `values` is not n bytes for each span, or a row that is needed is missing.
    fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
        chain::advance(self, rule, spans, values);
    }

    /// Fills the rows of every step of every span; see [`chain`](crate::chain).
    ///
    /// # Panics
    /// If `rows` is too short for one of these rows.
    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        chain::fill_rows(self, rule, spans, rows);
    }

    /// Hashes messages of one length; see [`many`](crate::many). Digest i goes to `out[i * n..]`.
    fn digests(&self, messages: &Messages<'_, H>, out: &mut [u8], n: usize) {
        messages.hash_in_tiles(self, out, n);
    }

    /// Returns the backend's own implementation for [grids](crate::grid), if it has one. A kernel
    /// that wraps another one returns itself, so that it sees these calls.
    fn grids(&self) -> Option<&dyn Grids<H>> {
        None
    }

    /// Returns how far a call may leave parts of its input on the stack: at most this many bytes
    /// below the caller. `None` if the backend does not know. A caller that hashes secrets
    /// [overwrites](crate::scrubbed) these bytes. A backend that sometimes goes deeper overwrites
    /// the rest itself.
    fn depth(&self) -> Option<usize> {
        None
    }

    /// Returns the backend's own implementation for [nodes](crate::node), if it has one. Without
    /// it, nodes are hashed as messages; a kernel that wraps another one sees them as messages.
    fn nodes(&self) -> Option<&dyn Nodes<H>> {
        None
    }
}
