//! SHA-256 of another backend, watched: to record what a verifier computes, and to declare it.

use crate::memcheck;
use crate::public::{Public, Start, start};
use hasten_kernels::chain::{Masked, Rule, Span};
use hasten_kernels::{Sha256, State256};
use std::sync::Mutex;

/// Records every state; chains are taken step by step.
pub struct Recorder<'k> {
    inner: &'k dyn Sha256,
    seen: Mutex<Vec<Start>>,
}

impl<'k> Recorder<'k> {
    /// Records what `inner` computes.
    pub fn new(inner: &'k dyn Sha256) -> Self {
        Self { inner, seen: Mutex::default() }
    }

    /// What was recorded.
    pub fn seen(self) -> Vec<Start> {
        self.seen.into_inner().expect("no thread panicked")
    }
}

impl Sha256 for Recorder<'_> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn lanes(&self) -> usize {
        self.inner.lanes()
    }

    fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]) {
        self.inner.compress(states, blocks);
        self.seen.lock().expect("no thread panicked").extend(states.iter().map(beginning));
    }
}

/// Declares public values defined as they are computed.
pub struct Declarer<'k> {
    /// The backend that is checked.
    pub inner: &'k dyn Sha256,
    /// What is public.
    pub public: Public,
    /// Whether to branch on every state that is not, for the check of the check.
    pub leak: bool,
}

impl Sha256 for Declarer<'_> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn lanes(&self) -> usize {
        self.inner.lanes()
    }

    fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]) {
        self.inner.compress(states, blocks);
        for state in states {
            let mut copy = *state;
            memcheck::define(&mut copy);
            if self.public.has(&beginning(&copy)) {
                memcheck::define(state);
            } else if self.leak && state[0] % 2 == 1 {
                std::hint::black_box(state);
            }
        }
    }

    fn chains(&self, rule: &Rule<'_, State256>, spans: &[Span], values: &mut [u8]) {
        self.inner.chains(rule, spans, values);
    }

    fn rows(&self, rule: &Masked<'_, State256>, spans: &[Span], rows: &mut [u8]) {
        self.inner.rows(rule, spans, rows);
    }
}

fn beginning(state: &State256) -> Start {
    start(state.map(u32::to_be_bytes).as_flattened())
}
