//! 256-bit registers: eight 32-bit lanes or four 64-bit lanes.

mod logic;

pub(super) use logic::{Logic, Ternary, TwoInput};

use crate::word::vector::{Vector, byte_order};
use crate::word::{Round, Word};
use core::arch::x86_64::*;
use core::marker::PhantomData;

/// Eight words of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x8<L>(__m256i, PhantomData<L>);

/// Four words of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x4<L>(__m256i, PhantomData<L>);

macro_rules! word {
    ($name:ident, $lane:ty, $splat:ident, $add:ident, $sll:ident, $srl:ident, $srli:ident, $rotate:ident) => {
        impl<G> $name<G> {
            #[inline(always)]
            fn of(register: __m256i) -> Self {
                Self(register, PhantomData)
            }
        }

        // SAFETY (of every block here): words of this type are made and used only inside functions
        // with the target features of G, which a backend's `detect` has found; avx2 is one.
        impl<G: Logic> Word for $name<G> {
            type Lane = $lane;

            #[inline(always)]
            fn splat(lane: $lane) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { $splat(lane.cast_signed()) })
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { _mm256_xor_si256(self.0, other.0) })
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { _mm256_or_si256(self.0, other.0) })
            }
            #[inline(always)]
            fn shl_by(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { $sll(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
            }
            #[inline(always)]
            fn shr_by(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { $srl(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
            }
        }

        // SAFETY (of every block here): as for `Word`.
        impl<G: Logic> Round for $name<G> {
            #[inline(always)]
            fn rotl<const L: i32, const R: i32>(self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { G::$rotate::<L, R>(self.0) })
            }
            #[inline(always)]
            fn shr<const R: i32>(self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { $srli::<R>(self.0) })
            }
            #[inline(always)]
            fn xor3(a: Self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { G::xor3(a.0, b.0, c.0) })
            }
            #[inline(always)]
            fn choose(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { G::choose(self.0, b.0, c.0) })
            }
            #[inline(always)]
            fn majority(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { G::majority(self.0, b.0, c.0) })
            }
            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self::of(unsafe { G::chi(self.0, b.0, c.0) })
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
    _mm256_srli_epi32,
    rotate32
);
word!(
    U64x4,
    u64,
    _mm256_set1_epi64x,
    _mm256_add_epi64,
    _mm256_sll_epi64,
    _mm256_srl_epi64,
    _mm256_srli_epi64,
    rotate64
);

/// Returns the shuffle that reverses the bytes of words of `BYTES` bytes.
#[inline(always)]
unsafe fn reversed_bytes<const BYTES: usize>() -> __m256i {
    // The order is a constant: computing it at run time would take longer than the shuffle.
    let order: &[u8; 32] = const { &byte_order(BYTES, true, 0) };
    // SAFETY: 32 bytes are read; the caller has avx2.
    unsafe { _mm256_loadu_si256(order.as_ptr().cast()) }
}

// SAFETY: 256 bits are eight words of 32.
unsafe impl<G: Logic> Vector for U32x8<G> {
    const LANES: usize = 8;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as for `Word`.
        Self::of(unsafe { _mm256_shuffle_epi8(self.0, reversed_bytes::<4>()) })
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
                rows[i] = Self::of(_mm256_permute2x128_si256::<0x20>(b[i], b[i + 4]));
                rows[i + 4] = Self::of(_mm256_permute2x128_si256::<0x31>(b[i], b[i + 4]));
            }
        }
    }
}

// SAFETY: 256 bits are four words of 64.
unsafe impl<G: Logic> Vector for U64x4<G> {
    const LANES: usize = 4;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as for `Word`.
        Self::of(unsafe { _mm256_shuffle_epi8(self.0, reversed_bytes::<8>()) })
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
                rows[i] = Self::of(_mm256_permute2x128_si256::<0x20>(a[i], a[i + 2]));
                rows[i + 2] = Self::of(_mm256_permute2x128_si256::<0x31>(a[i], a[i + 2]));
            }
        }
    }
}
