//! The vector word: the register operations that the rounds need.

pub(crate) mod vector;

/// A machine word.
pub(crate) trait Lane: Copy + 'static {
    /// The word with no bit set.
    const ZERO: Self;

    /// Returns the word with the value 2 to the power of `bit`.
    fn bit(bit: u32) -> Self;
    /// Returns a number as a word.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn number(number: u32) -> Self;
    /// Reads a word, with its most significant byte first if `big_endian` is true.
    fn from_bytes(bytes: &[u8], big_endian: bool) -> Self;
    /// Writes a word, in the same byte order as [`from_bytes`](Self::from_bytes).
    fn to_bytes(self, bytes: &mut [u8], big_endian: bool);
}

/// One word of each lane.
///
/// Implementations are `#[inline(always)]` and have no target feature. The entry function of a
/// backend has the features, and everything inlined into it is compiled for them.
pub(crate) trait Word: Copy {
    /// The word of one lane.
    type Lane: Lane;

    /// Returns the same word in every lane.
    fn splat(lane: Self::Lane) -> Self;
    /// Adds modulo 2 to the power of the word size.
    fn add(self, other: Self) -> Self;
    /// Returns the bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Returns the bitwise or.
    fn or(self, other: Self) -> Self;
    /// Shifts left by a run-time number of bits. A shift by the word size or more gives 0.
    fn shl_by(self, bits: u32) -> Self;
    /// Shifts right by a run-time number of bits. A shift by the word size or more gives 0.
    fn shr_by(self, bits: u32) -> Self;
}

/// A word with the operations of the rounds.
pub(crate) trait Round: Word {
    /// Rotates left by L bits, which is right by R: L + R is the word size, and neither is 0.
    fn rotl<const L: i32, const R: i32>(self) -> Self;
    /// Shifts right by R bits.
    fn shr<const R: i32>(self) -> Self;
    /// Returns a ⊕ b ⊕ c.
    fn xor3(a: Self, b: Self, c: Self) -> Self;
    /// Returns in each bit the value of b if `self` is 1 there, else that of c.
    fn choose(self, b: Self, c: Self) -> Self;
    /// Returns in each bit the value that at least two of the three have.
    fn majority(self, b: Self, c: Self) -> Self;
    /// Returns `self` ⊕ (¬b ∧ c).
    fn chi(self, b: Self, c: Self) -> Self;

    /// Returns (`self` ⊕ b) rotated left by L bits.
    #[inline(always)]
    fn xor_then_rotl<const L: i32, const R: i32>(self, b: Self) -> Self {
        self.xor(b).rotl::<L, R>()
    }

    /// Returns `self` ⊕ (b rotated left by L bits).
    #[inline(always)]
    fn xor_rotl<const L: i32, const R: i32>(self, b: Self) -> Self {
        self.xor(b.rotl::<L, R>())
    }
}

macro_rules! scalar {
    ($word:ty) => {
        impl Lane for $word {
            const ZERO: Self = 0;

            #[inline(always)]
            fn bit(bit: u32) -> Self {
                1 << bit
            }
            #[inline(always)]
            fn number(number: u32) -> Self {
                Self::from(number)
            }
            #[inline(always)]
            fn from_bytes(bytes: &[u8], big_endian: bool) -> Self {
                let word = Self::from_le_bytes(bytes.as_chunks().0[0]);
                if big_endian { word.swap_bytes() } else { word }
            }
            #[inline(always)]
            fn to_bytes(self, bytes: &mut [u8], big_endian: bool) {
                let word = if big_endian { self.swap_bytes() } else { self };
                bytes.as_chunks_mut().0[0] = word.to_le_bytes();
            }
        }

        impl Word for $word {
            type Lane = Self;

            #[inline(always)]
            fn splat(lane: Self) -> Self {
                lane
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn shl_by(self, bits: u32) -> Self {
                self.checked_shl(bits).unwrap_or(0)
            }
            #[inline(always)]
            fn shr_by(self, bits: u32) -> Self {
                self.checked_shr(bits).unwrap_or(0)
            }
        }

        impl Round for $word {
            #[inline(always)]
            fn rotl<const L: i32, const R: i32>(self) -> Self {
                self.rotate_left(L as u32)
            }
            #[inline(always)]
            fn shr<const R: i32>(self) -> Self {
                self >> R
            }
            #[inline(always)]
            fn xor3(a: Self, b: Self, c: Self) -> Self {
                a ^ b ^ c
            }
            #[inline(always)]
            fn choose(self, b: Self, c: Self) -> Self {
                c ^ (self & (b ^ c))
            }
            #[inline(always)]
            fn majority(self, b: Self, c: Self) -> Self {
                (self & b) | (c & (self | b))
            }
            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                self ^ (!b & c)
            }
        }
    };
}

scalar!(u32);
scalar!(u64);
