//! Chains by rows that contain midstates, two at a time and in registers. A value is in memory only
//! before its first step and after its last.

use super::{pack, rounds, unpack};
use crate::hash::Sha256;
use crate::kernel::chain::{Order, Rows, Span, WINDOW};
use crate::kernel::message;
use core::arch::x86_64::*;

/// Bytes of a value; `ROW` is the size of a row in bytes.
const N: usize = 32;
const ROW: usize = 2 * N;

/// A chain in progress.
#[derive(Clone, Copy)]
struct Chain {
    index: usize,
    row: usize,
    left: usize,
    value: [__m128i; 2],
}

/// Advances every chain. Returns false, with nothing done, if the rows contain no midstates or the
/// last part of a message is not exactly one block.
#[target_feature(enable = "sha,ssse3,sse4.1")]
pub(super) fn advance(rule: &Rows<'_, Sha256>, spans: &[Span], values: &mut [u8]) -> bool {
    let mut block = [0; 64];
    let taken = message::frame(rule.core, true, N, &mut block);
    if rule.n != N || !rule.core.keeps_state(N) || taken != Some((64, 0)) {
        return false;
    }
    assert!(values.len() == spans.len() * N);
    let [_, _, pad0, pad1] = words(&block);
    let rows = rule.rows.as_chunks::<ROW>().0;
    let values = values.as_chunks_mut::<N>().0;
    for (spans, values) in spans.chunks(WINDOW).zip(values.chunks_mut(WINDOW)) {
        window(rows, [pad0, pad1], spans, values);
    }
    true
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
fn window(rows: &[[u8; ROW]], pad: [__m128i; 2], spans: &[Span], values: &mut [[u8; N]]) {
    let order = Order::new(spans);
    let mut next = order.longest_first().iter().map(|&i| usize::from(i));
    let Some(first) = next.next() else { return };
    let mut a = begin(first, spans, values);
    let Some(second) = next.next() else {
        run(&mut [a], a.left, rows, pad, values);
        return;
    };
    let mut b = begin(second, spans, values);
    loop {
        let mut pair = [a, b];
        run(&mut pair, a.left.min(b.left), rows, pad, values);
        [a, b] = pair;
        // `a` becomes a chain that has not ended, if there is one.
        if a.left == 0 {
            (a, b) = (b, a);
        }
        if b.left == 0 {
            match next.next() {
                Some(index) => b = begin(index, spans, values),
                None => break,
            }
        }
        if a.left == 0 {
            match next.next() {
                Some(index) => a = begin(index, spans, values),
                None => {
                    a = b;
                    break;
                }
            }
        }
    }
    run(&mut [a], a.left, rows, pad, values);
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn begin(index: usize, spans: &[Span], values: &[[u8; N]]) -> Chain {
    let Span { from, steps, row, .. } = spans[index];
    let mut bytes = [0; 64];
    bytes[..N].copy_from_slice(&values[index]);
    let [x0, x1, ..] = words(&bytes);
    Chain { index, row: row + from as usize, left: steps as usize, value: [x0, x1] }
}

/// Advances chains by `steps` steps, interleaved. Writes the values of chains that end to `values`.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn run<const C: usize>(
    chains: &mut [Chain; C],
    steps: usize,
    rows: &[[u8; ROW]],
    pad: [__m128i; 2],
    values: &mut [[u8; N]],
) {
    for _ in 0..steps {
        let mut packed = [(pad[0], pad[0]); C];
        let mut message = [[pad[0], pad[0], pad[0], pad[1]]; C];
        for (i, chain) in chains.iter_mut().enumerate() {
            let [key0, key1, mask0, mask1] = words(&rows[chain.row]);
            packed[i] = pack(key0, key1);
            message[i][0] = _mm_xor_si128(chain.value[0], mask0);
            message[i][1] = _mm_xor_si128(chain.value[1], mask1);
            chain.row += 1;
        }
        rounds(&mut packed, message);
        for (chain, packed) in chains.iter_mut().zip(packed) {
            let (x0, x1) = unpack(packed);
            chain.value = [x0, x1];
        }
    }
    for chain in chains {
        chain.left -= steps;
        if chain.left == 0 && steps > 0 {
            store(chain.value, &mut values[chain.index]);
        }
    }
}

/// Returns `bytes` as sixteen big-endian words.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn words(bytes: &[u8; 64]) -> [__m128i; 4] {
    let at = bytes.as_ptr().cast::<__m128i>();
    // SAFETY: 64 bytes are four times sixteen.
    let words = unsafe {
        [
            _mm_loadu_si128(at),
            _mm_loadu_si128(at.add(1)),
            _mm_loadu_si128(at.add(2)),
            _mm_loadu_si128(at.add(3)),
        ]
    };
    [swap(words[0]), swap(words[1]), swap(words[2]), swap(words[3])]
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn store(value: [__m128i; 2], to: &mut [u8; N]) {
    let at = to.as_mut_ptr().cast::<__m128i>();
    // SAFETY: 32 bytes are two times sixteen.
    unsafe {
        _mm_storeu_si128(at, swap(value[0]));
        _mm_storeu_si128(at.add(1), swap(value[1]));
    }
}

/// Reverses the bytes of each word.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn swap(words: __m128i) -> __m128i {
    let order = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    _mm_shuffle_epi8(words, order)
}
