//! AVX2: eight 32-bit lanes or four 64-bit lanes.

use crate::word::vector::{Vector, byte_order};
use crate::word::{Round, Word};
use core::arch::x86_64::*;

/// Eight words of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x8(__m256i);

/// Four words of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x4(__m256i);

macro_rules! word {
    ($name:ident, $lane:ty, $splat:ident, $add:ident, $sll:ident, $srl:ident, $slli:ident, $srli:ident) => {
        // SAFETY (of every block here): words of this type are made and used only inside functions
        // with the target feature avx2, which `Avx2::detect` and its like have found.
        impl Word for $name {
            type Lane = $lane;

            #[inline(always)]
            fn splat(lane: $lane) -> Self {
                // SAFETY: as above.
                Self(unsafe { $splat(lane.cast_signed()) })
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { _mm256_xor_si256(self.0, other.0) })
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { _mm256_or_si256(self.0, other.0) })
            }
            #[inline(always)]
            fn shl_by(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sll(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
            }
            #[inline(always)]
            fn shr_by(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $srl(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
            }
        }

        // SAFETY (of every block here): as for `Word`.
        impl Round for $name {
            #[inline(always)]
            fn rotl<const L: i32, const R: i32>(self) -> Self {
                // SAFETY: as above.
                unsafe {
                    if let Some(bytes) = rotated_bytes::<L, R>() {
                        return Self(_mm256_shuffle_epi8(self.0, bytes));
                    }
                    Self(_mm256_or_si256($slli::<L>(self.0), $srli::<R>(self.0)))
                }
            }
            #[inline(always)]
            fn shr<const R: i32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $srli::<R>(self.0) })
            }
            #[inline(always)]
            fn xor3(a: Self, b: Self, c: Self) -> Self {
                a.xor(b).xor(c)
            }
            #[inline(always)]
            fn choose(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                c.xor(Self(unsafe { _mm256_and_si256(self.0, b.xor(c).0) }))
            }
            #[inline(always)]
            fn majority(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                b.xor(Self(unsafe { _mm256_and_si256(self.xor(b).0, b.xor(c).0) }))
            }
            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                self.xor(Self(unsafe { _mm256_andnot_si256(b.0, c.0) }))
            }
        }
    };
}

word!(
    U32x8,
    u32,
    _mm256_set1_epi32,
    _mm256_add_epi32,
    _mm256_sll_epi32,
    _mm256_srl_epi32,
    _mm256_slli_epi32,
    _mm256_srli_epi32
);
word!(
    U64x4,
    u64,
    _mm256_set1_epi64x,
    _mm256_add_epi64,
    _mm256_sll_epi64,
    _mm256_srl_epi64,
    _mm256_slli_epi64,
    _mm256_srli_epi64
);

/// Returns the byte shuffle that is this rotation, where it is by whole bytes.
#[inline(always)]
unsafe fn rotated_bytes<const L: i32, const R: i32>() -> Option<__m256i> {
    if L % 8 != 0 {
        return None;
    }
    let order: &[u8; 32] = const { &byte_order((L + R) as usize / 8, false, R as usize / 8) };
    // SAFETY: 32 bytes are read; the caller has avx2.
    Some(unsafe { _mm256_loadu_si256(order.as_ptr().cast()) })
}

/// Returns the shuffle that reverses the bytes of words of `BYTES` bytes.
#[inline(always)]
unsafe fn reversed_bytes<const BYTES: usize>() -> __m256i {
    // A constant: computed at run time, it takes longer than what it is for.
    let order: &[u8; 32] = const { &byte_order(BYTES, true, 0) };
    // SAFETY: 32 bytes are read; the caller has avx2.
    unsafe { _mm256_loadu_si256(order.as_ptr().cast()) }
}

// SAFETY: 256 bits are eight words of 32.
unsafe impl Vector for U32x8 {
    const LANES: usize = 8;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as for `Word`.
        Self(unsafe { _mm256_shuffle_epi8(self.0, reversed_bytes::<4>()) })
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let r: [__m256i; 8] = core::array::from_fn(|i| rows[i].0);
        // SAFETY: as for `Word`.
        unsafe {
            let mut a = r;
            for i in [0, 2, 4, 6] {
                a[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
                a[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
            }
            let mut b = a;
            for i in [0, 4] {
                b[i] = _mm256_unpacklo_epi64(a[i], a[i + 2]);
                b[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 2]);
                b[i + 2] = _mm256_unpacklo_epi64(a[i + 1], a[i + 3]);
                b[i + 3] = _mm256_unpackhi_epi64(a[i + 1], a[i + 3]);
            }
            for i in 0..4 {
                rows[i] = Self(_mm256_permute2x128_si256::<0x20>(b[i], b[i + 4]));
                rows[i + 4] = Self(_mm256_permute2x128_si256::<0x31>(b[i], b[i + 4]));
            }
        }
    }
}

// SAFETY: 256 bits are four words of 64.
unsafe impl Vector for U64x4 {
    const LANES: usize = 4;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as for `Word`.
        Self(unsafe { _mm256_shuffle_epi8(self.0, reversed_bytes::<8>()) })
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let r: [__m256i; 4] = core::array::from_fn(|i| rows[i].0);
        // SAFETY: as for `Word`.
        unsafe {
            let a = [
                _mm256_unpacklo_epi64(r[0], r[1]),
                _mm256_unpackhi_epi64(r[0], r[1]),
                _mm256_unpacklo_epi64(r[2], r[3]),
                _mm256_unpackhi_epi64(r[2], r[3]),
            ];
            for i in 0..2 {
                rows[i] = Self(_mm256_permute2x128_si256::<0x20>(a[i], a[i + 2]));
                rows[i + 2] = Self(_mm256_permute2x128_si256::<0x31>(a[i], a[i + 2]));
            }
        }
    }
}
