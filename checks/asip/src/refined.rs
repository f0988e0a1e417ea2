//! SHA-256 by the refined stage of the unit: whole chains and hashes out of memory.

use core::arch::asm;
use hasten_kernels::chain::{self, Masked, Rows, Rule, Span, Tweak};
use hasten_kernels::{Kernel, Kernels, Messages, Midstate, Places, Portable, Sha256};

/// The refined stage with so many lanes.
pub struct Refined<const LANES: usize>(());

/// The bits of funct7 that `hash` takes.
const PAIR: u32 = 1;
const PADDED: u32 = 2;
const FROM_BYTES: u32 = 4;
const TO_STATE: u32 = 8;

/// The modes of the lanes (chain_pkg).
const XMSS_N32: u32 = 0;
const LMS_N32: u32 = 2;
const LMS_N24: u32 = 3;

/// An instruction of the unit: funct3, funct7, rs1, rs2.
macro_rules! unit {
    ($which:literal, $variant:expr, $first:expr, $second:expr) => {
        asm!(".insn r 0x0b, {which}, {variant}, x0, {0}, {1}", in(reg) $first, in(reg) $second,
            which = const $which, variant = const $variant, options(nostack, preserves_flags))
    };
}

impl<const LANES: usize> Refined<LANES> {
    /// Returns the bundle whose SHA-256 is the unit's.
    ///
    /// # Safety
    /// The processor has a unit of the refined stage.
    pub const unsafe fn kernels() -> Kernels<'static> {
        let portable = Portable::detect();
        Kernels { sha256: &Self(()), sha512: portable, keccak: portable }
    }
}

/// Waits until no more than `left` jobs are under way.
fn wait(left: u32) {
    // SAFETY: a value of `Refined` says that the unit is there.
    unsafe {
        asm!(".insn r 0x0b, 7, 0, {0}, {1}, x0", out(reg) _, in(reg) left,
            options(nostack, preserves_flags));
    }
}

/// Sets the mode, and the seed that KEY and mask are computed with.
fn set(mode: u32, seed: &[u32; 8]) {
    // SAFETY: the unit reads eight words.
    unsafe { unit!(3, 0, mode, seed.as_ptr()) };
}

/// Compresses a block into a state, by pointers that are multiples of 4. `FLAGS` are those of the
/// instruction.
///
/// # Safety
/// Until the job is done nobody else uses what `state`, `block` and `target` point to, which are
/// 32, 64 (or with `PADDED` 32) and 32 bytes.
unsafe fn hash<const FLAGS: u32>(state: *const u8, block: *const u8, target: *mut u8) {
    // SAFETY: the caller says so.
    unsafe {
        unit!(3, 2, 0, target);
        unit!(5, FLAGS, state, block);
    }
}

/// Returns true if all of these are multiples of 4.
fn are_words(places: &[*const u8]) -> bool {
    places.iter().all(|place| place.addr().is_multiple_of(4))
}

/// A block where the unit can read it.
#[repr(align(8))]
#[derive(Clone, Copy)]
struct Block([u8; 64]);

