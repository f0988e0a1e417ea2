//! Reading and writing items of at most half a vector. Two items share a register, so that fewer
//! shuffles are needed than for a square of registers.

use crate::word::vector::MAX_LANES;
use core::arch::x86_64::*;

/// Reads `len` bytes, at most 32, into half a register.
///
/// # Safety
/// `len` bytes can be read, 32 if `whole`; the CPU has avx512bw and avx512vl.
#[inline(always)]
unsafe fn half(from: *const u8, len: usize, whole: bool) -> __m256i {
    // SAFETY: the caller vouches for the bytes and the features.
    unsafe {
        if whole {
            _mm256_loadu_si256(from.cast())
        } else {
            _mm256_maskz_loadu_epi8(u32::MAX >> (32 - len), from.cast())
        }
    }
}

/// Reads two items into one register.
///
/// # Safety
/// As [`half`], for both.
#[inline(always)]
unsafe fn pair(low: *const u8, high: *const u8, len: usize, whole: bool) -> __m512i {
    // SAFETY: the caller vouches for the bytes and the features.
    unsafe {
        let low = _mm512_castsi256_si512(half(low, len, whole));
        _mm512_inserti64x4::<1>(low, half(high, len, whole))
    }
}

/// Transposes each 4×4 square of 32-bit words.
///
/// # Safety
/// The CPU has avx512f.
#[inline(always)]
unsafe fn squares(r: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller vouches for the features.
    unsafe {
        let [a, b] = [_mm512_unpacklo_epi32(r[0], r[1]), _mm512_unpackhi_epi32(r[0], r[1])];
        let [c, d] = [_mm512_unpacklo_epi32(r[2], r[3]), _mm512_unpackhi_epi32(r[2], r[3])];
        [
            _mm512_unpacklo_epi64(a, c),
            _mm512_unpackhi_epi64(a, c),
            _mm512_unpacklo_epi64(b, d),
            _mm512_unpackhi_epi64(b, d),
        ]
    }
}

/// Reads eight 32-bit words from each of sixteen items.
///
/// # Safety
/// `len` bytes, at most 32, can be read of each item, 32 if `whole`; the CPU has avx512f, avx512bw
/// and avx512vl.
#[inline(always)]
pub(super) unsafe fn read_8_words(
    items: &[*const u8; MAX_LANES],
    len: usize,
    whole: bool,
) -> [__m512i; 8] {
    let mut out = [[items[0]; 4]; 4];
    for (i, item) in items.iter().enumerate() {
        out[i / 4][i % 4] = *item;
    }
    let [p, q, r, s] = out;
    // SAFETY: the caller vouches for the bytes and the features.
    unsafe {
        let mut a = [_mm512_setzero_si512(); 4];
        let mut b = a;
        for i in 0..4 {
            a[i] = pair(p[i], q[i], len, whole);
            b[i] = pair(r[i], s[i], len, whole);
        }
        let (a, b) = (squares(a), squares(b));
        let mut words = [a[0]; 8];
        for i in 0..4 {
            words[i] = _mm512_shuffle_i32x4::<0x88>(a[i], b[i]);
            words[i + 4] = _mm512_shuffle_i32x4::<0xdd>(a[i], b[i]);
        }
        words
    }
}

/// Reads four 64-bit words from each of eight items.
///
/// # Safety
/// As [`read_8_words`], for the first eight items.
#[inline(always)]
pub(super) unsafe fn read_4_long_words(
    items: &[*const u8; MAX_LANES],
    len: usize,
    whole: bool,
) -> [__m512i; 4] {
    // SAFETY: the caller vouches for the bytes and the features.
    unsafe {
        let a = pair(items[0], items[2], len, whole);
        let b = pair(items[1], items[3], len, whole);
        let c = pair(items[4], items[6], len, whole);
        let d = pair(items[5], items[7], len, whole);
        let [low, high] = [_mm512_unpacklo_epi64(a, b), _mm512_unpacklo_epi64(c, d)];
        let [low_odd, high_odd] = [_mm512_unpackhi_epi64(a, b), _mm512_unpackhi_epi64(c, d)];
        [
            _mm512_shuffle_i64x2::<0x88>(low, high),
            _mm512_shuffle_i64x2::<0x88>(low_odd, high_odd),
            _mm512_shuffle_i64x2::<0xdd>(low, high),
            _mm512_shuffle_i64x2::<0xdd>(low_odd, high_odd),
        ]
    }
}

/// Writes the first `len` bytes of both halves of a register.
///
/// # Safety
/// `len` bytes, at most 32, can be written to each; the CPU has avx512bw and avx512vl.
#[inline(always)]
unsafe fn write_pair(pair: __m512i, low: *mut u8, high: *mut u8, len: usize) {
    // SAFETY: the caller vouches for the bytes and the features.
    unsafe {
        let halves = [_mm512_castsi512_si256(pair), _mm512_extracti64x4_epi64::<1>(pair)];
        for (half, to) in halves.into_iter().zip([low, high]) {
            if len == 32 {
                _mm256_storeu_si256(to.cast(), half);
            } else {
                _mm256_mask_storeu_epi8(to.cast(), u32::MAX >> (32 - len), half);
            }
        }
    }
}

/// Interleaves the quarters of a and b: a, b, a, b. The first result has the first two quarters of
/// each, the second has the last two.
///
/// # Safety
/// The CPU has avx512f.
#[inline(always)]
unsafe fn join(a: __m512i, b: __m512i) -> [__m512i; 2] {
    // SAFETY: the caller vouches for the features.
    unsafe {
        let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        let last = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        [_mm512_permutex2var_epi64(a, first, b), _mm512_permutex2var_epi64(a, last, b)]
    }
}

/// Writes eight 32-bit words to each of sixteen items: the reverse of [`read_8_words`].
///
/// # Safety
/// `len` bytes, at most 32, can be written to each item; the CPU has avx512f, avx512bw and
/// avx512vl.
#[inline(always)]
pub(super) unsafe fn write_8_words(w: [__m512i; 8], items: &[*mut u8; MAX_LANES], len: usize) {
    // SAFETY: the caller vouches for the bytes and the features.
    unsafe {
        let a = squares([w[0], w[1], w[2], w[3]]);
        let b = squares([w[4], w[5], w[6], w[7]]);
        for i in 0..4 {
            let [first, last] = join(a[i], b[i]);
            write_pair(first, items[i], items[i + 4], len);
            write_pair(last, items[i + 8], items[i + 12], len);
        }
    }
}

/// Writes four 64-bit words to each of eight items: the reverse of [`read_4_long_words`].
///
/// # Safety
/// As [`write_8_words`], for the first eight items.
#[inline(always)]
pub(super) unsafe fn write_4_long_words(w: [__m512i; 4], items: &[*mut u8; MAX_LANES], len: usize) {
    // SAFETY: the caller vouches for the bytes and the features.
    unsafe {
        let even = join(_mm512_unpacklo_epi64(w[0], w[1]), _mm512_unpacklo_epi64(w[2], w[3]));
        let odd = join(_mm512_unpackhi_epi64(w[0], w[1]), _mm512_unpackhi_epi64(w[2], w[3]));
        write_pair(even[0], items[0], items[2], len);
        write_pair(even[1], items[4], items[6], len);
        write_pair(odd[0], items[1], items[3], len);
        write_pair(odd[1], items[5], items[7], len);
    }
}
