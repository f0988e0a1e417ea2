//! Key generation, signing and verification as microprograms, in every configuration.

use super::asm::{Program, mul, pause};
use super::field::{Chain, Decompress, decompress, invert};
use super::half::verify_half;
use super::isa::{Control, Dst, Effect, Instr, Mode, Src, src};
use super::point::{
    Cached, HALF_ENTRIES, Point, Q, TABLE, WORK, add, cached, double, entry, extend, finish_entry,
    fixed, lift, neutral, selected,
};
use super::scalar::{multiply_add, reduce_digest};

/// A configuration of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Config {
    /// The configuration of the paper: unsigned windows of two bits, and tables of P, 2P and 3P.
    Paper,
    /// Signed fixed-base comb. In verification the scalars are interleaved, and both points are
    /// decompressed side by side.
    Fast,
    /// Like `Fast`, with half-size scalars in verification.
    Half,
}

/// Fixed-base comb: number of teeth of a table entry.
pub const COMB_TEETH: usize = 8;
/// Fixed-base comb: number of tables.
pub const COMB_TABLES: usize = 2;
/// Fixed-base comb: number of rows, each with one doubling and one addition per table.
pub const COMB_ROWS: usize = 256 / COMB_TEETH / COMB_TABLES;

pub(super) const INPUTS: u16 = 0;
pub(super) const DIGEST: u16 = 1;
pub(super) const RECODE_COMB: u16 = 0;
pub(super) const RECODE_NAF: u16 = 1;
/// Number of digits of the non-adjacent form of a number below L.
pub const NAF_DIGITS: u16 = 254;

pub(super) const POINT_R: [Dst; 2] = [14, 15];
pub(super) const POINT_A: [Dst; 2] = [16, 17];
const SAVED: [Dst; 3] = [18, 19, 20];
const SCALAR_R: Dst = 21;
const SCALAR_K: Dst = 14;

/// Number of words of an addition, including the product before it that makes T.
/// [`Control::WindowMore`] goes back by this number.
pub const ADDITION_WORDS: u16 = 8;

impl Config {
    /// All configurations.
    pub const ALL: [Config; 3] = [Config::Paper, Config::Fast, Config::Half];

    /// Returns the name of the microprogram.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Config::Paper => "paper",
            Config::Fast => "fast",
            Config::Half => "half",
        }
    }

    /// Returns the whole microprogram with its three entry points.
    #[must_use]
    pub fn program(self) -> Program {
        let mut program = Program::default();
        keygen(&mut program, self);
        sign(&mut program, self);
        match self {
            Config::Paper => verify_paper(&mut program),
            Config::Fast => verify_fast(&mut program),
            Config::Half => verify_half(&mut program),
        }
        program
    }

    /// Returns the number of entries in the register table.
    #[must_use]
    pub fn entries(self) -> u8 {
        match self {
            Config::Paper => 3,
            Config::Fast => 5,
            Config::Half => 2 * HALF_ENTRIES,
        }
    }
}

fn keygen(program: &mut Program, config: Config) {
    program.entry("Keygen");
    program.add(neutral());
    program.add([pause().then(Control::Wait, DIGEST)]);
    program.add([load(src("SrcClamped"), Effect::Scalar0)]);
    fixed_base(program, config);
    compress(program);
    finish(program);
}

fn sign(program: &mut Program, config: Config) {
    program.entry("Sign");
    program.add(neutral());
    program.add([pause().then(Control::Wait, DIGEST)]);
    let last = reduce_digest(program);
    program.add([last.r(SCALAR_R).effect(Effect::Scalar0)]);
    fixed_base(program, config);
    compress(program);
    program.add([pause().drained().then(Control::Wait, DIGEST)]);
    let last = reduce_digest(program);
    program.add([last.r(SCALAR_K)]);
    let sum = multiply_add(program, SCALAR_R, SCALAR_K, src("SrcIn0"));
    program.add([sum.effect(Effect::OutScalar)]);
    finish(program);
}

/// Returns a check that fails if z is zero. The comparisons also hold for three zeros, which are
/// not a point, and a program that lost a step ends with them.
pub(super) fn is_point(z: Src) -> Instr {
    mul(z, src("SrcOne")).c(src("SrcZero")).effect(Effect::FailIfZero)
}

