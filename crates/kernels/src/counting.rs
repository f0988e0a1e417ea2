//! A bundle that forwards its work to another bundle and reports every call to an observer.
//!
//! The counted code is the code that runs: [`Counting`] forwards every method of [`Kernel`] and
//! [`Grids`]. Nodes are an exception: they are hashed, and counted, as messages. An [`Observer`]
//! receives every call with its shape. [`Counter`] is an observer that adds up.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Kernels;
use crate::hash::{HashFunction, Which};
use crate::kernel::Kernel;
use crate::kernel::chain::{Masked, Rule, Span};
use crate::kernel::grid::{self, Grid, Grids, Numbered};
use crate::kernel::message::Messages;

/// A call of a kernel method.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// [`Kernel::compress`].
    Batch {
        /// Number of states.
        states: usize,
    },
    /// [`Kernel::chains`].
    Chains {
        /// The chains.
        spans: &'a [Span],
        /// Compressions in one step, one after the other.
        step: u64,
    },
    /// [`Kernel::rows`].
    Rows {
        /// The chains whose steps have their rows filled.
        spans: &'a [Span],
        /// Compressions in one row.
        row: u64,
    },
    /// [`walk`](crate::walk) and [`trace`](crate::trace).
    Walk {
        /// Number of chains.
        chains: usize,
        /// Number of steps of each chain.
        steps: u32,
        /// Compressions in one step, one after the other.
        step: u64,
    },
    /// [`Kernel::digests`] and [`numbered`](crate::numbered).
    Digests {
        /// Number of messages.
        messages: usize,
        /// Compressions in one message, one after the other.
        each: u64,
    },
}

impl Event<'_> {
    /// Returns the number of independent pieces of work in the call: states, chains, rows or
    /// messages.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Self::Batch { states: count }
            | Self::Digests { messages: count, .. }
            | Self::Walk { chains: count, .. } => *count,
            Self::Chains { spans, .. } => spans.iter().filter(|span| span.steps > 0).count(),
            Self::Rows { spans, .. } => spans.iter().map(|span| span.steps as usize).sum(),
        }
    }

    /// Returns the compressions (permutations) of the call.
    #[must_use]
    pub fn compressions(&self) -> u64 {
        match self {
            Self::Batch { states } => *states as u64,
            Self::Digests { messages, each } => each * *messages as u64,
            Self::Walk { chains, steps, step } => step * u64::from(*steps) * *chains as u64,
            Self::Chains { spans, step: each } | Self::Rows { spans, row: each } => {
                each * spans.iter().map(|span| u64::from(span.steps)).sum::<u64>()
            }
        }
    }
}

/// A receiver of the calls that [`Counting`] reports.
pub trait Observer: Sync {
    /// Receives `event` after the kernel of the hash function `which` has done the work.
    fn event(&self, which: Which, event: Event<'_>);
}

/// A wrapper around a bundle that reports every call to an observer.
///
/// ```
/// use hasten_kernels::{Counter, Counting, Kernels, Midstate, Which};
/// let counter = Counter::new();
/// let counting = Counting::new(Kernels::best(), &counter);
/// let mut digest = [0; 32];
/// Midstate::sha256().finish(counting.kernels().sha256, &[0; 64], &mut digest);
/// assert_eq!(counter.compressions(Which::Sha256), 2);
/// ```
#[derive(Clone, Copy)]
pub struct Counting<'k> {
    inner: Kernels<'k>,
    observer: &'k dyn Observer,
}

impl<'k> Counting<'k> {
    /// Returns a wrapper that forwards work to `inner` and reports calls to `observer`.
    #[must_use]
    pub fn new(inner: Kernels<'k>, observer: &'k dyn Observer) -> Self {
        Self { inner, observer }
    }

    /// Returns the counting bundle, which schemes use in place of the inner one.
    #[must_use]
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels::from_backend(self)
    }
}

