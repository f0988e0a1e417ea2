//! SHA-256 by the SHA-NI instructions of the CPU.
//!
//! A single stream is bound by the latency of `sha256rnds2`; two interleaved streams are bound by
//! its throughput. Batches and chains are therefore processed in pairs.

mod rows;

use super::bmi::Bmi;
use super::features::{Features, FillRows, Job, chains};
use super::vectors::Digests;
use super::word128::U32x4;
use crate::hash::{Sha256, State256, sha256::K};
use crate::kernel::chain::{self, Masked, Rule, Span};
use crate::kernel::message::Messages;
use crate::kernel::{Kernel, Kernels};
use crate::lanes::chains::{Engine, Work};
use crate::word::vector::Vector;
use core::arch::x86_64::*;

/// Backend with SHA-NI. A value exists only if the CPU has it.
#[derive(Debug)]
pub struct ShaNi(());

impl ShaNi {
    /// Returns the backend, if this CPU has the SHA extensions, SSSE3 and SSE4.1.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        let found = std::arch::is_x86_feature_detected!("sha")
            && std::arch::is_x86_feature_detected!("ssse3")
            && std::arch::is_x86_feature_detected!("sse4.1");
        found.then_some(&Self(()))
    }

    /// Returns the bundle for states that fill no vector. SHA-256 uses SHA-NI if this CPU has it.
    pub(super) fn singles() -> Kernels<'static> {
        let plain = Bmi::bundle();
        Self::detect().map_or(plain, |sha256| Kernels { sha256, ..plain })
    }
}

impl Features for ShaNi {
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    #[inline(never)]
    unsafe fn enter<J: Job>(job: J) -> J::Done {
        job.run()
    }
}

/// Minimum number of chains or messages for which four lanes take less time than one.
const BREAK_EVEN: usize = 3;

impl Kernel<Sha256> for ShaNi {
    fn name(&self) -> &'static str {
        "sha-ni"
    }

    fn lanes(&self) -> usize {
        4
    }

    fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]) {
        assert_eq!(states.len(), blocks.len());
        // SAFETY: `self` exists, so the features were found.
        unsafe { batch(states, blocks) }
    }

    fn chains(&self, rule: &Rule<'_, Sha256>, spans: &[Span], values: &mut [u8]) {
        if let Rule::Rows(rule) = rule {
            // SAFETY: `self` exists, so the features were found.
            if unsafe { rows::advance(rule, spans, values) } {
                return;
            }
        }
        let one = |rule: &Rule<'_, Sha256>, spans: &[Span], values: &mut [u8]| {
            let work = Work { rule, spans, break_even: 1, narrow: &|_, _, _| () };
            // SAFETY: `self` exists, so the features were found.
            unsafe { chains::<Self, One>(&work, values) };
        };
        let work = Work { rule, spans, break_even: BREAK_EVEN, narrow: &one };
        // SAFETY: `self` exists, so the features were found.
        if !unsafe { chains::<Self, Four>(&work, values) } {
            chain::advance(self, rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, Sha256>, spans: &[Span], rows: &mut [u8]) {
        // SAFETY: `self` exists, so the features were found.
        if !unsafe { Self::enter(FillRows::<Four> { rule, spans, rows: &mut *rows }) } {
            chain::fill_rows(self, rule, spans, rows);
        }
    }

    fn digests(&self, messages: &Messages<'_, Sha256>, out: &mut [u8], n: usize) {
        let job = Digests::<Four> { messages, out: &mut *out, n, break_even: BREAK_EVEN };
        // SAFETY: `self` exists, so the features were found.
        let done = unsafe { Self::enter(job) };
        let rest = messages.after(done, out.len() / n);
        rest.hash_in_tiles(self, &mut out[done * n..], n);
    }
}

/// Engine for four chains, absorbed in pairs.
struct Four;

impl Engine for Four {
    type Vector = U32x4;
    type Hash = Sha256;
    type Wide = [U32x4; 8];
    type Prepared = ();
    const BIG_ENDIAN: bool = true;

    #[inline(always)]
    fn fill(word: U32x4) -> [U32x4; 8] {
        [word; 8]
    }

    #[inline(always)]
    fn absorb(state: &mut [U32x4; 8], block: &[U32x4]) {
        // SAFETY: engines are used only by a backend, which exists only where its features
        // were found.
        unsafe { absorb4(state, &block.as_chunks().0[0]) }
    }

    #[inline(always)]
    fn unprepared() {}
}

/// Engine for one chain.
struct One;

impl Engine for One {
    type Vector = u32;
    type Hash = Sha256;
    type Wide = [u32; 8];
    type Prepared = ();
    const BIG_ENDIAN: bool = true;

    #[inline(always)]
    fn fill(word: u32) -> [u32; 8] {
        [word; 8]
    }

    #[inline(always)]
    fn absorb(state: &mut [u32; 8], block: &[u32]) {
        // SAFETY: as in `Four::absorb`.
        unsafe { absorb1(state, &block.as_chunks().0[0]) }
    }

