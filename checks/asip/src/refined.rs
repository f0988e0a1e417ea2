//! SHA-256 by the refined stage of the unit: whole chains and hashes from memory.

use crate::absent::Absent;
use crate::apart;
use crate::batch::Batch;
use crate::finish::lengths;
use crate::known::{self, N};
use crate::nodes::InLanes;
use crate::short;
use crate::unit::{
    BY_ROWS, Block, LMS_N24, LMS_N32, PADDED, PAIR, TO_STATE, XMSS_N24, XMSS_N32, are_words, chain,
    hash, set, set_rows, wait, way,
};
use core::ptr::{null, null_mut};
use hasten_kernels::chain::{Masked, Rows, Rule, Span, Tweak};
use hasten_kernels::grid::Grids;
use hasten_kernels::node::{Node, Nodes};
use hasten_kernels::{HashFunction, Kernel, Kernels, Messages, Midstate, Sha256};

/// The refined stage with `LANES` lanes.
pub struct Refined<const LANES: usize>(pub(crate) ());

/// Bytes of a row.
pub const ROW: usize = 64;

/// Bytes of stack that a call uses, apart from calls that overwrite their own stack.
const DEPTH: usize = 1 << 10;

impl<const LANES: usize> Refined<LANES> {
    /// Returns a kernel bundle that computes SHA-256 with the unit.
    ///
    /// # Safety
    /// The processor must have a unit of the refined stage.
    pub const unsafe fn kernels() -> Kernels<'static> {
        Kernels { sha256: &Self(()), sha512: &Absent, keccak: &Absent }
    }
}

impl<const LANES: usize> Kernel<Sha256> for Refined<LANES> {
    fn name(&self) -> &'static str {
        "refined"
    }

    fn lanes(&self) -> usize {
        LANES
    }

    fn compress(&self, states: &mut [[u32; 8]], blocks: &[[u8; 64]]) {
        compress(states, blocks);
    }

    fn chains(&self, rule: &Rule<'_, Sha256>, spans: &[Span], values: &mut [u8]) {
        if let Rule::Rows(rule) = rule
            && short::has_chains(rule)
        {
            return short::advance(rule.rows, spans, values);
        }
        let begun = are_words(&[values.as_ptr()])
            && match rule {
                Rule::Masked(rule) => Sha256::begin_masked(rule) || begin_short(rule),
                Rule::Rows(rule) => Sha256::begin_rows(rule),
                Rule::Tweak(rule) => begin_tweak(rule),
            };
        if begun {
            advance_each::<Sha256, LANES>(rule, spans, values);
        } else {
            apart::chains(rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, Sha256>, spans: &[Span], rows: &mut [u8]) {
        if !(Sha256::begin_masked(rule) && are_words(&[rows.as_ptr()])) {
            return apart::rows(rule, spans, rows);
        }
        for span in spans {
            for step in span.from..span.from + span.steps {
                let at = (span.row + step as usize) * ROW;
                fill_row(rule, span, step, &mut rows[at..at + ROW]);
            }
        }
    }

    fn digests(&self, messages: &Messages<'_, Sha256>, out: &mut [u8], n: usize) {
        let count = out.len() / n;
        let mut frame = Block([0; 64]);
        let mut two = [0; 128];
        let Some(places) = messages.lay_out(count, &mut two) else {
            return apart::digests(messages, out, n);
        };
        frame.0.copy_from_slice(&two[..64]);
        let keys = messages.keys();
        let keys_are_words = keys.is_empty() || are_words(&[keys.as_ptr()]);
        let whole = n == 32 && keys_are_words && are_words(&[out.as_ptr()]);
        let single = places.len == 64;
        let paired = places.end == 64 && two[124..] == [0, 0, 4, 0];
        if !(whole && (single || paired)) {
            return apart::digests(messages, out, n);
        }
        let batch = Batch {
            messages,
            places,
            frame,
            count,
            as_it_lies: single && two[60..64] == [0, 0, 3, 0],
        };
        if paired { batch.run::<PAIR>(out) } else { batch.run::<0>(out) }
    }

    fn depth(&self) -> Option<usize> {
        Some(DEPTH)
    }

    fn grids(&self) -> Option<&dyn Grids<Sha256>> {
        Some(self)
    }

    fn nodes(&self) -> Option<&dyn Nodes<Sha256>> {
        Some(self)
    }
}

/// Compresses each block into its state.
pub fn compress(states: &mut [[u32; 8]], blocks: &[[u8; 64]]) {
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

/// Sets the state after PUB_SEED if the rule is known and PUB_SEED ends a block of PRF's messages.
fn begin(is_known: bool, prf: &Midstate<Sha256>) -> bool {
    let good = is_known && prf.pending().is_empty();
    if good {
        set(XMSS_N32, prf.state());
    }
    good
}

impl InLanes for Sha256 {
    fn begin_masked(rule: &Masked<'_, Self>) -> bool {
        begin(known::is_masked(rule), rule.prf)
    }

    fn begin_rows(rule: &Rows<'_, Self>) -> bool {
        let good = rule.n == N && known::begins_with(rule.core, 0) && set_rows(rule.rows);
        if good {
            set(XMSS_N32, rule.core.state());
        }
        good
    }

    fn begin_nodes(rule: &Node<'_, Self>) -> bool {
        begin(known::is_node(rule), rule.prf)
    }

    fn join_short(rule: &Node<'_, Self>, rows: &[u8], pairs: &[u8], nodes: &mut [u8]) -> bool {
        let good = short::has_nodes(rule);
        if good {
            short::join(rows, pairs, nodes);
        }
        good
    }
}

/// Sets up chains of n = 24.
fn begin_short(rule: &Masked<'_, Sha256>) -> bool {
    let Some(short) = known::short_seed(rule) else {
        return false;
    };
    let mut seed = [0; 8];
    for (word, bytes) in seed.iter_mut().zip(short.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    set(XMSS_N24, &seed);
    // The seed must be read before it goes out of scope.
    wait(0);
    true
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

/// Advances each value along its chain, with the rule set up before.
///
/// # Panics
/// If the number of values differs from the number of chains.
pub fn advance_each<H: HashFunction, const LANES: usize>(
    rule: &Rule<'_, H>,
    spans: &[Span],
    values: &mut [u8],
) {
    let n = rule.n();
    assert!(values.len() == spans.len() * n);
    let rows = match rule {
        Rule::Rows(rule) => Some(rule.rows.len() / ROW),
        _ => None,
    };
    let mut upper = u32::MAX;
    for lower in lengths::<LANES>() {
        for (span, value) in spans.iter().zip(values.chunks_exact_mut(n)) {
            if span.steps >= *lower && span.steps < upper {
                advance(rows, span, value.as_mut_ptr());
            }
        }
        upper = *lower;
    }
    wait(0);
}

/// Orders the steps of one chain, by rows if their number is given.
fn advance(rows: Option<usize>, span: &Span, value: *mut u8) {
    let (row, head) = (span.row as u32, span.head.as_ptr());
    let way = way(span.from, span.steps, row);
    assert!(span.from < 256 && span.steps < 256 && are_words(&[head]));
    assert!(rows.is_none_or(|rows| span.row + (span.from + span.steps) as usize <= rows));
    // SAFETY: value and head, or rows, stay until the caller has waited.
    unsafe {
        match rows {
            Some(_) => chain::<BY_ROWS>(way, value, null(), null_mut()),
            None => chain::<0>(way, value, head, null_mut()),
        }
    }
}

/// Computes the row of one step: the state after KEY, and the mask.
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
