//! NEON words: four 32-bit lanes or two 64-bit lanes.

use crate::word::vector::Vector;
use crate::word::{Round, Word};
use core::arch::aarch64::*;

/// Four words of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x4(pub(super) uint32x4_t);

/// Two words of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x2(pub(super) uint64x2_t);

/// Two words of 64 bits, with the instructions for SHA-3.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x2Sha3(uint64x2_t);

macro_rules! word {
    ($name:ident, $lane:ty, $signed:ty, $dup:ident, $dup_signed:ident, $add:ident, $xor:ident, $or:ident, $shl:ident) => {
        // SAFETY (of every block here): words of this type are made and used only inside functions
        // with the target feature neon, which the `detect` of their backend has found.
        impl Word for $name {
            type Lane = $lane;

            #[inline(always)]
            fn splat(lane: $lane) -> Self {
                // SAFETY: as above.
                Self(unsafe { $dup(lane) })
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $xor(self.0, other.0) })
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $or(self.0, other.0) })
            }
            #[inline(always)]
            fn shl_by(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $shl(self.0, $dup_signed(bits as $signed)) })
            }
            #[inline(always)]
            fn shr_by(self, bits: u32) -> Self {
                // A negative count shifts right.
                // SAFETY: as above.
                Self(unsafe { $shl(self.0, $dup_signed(-(bits as $signed))) })
            }
        }
    };
}

word!(U32x4, u32, i32, vdupq_n_u32, vdupq_n_s32, vaddq_u32, veorq_u32, vorrq_u32, vshlq_u32);
word!(U64x2, u64, i64, vdupq_n_u64, vdupq_n_s64, vaddq_u64, veorq_u64, vorrq_u64, vshlq_u64);
word!(U64x2Sha3, u64, i64, vdupq_n_u64, vdupq_n_s64, vaddq_u64, veorq_u64, vorrq_u64, vshlq_u64);

macro_rules! round {
    ($name:ident, $shl:ident, $shr:ident, $sri:ident, $bsl:ident, $bic:ident) => {
        // SAFETY (of every block here): as for `Word`.
        impl Round for $name {
            #[inline(always)]
            fn rotl<const L: i32, const R: i32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sri::<R>($shl::<L>(self.0), self.0) })
            }
            #[inline(always)]
            fn shr<const R: i32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $shr::<R>(self.0) })
            }
            #[inline(always)]
            fn xor3(a: Self, b: Self, c: Self) -> Self {
                a.xor(b).xor(c)
            }
            #[inline(always)]
            fn choose(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $bsl(self.0, b.0, c.0) })
            }
            #[inline(always)]
            fn majority(self, b: Self, c: Self) -> Self {
                self.xor(b).choose(c, b)
            }
            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                self.xor(Self(unsafe { $bic(c.0, b.0) }))
            }
        }
    };
}

round!(U32x4, vshlq_n_u32, vshrq_n_u32, vsriq_n_u32, vbslq_u32, vbicq_u32);
round!(U64x2, vshlq_n_u64, vshrq_n_u64, vsriq_n_u64, vbslq_u64, vbicq_u64);

// SAFETY (of every block here): as for `Word`; words of this type are made and used only inside
// functions with the target feature sha3 too, which `ArmSha3::detect` has found.
impl Round for U64x2Sha3 {
    #[inline(always)]
    fn rotl<const L: i32, const R: i32>(self) -> Self {
        self.xor_then_rotl::<L, R>(Self::splat_zero())
    }
    #[inline(always)]
    fn shr<const R: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshrq_n_u64::<R>(self.0) })
    }
    #[inline(always)]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { veor3q_u64(a.0, b.0, c.0) })
    }
    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vbslq_u64(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.xor(b).choose(c, b)
    }
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vbcaxq_u64(self.0, c.0, b.0) })
    }
    #[inline(always)]
    fn xor_then_rotl<const L: i32, const R: i32>(self, b: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vxarq_u64::<R>(self.0, b.0) })
    }
    #[inline(always)]
    fn xor_rotl<const L: i32, const R: i32>(self, b: Self) -> Self {
        if L != 1 {
            return self.xor(b.rotl::<L, R>());
        }
        // SAFETY: as above.
        Self(unsafe { vrax1q_u64(self.0, b.0) })
    }
}

// SAFETY: 128 bits are four words of 32.
unsafe impl Vector for U32x4 {
    const LANES: usize = 4;

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as for `Word`.
        unsafe { Self(vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(self.0)))) }
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        // SAFETY: as for `Word`.
        unsafe {
            let even = vtrn1q_u32(rows[0].0, rows[1].0);
            let odd = vtrn2q_u32(rows[0].0, rows[1].0);
            let even_low = vtrn1q_u32(rows[2].0, rows[3].0);
            let odd_low = vtrn2q_u32(rows[2].0, rows[3].0);
            rows[0] = Self(first_halves(even, even_low));
            rows[1] = Self(first_halves(odd, odd_low));
            rows[2] = Self(second_halves(even, even_low));
            rows[3] = Self(second_halves(odd, odd_low));
        }
    }
}

/// Returns the first two words of `a`, then those of `b`.
#[inline(always)]
unsafe fn first_halves(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
    // SAFETY: the caller has neon.
    unsafe { vreinterpretq_u32_u64(vtrn1q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b))) }
}

/// Returns the last two words of `a`, then those of `b`.
#[inline(always)]
unsafe fn second_halves(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
    // SAFETY: the caller has neon.
    unsafe { vreinterpretq_u32_u64(vtrn2q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b))) }
}

macro_rules! two_lanes {
    ($name:ident) => {
        // SAFETY: 128 bits are two words of 64.
        unsafe impl Vector for $name {
            const LANES: usize = 2;

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                // SAFETY: as for `Word`.
                unsafe { Self(vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(self.0)))) }
            }

            #[inline(always)]
            fn transpose(rows: &mut [Self]) {
                let [a, b] = [rows[0].0, rows[1].0];
                // SAFETY: as for `Word`.
                unsafe {
                    rows[0] = Self(vtrn1q_u64(a, b));
                    rows[1] = Self(vtrn2q_u64(a, b));
                }
            }
        }
    };
}

two_lanes!(U64x2);
two_lanes!(U64x2Sha3);
