//! Verification with half-size scalars.
//!
//! With `u = v k modulo 8L` and v odd ([`super::halve`]), `S B - k A - R` is the neutral element
//! exactly if v times it is: the order of every point divides 8L, and v, which is odd and below L,
//! has no factor in common with 8L. Here k is the number below L that the criterion names. So
//! `v k A = u A` for every A, and `v S B = (v S mod L) B`, because B has order L. With the absolute
//! value of v, and the sign of v on u A: `Q = (|v| S mod L) B - (+ or -) u A - |v| R`.

use super::asm::{Program, mul, pause};
use super::field::{Chain, Decompress, decompress};
use super::halve::HALF_BITS;
use super::isa::{Control, Dst, Effect, Instr, src};
use super::operations::{
    COMB_ROWS, DIGEST, POINT_A, POINT_R, RECODE_NAF, add_entry, check_s, decompress_a,
    decompress_r, double_entry, finish, is_point, last_rows, sparse_add,
};
use super::point::{HALF_ENTRIES, Q, TABLE, cached, double, entry, finish_entry, lift, neutral};
use super::scalar::{multiply, reduce};

const HALVED: u16 = 2;
/// Number of digits of u and of v, if u has at most [`HALF_BITS`] bits.
const DIGITS: u16 = HALF_BITS + 1;

/// Appends the program of a verification.
pub fn verify_half(program: &mut Program) {
    program.entry("Verify");
    check_s(program);
    decompress(program, &[beside_the_scalars(), decompress_a(Effect::SignNegated1)], &begin());
    table(program, POINT_A, 0);
    table(program, POINT_R, HALF_ENTRIES);
    program.add([pause().then(Control::Wait, HALVED)]);
    program.add(neutral());
    interleaved(program);
    let ([x, y, z, _], one) = (Q.xyzt, src("SrcOne"));
    let neutral = [mul(x, one).c(src("SrcZero")), mul(z, one).c(y)];
    program.add(neutral.map(|check| check.effect(Effect::FailUnlessZero)));
    program.add([is_point(z)]);
    finish(program);
}

/// Returns the instructions that reduce the digest to k and begin to make the half-size scalars.
fn begin() -> Vec<Instr> {
    let mut code = vec![pause().then(Control::Wait, DIGEST)];
    code.extend(reduce(src("SrcDigestHigh"), src("SrcDigestLow")));
    let last = code.pop().expect("four steps of the reduction");
    code.push(last.effect(Effect::Halve));
    code
}

/// Returns the decompression of R in registers of the table, which the reduction modulo L does not
/// use.
fn beside_the_scalars() -> Decompress {
    let free = |i: Dst| TABLE + i;
    let chain = Chain { w: POINT_R[0], t: [free(0), free(1), free(2)] };
    Decompress { uvk: [free(3), free(4), free(5)], chain, ..decompress_r() }
}

/// Writes one, three and five times an affine point to the table, from the entry `first` on. The
/// last of these entries holds the double until then.
fn table(program: &mut Program, [x, y]: [Dst; 2], first: u8) {
    let [one, three, five] = [first, first + 1, first + 2];
    lift(program, x, y, entry(one));
    program.add([finish_entry(one)]);
    double_entry(program, entry(one), five);
    add_entry(program, entry(five), cached(one), three);
    add_entry(program, entry(three), cached(five), five);
}

/// Adds the multiples for the digits of u and v in all rows, and those of the comb of `v S` in the
/// last rows.
fn interleaved(program: &mut Program) {
    program.add([pause().drained().then(Control::Recode, RECODE_NAF)]);
    program.add([pause().then(Control::SetMore, DIGITS - COMB_ROWS as u16 - 1)]);
    let start = program.here();
    program.add(double(Q, Q));
    sparse_add(program, start, Control::WindowMore);
    let product = multiply(program, src("SrcMultiplier"), src("SrcIn2"));
    program.add([product.effect(Effect::Scalar0)]);
    last_rows(program, Control::WindowMore);
}
