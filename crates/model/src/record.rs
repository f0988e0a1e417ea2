//! Kernels that record every compression: the state before, the block, and the state after.
//!
//! While recording, chains, rows and digests run through the generic implementations of the
//! kernels, so that each of their compressions is recorded. Otherwise calls are passed on to the
//! inner bundle.

use std::sync::Mutex;

use hasten_kernels::chain::{self, Masked, Rule, Span};
use hasten_kernels::{HashFunction, Kernel, Kernels, Messages, Which};

/// One recorded compression (permutation).
#[derive(Clone, Debug)]
pub struct Step {
    /// The kernel.
    pub which: Which,
    /// Number of the kernel call that the compression was part of.
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

/// A bundle of kernels that wraps another one, and records its compressions when recording is on.
pub struct Recorder<'k> {
    inner: Kernels<'k>,
    lanes: usize,
    log: Mutex<Log>,
}

impl<'k> Recorder<'k> {
    /// Creates a recorder around `inner` that reports `lanes` lanes to its callers.
    #[must_use]
    pub fn new(inner: Kernels<'k>, lanes: usize) -> Self {
        Self { inner, lanes, log: Mutex::default() }
    }

    /// Returns the recording kernels.
    #[must_use]
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels::from_backend(self)
    }

    /// Starts recording.
    pub fn start(&self) {
        self.with(|log| log.on = true);
    }

    /// Stops recording, and returns the compressions recorded since it started.
    pub fn stop(&self) -> Vec<Step> {
        self.with(|log| {
            (log.on, log.calls, log.force) = (false, 0, None);
            std::mem::take(&mut log.steps)
        })
    }

    /// Replaces the beginning of the state after compression `number` since [`start`](Self::start)
    /// by `end`, so that the operation continues with another digest.
    pub fn force(&self, number: usize, end: Vec<u8>) {
        self.with(|log| log.force = Some((number, end)));
    }

    fn with<R>(&self, f: impl FnOnce(&mut Log) -> R) -> R {
        f(&mut self.log.lock().expect("nobody panics while recording"))
    }

    fn on(&self) -> bool {
        self.with(|log| log.on)
    }

    /// Records a batch whose states were `starts` before and are `states` after.
    fn keep<H: HashFunction>(
        &self,
        starts: &[H::State],
        blocks: &[H::Block],
        states: &mut [H::State],
    ) {
        self.with(|log| {
            for ((start, block), end) in starts.iter().zip(blocks).zip(states) {
                let block = H::block_bytes(block).to_vec();
                if let Some((at, bytes)) = &log.force
                    && *at == log.steps.len()
                {
                    let mut forced = bytes_of::<H>(end);
                    forced[..bytes.len()].copy_from_slice(bytes);
                    *end = H::read(&forced);
                }
                let (start, end) = (bytes_of::<H>(start), bytes_of::<H>(end));
                log.steps.push(Step { which: H::WHICH, call: log.calls, start, block, end });
            }
            log.calls += 1;
        });
    }
}

fn bytes_of<H: HashFunction>(state: &H::State) -> Vec<u8> {
    let mut bytes = vec![0; size_of::<H::State>()];
    H::write(state, &mut bytes);
    bytes
}

impl<H: HashFunction> Kernel<H> for Recorder<'_> {
    fn name(&self) -> &'static str {
        H::kernel(&self.inner).name()
    }

    fn lanes(&self) -> usize {
        self.lanes
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        let starts = if self.on() { states.to_vec() } else { Vec::new() };
        H::kernel(&self.inner).compress(states, blocks);
        if !starts.is_empty() {
            self.keep::<H>(&starts, blocks, states);
        }
    }

    fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
        match self.on() {
            true => chain::advance(self, rule, spans, values),
            false => H::kernel(&self.inner).chains(rule, spans, values),
        }
    }

    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        match self.on() {
            true => chain::fill_rows(self, rule, spans, rows),
            false => H::kernel(&self.inner).rows(rule, spans, rows),
        }
    }

    fn digests(&self, messages: &Messages<'_, H>, out: &mut [u8], n: usize) {
        match self.on() {
            true => messages.hash_in_tiles(self, out, n),
            false => H::kernel(&self.inner).digests(messages, out, n),
        }
    }
}