impl<const LANES: usize> Kernel<Sha256> for Refined<LANES> {
    fn name(&self) -> &'static str {
        "refined"
    }

    fn lanes(&self) -> usize {
        LANES
    }

    fn compress(&self, states: &mut [[u32; 8]], blocks: &[[u8; 64]]) {
        assert_eq!(states.len(), blocks.len());
        for (state, block) in states.iter_mut().zip(blocks) {
            let (state, mut at) = (state.as_mut_ptr().cast::<u8>(), block.as_ptr());
            let copy;
            if !are_words(&[at]) {
                copy = Block(*block);
                at = copy.0.as_ptr();
                // SAFETY: the job is waited for while state and copy are alive.
                unsafe { hash::<TO_STATE>(state, at, state) };
                wait(0);
            } else {
                // SAFETY: the jobs are waited for below.
                unsafe { hash::<TO_STATE>(state, at, state) };
            }
        }
        wait(0);
    }

    fn chains(&self, rule: &Rule<'_, Sha256>, spans: &[Span], values: &mut [u8]) {
        let n = rule.n();
        let begun = values.len() == spans.len() * n
            && are_words(&[values.as_ptr()])
            && match rule {
                Rule::Masked(rule) => begin_masked(rule),
                Rule::Rows(rule) => begin_rows(rule, spans),
                Rule::Tweak(rule) => begin_tweak(rule),
            };
        if !begun {
            return chain::advance(self, rule, spans, values);
        }
        let rows = matches!(rule, Rule::Rows(_));
        let mut go = |i: usize| advance(rows, &spans[i], values[i * n..(i + 1) * n].as_mut_ptr());
        if LANES == 1 {
            (0..spans.len()).for_each(go);
        } else {
            longest_first(spans, &mut go);
        }
        wait(0);
    }

    fn rows(&self, rule: &Masked<'_, Sha256>, spans: &[Span], rows: &mut [u8]) {
        if !(begin_masked(rule) && are_words(&[rows.as_ptr()])) {
            return chain::fill_rows(self, rule, spans, rows);
        }
        for span in spans {
            for step in span.from..span.from + span.steps {
                let at = (span.row + step as usize) * 64;
                fill_row(rule, span, step, &mut rows[at..at + 64]);
            }
        }
    }

    fn digests(&self, messages: &Messages<'_, Sha256>, out: &mut [u8], n: usize) {
        let count = out.len() / n;
        let mut frame = Block([0; 64]);
        let mut two = [0; 128];
        let Some(places) = messages.lay_out(count, &mut two) else {
            return messages.hash_in_tiles(self, out, n);
        };
        frame.0.copy_from_slice(&two[..64]);
        let keys = messages.keys();
        let keys_are_words = keys.is_empty() || are_words(&[keys.as_ptr()]);
        let whole = n == 32 && keys_are_words && are_words(&[out.as_ptr()]);
        let single = places.len == 64;
        let paired = places.end == 64 && two[124..] == [0, 0, 4, 0];
        if !(whole && (single || paired)) {
            return messages.hash_in_tiles(self, out, n);
        }
        let batch = Batch {
            messages,
            places,
            frame,
            count,
            as_it_lies: single && two[60..64] == [0, 0, 3, 0],
        };
        if paired {
            batch.run::<PAIR>(out)
        } else {
            batch.run::<0>(out)
        }
        wait(0);
    }
}

/// Messages of one length that fill one block, padded or followed by padding.
struct Batch<'a> {
    messages: &'a Messages<'a, Sha256>,
    places: Places,
    frame: Block,
    count: usize,
    /// The block is 32 bytes of message and the padding of a message of 96.
    as_it_lies: bool,
}

impl Batch<'_> {
    /// Orders the hash of each message; `KIND` is [`PAIR`] or 0.
    fn run<const KIND: u32>(&self, out: &mut [u8]) {
        let (keys, messages) = (self.messages.keys(), self.messages.messages());
        let (key_len, len) = (keys.len() / self.count, messages.len() / self.count);
        let mut ring = [self.frame; 4];
        for (i, target) in out.chunks_exact_mut(32).enumerate() {
            let (key, message) = (&keys[i * key_len..][..key_len], &messages[i * len..][..len]);
            let (at, target) = (message.as_ptr(), target.as_mut_ptr());
            let in_place = self.places.message == 0 && are_words(&[at]);
            let as_it_lies = in_place && len == 32 && self.as_it_lies;
            let block = &mut ring[i % 4];
            if !(as_it_lies || (in_place && len == 64)) {
                if self.messages.start().is_some() {
                    block.0[self.places.key..][..key_len].copy_from_slice(key);
                }
                block.0[self.places.message..][..len].copy_from_slice(message);
            }
            let at = if in_place && (as_it_lies || len == 64) { at } else { block.0.as_ptr() };
            // SAFETY: the caller waits for the jobs. A block of the ring is written again when the
            // job after the next one was taken, and so this one's has been read.
            unsafe {
                match (self.messages.start(), as_it_lies) {
                    (Some(state), true) => hash::<PADDED>(state.as_ptr().cast(), at, target),
                    (Some(state), false) => hash::<KIND>(state.as_ptr().cast(), at, target),
                    (None, true) => hash::<{ PADDED | FROM_BYTES }>(key.as_ptr(), at, target),
                    (None, false) if KIND == PAIR => {
                        hash::<{ PAIR | FROM_BYTES }>(key.as_ptr(), at, target)
                    }
                    (None, false) => hash::<FROM_BYTES>(key.as_ptr(), at, target),
                }
            }
        }
        wait(0);
    }
}

