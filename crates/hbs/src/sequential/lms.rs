//! LMS: RFC 8554, Algorithm 4b (Computing a Public Key Candidate Kc from a Signature, Message,
//! Signature Typecode pubtype, and Identifiers I, q), Algorithm 6a (Computing an LMS Public Key
//! Candidate from a Signature, Message, Identifier, and Algorithm Typecodes).

use super::hashing::{Digest, Hashing, hash};
use super::number;
use super::shape::Shape;
use super::unit::{Head, Unit};
use crate::params::LMS_ID_BYTES;
use crate::params::domain::{D_INTR, D_LEAF, D_MESG, D_PBLC};

/// Offset of I in a public key; `ROOT_AT` is the offset of the root.
const ID_AT: usize = 8;
pub const ROOT_AT: usize = ID_AT + LMS_ID_BYTES;
/// Offset of C in a signature.
pub const RANDOM_AT: usize = 8;

/// Returns true if the typecodes of the signature are those of the key.
pub fn has_types(shape: &Shape, signature: &[u8]) -> bool {
    number(&signature[shape.path_at..]) == shape.numbers[0]
        && number(&signature[4..]) == shape.numbers[1]
}

/// Absorbs everything that comes before the message.
pub fn open<U: Unit>(shape: &Shape, key: &[u8], signature: &[u8], message: &mut Hashing<U>) {
    let (q, c) = signature.split_at(RANDOM_AT);
    message.update(&[&key[ID_AT..ROOT_AT], &q[..4], &D_MESG.to_be_bytes(), &c[..shape.n::<U>()]]);
}

/// Writes the common head of all chains, and returns the offset of the chain number in it.
pub fn head(key: &[u8], q: u32, head: &mut Head) -> usize {
    let (id, number) = head.0.split_at_mut(LMS_ID_BYTES);
    id.copy_from_slice(&key[ID_AT..ROOT_AT]);
    number[..4].copy_from_slice(&q.to_be_bytes());
    LMS_ID_BYTES + 4
}

/// Computes step `step` of chain `chain`.
pub fn step<U: Unit>(
    unit: U,
    key: &[u8],
    q: u32,
    (chain, step): (u32, u32),
    value: &[u8],
    out: &mut Digest,
) {
    tagged(unit, key, q, chain as u16, [&[step as u8], value], out);
}

/// Hashes the ends of the chains to the leaf.
pub fn leaf<U: Unit>(unit: U, shape: &Shape, key: &[u8], q: u32, ends: &[u8], out: &mut Digest) {
    let mut one_time = [0; 32];
    tagged(unit, key, q, D_PBLC, [ends, &[]], &mut one_time);
    tagged(unit, key, (1 << shape.h) + q, D_LEAF, [&one_time[..shape.n::<U>()], &[]], out);
}

/// Hashes two nodes at `height` to node `index` above them.
pub fn join<U: Unit>(
    unit: U,
    shape: &Shape,
    key: &[u8],
    (height, index): (u32, u32),
    pair: [&[u8]; 2],
    out: &mut Digest,
) {
    tagged(unit, key, (1 << (shape.h - height - 1)) + index, D_INTR, pair, out);
}

/// Hashes I ‖ u32str(number) ‖ u16str(kind) ‖ both parts.
#[inline(never)]
fn tagged<U: Unit>(
    unit: U,
    key: &[u8],
    number: u32,
    kind: u16,
    [a, b]: [&[u8]; 2],
    out: &mut Digest,
) {
    hash(unit, &[&key[ID_AT..ROOT_AT], &number.to_be_bytes(), &kind.to_be_bytes(), a, b], out);
}
