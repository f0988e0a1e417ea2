//! The vector word: what a round needs of a register.

/// One word of each lane.
///
/// Implementations are `#[inline(always)]` and carry no target feature: the function that a
/// backend enters by carries it, and everything inside is compiled for it.
pub(crate) trait Word: Copy {
    /// The word of one lane.
    type Lane: Copy + 'static;

    /// The same word in every lane.
    fn splat(lane: Self::Lane) -> Self;
    /// Addition modulo the word.
    fn add(self, other: Self) -> Self;
    /// Exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Rotation left by L, which is right by R: L + R is the width, and neither is 0.
    fn rotl<const L: i32, const R: i32>(self) -> Self;
    /// Shift right.
    fn shr<const R: i32>(self) -> Self;
    /// a ⊕ b ⊕ c.
    fn xor3(a: Self, b: Self, c: Self) -> Self;
    /// c where a bit of `self` is 0, b where it is 1.
    fn choose(self, b: Self, c: Self) -> Self;
    /// The value that at least two bits have.
    fn majority(self, b: Self, c: Self) -> Self;
    /// a ⊕ (¬b ∧ c).
    fn chi(self, b: Self, c: Self) -> Self;
}

macro_rules! scalar {
    ($word:ty) => {
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
