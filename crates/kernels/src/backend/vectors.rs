//! [`Kernel`] over a vector word, written once for all vector backends.

use super::features::{FillRows, Job, Lanes, Rounded, chains};
use super::templates::Templates;
use crate::Kernels;
use crate::hash::{HashFunction, Which};
use crate::kernel::Kernel;
use crate::kernel::chain::{self, Masked, Rule, Span};
use crate::kernel::grid::{self, Grid, Grids, Numbered};
use crate::kernel::message::Messages;
use crate::lanes::chains::{Engine, Work};
use crate::lanes::{self, batch};
use crate::word::vector::Vector;

/// Minimum numbers of states for which a full vector takes less time than [`Vectors::narrow`].
#[derive(Clone, Copy)]
pub(super) struct BreakEven {
    /// Minimum number of chains, or of messages of [`Kernel::digests`].
    pub chains: usize,
    /// Minimum number of states of [`Kernel::compress`].
    pub batches: usize,
}

/// A backend of vector words. A value exists only if the CPU has the features of the backend.
pub(super) trait Vectors: Rounded + Sync {
    /// The name of the backend.
    const NAME: &'static str;

    /// Returns the numbers of states from which a full vector pays off.
    fn break_even(&self, which: Which) -> BreakEven;

    /// Returns the bundle for this number of states, which is too small for a vector.
    fn narrow(&self, states: usize) -> Kernels<'static>;
}

impl<H: Templates, B: Vectors> Kernel<H> for B {
    fn name(&self) -> &'static str {
        B::NAME
    }

    fn lanes(&self) -> usize {
        H::Vector::<B>::LANES
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        assert_eq!(states.len(), blocks.len());
        let break_even = self.break_even(H::WHICH).batches;
        let taken = batch::taken(states.len(), Kernel::<H>::lanes(self), break_even);
        let (states, rest) = states.split_at_mut(taken);
        let (blocks, rest_blocks) = blocks.split_at(taken);
        if !states.is_empty() {
            run(self, Batch::<Lanes<B, H>> { states, blocks });
        }
        if !rest.is_empty() {
            H::kernel(&self.narrow(rest.len())).compress(rest, rest_blocks);
        }
    }

    fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
        let narrow = |rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]| {
            H::kernel(&self.narrow(spans.len())).chains(rule, spans, values);
        };
        let break_even = self.break_even(H::WHICH).chains;
        let work = Work { rule, spans, break_even, narrow: &narrow };
        // SAFETY: `self` exists, so the features were found.
        if !unsafe { chains::<B, Lanes<B, H>>(&work, values) } {
            chain::advance(self, rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        let job = FillRows::<Lanes<B, H>> { rule, spans, rows: &mut *rows };
        if !run(self, job) {
            chain::fill_rows(self, rule, spans, rows);
        }
    }

    fn digests(&self, messages: &Messages<'_, H>, out: &mut [u8], n: usize) {
        let break_even = self.break_even(H::WHICH).chains;
        let job = Digests::<Lanes<B, H>> { messages, out: &mut *out, n, break_even };
        let done = run(self, job);
        let rest = messages.after(done, out.len() / n);
        rest.hash_in_tiles(self, &mut out[done * n..], n);
    }

    fn grids(&self) -> Option<&dyn Grids<H>> {
        Some(self)
    }
}

impl<H: Templates, B: Vectors> Grids<H> for B {
    fn numbered(&self, messages: &Numbered<'_, H>, out: &mut [u8], n: usize) {
        let break_even = self.break_even(H::WHICH).chains;
        let job = HashItems::<Lanes<B, H>> { messages, out: &mut *out, n, break_even };
        let done = run(self, job);
        messages.hash_laid_out(self, done, out, n);
    }

    fn walk(&self, rule: &Rule<'_, H>, grid: &Grid, steps: u32, values: &mut [u8]) {
        let break_even = self.break_even(H::WHICH).chains;
        let job = WalkItems::<Lanes<B, H>> {
            rule,
            grid,
            steps,
            keep: false,
            values: &mut *values,
            break_even,
        };
        let done = run(self, job);
        grid::walk_spans(self, rule, (grid, steps), done, values);
    }

