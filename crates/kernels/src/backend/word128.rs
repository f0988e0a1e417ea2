//! Four 32-bit lanes, which every x86-64 CPU has: what SHA-NI's chains are laid out in.

use crate::word::Word;
use crate::word::vector::Vector;
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
