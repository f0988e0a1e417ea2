//! SHAKE128 and SHAKE256 by the refined stage: whole chains and hashes from memory. A function
//! without a job is computed from single permutations.

use crate::absent::Absent;
use crate::apart;
use crate::known::{self, N};
use crate::nodes::InLanes;
use crate::refined::{ROW, Refined, advance_each};
use crate::state::permute;
use crate::unit::{
    Block, FROM_BYTES, Head, NONE, PADDED, PAIR, SHAKE_N32, SHAKE256_N24, SHAKE256_N32, are_words,
    hash, node, set, set_rows, wait,
};
use hasten_kernels::chain::{Masked, Rows, Rule, Span};
use hasten_kernels::grid::{Grids, Numbered, Tail};
use hasten_kernels::node::{Node, Nodes};
use hasten_kernels::{Keccak, Kernel, Kernels, Messages, Midstate, Places};

/// Bytes of stack that a call uses, apart from calls that overwrite their own stack.
const DEPTH: usize = 1 << 10;

/// The first byte of the padding of SHAKE.
const SHAKE_MARK: u8 = 0x1f;

/// Flags of `hash` for PRF of 32 bytes, and for PRF_keygen of 64.
const PRF: u32 = FROM_BYTES | PADDED;
const PRF_KEYGEN: u32 = FROM_BYTES | PAIR;

impl<const LANES: usize> Refined<LANES> {
    /// Returns a kernel bundle that computes SHAKE with the unit.
    ///
    /// # Safety
    /// The processor must have a unit of the refined stage with SHAKE.
    pub const unsafe fn shake_kernels() -> Kernels<'static> {
        Kernels { sha256: &Absent, sha512: &Absent, keccak: &Self(()) }
    }
}

