//! Chains and nodes of XMSS with n = 24, with rows. They use single compressions, whose blocks are
//! laid out here. Because KEY does not end a block, the unit has no job of its own for them.

use crate::known::begins_short;
use crate::unit::{TO_STATE, hash, wait};
use hasten_kernels::Sha256;
use hasten_kernels::chain::{Rows, Span};
use hasten_kernels::node::Node;

/// Bytes and words of a value.
const N: usize = 24;
const WORDS: usize = N / 4;

/// Number of chains computed together: blocks are laid out while the unit hashes others.
const CHAINS: usize = 4;
/// Number of nodes computed together.
const NODES: usize = 2;

/// Words of a block as they are in memory: toByte(1, 4), the bit after a message, and the bit
/// lengths of messages of 52 and 76 bytes.
const ONE: u32 = 1_u32.to_be();
const END: u32 = 0x8000_0000_u32.to_be();
const CHAIN_BITS: u32 = (8 * 52_u32).to_be();
const NODE_BITS: u32 = (8 * 76_u32).to_be();

/// Returns true if chains by rows hash toByte(0, 4) ‖ KEY ‖ (M ⊕ BM).
pub fn has_chains(rule: &Rows<'_, Sha256>) -> bool {
    rule.n == N && begins_short(rule.core, 0)
}

/// Returns true if nodes hash toByte(1, 4) ‖ KEY ‖ (LEFT ⊕ BM_0) ‖ (RIGHT ⊕ BM_1).
pub fn has_nodes(rule: &Node<'_, Sha256>) -> bool {
    rule.n == N && begins_short(rule.core, 1)
}

/// A step of a chain.
#[repr(align(16))]
#[derive(Clone, Copy)]
struct Step {
    block: [u32; 16],
    digest: [u32; 8],
}

impl Step {
    const fn new() -> Self {
        let mut block = [0; 16];
        (block[1 + 2 * WORDS], block[15]) = (END, CHAIN_BITS);
        Self { block, digest: [0; 8] }
    }

    /// Orders a step from the value in `digest`, with its row.
    fn order(&mut self, row: &[u8]) {
        let row = words::<{ 2 * WORDS }>(row);
        let (key, mask) = row.split_at(WORDS);
        self.block[1..=WORDS].copy_from_slice(key);
        for (to, (mask, value)) in
            self.block[1 + WORDS..].iter_mut().zip(mask.iter().zip(self.digest))
        {
            *to = mask ^ value;
        }
        hash_to::<0>(&Sha256::INITIAL, &self.block, &mut self.digest);
    }
}

/// Advances chains by rows.
pub fn advance(rows: &[u8], spans: &[Span], values: &mut [u8]) {
    let mut all = [Step::new(); CHAINS];
    for (spans, values) in spans.chunks(CHAINS).zip(values.chunks_mut(CHAINS * N)) {
        for (step, value) in all.iter_mut().zip(values.chunks_exact(N)) {
            step.digest[..WORDS].copy_from_slice(&words::<WORDS>(value));
        }
        let longest = spans.iter().map(|span| span.steps).max().unwrap_or(0);
        for number in 0..longest {
            for (step, span) in all.iter_mut().zip(spans) {
                if number < span.steps {
                    step.order(
                        &rows[(span.row + (span.from + number) as usize) * 2 * N..][..2 * N],
                    );
                }
            }
            // The digests are complete after this.
            wait(0);
        }
        for (step, value) in all.iter().zip(values.chunks_exact_mut(N)) {
            give(&step.digest, value);
        }
    }
}

/// A node's message in two blocks, and the state after each.
#[repr(align(16))]
#[derive(Clone, Copy)]
struct Message {
    blocks: [[u32; 16]; 2],
    state: [u32; 8],
}

impl Message {
    const fn new() -> Self {
        let mut blocks = [[0; 16]; 2];
        (blocks[0][0], blocks[1][3], blocks[1][15]) = (ONE, END, NODE_BITS);
        Self { blocks, state: [0; 8] }
    }

    fn lay_out(&mut self, row: &[u8], pair: &[u8]) {
        let row = words::<{ 3 * WORDS }>(row);
        let words = self.blocks.as_flattened_mut();
        words[1..=WORDS].copy_from_slice(&row[..WORDS]);
        let masked = row[WORDS..].iter().zip(self::words::<{ 2 * WORDS }>(pair));
        for (to, (mask, value)) in words[1 + WORDS..].iter_mut().zip(masked) {
            *to = mask ^ value;
        }
    }
}

/// Hashes pairs with their rows to nodes.
pub fn join(rows: &[u8], pairs: &[u8], nodes: &mut [u8]) {
    let mut all = [Message::new(); NODES];
    let given = rows.chunks(NODES * 3 * N).zip(pairs.chunks(NODES * 2 * N));
    for ((rows, pairs), nodes) in given.zip(nodes.chunks_mut(NODES * N)) {
        let count = nodes.len() / N;
        for (message, (row, pair)) in
            all.iter_mut().zip(rows.chunks_exact(3 * N).zip(pairs.chunks_exact(2 * N)))
        {
            message.lay_out(row, pair);
            hash_to::<TO_STATE>(&Sha256::INITIAL, &message.blocks[0], &mut message.state);
        }
        wait(0);
        for Message { blocks, state } in &mut all[..count] {
            let from = &raw const *state;
            hash_to::<0>(from, &blocks[1], state);
        }
        wait(0);
        for (message, node) in all.iter().zip(nodes.chunks_exact_mut(N)) {
            give(&message.state, node);
        }
    }
}

/// Orders a compression of a block from a state.
fn hash_to<const FLAGS: u32>(state: *const [u32; 8], block: &[u32; 16], target: &mut [u32; 8]) {
    // SAFETY: the three are multiples of 4. Callers wait before they use them again.
    unsafe { hash::<FLAGS>(state.cast(), block.as_ptr().cast(), target.as_mut_ptr().cast()) };
}

/// Returns bytes as words in memory order.
fn words<const COUNT: usize>(bytes: &[u8]) -> [u32; COUNT] {
    let given = bytes.as_chunks().0;
    core::array::from_fn(|i| u32::from_ne_bytes(given[i]))
}

/// Writes the first words of a digest to a value.
fn give(digest: &[u32; 8], value: &mut [u8]) {
    for (to, word) in value.as_chunks_mut().0.iter_mut().zip(digest) {
        *to = word.to_ne_bytes();
    }
}
