//! Kernels that keep every compression they do: state before, block, state after.
//!
//! While it records, chains and rows run by the kernels' plain bodies, so that every compression
//! of them is seen; otherwise the call goes through to the bundle inside.

use std::sync::Mutex;

use hasten_kernels::chain::{Masked, Rule, Span};
use hasten_kernels::{
    Keccak, Kernels, Sha256, Sha512, State, State256, State512, State1600, Which,
};

/// One compression (permutation) as it happened.
#[derive(Clone, Debug)]
pub struct Step {
    /// Which kernel.
    pub which: Which,
    /// Number of the call across the seam that it was part of.
    pub call: u32,
    /// State before, as bytes.
    pub start: Vec<u8>,
    /// Block; empty for Keccak, where it is already in the state.
    pub block: Vec<u8>,
    /// State after.
    pub end: Vec<u8>,
}

#[derive(Default)]
struct Log {
    on: bool,
    calls: u32,
    steps: Vec<Step>,
    force: Option<(usize, Vec<u8>)>,
}

/// A bundle around another one that keeps what passes while it is told to.
pub struct Recorder<'k> {
    inner: Kernels<'k>,
    lanes: usize,
    log: Mutex<Log>,
}

impl<'k> Recorder<'k> {
    /// A recorder around `inner`, which shows `lanes` to its callers.
    #[must_use]
    pub fn new(inner: Kernels<'k>, lanes: usize) -> Self {
        Self { inner, lanes, log: Mutex::default() }
    }

    /// The bundle to hand on.
    #[must_use]
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels { sha256: self, sha512: self, keccak: self }
    }

    /// Begins to keep compressions.
    pub fn start(&self) {
        self.with(|log| log.on = true);
    }

    /// Ends recording, and gives what was kept since it began.
    pub fn stop(&self) -> Vec<Step> {
        self.with(|log| {
            (log.on, log.calls, log.force) = (false, 0, None);
            std::mem::take(&mut log.steps)
        })
    }

    /// Puts `end` in place of the beginning of the state after compression `number` since
    /// [`start`](Self::start): what follows is the same operation on another digest.
    pub fn force(&self, number: usize, end: Vec<u8>) {
        self.with(|log| log.force = Some((number, end)));
    }

    fn with<R>(&self, f: impl FnOnce(&mut Log) -> R) -> R {
        f(&mut self.log.lock().expect("nobody panics while recording"))
    }

    fn on(&self) -> bool {
        self.with(|log| log.on)
    }

    /// Keeps a batch whose states were `starts` and are `states`.
    fn keep<S: State>(&self, which: Which, starts: &[S], blocks: &[u8], states: &mut [S]) {
        let each = blocks.len() / states.len().max(1);
        self.with(|log| {
            for (i, (start, end)) in starts.iter().zip(states).enumerate() {
                let block = blocks[i * each..(i + 1) * each].to_vec();
                if let Some((at, bytes)) = &log.force
                    && *at == log.steps.len()
                {
                    let mut forced = bytes_of(end);
                    forced[..bytes.len()].copy_from_slice(bytes);
                    *end = S::read(&forced);
                }
                let (start, end) = (bytes_of(start), bytes_of(end));
                log.steps.push(Step { which, call: log.calls, start, block, end });
            }
            log.calls += 1;
        });
    }
}

fn bytes_of<S: State>(state: &S) -> Vec<u8> {
    let mut bytes = vec![0; size_of::<S>()];
    state.write(&mut bytes);
    bytes
}

/// The recorder without bodies of its own for chains and rows.
struct Plain<'r, 'k>(&'r Recorder<'k>);

/// The parts of the seam that are alike for the three kernels.
macro_rules! through {
    ($kernel:ident, $trait:ident, $state:ty) => {
        fn name(&self) -> &'static str {
            self.inner.$kernel.name()
        }

        fn lanes(&self) -> usize {
            self.lanes
        }

        fn chains(&self, rule: &Rule<'_, $state>, spans: &[Span], values: &mut [u8]) {
            match self.on() {
                true => $trait::chains(&Plain(self), rule, spans, values),
                false => self.inner.$kernel.chains(rule, spans, values),
            }
        }

        fn rows(&self, rule: &Masked<'_, $state>, spans: &[Span], rows: &mut [u8]) {
            match self.on() {
                true => $trait::rows(&Plain(self), rule, spans, rows),
                false => self.inner.$kernel.rows(rule, spans, rows),
            }
        }
    };
}

macro_rules! compressing {
    ($kernel:ident, $trait:ident, $state:ty, $block:literal) => {
        impl $trait for Recorder<'_> {
            through!($kernel, $trait, $state);

            fn compress(&self, states: &mut [$state], blocks: &[[u8; $block]]) {
                let starts = if self.on() { states.to_vec() } else { Vec::new() };
                self.inner.$kernel.compress(states, blocks);
                if !starts.is_empty() {
                    self.keep(Which::$trait, &starts, blocks.as_flattened(), states);
                }
            }
        }

        impl $trait for Plain<'_, '_> {
            fn name(&self) -> &'static str {
                $trait::name(self.0)
            }

            fn lanes(&self) -> usize {
                $trait::lanes(self.0)
            }

            fn compress(&self, states: &mut [$state], blocks: &[[u8; $block]]) {
                $trait::compress(self.0, states, blocks);
            }
        }
    };
}

compressing!(sha256, Sha256, State256, 64);
compressing!(sha512, Sha512, State512, 128);

impl Keccak for Recorder<'_> {
    through!(keccak, Keccak, State1600);

    fn permute(&self, states: &mut [State1600]) {
        let starts = if self.on() { states.to_vec() } else { Vec::new() };
        self.inner.keccak.permute(states);
        if !starts.is_empty() {
            self.keep(Which::Keccak, &starts, &[], states);
        }
    }
}

impl Keccak for Plain<'_, '_> {
    fn name(&self) -> &'static str {
        Keccak::name(self.0)
    }

    fn lanes(&self) -> usize {
        Keccak::lanes(self.0)
    }

    fn permute(&self, states: &mut [State1600]) {
        Keccak::permute(self.0, states);
    }
}
