//! SHA-256 and Keccak of another backend, watched: to record what a verifier computes, and to declare it.

use crate::memcheck;
use crate::public::{Public, Start, start};
use hasten_kernels::chain::{Masked, Rule, Span};
use hasten_kernels::{Keccak, Kernels, Sha256, State256, State1600};
use std::sync::Mutex;

/// Records every state; chains are taken step by step.
pub struct Recorder<'k> {
    inner: Kernels<'k>,
    seen: Mutex<Vec<Start>>,
}

impl<'k> Recorder<'k> {
    /// Records what `inner` computes.
    pub fn new(inner: Kernels<'k>) -> Self {
        Self { inner, seen: Mutex::default() }
    }

    /// The kernels of which it watches two.
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels { sha256: self, keccak: self, ..self.inner }
    }

    /// What was recorded.
    pub fn seen(self) -> Vec<Start> {
        self.seen.into_inner().expect("no thread panicked")
    }
}

impl Sha256 for Recorder<'_> {
    fn name(&self) -> &'static str {
        self.inner.sha256.name()
    }

    fn lanes(&self) -> usize {
        self.inner.sha256.lanes()
    }

    fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]) {
        self.inner.sha256.compress(states, blocks);
        self.seen.lock().expect("no thread panicked").extend(states.iter().map(beginning));
    }
}

impl Keccak for Recorder<'_> {
    fn name(&self) -> &'static str {
        self.inner.keccak.name()
    }

    fn lanes(&self) -> usize {
        self.inner.keccak.lanes()
    }

    fn permute(&self, states: &mut [State1600]) {
        self.inner.keccak.permute(states);
        self.seen.lock().expect("no thread panicked").extend(states.iter().map(squeezed));
    }
}

/// Declares public values defined as they are computed.
pub struct Declarer<'k> {
    /// The backend that is checked.
    pub inner: Kernels<'k>,
    /// What is public.
    pub public: Public,
    /// Whether to branch on every state that is not, for the check of the check.
    pub leak: bool,
}

impl Declarer<'_> {
    /// The kernels of which it watches two.
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels { sha256: self, keccak: self, ..self.inner }
    }

    /// Declares a state defined if it begins with a public value. Otherwise, if asked for,
    /// branches on it.
    fn declare<S: Copy>(&self, state: &mut S, begins: fn(&S) -> Start) {
        let mut copy = *state;
        memcheck::define(core::slice::from_mut(&mut copy));
        if self.public.has(&begins(&copy)) {
            memcheck::define(core::slice::from_mut(state));
        } else if self.leak && begins(state)[0] % 2 == 1 {
            std::hint::black_box(state);
        }
    }
}

impl Keccak for Declarer<'_> {
    fn name(&self) -> &'static str {
        self.inner.keccak.name()
    }

    fn lanes(&self) -> usize {
        self.inner.keccak.lanes()
    }

    fn permute(&self, states: &mut [State1600]) {
        self.inner.keccak.permute(states);
        states.iter_mut().for_each(|state| self.declare(state, squeezed));
    }

    fn chains(&self, rule: &Rule<'_, State1600>, spans: &[Span], values: &mut [u8]) {
        self.inner.keccak.chains(rule, spans, values);
    }

    fn rows(&self, rule: &Masked<'_, State1600>, spans: &[Span], rows: &mut [u8]) {
        self.inner.keccak.rows(rule, spans, rows);
    }
}

impl Sha256 for Declarer<'_> {
    fn name(&self) -> &'static str {
        self.inner.sha256.name()
    }

    fn lanes(&self) -> usize {
        self.inner.sha256.lanes()
    }

    fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]) {
        self.inner.sha256.compress(states, blocks);
        states.iter_mut().for_each(|state| self.declare(state, beginning));
    }

    fn chains(&self, rule: &Rule<'_, State256>, spans: &[Span], values: &mut [u8]) {
        self.inner.sha256.chains(rule, spans, values);
    }

    fn rows(&self, rule: &Masked<'_, State256>, spans: &[Span], rows: &mut [u8]) {
        self.inner.sha256.rows(rule, spans, rows);
    }
}

fn beginning(state: &State256) -> Start {
    start(state.map(u32::to_be_bytes).as_flattened())
}

fn squeezed(state: &State1600) -> Start {
    start(state.map(u64::to_le_bytes).as_flattened())
}
