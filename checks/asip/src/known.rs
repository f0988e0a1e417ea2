//! The forms of messages that the unit computes, n = 32 (RFC 8391, section 5.1 (Implementing the
//! Functions)).

use hasten_kernels::chain::Masked;
use hasten_kernels::grid::{Numbered, Tail};
use hasten_kernels::node::Node;
use hasten_kernels::{Midstate, Sha256};

/// Bytes of a value.
pub const N: usize = 32;
/// Bytes of a short value, which the unit has chains of.
const SHORT: usize = 24;

/// Returns whether a message begins with toByte(`function`, 32).
pub fn begins_with(core: &Midstate<Sha256>, function: u32) -> bool {
    let Ok(words) = <&[[u8; 4]; 8]>::try_from(core.pending().as_chunks().0) else {
        return false;
    };
    let (zeros, last) = words.split_at(7);
    let zeros = zeros.iter().fold(0, |all, word| all | u32::from_ne_bytes(*word));
    zeros == 0 && u32::from_be_bytes(last[0]) == function && core.absorbed() == 32
}

/// Returns whether a chain makes its keys and masks so: the step's number at byte 24 of an address,
/// core toByte(0, 32).
pub fn is_masked(rule: &Masked<'_, Sha256>) -> bool {
    let keys = rule.head_len == N && rule.at == 24 && rule.prf.pending().is_empty();
    rule.n == N && keys && begins_with(rule.core, 0)
}

/// Returns PUB_SEED of n = 24, as the unit takes it, if a chain makes its keys and masks with it:
/// the step's number at byte 24 of an address, core toByte(0, 4), prf toByte(3, 4) ‖ PUB_SEED.
pub fn short_seed(rule: &Masked<'_, Sha256>) -> Option<[u32; 8]> {
    let (pad, seed) = rule.prf.pending().split_first_chunk::<4>()?;
    let keys = rule.n == SHORT && rule.head_len == 32 && rule.at == 24;
    let alone = [rule.prf, rule.core].map(|from| from.pending().len() as u64 == from.absorbed());
    let known = *pad == [0, 0, 0, 3] && *rule.core.pending() == [0; 4] && seed.len() == SHORT;
    (keys && known && alone == [true; 2]).then(|| {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(seed.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        words
    })
}

/// Returns whether nodes are hashed so: keyAndMask in the last byte of an address, core
/// toByte(1, 32).
pub fn is_node(rule: &Node<'_, Sha256>) -> bool {
    let keys = rule.n == N && rule.at == N - 1 && rule.lead == 0 && rule.prf.pending().is_empty();
    keys && begins_with(rule.core, 1)
}

/// The last block of a message.
pub enum Shape {
    /// It is 32 bytes and the padding of a message of 96.
    Half,
    /// It is full, and the padding of a message of 128 bytes follows.
    Full,
}

/// Returns the shape of messages that end with their head, if it is one of these.
pub fn shape(messages: &Numbered<'_, Sha256>) -> Option<Shape> {
    let (pending, prefix) = (messages.prefix.pending().len(), messages.prefix.absorbed());
    match (messages.tail, pending + messages.head_len, prefix + messages.head_len as u64) {
        (Tail::Same([]), 32, 96) => Some(Shape::Half),
        (Tail::Same([]), 64, 128) => Some(Shape::Full),
        _ => None,
    }
}
