//! Arithmetic modulo L on the multiplier, by Barrett reduction through 8L.
//!
//! With `a1 = a >> 255` and `T' = 2^257 - floor(2^512 / 8L)`, the quotient is taken as
//! `q = a1 - (a1 T' >> 257)`. Let `e = 0.4032` be the fraction cut off `2^512 / 8L`. Then
//! `a / 8L - q` is the sum of a number in `[0, 1)` (the bits of `a` below 255) and one in `(-1, e)`
//! (the floor, and the rounding of T'). So `v = a - 8 q L` lies in `(-8L, 11.23 L)` and fits in a
//! signed 257-bit number. Its top bits `h = floor(v / 2^252)` determine the multiple of L to
//! subtract. With `L = 2^252 + D`, `v - h L = (v mod 2^252) - h D` for `h >= 0`, and
//! `v - (h + 1) L = (v mod 2^252) - 2^252 - (h + 1) D` for `h < 0`. Both are in `(-L, L)`, and L is
//! added to a negative result.

use super::asm::{Program, mul};
use super::isa::{Dst, Instr, Mode, Src, src};

/// Registers for the quotient and the remainder.
pub const WORK: [Dst; 2] = [7, 8];
const HIGH: Dst = 9;
const LOW: Dst = 10;
const S: Dst = 11;
const FOUR_S: Dst = 12;

/// Returns the instructions for `a mod L`, where `high = a >> 255` and `low = a mod 2^257`. The
/// last instruction has no destination yet.
pub fn reduce(high: Src, low: Src) -> [Instr; 4] {
    let [q, r] = WORK;
    let (reciprocal, divisor) = (src("SrcBarrett"), src("SrcEightL"));
    [
        mul(high, reciprocal).mode(Mode::Low),
        mul(high, reciprocal).mode(Mode::High).c(high).m(q),
        mul(q, divisor).mode(Mode::Low).c(low).m(r),
        mul(r, src("SrcOne")).mode(Mode::Scalar),
    ]
}

/// Appends the reduction of the digest modulo L, except for the last instruction, which is returned
/// for its destination.
pub fn reduce_digest(program: &mut Program) -> Instr {
    append(program, reduce(src("SrcDigestHigh"), src("SrcDigestLow")))
}

/// Appends `r + k s mod L`, which is the sum of the returned last instruction. `s` is below 2^255.
pub fn multiply_add(program: &mut Program, r: Dst, k: Dst, s: Src) -> Instr {
    program.add([
        mul(s, src("SrcFour")).mode(Mode::Low).r(FOUR_S),
        mul(s, k).mode(Mode::Low).r(LOW),
        mul(FOUR_S, k).mode(Mode::Low),
        mul(FOUR_S, k).mode(Mode::High).r(HIGH),
    ]);
    append(program, reduce(HIGH, LOW)).c(r)
}

/// Appends `v s mod L`, which is the product of the returned last instruction. `v` is below 2^128
/// and `s` below 2^253. Both are only used as first factors.
pub fn multiply(program: &mut Program, v: Src, s: Src) -> Instr {
    program.add([
        mul(s, src("SrcOne")).mode(Mode::Low).r(S),
        mul(s, src("SrcFour")).mode(Mode::Low).r(FOUR_S),
        mul(v, S).mode(Mode::Low).r(LOW),
        mul(v, FOUR_S).mode(Mode::Low),
        mul(v, FOUR_S).mode(Mode::High).r(HIGH),
    ]);
    append(program, reduce(HIGH, LOW))
}

fn append(program: &mut Program, [steps @ .., last]: [Instr; 4]) -> Instr {
    program.add(steps);
    last
}