impl<const LANES: usize> Kernel<Keccak> for Refined<LANES> {
    fn name(&self) -> &'static str {
        "refined"
    }

    fn lanes(&self) -> usize {
        LANES
    }

    fn compress(&self, states: &mut [[u64; 25]], _blocks: &[()]) {
        states.iter_mut().for_each(permute);
    }

    fn chains(&self, rule: &Rule<'_, Keccak>, spans: &[Span], values: &mut [u8]) {
        let begun = are_words(&[values.as_ptr()])
            && match rule {
                Rule::Masked(rule) => Keccak::begin_masked(rule) || begin_short(rule),
                Rule::Rows(rule) => Keccak::begin_rows(rule),
                Rule::Tweak(_) => false,
            };
        if begun {
            advance_each::<Keccak, LANES>(rule, spans, values);
        } else {
            apart::chains(rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, Keccak>, spans: &[Span], rows: &mut [u8]) {
        let begun = are_words(&[rows.as_ptr()]) && Keccak::begin_masked(rule);
        let Some(seed) = begun.then(|| pub_seed(rule.prf)).flatten() else {
            return apart::rows(rule, spans, rows);
        };
        let mut ring = Ring::new();
        let steps = spans.iter().flat_map(|span| (0..span.steps).map(move |k| (span, k)));
        for (span, step) in steps.map(|(span, k)| (span, span.from + k)) {
            let at = (span.row + step as usize) * ROW;
            let (key, mask) = rows[at..at + ROW].split_at_mut(N);
            for (selector, part) in [(0, key), (1, mask)] {
                let head = ring.next();
                head[..24].copy_from_slice(&span.head[..24]);
                head[24..28].copy_from_slice(&step.to_be_bytes());
                head[28..32].copy_from_slice(&u32::to_be_bytes(selector));
                // SAFETY: the jobs are waited for, and the ring keeps the head until it has been
                // read.
                unsafe { hash::<PRF>(seed.0.as_ptr(), head.as_ptr(), part.as_mut_ptr()) };
            }
        }
        wait(0);
    }

    fn digests(&self, messages: &Messages<'_, Keccak>, out: &mut [u8], n: usize) {
        let (keys, pairs) = (messages.keys(), messages.messages());
        let are_good = n == N && are_words(&[pairs.as_ptr(), out.as_ptr()]);
        match h_mode(messages, out.len() / n).filter(|_| are_good) {
            Some(mode) => join(mode, keys, pairs, out),
            None => apart::digests(messages, out, n),
        }
    }

    fn depth(&self) -> Option<usize> {
        Some(DEPTH)
    }

    fn grids(&self) -> Option<&dyn Grids<Keccak>> {
        Some(self)
    }

    fn nodes(&self) -> Option<&dyn Nodes<Keccak>> {
        Some(self)
    }
}

impl<const LANES: usize> Grids<Keccak> for Refined<LANES> {
    fn numbered(&self, messages: &Numbered<'_, Keccak>, out: &mut [u8], n: usize) {
        let (prefix, empty) = (messages.prefix, matches!(messages.tail, Tail::Same([])));
        let is_good = empty && messages.head_len == N && n == N && are_words(&[out.as_ptr()]);
        if let (true, Some(mode)) = (is_good, mode(prefix)) {
            if let Some((key, [])) = known::follows(prefix, 3).and_then(|it| it.split_first_chunk())
            {
                return order::<PRF>(mode, (key, &[]), messages, out);
            }
            if let Some((key, seed)) =
                known::follows(prefix, 4).and_then(|it| it.split_first_chunk())
                && seed.len() == N
            {
                return order::<PRF_KEYGEN>(mode, (key, seed), messages, out);
            }
        }
        apart::numbered(self, messages, out, n);
    }
}

/// Orders PRF of each head, or PRF_keygen of a seed and each head (SP 800-208, section 6.2 (XMSS
/// and XMSS^MT Random Number Generation Requirements)).
fn order<const KIND: u32>(
    mode: u32,
    (key, seed): (&[u8; N], &[u8]),
    messages: &Numbered<'_, Keccak>,
    out: &mut [u8],
) {
    set(mode, &NONE);
    let (grid, key) = (messages.grid, Head(*key));
    let mut ring = Ring::new();
    let (mut head, mut column) = (grid.head(0), 0);
    for (i, target) in out.chunks_exact_mut(N).enumerate() {
        if column == grid.columns {
            (head, column) = (grid.head(i), 0);
        }
        grid.column.write(&mut head, column);
        column += 1;
        let block = ring.next();
        block[..seed.len()].copy_from_slice(seed);
        block[seed.len()..][..N].copy_from_slice(&head);
        // SAFETY: the jobs are waited for, and the ring keeps the block until it has been read.
        unsafe { hash::<KIND>(key.0.as_ptr(), block.as_ptr(), target.as_mut_ptr()) };
    }
    wait(0);
}

/// Blocks of jobs. A block is reused only after the unit has taken the second job after its own,
/// and has thus read it.
struct Ring {
    blocks: [Block; 4],
    at: usize,
}

impl Ring {
    const fn new() -> Self {
        Self { blocks: [Block([0; 64]); 4], at: 0 }
    }

    fn next(&mut self) -> &mut [u8; 64] {
        self.at += 1;
        &mut self.blocks[self.at % 4].0
    }
}

/// Returns the mode of the function that hashes each of `count` messages, if these are
/// toByte(1, 32) ‖ KEY ‖ LEFT ‖ RIGHT: H of RFC 8391, section 5.1 (Implementing the Functions).
fn h_mode(messages: &Messages<'_, Keccak>, count: usize) -> Option<u32> {
    let mut block = [0; 168];
    let Places { len, key, message, end } = messages.lay_out(count, &mut block)?;
    let (zeros, one) = block[..N].split_at(N - 1);
    let is_h = zeros.iter().all(|byte| *byte == 0) && *one == [1] && block[end] == SHAKE_MARK;
    let is_whole = messages.start() == Some(&[0; 25]) && messages.cost(count) == 1;
    let are_keyed = messages.keys().len() == count * N && [key, message, end] == [32, 64, 128];
    match len {
        168 if is_h && is_whole && are_keyed => Some(SHAKE_N32),
        136 if is_h && is_whole && are_keyed => Some(SHAKE256_N32),
        _ => None,
    }
}

/// Orders the node of each KEY and pair, with a row whose masks are zero.
fn join(mode: u32, keys: &[u8], pairs: &[u8], out: &mut [u8]) {
    set(mode, &NONE);
    let mut rows = [[Head([0; N]); 3]; 4];
    let given = keys.as_chunks().0.iter().zip(pairs.chunks_exact(2 * N));
    for (i, ((key, pair), target)) in given.zip(out.chunks_exact_mut(N)).enumerate() {
        let row = &mut rows[i % 4];
        row[0] = Head(*key);
        // SAFETY: the jobs are waited for. A row is reused only after the unit has taken the second
        // job after this one, and has thus read the row.
        unsafe { node(pair.as_ptr(), row.as_ptr().cast(), target.as_mut_ptr()) };
    }
    wait(0);
}

/// Returns the mode for the function that hashes a message, n = 32.
fn mode(from: &Midstate<Keccak>) -> Option<u32> {
    match (from.mark(), from.block_len()) {
        (SHAKE_MARK, 168) => Some(SHAKE_N32),
        (SHAKE_MARK, 136) => Some(SHAKE256_N32),
        _ => None,
    }
}

/// Returns PUB_SEED if all messages of PRF begin with toByte(3, 32) ‖ PUB_SEED.
fn pub_seed(prf: &Midstate<Keccak>) -> Option<Head> {
    known::follows(prf, 3)?.try_into().ok().map(Head)
}

/// Sets the mode and PUB_SEED if the unit computes the SHAKE of both PRF and the value's message.
fn begin(prf: &Midstate<Keccak>, core: &Midstate<Keccak>) -> bool {
    let modes = [prf, core].map(mode);
    let (Some(mode), Some(seed)) = (modes[0].filter(|_| modes[0] == modes[1]), pub_seed(prf))
    else {
        return false;
    };
    set_bytes(mode, &seed);
    true
}

/// Sets up chains of n = 24.
fn begin_short(rule: &Masked<'_, Keccak>) -> bool {
    let modes = [rule.prf, rule.core].map(mode);
    let Some(short) = known::short_seed(rule).filter(|_| modes == [Some(SHAKE256_N32); 2]) else {
        return false;
    };
    let mut seed = Head([0; N]);
    seed.0[..short.len()].copy_from_slice(short);
    set_bytes(SHAKE256_N24, &seed);
    true
}

/// Sets the mode and a seed, and waits until the seed has been read.
fn set_bytes(mode: u32, seed: &Head) {
    set(mode, seed);
    wait(0);
}

impl InLanes for Keccak {
    fn begin_masked(rule: &Masked<'_, Self>) -> bool {
        known::is_masked(rule) && begin(rule.prf, rule.core)
    }

    fn begin_rows(rule: &Rows<'_, Self>) -> bool {
        let is_chain = rule.n == N && known::begins_with(rule.core, 0);
        let Some(mode) = mode(rule.core).filter(|_| is_chain && set_rows(rule.rows)) else {
            return false;
        };
        set(mode, &NONE);
        true
    }

    fn begin_nodes(rule: &Node<'_, Self>) -> bool {
        known::is_node(rule) && begin(rule.prf, rule.core)
    }
}
