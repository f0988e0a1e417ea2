//! Exponentiation chains: inversion, and the square root of decompression (RFC 8032, Section 5.1.3
//! (Decoding)).
//!
//! Each chain can run for several values side by side, instruction by instruction, which hides the
//! latency.

use super::asm::{Program, mul};
use super::isa::{Dst, Effect, Instr, Mode, Src, src};

/// The registers of one chain. `w` holds the base and receives the result.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// Base, and then the result.
    pub w: Dst,
    /// Working values.
    pub t: [Dst; 3],
}

/// The registers and the input of a decompression.
#[derive(Clone, Copy, Debug)]
pub struct Decompress {
    /// The encoded point, as a source.
    pub input: Src,
    /// Register that receives y.
    pub y: Dst,
    /// `-u = 1 - y^2`, `v = d y^2 + 1`, `-u v^3`.
    pub uvk: [Dst; 3],
    /// The chain. Its `w` receives x.
    pub chain: Chain,
    /// Effect that remembers which square root was found.
    pub root: Effect,
    /// Source that depends on this root: 1, or a square root of -1.
    pub root_source: Src,
    /// Effect that compares the sign of x.
    pub sign: Effect,
}

fn each<T: Copy>(program: &mut Program, sets: &[T], f: impl Fn(T) -> Instr) {
    program.add(sets.iter().map(|set| f(*set)));
}

/// Computes `t[to] = t[from] ^ (2^n)` for all sets.
fn squarings(program: &mut Program, sets: &[Chain], from: usize, to: usize, n: u16) {
    each(program, sets, |c| mul(c.t[from], c.t[from]).r(c.t[to]));
    if n > 1 {
        let body = sets.iter().map(|c| mul(c.t[to], c.t[to]).r(c.t[to])).collect();
        program.repeat(n - 1, body);
    }
}

/// Computes `t[0] = w ^ (2^250 - 1)`, and `w^11` in `eleven` if it is given, with 249 squarings and
/// 10 products. The instructions `aside` are inserted after 54 steps of a decompression.
fn common(program: &mut Program, sets: &[Chain], eleven: Option<Dst>, aside: &[Instr]) {
    each(program, sets, |c| mul(c.w, c.w).r(c.t[0]));
    squarings(program, sets, 0, 1, 2);
    each(program, sets, |c| mul(c.t[1], c.w).r(c.t[1]));
    each(program, sets, |c| mul(c.t[0], c.t[1]).r(eleven.unwrap_or(c.t[0])));
    each(program, sets, |c| {
        let base = eleven.unwrap_or(c.t[0]);
        mul(base, base).r(c.t[0])
    });
    each(program, sets, |c| mul(c.t[0], c.t[1]).r(c.t[0]));
    doubling(program, sets, 0, 1, 5, 0);
    doubling(program, sets, 0, 1, 10, 1);
    doubling(program, sets, 1, 2, 20, 1);
    program.add(aside.iter().copied());
    doubling(program, sets, 1, 1, 10, 0);
    doubling(program, sets, 0, 1, 50, 1);
    doubling(program, sets, 1, 2, 100, 1);
    doubling(program, sets, 1, 1, 50, 0);
}

/// Computes `t[out] = t[from] ^ (2^n) * t[by]`, where `by` is the register that the power does not
/// overwrite.
fn doubling(program: &mut Program, sets: &[Chain], from: usize, temp: usize, n: u16, out: usize) {
    let by = if from == temp { out } else { from };
    squarings(program, sets, from, temp, n);
    each(program, sets, |c| mul(c.t[temp], c.t[by]).r(c.t[out]));
}

/// Computes `w = w ^ (p - 2)` with 254 squarings and 11 products. `eleven` is one more register.
pub fn invert(program: &mut Program, chain: Chain, eleven: Dst) {
    common(program, &[chain], Some(eleven), &[]);
    squarings(program, &[chain], 0, 0, 5);
    program.add([mul(chain.t[0], eleven).r(chain.w)]);
}

/// Computes `w = w ^ ((p - 5) / 8)` for all sets.
fn root_power(program: &mut Program, sets: &[Chain], aside: &[Instr]) {
    common(program, sets, None, aside);
    squarings(program, sets, 0, 0, 2);
    each(program, sets, |c| mul(c.t[0], c.w).r(c.w));
}

/// Follows RFC 8032, Section 5.1.3 (Decoding), steps 1 to 4, for all sets side by side. A
/// non-canonical y, a y without x, and the sign bit on x = 0 make the operation fail. The candidate
/// `u v^3 (u v^7)^((p-5)/8)` is the same for u and -u, since `(p - 5) / 8` is odd. The instructions
/// `aside` are inserted on the way.
pub fn decompress(program: &mut Program, sets: &[Decompress], aside: &[Instr]) {
    let (one, zero, d) = (src("SrcOne"), src("SrcZero"), src("SrcD"));
    each(program, sets, |p| {
        let y = mul(p.input, one).mode(Mode::Low).r(p.y);
        y.c(src("SrcPMinus1")).effect(Effect::FailIfNegative)
    });
    each(program, sets, |p| mul(p.y, p.y).r(p.chain.w).c(one).m(p.uvk[0]));
    each(program, sets, |p| mul(p.chain.w, d).c(one).s(p.uvk[1]));
    each(program, sets, |p| mul(p.uvk[1], p.uvk[1]).r(p.chain.t[0]));
    each(program, sets, |p| mul(p.chain.t[0], p.uvk[1]).r(p.chain.t[1]));
    each(program, sets, |p| mul(p.chain.t[1], p.chain.t[1]).r(p.chain.t[0]));
    each(program, sets, |p| mul(p.chain.t[1], p.uvk[0]).r(p.uvk[2]));
    each(program, sets, |p| mul(p.chain.t[0], p.uvk[1]).r(p.chain.t[0]));
    each(program, sets, |p| mul(p.chain.t[0], p.uvk[0]).r(p.chain.w));
    let chains: Vec<Chain> = sets.iter().map(|p| p.chain).collect();
    root_power(program, &chains, aside);
    each(program, sets, |p| mul(p.chain.w, p.uvk[2]).r(p.chain.w));
    each(program, sets, |p| mul(p.chain.w, p.chain.w).r(p.chain.t[0]));
    each(program, sets, |p| mul(p.chain.t[0], p.uvk[1]).c(p.uvk[0]).effect(p.root));
    for p in sets {
        let w = p.chain.w;
        program.add([
            mul(w, p.root_source).r(w).effect(p.sign).drained(),
            mul(w, src("SrcSign")).c(zero).s(w).signed().drained(),
        ]);
    }
}