    #[inline(always)]
    fn unprepared() {}
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
fn absorb4(state: &mut [U32x4; 8], block: &[U32x4; 16]) {
    let mut items = [[U32x4::splat_zero(); 4]; 6];
    for (item, words) in items.iter_mut().zip(state.chunks(4).chain(block.chunks(4))) {
        item.copy_from_slice(words);
        U32x4::transpose(item);
    }
    let [s0, s1, w @ ..] = items;
    let mut out = [s0, s1];
    for i in [0, 2] {
        let mut pair = [pack(s0[i].0, s1[i].0), pack(s0[i + 1].0, s1[i + 1].0)];
        let message = |i: usize| [w[0][i].0, w[1][i].0, w[2][i].0, w[3][i].0];
        rounds(&mut pair, [message(i), message(i + 1)]);
        for (j, state) in pair.into_iter().enumerate() {
            let (low, high) = unpack(state);
            (out[0][i + j], out[1][i + j]) = (U32x4(low), U32x4(high));
        }
    }
    for (words, item) in state.chunks_mut(4).zip(&mut out) {
        U32x4::transpose(item);
        words.copy_from_slice(item);
    }
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
fn absorb1(state: &mut [u32; 8], block: &[u32; 16]) {
    let load = |words: &[u32]| {
        assert!(words.len() == 4);
        // SAFETY: four words are sixteen bytes.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    };
    let mut one = [pack(load(&state[..4]), load(&state[4..]))];
    rounds(&mut one, [core::array::from_fn(|i| load(&block[4 * i..4 * i + 4]))]);
    store(state, one[0]);
}

/// Absorbs blocks in pairs, then the last one if their number is odd.
#[target_feature(enable = "sha,ssse3,sse4.1")]
fn batch(states: &mut [State256], blocks: &[[u8; 64]]) {
    let (pairs, rest) = states.as_chunks_mut::<2>();
    let (pair_blocks, rest_blocks) = blocks.as_chunks::<2>();
    for (states, blocks) in pairs.iter_mut().zip(pair_blocks) {
        absorb_blocks(states, blocks);
    }
    for (state, block) in rest.iter_mut().zip(rest_blocks) {
        absorb_blocks(core::array::from_mut(state), core::array::from_ref(block));
    }
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn absorb_blocks<const N: usize>(states: &mut [State256; N], blocks: &[[u8; 64]; N]) {
    let mut packed = [(_mm_setzero_si128(), _mm_setzero_si128()); N];
    let mut words = [[_mm_setzero_si128(); 4]; N];
    let order = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    for i in 0..N {
        let (state, block) = (states[i].as_ptr(), blocks[i].as_ptr());
        // SAFETY: a state is two times and a block four times sixteen bytes.
        unsafe {
            packed[i] = pack(_mm_loadu_si128(state.cast()), _mm_loadu_si128(state.add(4).cast()));
            for (j, word) in words[i].iter_mut().enumerate() {
                *word = _mm_shuffle_epi8(_mm_loadu_si128(block.add(16 * j).cast()), order);
            }
        }
    }
    rounds(&mut packed, words);
    for (state, packed) in states.iter_mut().zip(packed) {
        store(state, packed);
    }
}

/// The two halves of a state in the order of the instructions: ABEF and CDGH.
pub(super) type Packed = (__m128i, __m128i);

#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
pub(super) fn pack(abcd: __m128i, efgh: __m128i) -> Packed {
    let badc = _mm_shuffle_epi32::<0xb1>(abcd);
    let hgfe = _mm_shuffle_epi32::<0x1b>(efgh);
    (_mm_alignr_epi8::<8>(badc, hgfe), _mm_blend_epi16::<0xf0>(hgfe, badc))
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
pub(super) fn unpack((abef, cdgh): Packed) -> (__m128i, __m128i) {
    let feba = _mm_shuffle_epi32::<0x1b>(abef);
    let dchg = _mm_shuffle_epi32::<0xb1>(cdgh);
    (_mm_blend_epi16::<0xf0>(feba, dchg), _mm_alignr_epi8::<8>(dchg, feba))
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn store(state: &mut State256, packed: Packed) {
    let (abcd, efgh) = unpack(packed);
    // SAFETY: a state is two times sixteen bytes.
    unsafe {
        _mm_storeu_si128(state.as_mut_ptr().cast(), abcd);
        _mm_storeu_si128(state.as_mut_ptr().add(4).cast(), efgh);
    }
}

/// Runs all rounds of N streams, interleaved (FIPS 180-4, section 6.2.2 (SHA-256 Hash
/// Computation)).
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
pub(super) fn rounds<const N: usize>(state: &mut [Packed; N], mut w: [[__m128i; 4]; N]) {
    let start = *state;
    macro_rules! four {
        ($($t:literal)*) => {$(
            for i in 0..N {
                if $t >= 4 {
                    schedule::<{ $t % 4 }>(&mut w[i]);
                }
                four(&mut state[i], w[i][$t % 4], $t);
            }
        )*};
    }
    four!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    for ((abef, cdgh), start) in state.iter_mut().zip(start) {
        *abef = _mm_add_epi32(*abef, start.0);
        *cdgh = _mm_add_epi32(*cdgh, start.1);
    }
}

/// Replaces four words of the message schedule by those that come sixteen words later.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn schedule<const I: usize>(w: &mut [__m128i; 4]) {
    let last = w[(I + 3) % 4];
    let mixed = _mm_sha256msg1_epu32(w[I], w[(I + 1) % 4]);
    let shifted = _mm_alignr_epi8::<4>(last, w[(I + 2) % 4]);
    w[I] = _mm_sha256msg2_epu32(_mm_add_epi32(mixed, shifted), last);
}

/// Runs rounds 4t to 4t + 3.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn four((abef, cdgh): &mut Packed, w: __m128i, t: usize) {
    // SAFETY: there are 64 constants, and t is below 16.
    let k = unsafe { _mm_loadu_si128(K[4 * t..].as_ptr().cast()) };
    let known = _mm_add_epi32(w, k);
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, known);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32::<0x0e>(known));
}
