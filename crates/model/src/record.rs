//! Kernels that keep every compression they do: state before, block, state after.
//!
//! While it records, chains, rows and digests run by the kernels' plain bodies, so that every
//! compression of them is seen; otherwise the call goes through to the bundle inside.

use std::sync::Mutex;

use hasten_kernels::chain::{self, Masked, Rule, Span};
use hasten_kernels::{HashFunction, Kernel, Kernels, Messages, Which};

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
    /// Returns a recorder around `inner`, which shows `lanes` to its callers.
    #[must_use]
    pub fn new(inner: Kernels<'k>, lanes: usize) -> Self {
        Self { inner, lanes, log: Mutex::default() }
    }

    /// Returns the bundle to hand on.
    #[must_use]
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels::from_backend(self)
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