/// Returns whether the core of a rule is toByte(0, 32), which the lanes hash by themselves.
fn is_plain(core: &Midstate<Sha256>, n: usize) -> bool {
    n == 32 && core.pending() == [0; 32] && *core.state() == Sha256::INITIAL
}

fn begin_masked(rule: &Masked<'_, Sha256>) -> bool {
    let good = is_plain(rule.core, rule.n)
        && rule.head_len == 32
        && rule.at == 24
        && rule.prf.pending().is_empty();
    if good {
        set(XMSS_N32, rule.prf.state());
    }
    good
}

fn begin_rows(rule: &Rows<'_, Sha256>, spans: &[Span]) -> bool {
    let last = |span: &Span| span.row + (span.from + span.steps) as usize;
    let most = spans.iter().map(last).max().unwrap_or(0);
    let there = most <= 1024 && rule.rows.len() >= most * 64;
    let good = is_plain(rule.core, rule.n) && there && are_words(&[rule.rows.as_ptr()]);
    if good {
        set(XMSS_N32, rule.core.state());
        // SAFETY: the rows of all steps are there.
        unsafe { unit!(3, 1, rule.rows.as_ptr(), 0) };
    }
    good
}

fn begin_tweak(rule: &Tweak<'_, Sha256>) -> bool {
    let (prefix, counter) = (rule.prefix, rule.counter);
    let good = *prefix.state() == Sha256::INITIAL
        && prefix.pending().is_empty()
        && (rule.head_len, counter.at, counter.width) == (23, 22, 1)
        && (rule.n == 32 || rule.n == 24);
    if good {
        set(if rule.n == 32 { LMS_N32 } else { LMS_N24 }, prefix.state());
    }
    good
}

/// Orders the steps of one chain.
fn advance(rows: bool, span: &Span, value: *mut u8) {
    if span.steps == 0 {
        return;
    }
    let (row, head) = (span.row as u32, span.head.as_ptr());
    let way = span.from | span.steps << 8 | row << 16;
    assert!(span.from < 256 && span.steps < 256 && are_words(&[head]));
    // SAFETY: value and head stay until the caller has waited.
    unsafe {
        unit!(3, 2, way, 0);
        if rows { unit!(4, 1, value, 0) } else { unit!(4, 0, value, head) }
    }
}

/// Calls `go` with every span, those with most steps first.
fn longest_first(spans: &[Span], go: &mut dyn FnMut(usize)) {
    let mut place = [0_u16; 257];
    let mut order = [0_u16; 512];
    for spans_at in (0..spans.len()).step_by(order.len()) {
        let window = &spans[spans_at..spans.len().min(spans_at + order.len())];
        place.fill(0);
        for span in window {
            place[256 - span.steps.min(255) as usize] += 1;
        }
        for i in 1..place.len() {
            place[i] += place[i - 1];
        }
        for (i, span) in window.iter().enumerate() {
            let next = &mut place[255 - span.steps.min(255) as usize];
            order[usize::from(*next)] = i as u16;
            *next += 1;
        }
        order[..window.len()].iter().for_each(|i| go(spans_at + usize::from(*i)));
    }
}

/// Makes the row of one step: the state after KEY, and the mask.
fn fill_row(rule: &Masked<'_, Sha256>, span: &Span, step: u32, row: &mut [u8]) {
    let mut heads = [Block([0; 64]); 2];
    for (selector, head) in (0_u32..).zip(&mut heads) {
        head.0[..32].copy_from_slice(&span.head);
        head.0[24..28].copy_from_slice(&step.to_be_bytes());
        head.0[28..32].copy_from_slice(&selector.to_be_bytes());
    }
    let mut keyed = Block([0; 64]);
    let seed = rule.prf.state().as_ptr().cast();
    // SAFETY: all jobs are waited for here.
    unsafe {
        hash::<PADDED>(seed, heads[0].0.as_ptr(), keyed.0[32..].as_mut_ptr());
        hash::<PADDED>(seed, heads[1].0.as_ptr(), row[32..].as_mut_ptr());
        wait(0);
        hash::<0>(Sha256::INITIAL.as_ptr().cast(), keyed.0.as_ptr(), row.as_mut_ptr());
    }
    wait(0);
}
