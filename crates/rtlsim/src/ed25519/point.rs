//! Point doubling and addition in extended twisted Edwards coordinates (RFC 8032, Section 5.1.4
//! (Point Addition)).

use super::asm::{Program, mul};
use super::isa::{Dst, Instr, Src, src};

/// The registers of a point. X + Y and the difference are by-products of the product that computes
/// X or Y, whichever comes last.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// X, Y, Z, T.
    pub xyzt: [Dst; 4],
    /// X + Y.
    pub s: Dst,
    /// Y - X, or X - Y.
    pub m: Dst,
    /// Whether `m` is X - Y and Y comes last, so that the next product can be X X.
    pub y_last: bool,
}

/// The other operand of an addition, as sources.
#[derive(Clone, Copy, Debug)]
pub enum Cached {
    /// Y - X, Y + X, Z, 2 d T.
    Projective([Src; 4]),
    /// (y - x) / 2, (y + x) / 2, d x y, with Z = 1.
    Halved([Src; 3]),
}

/// The accumulator of every scalar multiplication.
pub const Q: Point = Point { xyzt: [0, 1, 2, 3], s: 4, m: 5, y_last: true };
/// Intermediate values: A, B, E, F, G, H, D of the addition laws.
pub const WORK: [Dst; 7] = [7, 8, 9, 10, 11, 12, 13];
/// First register of the table.
pub const TABLE: Dst = 22;
/// Entries in each of the two tables for half-size scalars: one, three and five times the point.
pub const HALF_ENTRIES: u8 = 3;

/// Returns the registers of table entry `i`, with X, Y and T in the accumulator.
pub fn entry(i: u8) -> Point {
    let base = TABLE + 4 * i;
    let [x, y, _, t] = Q.xyzt;
    Point { xyzt: [x, y, base + 2, t], s: base + 1, m: base, y_last: false }
}

/// Returns table entry `i` as an operand.
pub fn cached(i: u8) -> Cached {
    let base = TABLE + 4 * i;
    Cached::Projective([base, base + 1, base + 2, base + 3])
}

/// Returns the table entry that the digit selects.
pub fn selected() -> Cached {
    let base = src("SrcTable");
    Cached::Projective([base, base + 1, base + 2, base + 3])
}

/// Returns the entry of fixed-base table `q` that the digit selects.
pub fn fixed(q: u8) -> Cached {
    let base = src("SrcRom") + 3 * q;
    Cached::Halved([base, base + 1, base + 2])
}

/// Returns the seven products of `to = 2 from`, without T.
pub fn double(from: Point, to: Point) -> Vec<Instr> {
    let [a, _, e, f, g, h, _] = WORK;
    let [x, y, z, _] = from.xyzt;
    vec![
        mul(x, x).r(a),
        mul(y, y).c(a).s(h).m(g),
        mul(z, z).twice().c(g).s(f),
        mul(from.s, from.s).c(h).m(e),
    ]
    .into_iter()
    .chain(last_products(to))
    .collect()
}

/// Returns the products of Z, X and Y from E, F, G and H. Both laws end with them.
fn last_products(to: Point) -> [Instr; 3] {
    let [_, _, e, f, g, h, _] = WORK;
    let [x, y, z, _] = to.xyzt;
    let rest = match to.y_last {
        true => [mul(e, f).r(x), mul(g, h).r(y).c(x)],
        false => [mul(g, h).r(y), mul(e, f).r(x).c(y)],
    };
    [mul(f, g).r(z), rest[0], rest[1].s(to.s).m(to.m)]
}

/// Returns the product T, the eighth of a doubling or an addition.
pub fn extend(to: Point) -> Instr {
    let [_, _, e, _, _, h, _] = WORK;
    mul(e, h).r(to.xyzt[3])
}

/// Returns the products of `to = from + other` without T: six for a halved operand (with A to H
/// halved), and seven otherwise.
pub fn add(from: Point, other: Cached, to: Point) -> Vec<Instr> {
    let [_, b, e, f, g, h, d] = WORK;
    let [_, _, z, t] = from.xyzt;
    let twist = |t2, c| mul(t, t2).c(c).m(f).s(g).signed();
    let (mut code, minus) = match other {
        Cached::Projective([minus, plus, z2, t2]) => {
            (vec![mul(z, z2).twice().r(d), twist(t2, d), mul(from.s, plus).r(b)], minus)
        }
        Cached::Halved([minus, plus, t2]) => (vec![mul(from.s, plus).r(b), twist(t2, z)], minus),
    };
    let side = mul(from.m, minus).c(b);
    code.push(if from.y_last { side.s(e).m(h) } else { side.s(h).m(e) });
    code.extend(last_products(to));
    code
}

/// Returns the product `2 d T` of table entry `i`.
pub fn finish_entry(i: u8) -> Instr {
    mul(Q.xyzt[3], src("SrcD2")).r(TABLE + 4 * i + 3)
}

/// Returns instructions that set the accumulator to the neutral element.
pub fn neutral() -> Vec<Instr> {
    let (one, zero) = (src("SrcOne"), src("SrcZero"));
    let [x, y, z, t] = Q.xyzt;
    vec![
        mul(one, one).r(y).c(zero).s(z).m(Q.m),
        mul(zero, one).r(x).c(one).s(Q.s),
        mul(zero, one).r(t),
    ]
}

/// Loads an affine point `(x, y)` into `to`, including T.
pub fn lift(program: &mut Program, x: Dst, y: Dst, to: Point) {
    let one = src("SrcOne");
    program.add([
        mul(y, one).r(to.xyzt[1]),
        mul(x, one).r(to.xyzt[0]).c(y).s(to.s).m(to.m),
        mul(one, one).r(to.xyzt[2]),
        mul(x, y).r(to.xyzt[3]),
    ]);
}
