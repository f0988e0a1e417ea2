//! The forms of messages that the unit computes, n = 32 (RFC 8391, section 5.1 (Implementing the
//! Functions)).

use hasten_kernels::chain::Masked;
use hasten_kernels::grid::{Numbered, Tail};
use hasten_kernels::node::Node;
use hasten_kernels::{HashFunction, Midstate, Sha256};

/// Bytes of a value.
pub const N: usize = 32;
/// Bytes of a short value, which the unit has chains of.
const SHORT: usize = 24;

/// Returns whether a message begins with toByte(`function`, 32), and nothing more is absorbed.
pub fn begins_with<H: HashFunction>(core: &Midstate<H>, function: u32) -> bool {
    core.absorbed() == 32 && follows(core, function).is_some()
}

/// Returns what follows toByte(`function`, 32) in the block that a message begins with.
pub fn follows<H: HashFunction>(from: &Midstate<H>, function: u32) -> Option<&[u8]> {
    let (words, rest) = from.pending().split_first_chunk::<32>()?;
    let (zeros, last) = words.as_chunks().0.split_at(7);
    let zeros = zeros.iter().fold(0, |all, word| all | u32::from_ne_bytes(*word));
    let is_first = from.absorbed() == from.pending().len() as u64;
    (is_first && zeros == 0 && u32::from_be_bytes(last[0]) == function).then_some(rest)
}

/// Returns whether a chain makes its keys and masks so: the step's number at byte 24 of an address,
/// core toByte(0, 32).
pub fn is_masked<H: HashFunction>(rule: &Masked<'_, H>) -> bool {
    rule.n == N && rule.head_len == N && rule.at == 24 && begins_with(rule.core, 0)
}

/// Returns whether a message of n = 24 begins with toByte(`function`, 4), and nothing more is
/// absorbed.
pub fn begins_short<H: HashFunction>(core: &Midstate<H>, function: u8) -> bool {
    *core.pending() == [0, 0, 0, function] && core.absorbed() == 4
}

/// Returns PUB_SEED of n = 24 if a chain makes its keys and masks with it: the step's number at
/// byte 24 of an address, core toByte(0, 4), prf toByte(3, 4) ‖ PUB_SEED.
pub fn short_seed<'r, H: HashFunction>(rule: &Masked<'r, H>) -> Option<&'r [u8; SHORT]> {
    let (pad, seed) = rule.prf.pending().split_first_chunk::<4>()?;
    let keys = rule.n == SHORT && rule.head_len == 32 && rule.at == 24;
    let alone = rule.prf.absorbed() == 4 + SHORT as u64 && *pad == [0, 0, 0, 3];
    seed.try_into().ok().filter(|_| keys && alone && begins_short(rule.core, 0))
}

/// Returns whether nodes are hashed so: keyAndMask in the last byte of an address, core
/// toByte(1, 32).
pub fn is_node<H: HashFunction>(rule: &Node<'_, H>) -> bool {
    rule.n == N && rule.at == N - 1 && rule.lead == 0 && begins_with(rule.core, 1)
}

/// The last block of a message.
pub enum Shape {
    /// It is 32 bytes and the padding of a message of 96.
    Half,
    /// It is full, and the padding of a message of 128 bytes follows.
    Full,
}

/// Returns the shape of messages of SHA-256 that end with their head, if it is one of these.
pub fn shape(messages: &Numbered<'_, Sha256>) -> Option<Shape> {
    let (pending, prefix) = (messages.prefix.pending().len(), messages.prefix.absorbed());
    match (messages.tail, pending + messages.head_len, prefix + messages.head_len as u64) {
        (Tail::Same([]), 32, 96) => Some(Shape::Half),
        (Tail::Same([]), 64, 128) => Some(Shape::Full),
        _ => None,
    }
}
