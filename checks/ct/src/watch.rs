//! SHA-256 and Keccak of another backend, watched in order to record what a verifier computes, or
//! to declare public values defined.

use crate::memcheck;
use crate::public::{Public, Start};
use hasten_kernels::chain::{Masked, Rule, Span};
use hasten_kernels::{HashFunction, Kernel, Kernels};
use std::sync::Mutex;

/// Records every state. Chains are computed step by step.
pub struct Recorder<'k> {
    inner: Kernels<'k>,
    seen: Mutex<Vec<Start>>,
}

impl<'k> Recorder<'k> {
    /// Returns a recorder of the hashes that `inner` computes.
    pub fn new(inner: Kernels<'k>) -> Self {
        Self { inner, seen: Mutex::default() }
    }

    /// Returns the kernels. SHA-256 and Keccak are watched.
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels { sha512: self.inner.sha512, ..Kernels::from_backend(self) }
    }

    /// Returns the recorded values.
    pub fn seen(self) -> Vec<Start> {
        self.seen.into_inner().expect("no thread panicked")
    }
}

impl<H: HashFunction> Kernel<H> for Recorder<'_> {
    fn name(&self) -> &'static str {
        H::kernel(&self.inner).name()
    }

    fn lanes(&self) -> usize {
        H::kernel(&self.inner).lanes()
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        H::kernel(&self.inner).compress(states, blocks);
        self.seen.lock().expect("no thread panicked").extend(states.iter().map(beginning::<H>));
    }
}

/// Declares public values defined as they are computed.
pub struct Declarer<'k> {
    /// The backend under check.
    pub inner: Kernels<'k>,
    /// The public values.
    pub public: Public,
    /// Whether to branch on states that are not public, in order to test the check itself.
    pub leak: bool,
}

impl Declarer<'_> {
    /// Returns the kernels. SHA-256 and Keccak are watched.
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels { sha512: self.inner.sha512, ..Kernels::from_backend(self) }
    }

    /// Declares a state defined if it begins with a public value. Otherwise branches on it, if
    /// `leak` is set.
    fn declare<H: HashFunction>(&self, state: &mut H::State) {
        let mut copy = *state;
        memcheck::define(core::slice::from_mut(&mut copy));
        if self.public.has(&beginning::<H>(&copy)) {
            memcheck::define(core::slice::from_mut(state));
        } else if self.leak && beginning::<H>(state)[0] % 2 == 1 {
            std::hint::black_box(state);
        }
    }
}

impl<H: HashFunction> Kernel<H> for Declarer<'_> {
    fn name(&self) -> &'static str {
        H::kernel(&self.inner).name()
    }

    fn lanes(&self) -> usize {
        H::kernel(&self.inner).lanes()
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        H::kernel(&self.inner).compress(states, blocks);
        states.iter_mut().for_each(|state| self.declare::<H>(state));
    }

    fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
        H::kernel(&self.inner).chains(rule, spans, values);
    }

    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        H::kernel(&self.inner).rows(rule, spans, rows);
    }
}

/// Returns the bytes that identify a state.
fn beginning<H: HashFunction>(state: &H::State) -> Start {
    let mut start = Start::default();
    H::write(state, &mut start);
    start
}
