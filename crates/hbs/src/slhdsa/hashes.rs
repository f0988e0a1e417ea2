//! FIPS 205, Section 11 (Parameter Sets): the functions F, H, T_l, PRF over batches.
//!
//! Sets with SHAKE use one function for all. Sets with SHA2 use SHA-256 for F and PRF. For H and
//! T_l they use SHA-256 if n = 16, and SHA-512 otherwise. PK.seed is absorbed once; for SHA2, it is
//! padded to a block.

use super::address::{Form, Head};
use crate::params::{Hash, Set};
use alloc::vec;
use hasten_kernels::chain::{Rule, Span, StepField, Tweak};
#[cfg(feature = "sign")]
use hasten_kernels::grid::{Grid, Number, Numbered, Tail};
use hasten_kernels::{HashFunction, Keccak, Kernel, Kernels, Midstate, Sha256, Sha512, many};
#[cfg(feature = "sign")]
use hasten_kernels::{numbered, walk};

/// Number of messages that are laid out at a time.
const TILE: usize = 64;

/// A hash function that has absorbed PK.seed.
enum Seeded<'k> {
    Sha256(&'k dyn Kernel<Sha256>, Midstate<Sha256>),
    Sha512(&'k dyn Kernel<Sha512>, Midstate<Sha512>),
    Shake(&'k dyn Kernel<Keccak>, Midstate<Keccak>),
}

/// Evaluates `$body` with the kernel and the midstate of the function in `$seeded`.
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
    /// The function of H and T_l, if it differs from that of F.
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

    /// Returns the number of lanes of the function with the most lanes. The nodes of this many
    /// signatures are hashed together.
    pub fn lanes(&self) -> usize {
        let of = |function: &Seeded<'k>| on!(function, |kernel, _prefix| kernel.lanes());
        of(&self.narrow).max(self.wide.as_ref().map_or(1, of))
    }

    /// Computes F or PRF: hashes one value of n bytes under each head.
    pub fn narrow(&self, heads: &[Head], values: &[u8], out: &mut [u8]) {
        self.tweaked(&self.narrow, heads, values, out);
    }

    /// Computes H or T_l: hashes an equal share of `values` under each head.
    pub fn wide(&self, heads: &[Head], values: &[u8], out: &mut [u8]) {
        self.tweaked(self.wide.as_ref().unwrap_or(&self.narrow), heads, values, out);
    }

    /// Computes FIPS 205, Algorithm 5 (chain), for many chains.
    pub fn chains(&self, spans: &[Span], values: &mut [u8]) {
        on!(&self.narrow, |kernel, prefix| {
            kernel.chains(&Rule::Tweak(self.rule(prefix)), spans, values);
        });
    }

    fn rule<'a, H: HashFunction>(&self, prefix: &'a Midstate<H>) -> Tweak<'a, H> {
        let counter = StepField { at: self.form.step_at(), width: 4 };
        Tweak { prefix, head_len: self.form.len(), counter, n: self.set.n }
    }

    /// Computes F or PRF under heads whose last word counts up from `first`.
    #[cfg(feature = "sign")]
    pub fn narrow_line(&self, (head, first): (Head, u32), tail: Tail<'_>, out: &mut [u8]) {
        let column = Number { at: self.form.step_at(), width: 4, first };
        self.numbered(&self.narrow, &Grid::line(head, column), tail, out);
    }

    /// Computes H under heads whose last word counts up from `first`.
    #[cfg(feature = "sign")]
    pub fn wide_line(&self, (head, first): (Head, u32), tail: Tail<'_>, out: &mut [u8]) {
        let column = Number { at: self.form.step_at(), width: 4, first };
        let wide = self.wide.as_ref().unwrap_or(&self.narrow);
        self.numbered(wide, &Grid::line(head, column), tail, out);
    }

    /// Computes F or PRF under the heads of a grid.
    #[cfg(feature = "sign")]
    pub fn narrow_grid(&self, grid: &Grid, tail: Tail<'_>, out: &mut [u8]) {
        self.numbered(&self.narrow, grid, tail, out);
    }

    /// Advances the chains of a grid by `steps` steps from their beginning.
    #[cfg(feature = "sign")]
    pub fn walk(&self, grid: &Grid, steps: u32, values: &mut [u8]) {
        on!(&self.narrow, |kernel, prefix| {
            walk(*kernel, &Rule::Tweak(self.rule(prefix)), grid, steps, values);
        });
    }

    #[cfg(feature = "sign")]
    fn numbered(&self, function: &Seeded<'k>, grid: &Grid, tail: Tail<'_>, out: &mut [u8]) {
        on!(function, |kernel, prefix| {
            let messages = Numbered { prefix, head_len: self.form.len(), grid, tail };
            numbered(*kernel, &messages, out, self.set.n);
        });
    }

    /// Computes the digests of head ‖ value, n bytes each.
    fn tweaked(&self, function: &Seeded<'k>, heads: &[Head], values: &[u8], out: &mut [u8]) {
        let head_len = self.form.len();
        assert_eq!(out.len(), heads.len() * self.set.n);
        let each = values.len() / heads.len().max(1);
        let (n, len) = (self.set.n, head_len + each);
        let mut laid = vec![0; len * TILE.min(heads.len())];
        for (tile, out) in out.chunks_mut(TILE * n).enumerate() {
            let laid = &mut laid[..out.len() / n * len];
            for (i, message) in laid.chunks_exact_mut(len).enumerate() {
                let i = tile * TILE + i;
                message[..head_len].copy_from_slice(&heads[i][..head_len]);
                message[head_len..].copy_from_slice(&values[i * each..][..each]);
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

/// Returns the midstate after PK.seed ‖ toByte(0, block - n).
fn padded<H: HashFunction>(kernel: &dyn Kernel<H>, start: Midstate<H>, seed: &[u8]) -> Midstate<H> {
    let block = start.block_len();
    start.with(kernel, seed).with(kernel, &[0; 128][..block - seed.len()])
}
