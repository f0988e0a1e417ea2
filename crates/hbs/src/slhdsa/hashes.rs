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

    /// Computes PRF of the same secret under each head.
    #[cfg(feature = "sign")]
    pub fn secrets(&self, heads: &[Head], sk_seed: &[u8], out: &mut [u8]) {
        let mut seeds = crate::secret::Secret::zero(heads.len() * self.set.n);
        seeds.chunks_exact_mut(self.set.n).for_each(|seed| seed.copy_from_slice(sk_seed));
        self.narrow(heads, &seeds, out);
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

    /// Digests of head ‖ value, n bytes each.
    fn tweaked(&self, function: &Seeded<'k>, heads: &[Head], values: &[u8], out: &mut [u8]) {
        let (n, head_len) = (self.set.n, self.form.len());
        assert_eq!(out.len(), heads.len() * n);
        if heads.is_empty() {
            return;
        }
        let each = values.len() / heads.len();
        let mut laid = vec![0; TILE.min(heads.len()) * (head_len + each)];
        let tiles =
            heads.chunks(TILE).zip(values.chunks(TILE * each)).zip(out.chunks_mut(TILE * n));
        for ((heads, values), out) in tiles {
            let laid = &mut laid[..heads.len() * (head_len + each)];
            for ((message, head), value) in
                laid.chunks_exact_mut(head_len + each).zip(heads).zip(values.chunks_exact(each))
            {
                message[..head_len].copy_from_slice(&head[..head_len]);
                message[head_len..].copy_from_slice(value);
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
