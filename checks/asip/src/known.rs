//! The forms of messages that the unit computes, n = 32 (RFC 8391, section 5.1 (Implementing the
//! Functions)).

use hasten_kernels::chain::Masked;
use hasten_kernels::grid::{Numbered, Tail};
use hasten_kernels::node::Node;
use hasten_kernels::{HashFunction, Midstate, Sha256};

/// Bytes of a value.
pub const N: usize = 32;
/// Bytes of a short value, for which the unit has chains.
const SHORT: usize = 24;

/// Returns true if a message begins with toByte(`function`, 32) and nothing more is absorbed.
pub fn begins_with<H: HashFunction>(core: &Midstate<H>, function: u32) -> bool {
    core.absorbed() == 32 && follows(core, function).is_some()
}

/// Returns the bytes after toByte(`function`, 32) in the first block of a message.
pub fn follows<H: HashFunction>(from: &Midstate<H>, function: u32) -> Option<&[u8]> {
    let (words, rest) = from.pending().split_first_chunk::<32>()?;
    let (zeros, last) = words.as_chunks().0.split_at(7);
    let zeros = zeros.iter().fold(0, |all, word| all | u32::from_ne_bytes(*word));
    let is_first = from.absorbed() == from.pending().len() as u64;
    (is_first && zeros == 0 && u32::from_be_bytes(last[0]) == function).then_some(rest)
}

/// Returns true if a chain computes its keys and masks from an address with the step's number at
/// byte 24, with core toByte(0, 32).
pub fn is_masked<H: HashFunction>(rule: &Masked<'_, H>) -> bool {
    rule.n == N && rule.head_len == N && rule.at == 24 && begins_with(rule.core, 0)
}

/// Returns true if a message of n = 24 begins with toByte(`function`, 4) and nothing more is
/// absorbed.
pub fn begins_short<H: HashFunction>(core: &Midstate<H>, function: u8) -> bool {
    *core.pending() == [0, 0, 0, function] && core.absorbed() == 4
}

/// Returns PUB_SEED of n = 24 if a chain computes its keys and masks from it: from an address with
/// the step's number at byte 24, core toByte(0, 4), prf toByte(3, 4) ‖ PUB_SEED.
pub fn short_seed<'r, H: HashFunction>(rule: &Masked<'r, H>) -> Option<&'r [u8; SHORT]> {
    let (pad, seed) = rule.prf.pending().split_first_chunk::<4>()?;
    let keys = rule.n == SHORT && rule.head_len == 32 && rule.at == 24;
    let alone = rule.prf.absorbed() == 4 + SHORT as u64 && *pad == [0, 0, 0, 3];
    seed.try_into().ok().filter(|_| keys && alone && begins_short(rule.core, 0))
}

/// Returns true if nodes are hashed with keyAndMask in the last byte of an address and core
/// toByte(1, 32).
pub fn is_node<H: HashFunction>(rule: &Node<'_, H>) -> bool {
    rule.n == N && rule.at == N - 1 && rule.lead == 0 && begins_with(rule.core, 1)
}

/// The last block of a message.
pub enum Shape {
    /// 32 bytes and the padding of a 96-byte message.
    Half,
    /// A full block, followed by the padding block of a 128-byte message.
    Full,
}

/// Returns the shape of SHA-256 messages that end with their head, if the unit computes it.
pub fn shape(messages: &Numbered<'_, Sha256>) -> Option<Shape> {
    let (pending, prefix) = (messages.prefix.pending().len(), messages.prefix.absorbed());
    match (messages.tail, pending + messages.head_len, prefix + messages.head_len as u64) {
        (Tail::Same([]), 32, 96) => Some(Shape::Half),
        (Tail::Same([]), 64, 128) => Some(Shape::Full),
        _ => None,
    }
}
