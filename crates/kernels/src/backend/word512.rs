//! AVX-512 words: sixteen 32-bit lanes or eight 64-bit lanes.

mod items;

use crate::word::vector::{MAX_LANES, Vector, byte_order, read_rows, write_rows};
use crate::word::{Round, Word};
use core::arch::x86_64::*;

/// Sixteen words of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x16(__m512i);

/// Eight words of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x8(__m512i);

macro_rules! word {
    ($name:ident, $lane:ty, $splat:ident, $add:ident, $rol:ident, $sll:ident, $srl:ident) => {
        // SAFETY (of every block here): words of this type are made and used only inside functions
        // with the target features avx512f and avx512bw, which `Avx512::detect` has found.
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
                Self(unsafe { _mm512_xor_si512(self.0, other.0) })
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { _mm512_or_si512(self.0, other.0) })
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
                Self(unsafe { $rol::<L>(self.0) })
            }
            #[inline(always)]
            fn shr<const R: i32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $srl(self.0, _mm_cvtsi32_si128(R)) })
            }
            #[inline(always)]
            fn xor3(a: Self, b: Self, c: Self) -> Self {
                a.ternary::<0x96>(b, c)
            }
            #[inline(always)]
            fn choose(self, b: Self, c: Self) -> Self {
                self.ternary::<0xca>(b, c)
            }
            #[inline(always)]
            fn majority(self, b: Self, c: Self) -> Self {
                self.ternary::<0xe8>(b, c)
            }
            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                self.ternary::<0xd2>(b, c)
            }
        }

        impl $name {
            /// Applies the three-input bit function with truth table `T`, whose bit 4a + 2b + c is
            /// the result.
            #[inline(always)]
            fn ternary<const T: i32>(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { _mm512_ternarylogic_epi64::<T>(self.0, b.0, c.0) })
            }
        }
    };
}

word!(
    U32x16,
    u32,
    _mm512_set1_epi32,
    _mm512_add_epi32,
    _mm512_rol_epi32,
    _mm512_sll_epi32,
    _mm512_srl_epi32
);
word!(
    U64x8,
    u64,
    _mm512_set1_epi64,
    _mm512_add_epi64,
    _mm512_rol_epi64,
    _mm512_sll_epi64,
    _mm512_srl_epi64
);

/// Returns the shuffle that reverses the bytes of words of `BYTES` bytes.
#[inline(always)]
unsafe fn reversed_bytes<const BYTES: usize>() -> __m512i {
    // The order is a constant: computing it at run time would take longer than the shuffle.
    let order: &[u8; 64] = const { &byte_order(BYTES, true, 0) };
    // SAFETY: 64 bytes are read; the caller has avx512f.
    unsafe { _mm512_loadu_si512(order.as_ptr().cast()) }
}

/// Reads items into lanes and writes them back. Items of at most half a register, `$words` words,
/// share a register in pairs.
macro_rules! items {
    ($words:literal, $read:ident, $write:ident) => {
        #[inline(always)]
        unsafe fn read(from: *const u8, len: usize) -> Self {
            // SAFETY: the mask covers the bytes of the caller; features as for `Word`.
            Self(unsafe { _mm512_maskz_loadu_epi8(u64::MAX >> (64 - len), from.cast()) })
        }

        #[inline(always)]
        unsafe fn read_items(
            items: &[*const u8; MAX_LANES],
            len: usize,
            room: usize,
        ) -> [Self; MAX_LANES] {
            if len > 32 {
                // SAFETY: the caller vouches for the bytes.
                return unsafe { read_rows(items, len, room) };
            }
            let mut out = [Self::splat_zero(); MAX_LANES];
            // SAFETY: the caller vouches for the bytes; features as for `Word`.
            let words = unsafe { items::$read(items, len, room >= 32) };
            for (out, word) in out.iter_mut().zip(words) {
                *out = Self(word);
            }
            out
        }

        #[inline(always)]
        unsafe fn write_items(words: &[Self], items: &[*mut u8; MAX_LANES], len: usize) {
            if len > 32 {
                // SAFETY: the caller vouches for the bytes.
                return unsafe { write_rows(words, items, len) };
            }
            let mut own = [Self::splat_zero().0; $words];
            for (own, word) in own.iter_mut().zip(words) {
                *own = word.0;
            }
            // SAFETY: the caller vouches for the bytes; features as for `Word`.
            unsafe { items::$write(own, items, len) };
        }
    };
}

// SAFETY: 512 bits are sixteen words of 32.
unsafe impl Vector for U32x16 {
    const LANES: usize = 16;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as for `Word`.
        Self(unsafe { _mm512_shuffle_epi8(self.0, reversed_bytes::<4>()) })
    }

    items!(8, read_8_words, write_8_words);

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let r: [__m512i; 16] = core::array::from_fn(|i| rows[i].0);
        // SAFETY: as for `Word`.
        unsafe {
            let mut a = r;
            for i in [0, 2, 4, 6, 8, 10, 12, 14] {
                a[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
                a[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
            }
            let mut b = a;
            for i in [0, 4, 8, 12] {
                b[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
                b[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
                b[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
                b[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
            }
            for i in 0..4 {
                let low = _mm512_shuffle_i32x4::<0x88>(b[i], b[i + 4]);
                let high = _mm512_shuffle_i32x4::<0x88>(b[i + 8], b[i + 12]);
                let low_odd = _mm512_shuffle_i32x4::<0xdd>(b[i], b[i + 4]);
                let high_odd = _mm512_shuffle_i32x4::<0xdd>(b[i + 8], b[i + 12]);
                rows[i] = Self(_mm512_shuffle_i32x4::<0x88>(low, high));
                rows[i + 4] = Self(_mm512_shuffle_i32x4::<0x88>(low_odd, high_odd));
                rows[i + 8] = Self(_mm512_shuffle_i32x4::<0xdd>(low, high));
                rows[i + 12] = Self(_mm512_shuffle_i32x4::<0xdd>(low_odd, high_odd));
            }
        }
    }
}

// SAFETY: 512 bits are eight words of 64.
unsafe impl Vector for U64x8 {
    const LANES: usize = 8;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as for `Word`.
        Self(unsafe { _mm512_shuffle_epi8(self.0, reversed_bytes::<8>()) })
    }

    items!(4, read_4_long_words, write_4_long_words);

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let r: [__m512i; 8] = core::array::from_fn(|i| rows[i].0);
        // SAFETY: as for `Word`.
        unsafe {
            let mut a = r;
            for i in [0, 2, 4, 6] {
                a[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
                a[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
            }
            for i in 0..2 {
                let low = _mm512_shuffle_i64x2::<0x88>(a[i], a[i + 2]);
                let high = _mm512_shuffle_i64x2::<0x88>(a[i + 4], a[i + 6]);
                let low_odd = _mm512_shuffle_i64x2::<0xdd>(a[i], a[i + 2]);
                let high_odd = _mm512_shuffle_i64x2::<0xdd>(a[i + 4], a[i + 6]);
                rows[i] = Self(_mm512_shuffle_i64x2::<0x88>(low, high));
                rows[i + 2] = Self(_mm512_shuffle_i64x2::<0x88>(low_odd, high_odd));
                rows[i + 4] = Self(_mm512_shuffle_i64x2::<0xdd>(low, high));
                rows[i + 6] = Self(_mm512_shuffle_i64x2::<0xdd>(low_odd, high_odd));
            }
        }
    }
}
