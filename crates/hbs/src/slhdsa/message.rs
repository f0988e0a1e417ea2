//! FIPS 205, Section 11 (Parameter Sets): the functions of the message, H_msg and PRF_msg, and the
//! selection by the digest.

use crate::params::{Hash, Scheme, Set};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate};

/// A message in parts: M' is never assembled in memory.
pub(super) type Parts<'m> = [&'m [u8]];

/// Size of a buffer for the longest digest, which has m = 49 bytes (256f).
const MOST: usize = 64;

/// Maximum size of a block in bytes.
#[cfg(feature = "sign")]
const MOST_BLOCK: usize = 128;

/// Computes PRF_msg: the randomizer R, n bytes.
#[cfg(feature = "sign")]
pub(super) fn prf_msg(
    kernels: &Kernels<'_>,
    set: &Set,
    (sk_prf, opt_rand): (&[u8], &[u8]),
    message: &Parts<'_>,
    r: &mut [u8],
) {
    match (set.hash, set.n) {
        (Hash::Shake256, _) => {
            let kernel = kernels.keccak;
            let state = Midstate::shake256().with(kernel, sk_prf).with(kernel, opt_rand);
            absorb(kernel, state, message).finish(kernel, &[], r);
        }
        (_, 16) => {
            let kernel = kernels.sha256;
            hmac::<_, 32>(kernel, &Midstate::sha256(), sk_prf, opt_rand, message, r);
        }
        _ => {
            let kernel = kernels.sha512;
            hmac::<_, 64>(kernel, &Midstate::sha512(), sk_prf, opt_rand, message, r);
        }
    }
}

/// Computes H_msg: the digest, m bytes. `fixed` is R, PK.seed and PK.root.
pub(super) fn h_msg(
    kernels: &Kernels<'_>,
    set: &Set,
    fixed: [&[u8]; 3],
    message: &Parts<'_>,
    digest: &mut [u8],
) {
    match (set.hash, set.n) {
        (Hash::Shake256, _) => {
            let kernel = kernels.keccak;
            let state = absorb(kernel, Midstate::shake256(), &fixed);
            absorb(kernel, state, message).finish(kernel, &[], digest);
        }
        (_, 16) => {
            mgf1::<_, 32>(kernels.sha256, &Midstate::sha256(), fixed, message, digest);
        }
        _ => mgf1::<_, 64>(kernels.sha512, &Midstate::sha512(), fixed, message, digest),
    }
}

fn absorb<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    mut state: Midstate<H>,
    parts: &Parts<'_>,
) -> Midstate<H> {
    parts.iter().for_each(|part| state.update(kernel, part));
    state
}

/// Computes HMAC of opt_rand ‖ message. The hash function has D bytes of output.
#[cfg(feature = "sign")]
fn hmac<H: HashFunction, const D: usize>(
    kernel: &dyn Kernel<H>,
    start: &Midstate<H>,
    key: &[u8],
    opt_rand: &[u8],
    message: &Parts<'_>,
    out: &mut [u8],
) {
    let mut pad = zeroize::Zeroizing::new([0u8; MOST_BLOCK]);
    let pad = &mut pad[..start.block_len()];
    pad[..key.len()].copy_from_slice(key);
    pad.iter_mut().for_each(|b| *b ^= 0x36);
    let inner = start.clone().with(kernel, pad).with(kernel, opt_rand);
    let mut digest = zeroize::Zeroizing::new([0u8; D]);
    absorb(kernel, inner, message).finish(kernel, &[], digest.as_mut());
    pad.iter_mut().for_each(|b| *b ^= 0x36 ^ 0x5c);
    start.clone().with(kernel, pad).finish(kernel, digest.as_ref(), out);
}

/// Computes MGF1 of R ‖ PK.seed ‖ hash(R ‖ PK.seed ‖ PK.root ‖ message).
fn mgf1<H: HashFunction, const D: usize>(
    kernel: &dyn Kernel<H>,
    start: &Midstate<H>,
    fixed: [&[u8]; 3],
    message: &Parts<'_>,
    out: &mut [u8],
) {
    let mut inner = [0; D];
    let state = absorb(kernel, start.clone(), &fixed);
    absorb(kernel, state, message).finish(kernel, &[], &mut inner);
    let seed = absorb(kernel, start.clone(), &[fixed[0], fixed[1], &inner]);
    for (i, out) in (0u32..).zip(out.chunks_mut(D)) {
        seed.finish(kernel, &i.to_be_bytes(), out);
    }
}

/// The selection by a digest: the FORS leaves and the place in the hypertree.
pub(super) struct Selection {
    digest: [u8; MOST],
    /// True if the bits of a leaf number are read least significant bit first, as in round 3.1.
    least_first: bool,
    /// The tree of layer 0.
    pub tree: u64,
    /// The leaf in that tree.
    pub leaf: u32,
}

impl Selection {
    /// Splits a digest: FIPS 205, Algorithm 19 (slh_sign_internal), lines 6 to 10.
    pub fn of(set: &Set, digest: &[u8]) -> Self {
        let Scheme::SlhDsa { a, k } = set.scheme else { unreachable!("a set of SLH-DSA") };
        let (tree_bits, leaf_bits) = (set.h - set.tree_height(), set.tree_height());
        let (md, rest) = digest.split_at((a * k).div_ceil(8) as usize);
        let (tree, leaf) = rest.split_at(tree_bits.div_ceil(8) as usize);
        let mut kept = [0; MOST];
        kept[..md.len()].copy_from_slice(md);
        let tree = number(tree) & u64::MAX.checked_shr(64 - tree_bits).unwrap_or(0);
        let leaf = number(leaf) as u32 & ((1 << leaf_bits) - 1);
        Self { digest: kept, least_first: set.round31, tree, leaf }
    }

    /// Returns the leaf chosen in FORS tree `i`: FIPS 205, Algorithm 4 (base_2b) with b = a.
    pub fn fors(&self, a: u32, i: u32) -> u32 {
        let bit = |at: usize| u32::from(self.digest[at / 8] >> (7 - at % 8) & 1);
        let first = (i * a) as usize;
        if self.least_first {
            let turned = |at: usize| bit(at / 8 * 8 + 7 - at % 8);
            return (0..a).fold(0, |x, weight| x | turned(first + weight as usize) << weight);
        }
        (0..a as usize).fold(0, |x, at| x << 1 | bit(first + at))
    }
}

/// Returns the size of the digest in bytes, m.
pub(super) const fn digest_bytes(set: &Set, a: u32, k: u32) -> usize {
    let tree_bits = set.h - set.tree_height();
    ((a * k).div_ceil(8) + tree_bits.div_ceil(8) + set.tree_height().div_ceil(8)) as usize
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |x, b| x << 8 | u64::from(*b))
}
