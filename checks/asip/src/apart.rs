//! Messages and chains for which the refined stage has no job. They are computed from its single
//! compressions or Keccak permutations.
//!
//! The stack used here is overwritten here, so that no caller has to overwrite that much.

use crate::refined::compress;
use crate::state::permute;
use hasten_kernels::chain::{self, Masked, Rule, Span};
use hasten_kernels::grid::Numbered;
use hasten_kernels::{HashFunction, Keccak, Kernel, Messages, Sha256, scrubbed};

/// Bytes of stack overwritten after chains and their rows. Up to 33 KiB of use were seen.
const CHAINS: usize = 40 << 10;

/// Bytes of stack overwritten after messages.
const MESSAGES: usize = 24 << 10;

/// The compressions of the refined stage, or its permutations.
pub struct Compressions;

impl Kernel<Sha256> for Compressions {
    fn name(&self) -> &'static str {
        "refined"
    }

    fn lanes(&self) -> usize {
        4
    }

    fn compress(&self, states: &mut [[u32; 8]], blocks: &[[u8; 64]]) {
        compress(states, blocks);
    }
}

impl Kernel<Keccak> for Compressions {
    fn name(&self) -> &'static str {
        "refined"
    }

    fn lanes(&self) -> usize {
        4
    }

    fn compress(&self, states: &mut [[u64; 25]], _blocks: &[()]) {
        states.iter_mut().for_each(permute);
    }
}

/// Advances chains.
#[cold]
#[inline(never)]
pub fn chains<H: HashFunction>(rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8])
where
    Compressions: Kernel<H>,
{
    scrubbed::<CHAINS, _>(|| chain::advance(&Compressions, rule, spans, values));
}

/// Fills rows.
#[cold]
#[inline(never)]
pub fn rows<H: HashFunction>(rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8])
where
    Compressions: Kernel<H>,
{
    scrubbed::<CHAINS, _>(|| chain::fill_rows(&Compressions, rule, spans, rows));
}

/// Hashes messages.
#[cold]
#[inline(never)]
pub fn digests<H: HashFunction>(messages: &Messages<'_, H>, out: &mut [u8], n: usize)
where
    Compressions: Kernel<H>,
{
    scrubbed::<MESSAGES, _>(|| messages.hash_in_tiles(&Compressions, out, n));
}

/// Hashes messages whose heads count up. Batches with digests of 32 bytes go to `kernel`.
#[cold]
#[inline(never)]
pub fn numbered<H: HashFunction, K: Kernel<H>>(
    kernel: &K,
    messages: &Numbered<'_, H>,
    out: &mut [u8],
    n: usize,
) where
    Compressions: Kernel<H>,
{
    scrubbed::<MESSAGES, _>(|| match n {
        32 => messages.hash_laid_out(kernel, 0, out, n),
        _ => messages.hash_laid_out(&Compressions, 0, out, n),
    });
}
