//! XMSS: RFC 8391, Algorithm 13 (XMSS_rootFromSig), with the functions of RFC 8391, section 5.1
//! (Implementing the Functions) and those of SP 800-208 for n = 24.

use super::hashing::{Digest, Hashing, hash};
use super::shape::Shape;
use super::unit::{Head, Unit};

/// Offset of r in a signature.
pub const RANDOM_AT: usize = 4;
/// Offset of the root in a public key.
pub const ROOT_AT: usize = 4;

/// Address types of RFC 8391, section 2.5 (Hash Function Address Scheme), for tree 0 of layer 0.
const OTS: u32 = 0;
const L_TREE: u32 = 1;
const HASH_TREE: u32 = 2;

/// Absorbs toByte(2, pad) ‖ r ‖ root ‖ toByte(index, n).
pub fn open<U: Unit>(shape: &Shape, key: &[u8], signature: &[u8], message: &mut Hashing<U>) {
    let (n, (index, r)) = (shape.n::<U>(), signature.split_at(RANDOM_AT));
    let root = &key[ROOT_AT..][..n];
    message.update(&[pad(n, 2), &r[..n], root, &[0; 32][..n - 4], index]);
}

/// Returns SEED.
pub fn seed<'k, U: Unit>(shape: &Shape, key: &'k [u8]) -> &'k [u8] {
    &key[ROOT_AT + shape.n::<U>()..]
}

/// Writes the common address of all chains, and returns the offset of the chain number in it.
pub fn head(ots: u32, head: &mut Head) -> usize {
    head.0.copy_from_slice(address(OTS, [ots, 0, 0]).as_flattened());
    22
}

/// Computes step `step` of chain `chain`: F(KEY, value ⊕ BM).
pub fn step<U: Unit>(
    unit: U,
    shape: &Shape,
    key: &[u8],
    ots: u32,
    (chain, step): (u32, u32),
    value: &[u8],
    out: &mut Digest,
) {
    let mut address = address(OTS, [ots, chain, step]);
    let hashes = Hashes { unit, shape, seed: seed::<U>(shape, key) };
    hashes.masked(&mut address, 0, &[value], out);
}

/// Computes RFC 8391, Algorithm 8 (ltree) over the ends of the chains, in place.
pub fn leaf<U: Unit>(
    unit: U,
    shape: &Shape,
    key: &[u8],
    leaf: u32,
    ends: &mut [u8],
    out: &mut Digest,
) {
    let (n, mut height, mut count) = (shape.n::<U>(), 0, shape.len);
    let hashes = Hashes { unit, shape, seed: seed::<U>(shape, key) };
    while count > 1 {
        for index in 0..count / 2 {
            let mut address = address(L_TREE, [leaf, height, index as u32]);
            let (left, right) = ends[2 * index * n..][..2 * n].split_at(n);
            hashes.masked(&mut address, 1, &[left, right], out);
            ends[index * n..][..n].copy_from_slice(&out[..n]);
        }
        if count % 2 == 1 {
            let (front, last) = ends.split_at_mut((count - 1) * n);
            if let Some(free) = front.get_mut(count / 2 * n..) {
                free.iter_mut().zip(last).for_each(|(to, from)| *to = *from);
            }
        }
        (count, height) = (count.div_ceil(2), height + 1);
    }
    out[..n].copy_from_slice(&ends[..n]);
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
    let mut address = address(HASH_TREE, [0, height, index]);
    let hashes = Hashes { unit, shape, seed: seed::<U>(shape, key) };
    hashes.masked(&mut address, 1, &pair, out);
}

/// An address in words of four bytes. The last word is KeyAndMask.
type Address = [[u8; 4]; 8];

fn address(kind: u32, fields: [u32; 3]) -> Address {
    let mut address = [[0; 4]; 8];
    let numbers = [kind, fields[0], fields[1], fields[2]];
    for (word, number) in address[3..].iter_mut().zip(numbers) {
        *word = number.to_be_bytes();
    }
    address
}

/// The keyed hash functions for one SEED.
struct Hashes<'k, U> {
    unit: U,
    shape: &'k Shape,
    seed: &'k [u8],
}

impl<U: Unit> Hashes<'_, U> {
    /// Hashes toByte(function, pad) ‖ KEY ‖ the values, each xored with its mask. For one value,
    /// this is F; for two, it is RFC 8391, Algorithm 7 (RAND_HASH).
    #[inline(never)]
    fn masked(&self, address: &mut Address, function: usize, values: &[&[u8]], out: &mut Digest) {
        let n = self.shape.n::<U>();
        let mut masked = [[0; 32]; 3];
        let key = [[].as_slice()];
        for (i, (masked, value)) in masked.iter_mut().zip(key.iter().chain(values)).enumerate() {
            address[7][3] = i as u8;
            hash(self.unit, &[pad(n, 3), self.seed, address.as_flattened()], masked);
            masked.iter_mut().zip(*value).for_each(|(mask, byte)| *mask ^= byte);
        }
        let [key, left, right] = &masked;
        let right = if values.len() == 2 { &right[..n] } else { &[] };
        hash(self.unit, &[pad(n, function), &key[..n], &left[..n], right], out);
    }
}

/// toByte(0, 32) to toByte(3, 32).
static PADS: [[u8; 32]; 4] = {
    let mut pads = [[0; 32]; 4];
    (pads[1][31], pads[2][31], pads[3][31]) = (1, 2, 3);
    pads
};

/// Returns toByte(function, pad).
fn pad(n: usize, function: usize) -> &'static [u8] {
    &PADS[function][if n == 24 { 28 } else { 0 }..]
}
