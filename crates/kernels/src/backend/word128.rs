//! 128-bit registers: four 32-bit lanes, in which SHA-NI lays out chains, and two 64-bit lanes with
//! AVX-512 instructions.

use crate::word::vector::{Vector, byte_order};
use crate::word::{Round, Word};
use core::arch::x86_64::*;

/// Four words of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x4(pub(super) __m128i);

// SAFETY (of every block here): SSE2 is part of x86-64.
impl Word for U32x4 {
    type Lane = u32;

    #[inline(always)]
    fn splat(lane: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_set1_epi32(lane.cast_signed()) })
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_add_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn shl_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sll_epi32(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
    }
    #[inline(always)]
    fn shr_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_srl_epi32(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
    }
}

// SAFETY: 128 bits are four words of 32.
unsafe impl Vector for U32x4 {
    const LANES: usize = 4;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as for `Word`.
        unsafe {
            let halves = _mm_or_si128(_mm_slli_epi32::<16>(self.0), _mm_srli_epi32::<16>(self.0));
            let odd = _mm_and_si128(halves, _mm_set1_epi32(0x00ff_00ff));
            let even = _mm_srli_epi16::<8>(halves);
            Self(_mm_or_si128(_mm_slli_epi16::<8>(odd), even))
        }
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        // SAFETY: as for `Word`.
        unsafe {
            let a = _mm_unpacklo_epi32(rows[0].0, rows[1].0);
            let b = _mm_unpackhi_epi32(rows[0].0, rows[1].0);
            let c = _mm_unpacklo_epi32(rows[2].0, rows[3].0);
            let d = _mm_unpackhi_epi32(rows[2].0, rows[3].0);
            rows[0] = Self(_mm_unpacklo_epi64(a, c));
            rows[1] = Self(_mm_unpackhi_epi64(a, c));
            rows[2] = Self(_mm_unpacklo_epi64(b, d));
            rows[3] = Self(_mm_unpackhi_epi64(b, d));
        }
    }
}

/// Two words of 64 bits, with the three-input bit functions and rotations of AVX-512.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x2(__m128i);

// SAFETY (of every block here): words of this type are made and used only inside functions with
// ssse3, avx512f and avx512vl, which a backend's `detect` has found.
impl Word for U64x2 {
    type Lane = u64;

    #[inline(always)]
    fn splat(lane: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_set1_epi64x(lane.cast_signed()) })
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_add_epi64(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn shl_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sll_epi64(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
    }
    #[inline(always)]
    fn shr_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_srl_epi64(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
    }
}

// SAFETY (of every block here): as for `Word`.
impl Round for U64x2 {
    #[inline(always)]
    fn rotl<const L: i32, const R: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_rol_epi64::<L>(self.0) })
    }
    #[inline(always)]
    fn shr<const R: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_srli_epi64::<R>(self.0) })
    }
    #[inline(always)]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_ternarylogic_epi64::<0x96>(a.0, b.0, c.0) })
    }
    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_ternarylogic_epi64::<0xca>(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_ternarylogic_epi64::<0xe8>(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_ternarylogic_epi64::<0xd2>(self.0, b.0, c.0) })
    }
}

// SAFETY: 128 bits are two words of 64.
unsafe impl Vector for U64x2 {
    const LANES: usize = 2;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        let order: &[u8; 16] = const { &byte_order(8, true, 0) };
        // SAFETY: 16 bytes are read; otherwise as for `Word`.
        Self(unsafe { _mm_shuffle_epi8(self.0, _mm_loadu_si128(order.as_ptr().cast())) })
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        // SAFETY: as for `Word`.
        unsafe {
            let (a, b) = (rows[0].0, rows[1].0);
            rows[0] = Self(_mm_unpacklo_epi64(a, b));
            rows[1] = Self(_mm_unpackhi_epi64(a, b));
        }
    }
}
