//! Rotations and three-input bit functions, by AVX2 or AVX-512 instructions.

use crate::word::vector::byte_order;
use core::arch::x86_64::*;

/// The operations that differ between the instruction sets for 256-bit registers.
pub(in super::super) trait Logic: Copy {
    /// Rotates words of 32 bits left by L bits; R is 32 - L.
    ///
    /// # Safety
    /// The CPU has the instructions. The same holds for all functions of this trait.
    unsafe fn rotate32<const L: i32, const R: i32>(a: __m256i) -> __m256i;

    /// Rotates words of 64 bits left by L bits; R is 64 - L.
    unsafe fn rotate64<const L: i32, const R: i32>(a: __m256i) -> __m256i;

    /// Returns a ⊕ b ⊕ c.
    unsafe fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i;

    /// Returns the bits of b where a is set, and those of c elsewhere.
    unsafe fn choose(a: __m256i, b: __m256i, c: __m256i) -> __m256i;

    /// Returns in each bit the value that at least two of the three have.
    unsafe fn majority(a: __m256i, b: __m256i, c: __m256i) -> __m256i;

    /// Returns a, with the bits flipped where b is clear and c is set.
    unsafe fn chi(a: __m256i, b: __m256i, c: __m256i) -> __m256i;
}

/// AVX2: two-input bit functions, and shifts.
#[derive(Clone, Copy)]
pub(crate) struct TwoInput;

// SAFETY (of every block here): the caller has avx2.
impl Logic for TwoInput {
    #[inline(always)]
    unsafe fn rotate32<const L: i32, const R: i32>(a: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe {
            match rotated_bytes::<L, R>() {
                Some(bytes) => _mm256_shuffle_epi8(a, bytes),
                None => _mm256_or_si256(_mm256_slli_epi32::<L>(a), _mm256_srli_epi32::<R>(a)),
            }
        }
    }
    #[inline(always)]
    unsafe fn rotate64<const L: i32, const R: i32>(a: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe {
            match rotated_bytes::<L, R>() {
                Some(bytes) => _mm256_shuffle_epi8(a, bytes),
                None => _mm256_or_si256(_mm256_slli_epi64::<L>(a), _mm256_srli_epi64::<R>(a)),
            }
        }
    }
    #[inline(always)]
    unsafe fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(_mm256_xor_si256(a, b), c) }
    }
    #[inline(always)]
    unsafe fn choose(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(c, _mm256_and_si256(a, _mm256_xor_si256(b, c))) }
    }
    #[inline(always)]
    unsafe fn majority(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe {
            let (ab, bc) = (_mm256_xor_si256(a, b), _mm256_xor_si256(b, c));
            _mm256_xor_si256(b, _mm256_and_si256(ab, bc))
        }
    }
    #[inline(always)]
    unsafe fn chi(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(a, _mm256_andnot_si256(b, c)) }
    }
}

/// Returns the byte shuffle that does this rotation, if it is by whole bytes.
#[inline(always)]
unsafe fn rotated_bytes<const L: i32, const R: i32>() -> Option<__m256i> {
    if L % 8 != 0 {
        return None;
    }
    let order: &[u8; 32] = const { &byte_order((L + R) as usize / 8, false, R as usize / 8) };
    // SAFETY: 32 bytes are read; the caller has avx2.
    Some(unsafe { _mm256_loadu_si256(order.as_ptr().cast()) })
}

/// AVX-512 VL: three-input bit functions, and rotations.
#[derive(Clone, Copy)]
pub(crate) struct Ternary;

// SAFETY (of every block here): the caller has avx512f and avx512vl.
impl Logic for Ternary {
    #[inline(always)]
    unsafe fn rotate32<const L: i32, const R: i32>(a: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_rol_epi32::<L>(a) }
    }
    #[inline(always)]
    unsafe fn rotate64<const L: i32, const R: i32>(a: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_rol_epi64::<L>(a) }
    }
    #[inline(always)]
    unsafe fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_ternarylogic_epi64::<0x96>(a, b, c) }
    }
    #[inline(always)]
    unsafe fn choose(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_ternarylogic_epi64::<0xca>(a, b, c) }
    }
    #[inline(always)]
    unsafe fn majority(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_ternarylogic_epi64::<0xe8>(a, b, c) }
    }
    #[inline(always)]
    unsafe fn chi(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_ternarylogic_epi64::<0xd2>(a, b, c) }
    }
}
