//! Messages and chains that the refined stage has no way with: over its compressions alone.
//!
//! The stack that this takes is overwritten here, so that nobody else has to go as deep.

use crate::refined::compress;
use hasten_kernels::chain::{self, Masked, Rule, Span};
use hasten_kernels::grid::Numbered;
use hasten_kernels::{Kernel, Messages, Sha256, scrubbed};

/// Bytes of stack that chains and their rows take, and more: 33 KiB were seen.
const CHAINS: usize = 40 << 10;

/// Bytes that messages take, and more.
const MESSAGES: usize = 24 << 10;

/// The compressions of the refined stage.
struct Compressions;

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

/// Advances chains.
#[cold]
#[inline(never)]
pub fn chains(rule: &Rule<'_, Sha256>, spans: &[Span], values: &mut [u8]) {
    scrubbed::<CHAINS, _>(|| chain::advance(&Compressions, rule, spans, values));
}

/// Fills rows.
#[cold]
#[inline(never)]
pub fn rows(rule: &Masked<'_, Sha256>, spans: &[Span], rows: &mut [u8]) {
    scrubbed::<CHAINS, _>(|| chain::fill_rows(&Compressions, rule, spans, rows));
}

/// Hashes messages.
#[cold]
#[inline(never)]
pub fn digests(messages: &Messages<'_, Sha256>, out: &mut [u8], n: usize) {
    scrubbed::<MESSAGES, _>(|| messages.hash_in_tiles(&Compressions, out, n));
}

/// Hashes messages whose heads count up; batches of those of 32 bytes go to `kernel`.
#[cold]
#[inline(never)]
pub fn numbered<K: Kernel<Sha256>>(
    kernel: &K,
    messages: &Numbered<'_, Sha256>,
    out: &mut [u8],
    n: usize,
) {
    scrubbed::<MESSAGES, _>(|| match n {
        32 => messages.hash_laid_out(kernel, 0, out, n),
        _ => messages.hash_laid_out(&Compressions, 0, out, n),
    });
}
