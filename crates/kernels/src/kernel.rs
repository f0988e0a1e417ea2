//! The seam: one object-safe trait, whose unit of work is a batch.

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

/// The compression function (for Keccak, the permutation) of a hash function, computed in some way.
///
/// A scheme holds `&dyn Kernel<H>`, out of a [`Kernels`](crate::Kernels). A backend has to
/// implement the first three methods; the bodies of the others are over
/// [`compress`](Self::compress).
/// A kernel around another one forwards all but [`nodes`](Self::nodes) and [`depth`](Self::depth).
pub trait Kernel<H: HashFunction>: Sync {
    /// Returns the name of the backend, as [`Kernels::named`](crate::Kernels::named) takes it.
    fn name(&self) -> &'static str;

    /// Returns how many states one step advances: a hint for batch sizes, never a condition.
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
    /// If `rows` is too short for a row that is asked for.
    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        chain::fill_rows(self, rule, spans, rows);
    }

    /// Hashes messages of one length; see [`many`](crate::many). Digest i goes to `out[i * n..]`.
    fn digests(&self, messages: &Messages<'_, H>, out: &mut [u8], n: usize) {
        messages.hash_in_tiles(self, out, n);
    }

    /// Returns the backend's own way with [grids](crate::grid), if it has one. A kernel around
    /// another one has it too.
    fn grids(&self) -> Option<&dyn Grids<H>> {
        None
    }

    /// Returns the bytes of stack below its caller in which a call may leave what it hashed, at
    /// most, if the backend knows: whoever hashes secrets [overwrites](crate::scrubbed) them. A
    /// backend that goes deeper at times overwrites the rest by itself.
    fn depth(&self) -> Option<usize> {
        None
    }

    /// Returns the backend's own way with [nodes](crate::node), if it has one. Without it they are
    /// hashed as messages, which is what a kernel around another one sees.
    fn nodes(&self) -> Option<&dyn Nodes<H>> {
        None
    }
}
