//! Half-size scalars: `u = v k modulo 8L` with u and v of about half the bits, and v odd.
//!
//! The remainders of Euclid's algorithm on 8L and k are `r[i] = t[i] k modulo 8L`. The t alternate
//! in sign and grow, and `r[i-1] |t[i]| + r[i] |t[i-1]| = 8L`. Let i be the first index with
//! `r[i] < 2^128`. Then `r[i-1] >= 2^128`, so `|t[i-1]| <= |t[i]| <= 8L / 2^128 < 2^128`. `t[i-1]`
//! and `t[i]` have no common factor, so one of them is odd. If `t[i]` is odd, the pair is
//! `(r[i], t[i])`. Otherwise it is `(r[i-1], t[i-1])`, whose u may be longer. In that case i > 1,
//! because `t[1] = 1`, so `u <= k < L`.
//!
//! [`halve`] follows `ed25519_halve.sv` step by step. A quotient of d + 1 bits takes d shifts to
//! align and d + 1 subtractions. The remainders are kept shifted up by `scale`. There are 128
//! shifts in total, because a quotient is finished, or shifted back if it is the last one. So N
//! quotients take at most `256 + N` cycles, and one more to end. N <= 180, because t grows at least
//! like the Fibonacci numbers.

use num_bigint::BigUint;

use super::constants;

/// Maximum number of bits of u if `t[i]` is odd.
pub const HALF_BITS: u16 = 128;
/// Maximum number of cycles: 256, the number of quotients, and one.
pub const MOST_CYCLES: u64 = 256 + 180 + 1;

/// A pair of half-size scalars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Halved {
    /// `v k modulo 8L`, below `2^(128 + more)`.
    pub u: BigUint,
    /// The absolute value of v: odd, below 2^128.
    pub v: BigUint,
    /// Whether v is negative.
    pub negative: bool,
    /// Number of bits of u beyond 128.
    pub more: u16,
    /// Number of cycles that the unit takes.
    pub cycles: u64,
}

/// A remainder and its t as the unit keeps them, shifted.
#[derive(Clone, Debug)]
struct Row {
    r: BigUint,
    t: BigUint,
}

/// State of the unit between two cycles.
struct Unit {
    upper: Row,
    lower: Row,
    scale: u16,
    distance: u16,
    dividing: bool,
    negative: bool,
    odd: bool,
}

impl Unit {
    fn new(k: &BigUint) -> Self {
        Self {
            upper: Row { r: constants::l() * 8u8, t: BigUint::ZERO },
            lower: Row { r: k.clone(), t: BigUint::from(1u8) },
            scale: 0,
            distance: 0,
            dividing: false,
            negative: false,
            odd: true,
        }
    }

    /// Shifts the lower remainder and its t up by one bit.
    fn align(&mut self) {
        self.lower.r <<= 1u32;
        self.lower.t <<= 1u32;
        self.scale += 1;
        self.distance += 1;
    }

    /// Computes one bit of the quotient. After the last bit the rows are exchanged.
    fn divide(&mut self) {
        if self.upper.r >= self.lower.r {
            self.upper.r -= &self.lower.r;
            self.upper.t += &self.lower.t;
        }
        self.dividing = self.distance > 0;
        if self.dividing {
            self.upper.r <<= 1u32;
            self.lower.t >>= 1u32;
            self.distance -= 1;
        } else {
            std::mem::swap(&mut self.upper, &mut self.lower);
            self.negative = !self.negative;
            self.odd = self.lower.t.bit(0);
        }
    }

    /// Returns true if the lower remainder is the first one below 2^128.
    fn found(&self) -> bool {
        !self.dividing && self.scale == HALF_BITS
    }
}

/// Returns the half-size scalars for `k`, which must be below L.
pub fn halve(k: &BigUint) -> Halved {
    let mut unit = Unit::new(k);
    let mut cycles = 1;
    while !unit.found() {
        match unit.dividing || unit.lower.r.bit(255) {
            true => unit.divide(),
            false => unit.align(),
        }
        cycles += 1;
    }
    let more = if unit.odd { 0 } else { unit.distance };
    let (row, back) = if unit.odd { (unit.lower, unit.distance) } else { (unit.upper, 0) };
    Halved {
        u: row.r >> (HALF_BITS - more),
        v: row.t >> back,
        negative: unit.negative == unit.odd,
        more,
        cycles: cycles + u64::from(back),
    }
}