fn load(from: Src, to: Effect) -> Instr {
    mul(from, src("SrcOne")).mode(Mode::Low).effect(to)
}

pub(super) fn finish(program: &mut Program) {
    program.add([pause().drained().then(Control::End, 0)]);
}

/// Outputs the affine accumulator in compressed form (RFC 8032, Section 5.1.2 (Encoding)).
fn compress(program: &mut Program) {
    let [x, y, z, _] = Q.xyzt;
    invert(program, Chain { w: z, t: [WORK[0], WORK[1], WORK[2]] }, WORK[3]);
    program.add([mul(x, z).effect(Effect::Parity), mul(y, z).effect(Effect::OutPoint)]);
}

fn fixed_base(program: &mut Program, config: Config) {
    match config {
        Config::Paper => windows(program, fixed(0)),
        Config::Fast | Config::Half => comb(program),
    }
}

/// Appends the paper's table 4: 128 windows of two bits. The accumulator starts as the neutral
/// element.
fn windows(program: &mut Program, operand: Cached) {
    program.add([pause().drained().then(Control::Set, 127)]);
    let start = program.here() + 1;
    program.add([pause().then(Control::Jump, start + 15)]);
    program.add(double(Q, Q));
    program.add(double(Q, Q));
    program.then(Control::Skip, start);
    program.add([extend(Q)]);
    program.add(add(Q, operand, Q));
    program.then(Control::Window, start);
}

/// Appends the signed comb: rows of one doubling, and an addition from each table.
fn comb(program: &mut Program) {
    program.add([pause().drained().then(Control::Recode, RECODE_COMB)]);
    program.add([pause().then(Control::Set, COMB_ROWS as u16 - 1)]);
    let start = program.here() + 1;
    program.add([pause().then(Control::Jump, start + 8)]);
    program.add(double(Q, Q));
    program.add([extend(Q)]);
    comb_row(program);
    program.then(Control::Window, start);
}

pub(super) fn comb_row(program: &mut Program) {
    for q in (0..COMB_TABLES as u8).rev() {
        program.add(add(Q, fixed(q), Q));
        if q > 0 {
            program.add([extend(Q)]);
        }
    }
}

pub(super) fn decompress_r() -> Decompress {
    let [x, y] = POINT_R;
    let [a, b, e, f, g, h, _] = WORK;
    Decompress {
        input: src("SrcIn0"),
        y,
        uvk: [f, g, h],
        chain: Chain { w: x, t: [a, b, e] },
        root: Effect::Root0,
        root_source: src("SrcRoot0"),
        sign: Effect::Sign0,
    }
}

pub(super) fn decompress_a(sign: Effect) -> Decompress {
    let [x, y] = POINT_A;
    let [qx, qy, qz, qt] = Q.xyzt;
    Decompress {
        input: src("SrcIn1"),
        y,
        uvk: [qx, qy, qz],
        chain: Chain { w: x, t: [qt, Q.s, Q.m] },
        root: Effect::Root1,
        root_source: src("SrcRoot1"),
        sign,
    }
}

/// Waits for the inputs, and fails if `S >= L`.
pub(super) fn check_s(program: &mut Program) {
    let s = src("SrcIn2");
    program.add([pause().then(Control::Wait, INPUTS)]);
    program.add([mul(s, src("SrcOne"))
        .mode(Mode::Low)
        .c(src("SrcLMinus1"))
        .effect(Effect::FailIfNegative)]);
}

/// Computes table entry `i` as twice the point `from`, complete with its last product.
pub(super) fn double_entry(program: &mut Program, from: Point, i: u8) {
    program.add(double(from, entry(i)));
    program.add([extend(Q), finish_entry(i)]);
}

pub(super) fn add_entry(program: &mut Program, from: Point, other: Cached, i: u8) {
    program.add(add(from, other, entry(i)));
    program.add([extend(Q), finish_entry(i)]);
}