    fn trace(&self, rule: &Rule<'_, H>, grid: &Grid, steps: u32, table: &mut [u8]) {
        let break_even = self.break_even(H::WHICH).chains;
        let job = WalkItems::<Lanes<B, H>> {
            rule,
            grid,
            steps,
            keep: true,
            values: &mut *table,
            break_even,
        };
        let done = run(self, job);
        grid::trace_spans(self, rule, (grid, steps), done, table);
    }
}

/// Runs a job, compiled for the CPU features that the existence of `_found` proves.
fn run<B: Vectors, J: Job>(_found: &B, job: J) -> J::Done {
    // SAFETY: a backend exists only where its features were found.
    unsafe { B::enter(job) }
}

/// A job that hashes messages whose heads count up, as many as pay off in lanes. It returns how
/// many were hashed.
struct HashItems<'a, E: Engine> {
    messages: &'a Numbered<'a, E::Hash>,
    out: &'a mut [u8],
    n: usize,
    break_even: usize,
}

impl<E: Engine> Job for HashItems<'_, E> {
    type Done = usize;

    #[inline(always)]
    fn run(self) -> usize {
        lanes::numbered::<E>(self.messages, self.out, self.n, self.break_even)
    }
}

/// A job that advances the chains of a grid, as many as pay off in lanes. It returns how many were
/// advanced.
struct WalkItems<'a, E: Engine> {
    rule: &'a Rule<'a, E::Hash>,
    grid: &'a Grid,
    steps: u32,
    /// True if every value of every chain is kept; `values` then has room for them.
    keep: bool,
    values: &'a mut [u8],
    break_even: usize,
}

impl<E: Engine> Job for WalkItems<'_, E> {
    type Done = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let Self { rule, grid, steps, keep, values, break_even } = self;
        lanes::walk::<E>(rule, (grid, steps, keep), values, break_even)
    }
}

/// A job that absorbs a block into each state.
struct Batch<'a, E: Engine> {
    states: &'a mut [<E::Hash as HashFunction>::State],
    blocks: &'a [<E::Hash as HashFunction>::Block],
}

impl<B: Rounded, H: Templates> Job for Batch<'_, Lanes<B, H>> {
    type Done = ();

    #[inline(always)]
    fn run(self) {
        // No closure here: it would be compiled without the features.
        let lanes = H::Vector::<B>::LANES;
        let (vectors, rest) = self.states.split_at_mut(self.states.len() / lanes * lanes);
        let (vector_blocks, rest_blocks) = self.blocks.split_at(vectors.len());
        for (states, blocks) in
            vectors.chunks_exact_mut(lanes).zip(vector_blocks.chunks_exact(lanes))
        {
            Lanes::<B, H>::compress(states, blocks);
        }
        if !rest.is_empty() {
            let (mut states, blocks) = (batch::filled(rest), batch::filled(rest_blocks));
            Lanes::<B, H>::compress(&mut states[..lanes], &blocks[..lanes]);
            rest.copy_from_slice(&states[..rest.len()]);
        }
    }
}

impl<B: Rounded, H: Templates> Lanes<B, H> {
    /// Absorbs a block into each of `LANES` states.
    #[inline(always)]
    fn compress(states: &mut [H::State], blocks: &[H::Block]) {
        let mut wide = H::transpose_states(states);
        let block = H::transpose_blocks(blocks);
        Self::absorb(&mut wide, block.as_ref());
        H::restore_states(&wide, states);
    }
}

/// A job that hashes as many messages as pay off in lanes. It returns how many were hashed.
pub(super) struct Digests<'a, E: Engine> {
    pub messages: &'a Messages<'a, E::Hash>,
    pub out: &'a mut [u8],
    pub n: usize,
    pub break_even: usize,
}

impl<E: Engine> Job for Digests<'_, E> {
    type Done = usize;

    #[inline(always)]
    fn run(self) -> usize {
        lanes::digests::<E>(self.messages, self.out, self.n, self.break_even)
    }
}
