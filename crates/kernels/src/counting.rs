//! Counting: a bundle that does the work of another and says what it did.
//!
//! The code that is counted is the code that runs. An [`Observer`] sees every call with its shape;
//! [`Counter`] is the one that adds up.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Kernels;
use crate::chain::{Masked, Rule, Span};
use crate::kernel::{Keccak, Sha256, Sha512, State256, State512, State1600};
use crate::midstate::State;

/// One of the three kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// Keccak-f\[1600\].
    Keccak,
}

/// A call across the seam.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// `compress` or `permute`.
    Batch {
        /// States in the batch.
        states: usize,
    },
    /// `chains`.
    Chains {
        /// The chains.
        spans: &'a [Span],
        /// Compressions of one step, one after the other.
        step: u64,
    },
    /// `rows`.
    Rows {
        /// The chains whose steps got a row.
        spans: &'a [Span],
        /// Compressions of one row.
        row: u64,
    },
}

impl Event<'_> {
    /// Independent pieces of work in the call: states, chains or rows.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Self::Batch { states } => *states,
            Self::Chains { spans, .. } => spans.iter().filter(|span| span.steps > 0).count(),
            Self::Rows { spans, .. } => spans.iter().map(|span| span.steps as usize).sum(),
        }
    }

    /// Compressions (permutations) of the call.
    #[must_use]
    pub fn compressions(&self) -> u64 {
        match self {
            Self::Batch { states } => *states as u64,
            Self::Chains { spans, step: each } | Self::Rows { spans, row: each } => {
                each * spans.iter().map(|span| u64::from(span.steps)).sum::<u64>()
            }
        }
    }
}

/// Who is told of every call.
pub trait Observer: Sync {
    /// Called after the work of `event` was done by kernel `which`.
    fn event(&self, which: Which, event: Event<'_>);
}

/// A bundle around another one, whose calls an observer sees.
///
/// ```
/// use hasten_kernels::{Counter, Kernels, Midstate, Probe, ViaSha256, Which};
/// let counter = Counter::new();
/// let probe = Probe::new(Kernels::best(), &counter);
/// let mut digest = [0; 32];
/// Midstate::sha256().finish(ViaSha256(probe.kernels().sha256), &[0; 64], &mut digest);
/// assert_eq!(counter.compressions(Which::Sha256), 2);
/// ```
#[derive(Clone, Copy)]
pub struct Probe<'k> {
    inner: Kernels<'k>,
    observer: &'k dyn Observer,
}

impl<'k> Probe<'k> {
    /// Lets `observer` see the calls that reach `inner`.
    #[must_use]
    pub fn new(inner: Kernels<'k>, observer: &'k dyn Observer) -> Self {
        Self { inner, observer }
    }

    /// The bundle to hand on.
    #[must_use]
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels { sha256: self, sha512: self, keccak: self }
    }

    fn chains<S: State>(&self, which: Which, rule: &Rule<'_, S>, spans: &[Span]) {
        self.observer.event(which, Event::Chains { spans, step: rule.cost() });
    }

    fn rows<S: State>(&self, which: Which, rule: &Masked<'_, S>, spans: &[Span]) {
        self.observer.event(which, Event::Rows { spans, row: rule.row_cost() });
    }
}

/// The parts of the seam that are alike for the three kernels.
macro_rules! forward {
    ($kernel:ident, $which:expr, $state:ty) => {
        fn name(&self) -> &'static str {
            self.inner.$kernel.name()
        }

        fn lanes(&self) -> usize {
            self.inner.$kernel.lanes()
        }

        fn chains(&self, rule: &Rule<'_, $state>, spans: &[Span], values: &mut [u8]) {
            self.inner.$kernel.chains(rule, spans, values);
            Probe::chains(self, $which, rule, spans);
        }

        fn rows(&self, rule: &Masked<'_, $state>, spans: &[Span], rows: &mut [u8]) {
            self.inner.$kernel.rows(rule, spans, rows);
            Probe::rows(self, $which, rule, spans);
        }
    };
}

impl Sha256 for Probe<'_> {
    forward!(sha256, Which::Sha256, State256);

    fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]) {
        self.inner.sha256.compress(states, blocks);
        self.observer.event(Which::Sha256, Event::Batch { states: states.len() });
    }
}

impl Sha512 for Probe<'_> {
    forward!(sha512, Which::Sha512, State512);

    fn compress(&self, states: &mut [State512], blocks: &[[u8; 128]]) {
        self.inner.sha512.compress(states, blocks);
        self.observer.event(Which::Sha512, Event::Batch { states: states.len() });
    }
}

impl Keccak for Probe<'_> {
    forward!(keccak, Which::Keccak, State1600);

    fn permute(&self, states: &mut [State1600]) {
        self.inner.keccak.permute(states);
        self.observer.event(Which::Keccak, Event::Batch { states: states.len() });
    }
}

/// What a [`Counter`] has seen of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Compressions (permutations).
    pub compressions: u64,
    /// Calls across the seam.
    pub calls: u64,
    /// Sum of the calls' [`Event::width`]: over `calls`, the mean batch.
    pub width: u64,
    /// Largest batch.
    pub largest: u64,
}

/// Adds up. Cheap, and the same from any number of threads.
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
    /// All zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What was seen of one kernel.
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

    /// Compressions (permutations) of one kernel.
    #[must_use]
    pub fn compressions(&self, which: Which) -> u64 {
        self.counts(which).compressions
    }

    /// Compressions of all three.
    #[must_use]
    pub fn total(&self) -> u64 {
        [Which::Sha256, Which::Sha512, Which::Keccak]
            .map(|which| self.compressions(which))
            .iter()
            .sum()
    }

    /// Back to zero.
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