fn verify_paper(program: &mut Program) {
    program.entry("Verify");
    check_s(program);
    program.add([load(src("SrcIn2"), Effect::Scalar0)]);
    program.add(neutral());
    windows(program, fixed(0));
    let one = src("SrcOne");
    let saved = Q.xyzt.iter().zip(SAVED).map(|(from, to)| mul(*from, one).r(to));
    program.add(saved);
    decompress(program, &[decompress_r()], &[]);
    decompress(program, &[decompress_a(Effect::Sign1)], &[]);
    lift(program, POINT_A[0], POINT_A[1], entry(0));
    program.add([finish_entry(0)]);
    double_entry(program, entry(0), 1);
    add_entry(program, entry(1), cached(0), 2);
    program.add([pause().then(Control::Wait, DIGEST)]);
    let last = reduce_digest(program);
    program.add([last.effect(Effect::Scalar0)]);
    program.add(neutral());
    windows(program, selected());
    program.add([extend(Q)]);
    add_r(program);
    let [x, y, z, _] = Q.xyzt;
    compare(program, [x, y], z, [SAVED[0], SAVED[1]], SAVED[2]);
    program.add([is_point(z), is_point(SAVED[2])]);
    finish(program);
}

/// Computes `Q = Q + R`.
fn add_r(program: &mut Program) {
    let [x, y] = POINT_R;
    let [a, _, _, _, _, _, d] = WORK;
    let (base, one, t) = (entry(0), src("SrcOne"), TABLE + 3);
    program.add([
        mul(y, one).r(a),
        mul(x, one).c(a).s(base.s).m(base.m),
        mul(x, y).r(d),
        mul(d, src("SrcD2")).r(t),
    ]);
    program.add(add(Q, Cached::Projective([base.m, base.s, one, t]), Q));
}

/// Fails unless `(x : y : z)` and `(x2 : y2 : z2)` are the same point.
fn compare(program: &mut Program, xy: [Dst; 2], z: Dst, xy2: [Dst; 2], z2: Dst) {
    for (left, right) in xy.into_iter().zip(xy2) {
        program.add([
            mul(left, z2).r(WORK[0]),
            mul(right, z).c(WORK[0]).effect(Effect::FailUnlessZero),
        ]);
    }
}

fn verify_fast(program: &mut Program) {
    program.entry("Verify");
    check_s(program);
    decompress(program, &[decompress_r(), decompress_a(Effect::SignNegated1)], &[]);
    lift(program, POINT_A[0], POINT_A[1], entry(0));
    program.add([finish_entry(0)]);
    odd_entries(program);
    program.add([pause().then(Control::Wait, DIGEST)]);
    let last = reduce_digest(program);
    program.add([last.effect(Effect::Scalar1)]);
    program.add(neutral());
    interleaved(program);
    let [x, y, z, _] = Q.xyzt;
    for (affine, projective) in POINT_R.into_iter().zip([x, y]) {
        program.add([mul(affine, z).c(projective).effect(Effect::FailUnlessZero)]);
    }
    program.add([is_point(z)]);
    finish(program);
}

/// Computes entries 1 to 4 as three, five, seven and nine times entry 0. Entry 4 holds the double
/// until then.
fn odd_entries(program: &mut Program) {
    double_entry(program, entry(0), 4);
    add_entry(program, entry(4), cached(0), 1);
    for i in 2..5 {
        add_entry(program, entry(i - 1), cached(4), i);
    }
}

/// Computes `Q = S B - k A`: the digits of k are used in all rows, and the comb of S in the last
/// rows.
fn interleaved(program: &mut Program) {
    program.add([pause().drained().then(Control::Recode, RECODE_NAF)]);
    program.add([pause().then(Control::Set, NAF_DIGITS - COMB_ROWS as u16 - 1)]);
    let start = program.here();
    program.add(double(Q, Q));
    sparse_add(program, start, Control::Window);
    program.add([load(src("SrcIn2"), Effect::Scalar0)]);
    last_rows(program, Control::Window);
}

/// Appends the last doublings, with the comb of scalar register 0.
pub(super) fn last_rows(program: &mut Program, again: Control) {
    program.add([pause().drained().then(Control::Recode, RECODE_COMB)]);
    program.add([pause().then(Control::Set, COMB_ROWS as u16 - 1)]);
    let start = program.here();
    program.add(double(Q, Q));
    program.add([extend(Q)]);
    comb_row(program);
    sparse_add(program, start, again);
}

/// Adds the selected multiple if the digit is not zero.
pub(super) fn sparse_add(program: &mut Program, start: u16, again: Control) {
    program.then(Control::Skip, start);
    program.add([extend(Q)]);
    program.add(add(Q, selected(), Q));
    program.then(again, start);
}
