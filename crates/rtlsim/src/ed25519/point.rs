//! Point doubling and addition in extended twisted Edwards coordinates (RFC 8032, Section 5.1.4 (Point Addition)).

use super::asm::{Program, mul};
use super::isa::{Dst, Instr, Src, src};

/// The registers of a point: `s = X + Y`, `m = Y - X` and `zz = 2 Z` are by-products of X and Z.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// X, Y, Z, T.
    pub xyzt: [Dst; 4],
    /// X + Y.
    pub s: Dst,
    /// Y - X.
    pub m: Dst,
    /// 2 Z.
    pub zz: Dst,
}

/// The other operand of an addition as four sources: Y - X, Y + X, 2 Z, 2 d T. No 2 Z means Z = 1.
#[derive(Clone, Copy, Debug)]
pub struct Cached {
    /// Y - X and Y + X.
    pub sides: [Src; 2],
    /// 2 Z, unless Z = 1.
    pub zz: Option<Src>,
    /// 2 d T.
    pub t: Src,
}

/// The accumulator of every scalar multiplication.
pub const Q: Point = Point { xyzt: [0, 1, 2, 3], s: 4, m: 5, zz: 6 };
/// Intermediate values: A, B, E, F, G, H, D of the addition laws.
pub const WORK: [Dst; 7] = [7, 8, 9, 10, 11, 12, 13];
/// The first register of the table.
pub const TABLE: Dst = 22;

/// The registers of table entry `i`, with the other coordinates in the accumulator.
pub fn entry(i: u8) -> Point {
    let base = TABLE + 4 * i;
    Point { s: base + 1, m: base, zz: base + 2, ..Q }
}

/// Table entry `i` as an operand.
pub fn cached(i: u8) -> Cached {
    let base = TABLE + 4 * i;
    Cached { sides: [base, base + 1], zz: Some(base + 2), t: base + 3 }
}

/// The table entry that the digit selects.
pub fn selected() -> Cached {
    let base = src("SrcTable");
    Cached { sides: [base, base + 1], zz: Some(base + 2), t: base + 3 }
}

/// The entry of fixed-base table `q` that the digit selects.
pub fn fixed(q: u8) -> Cached {
    let base = src("SrcRom") + 3 * q;
    Cached { sides: [base, base + 1], zz: None, t: base + 2 }
}

/// `to = 2 from`: seven products, T not included.
pub fn double(from: Point, to: Point) -> Vec<Instr> {
    let [a, b, e, f, g, h, _] = WORK;
    let [x, y, z, _] = from.xyzt;
    debug_assert!(a != b);
    vec![
        mul(y, y).r(b),
        mul(x, x).c(b).s(h).back(g),
        mul(from.s, from.s).c(h).m(e),
        mul(z, from.zz).c(g).s(f),
        mul(g, h).r(to.xyzt[1]),
        mul(f, g).r(to.xyzt[2]).c(src("SrcProduct")).s(to.zz),
        mul(e, f).r(to.xyzt[0]).c(to.xyzt[1]).s(to.s).m(to.m),
    ]
}

/// The eighth product of a doubling or addition: T.
pub fn extend(to: Point) -> Instr {
    let [_, _, e, _, _, h, _] = WORK;
    mul(e, h).r(to.xyzt[3])
}

/// `to = from + other`: six products for an affine operand, seven otherwise, T not included.
pub fn add(from: Point, other: Cached, to: Point) -> Vec<Instr> {
    let [a, _, e, f, g, h, d] = WORK;
    let [_, _, z, t] = from.xyzt;
    let side = mul(from.m, other.sides[0]).r(a);
    let twist = |c| mul(t, other.t).c(c).m(f).s(g).signed();
    let mut code = match other.zz {
        Some(zz) => vec![mul(z, zz).r(d), twist(d), side],
        None => vec![side, twist(from.zz)],
    };
    code.extend([
        mul(from.s, other.sides[1]).c(a).s(h).back(e),
        mul(f, g).r(to.xyzt[2]).c(src("SrcProduct")).s(to.zz),
        mul(g, h).r(to.xyzt[1]),
        mul(e, f).r(to.xyzt[0]).c(to.xyzt[1]).s(to.s).m(to.m),
    ]);
    code
}

/// `2 d T` of table entry `i`.
pub fn finish_entry(i: u8) -> Instr {
    mul(Q.xyzt[3], src("SrcD2")).r(cached(i).t)
}

/// The accumulator becomes the neutral element.
pub fn neutral() -> Vec<Instr> {
    let (one, zero) = (src("SrcOne"), src("SrcZero"));
    let [x, y, z, t] = Q.xyzt;
    vec![
        mul(one, one).r(y).c(src("SrcProduct")).s(Q.zz),
        mul(one, one).r(z).c(zero).s(Q.s).back(Q.m),
        mul(zero, one).r(x).c(zero).s(t),
    ]
}

/// An affine point `(x, y)` into `to`, with T.
pub fn lift(program: &mut Program, x: Dst, y: Dst, to: Point) {
    let (one, product) = (src("SrcOne"), src("SrcProduct"));
    program.add([
        mul(y, one).r(to.xyzt[1]),
        mul(x, one).r(to.xyzt[0]).c(y).s(to.s).m(to.m),
        mul(one, one).r(to.xyzt[2]).c(product).s(to.zz),
        mul(x, y).r(to.xyzt[3]),
    ]);
}
