//! FIPS 205, Section 11 (Parameter Sets): the functions F, H, T_l, PRF over batches.
//!
//! SHAKE uses one function for all. SHA2 uses SHA-256 for F and PRF; H and T_l use SHA-256 where
//! n = 16 and SHA-512 above. In every case PK.seed, padded to a block for SHA2, is absorbed once.

use super::address::{Form, Head};
use crate::params::{Hash, Set};
use alloc::vec;
use hasten_kernels::chain::{Rule, Span, StepField, Tweak};
use hasten_kernels::{HashFunction, Keccak, Kernel, Kernels, Midstate, Sha256, Sha512, many};

/// Messages that are laid out at a time.
const TILE: usize = 64;

/// A hash function that has absorbed PK.seed.
enum Seeded<'k> {
    Sha256(&'k dyn Kernel<Sha256>, Midstate<Sha256>),
    Sha512(&'k dyn Kernel<Sha512>, Midstate<Sha512>),
    Shake(&'k dyn Kernel<Keccak>, Midstate<Keccak>),
}

/// Calls `$body` with the kernel and the midstate of whichever function it is.
macro_rules! on {
    ($seeded:expr, |$kernel:ident, $midstate:ident| $body:expr) => {
        match $seeded {
            Seeded::Sha256($kernel, $midstate) => $body,
            Seeded::Sha512($kernel, $midstate) => $body,
            Seeded::Shake($kernel, $midstate) => $body,
        }
    };
}

/// The tweakable functions of a set for one PK.seed.
pub(super) struct Hashes<'k> {
    /// The parameter set.
    pub set: &'static Set,
    /// Form of the addresses.
    pub form: Form,
    narrow: Seeded<'k>,
    /// Where H and T_l use another function than F.
    wide: Option<Seeded<'k>>,
}

impl<'k> Hashes<'k> {
    /// Returns the functions of `set` under `pk_seed`, n bytes.
    pub fn new(kernels: &Kernels<'k>, set: &'static Set, pk_seed: &[u8]) -> Self {
        let shake = matches!(set.hash, Hash::Shake256);
        let form = if shake { Form::Full } else { Form::Compressed };
        let narrow =
            if shake { seeded_shake(kernels, pk_seed) } else { seeded_256(kernels, pk_seed) };
        let wide = (!shake && set.n > 16).then(|| seeded_512(kernels, pk_seed));
        Self { set, form, narrow, wide }
    }

    /// Computes F or PRF: hashes one value of n bytes under each head.
    pub fn narrow(&self, heads: &[Head], values: &[u8], out: &mut [u8]) {
        self.tweaked(&self.narrow, heads, values, out);
    }

    /// Computes H or T_l: hashes an equal share of `values` under each head.
    pub fn wide(&self, heads: &[Head], values: &[u8], out: &mut [u8]) {
        self.tweaked(self.wide.as_ref().unwrap_or(&self.narrow), heads, values, out);
    }

    /// FIPS 205, Algorithm 5 (chain), over many chains.
    pub fn chains(&self, spans: &[Span], values: &mut [u8]) {
        on!(&self.narrow, |kernel, prefix| {
            let counter = StepField { at: self.form.step_at(), width: 4 };
            let rule = Tweak { prefix, head_len: self.form.len(), counter, n: self.set.n };
            kernel.chains(&Rule::Tweak(rule), spans, values);
        });
    }

    /// Computes F or PRF of messages that are `first`, a head and a value, but for the bytes that
    /// `fill` writes into message i. It writes the same places of each.
    #[cfg(feature = "sign")]
    pub fn narrow_like(&self, first: &[u8], fill: impl FnMut(usize, &mut [u8]), out: &mut [u8]) {
        self.alike(&self.narrow, first, fill, out);
    }

    /// Computes H or T_l in the same way.
    #[cfg(feature = "sign")]
    pub fn wide_like(&self, first: &[u8], fill: impl FnMut(usize, &mut [u8]), out: &mut [u8]) {
        self.alike(self.wide.as_ref().unwrap_or(&self.narrow), first, fill, out);
    }

    /// Digests of head ‖ value, n bytes each.
    fn tweaked(&self, function: &Seeded<'k>, heads: &[Head], values: &[u8], out: &mut [u8]) {
        let head_len = self.form.len();
        assert_eq!(out.len(), heads.len() * self.set.n);
        let each = values.len() / heads.len().max(1);
        let fill = |i: usize, message: &mut [u8]| {
            message[..head_len].copy_from_slice(&heads[i][..head_len]);
            message[head_len..].copy_from_slice(&values[i * each..][..each]);
        };
        self.alike(function, &vec![0; head_len + each], fill, out);
    }

    /// Digests of messages that are `first` but for what `fill` writes.
    fn alike(
        &self,
        function: &Seeded<'k>,
        first: &[u8],
        mut fill: impl FnMut(usize, &mut [u8]),
        out: &mut [u8],
    ) {
        let (n, len) = (self.set.n, first.len());
        let mut laid = first.repeat(TILE.min(out.len() / n));
        for (tile, out) in out.chunks_mut(TILE * n).enumerate() {
            let laid = &mut laid[..out.len() / n * len];
            for (i, message) in laid.chunks_exact_mut(len).enumerate() {
                fill(tile * TILE + i, message);
            }
            on!(function, |kernel, prefix| many(*kernel, prefix, laid, out, n));
        }
        zeroize::Zeroize::zeroize(laid.as_mut_slice());
    }
}

fn seeded_shake<'k>(kernels: &Kernels<'k>, seed: &[u8]) -> Seeded<'k> {
    let kernel = kernels.keccak;
    Seeded::Shake(kernel, Midstate::shake256().with(kernel, seed))
}

fn seeded_256<'k>(kernels: &Kernels<'k>, seed: &[u8]) -> Seeded<'k> {
    let kernel = kernels.sha256;
    Seeded::Sha256(kernel, padded(kernel, Midstate::sha256(), seed))
}

fn seeded_512<'k>(kernels: &Kernels<'k>, seed: &[u8]) -> Seeded<'k> {
    let kernel = kernels.sha512;
    Seeded::Sha512(kernel, padded(kernel, Midstate::sha512(), seed))
}

/// Returns PK.seed ‖ toByte(0, block - n) absorbed.
fn padded<H: HashFunction>(kernel: &dyn Kernel<H>, start: Midstate<H>, seed: &[u8]) -> Midstate<H> {
    let block = start.block_len();
    start.with(kernel, seed).with(kernel, &[0; 128][..block - seed.len()])
}

/// Copies a value: where its length is known, `memcpy` is not called, which would take longer than
/// the copy.
#[cfg(feature = "sign")]
#[inline(always)]
pub(super) fn put(to: &mut [u8], from: &[u8]) {
    match from.len() {
        16 => to[..16].copy_from_slice(&from[..16]),
        24 => to[..24].copy_from_slice(&from[..24]),
        32 => to[..32].copy_from_slice(&from[..32]),
        48 => to[..48].copy_from_slice(&from[..48]),
        64 => to[..64].copy_from_slice(&from[..64]),
        _ => to.copy_from_slice(from),
    }
}