impl<H: HashFunction> Kernel<H> for Counting<'_> {
    fn name(&self) -> &'static str {
        H::kernel(&self.inner).name()
    }

    fn lanes(&self) -> usize {
        H::kernel(&self.inner).lanes()
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        H::kernel(&self.inner).compress(states, blocks);
        self.observer.event(H::WHICH, Event::Batch { states: states.len() });
    }

    fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
        H::kernel(&self.inner).chains(rule, spans, values);
        self.observer.event(H::WHICH, Event::Chains { spans, step: rule.cost() });
    }

    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        H::kernel(&self.inner).rows(rule, spans, rows);
        self.observer.event(H::WHICH, Event::Rows { spans, row: rule.row_cost() });
    }

    fn digests(&self, messages: &Messages<'_, H>, out: &mut [u8], n: usize) {
        H::kernel(&self.inner).digests(messages, out, n);
        let count = out.len() / n;
        let event = Event::Digests { messages: count, each: messages.cost(count) };
        self.observer.event(H::WHICH, event);
    }

    fn grids(&self) -> Option<&dyn Grids<H>> {
        Some(self)
    }
}

impl<H: HashFunction> Grids<H> for Counting<'_> {
    fn numbered(&self, messages: &Numbered<'_, H>, out: &mut [u8], n: usize) {
        grid::numbered(H::kernel(&self.inner), messages, out, n);
        let count = out.len() / n;
        let event = Event::Digests { messages: count, each: messages.cost(count) };
        self.observer.event(H::WHICH, event);
    }

    fn walk(&self, rule: &Rule<'_, H>, grid: &Grid, steps: u32, values: &mut [u8]) {
        grid::walk(H::kernel(&self.inner), rule, grid, steps, values);
        let chains = if steps > 0 { values.len() / rule.n() } else { 0 };
        self.observer.event(H::WHICH, Event::Walk { chains, steps, step: rule.cost() });
    }

    fn trace(&self, rule: &Rule<'_, H>, grid: &Grid, steps: u32, table: &mut [u8]) {
        grid::trace(H::kernel(&self.inner), rule, grid, steps, table);
        let each = (steps as usize + 1) * rule.n();
        let chains = if steps > 0 { table.len() / each } else { 0 };
        self.observer.event(H::WHICH, Event::Walk { chains, steps, step: rule.cost() });
    }
}

/// The sums of a [`Counter`] for the kernel of one hash function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Compressions (permutations).
    pub compressions: u64,
    /// Calls of kernel methods.
    pub calls: u64,
    /// Sum of [`Event::width`] over all calls. Divided by `calls`, it is the mean batch size.
    pub width: u64,
    /// Largest width of a call.
    pub largest: u64,
}

/// An observer that adds up. It is cheap and can be called from any number of threads.
#[derive(Debug, Default)]
pub struct Counter([Cell; 3]);

#[derive(Debug, Default)]
struct Cell {
    compressions: AtomicU64,
    calls: AtomicU64,
    width: AtomicU64,
    largest: AtomicU64,
}

impl Counter {
    /// Returns a counter with all sums zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the sums for one kernel.
    #[must_use]
    pub fn counts(&self, which: Which) -> Counts {
        let cell = &self.0[which as usize];
        Counts {
            compressions: cell.compressions.load(Relaxed),
            calls: cell.calls.load(Relaxed),
            width: cell.width.load(Relaxed),
            largest: cell.largest.load(Relaxed),
        }
    }

    /// Returns the compressions (permutations) of one kernel.
    #[must_use]
    pub fn compressions(&self, which: Which) -> u64 {
        self.counts(which).compressions
    }

    /// Returns the compressions of all three kernels.
    #[must_use]
    pub fn total(&self) -> u64 {
        [Which::Sha256, Which::Sha512, Which::Keccak]
            .map(|which| self.compressions(which))
            .iter()
            .sum()
    }

    /// Sets all sums to zero.
    pub fn reset(&self) {
        for Cell { compressions, calls, width, largest } in &self.0 {
            [compressions, calls, width, largest]
                .into_iter()
                .for_each(|count| count.store(0, Relaxed));
        }
    }
}

impl Observer for Counter {
    fn event(&self, which: Which, event: Event<'_>) {
        let cell = &self.0[which as usize];
        let width = event.width() as u64;
        cell.compressions.fetch_add(event.compressions(), Relaxed);
        cell.calls.fetch_add(1, Relaxed);
        cell.width.fetch_add(width, Relaxed);
        cell.largest.fetch_max(width, Relaxed);
    }
}
