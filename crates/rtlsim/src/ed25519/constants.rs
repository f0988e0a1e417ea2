//! The numbers of the curve (RFC 8032, Section 5.1 (Ed25519ph, Ed25519ctx, and Ed25519)), as
//! integers, and the fixed-base tables.

use num_bigint::BigUint;

use super::operations::{COMB_TABLES, COMB_TEETH};

fn power_of_two(n: usize) -> BigUint {
    BigUint::from(1u8) << n
}

/// Returns p = 2^255 - 19.
pub fn p() -> BigUint {
    power_of_two(255) - 19u8
}

/// Returns l, the order of the base point.
pub fn l() -> BigUint {
    let low: BigUint = "27742317777372353535851937790883648493".parse().expect("a decimal number");
    power_of_two(252) + low
}

/// Returns `2^257 - floor(2^512 / 8L)`, the low part of the Barrett reciprocal.
pub fn barrett() -> BigUint {
    power_of_two(257) - power_of_two(512) / (l() * 8u8)
}

fn inverse(x: &BigUint) -> BigUint {
    x.modpow(&(p() - 2u8), &p())
}

/// Returns d = -121665 / 121666.
pub fn d() -> BigUint {
    (p() - 121_665u32) * inverse(&BigUint::from(121_666u32)) % p()
}

/// Returns a square root of -1: 2 ^ ((p - 1) / 4).
pub fn sqrt_minus_one() -> BigUint {
    BigUint::from(2u8).modpow(&((p() - 1u8) / 4u8), &p())
}

fn square_root(x: &BigUint) -> Option<BigUint> {
    let root = x.modpow(&((p() + 3u8) / 8u8), &p());
    let roots = [root.clone(), root * sqrt_minus_one() % p()];
    roots.into_iter().find(|root| root * root % p() == *x)
}

/// Returns the y of each point whose order divides eight: 0 (order four), 1, p - 1, and those of
/// order eight, for which `d y^4 + 2 y^2 = 1`.
///
/// # Panics
/// Never: the curve has such points.
pub fn small_orders() -> [BigUint; 5] {
    let root = square_root(&((d() + 1u8) % p())).expect("1 + d is a square");
    let squares = [root.clone(), p() - root].map(|root| (root + p() - 1u8) * inverse(&d()) % p());
    let y = squares.iter().find_map(square_root).expect("one of both is a square");
    [BigUint::ZERO, BigUint::from(1u8), p() - 1u8, p() - &y, y]
}

/// Returns the value of each constant source.
pub fn values() -> Vec<(&'static str, BigUint)> {
    vec![
        ("SrcZero", BigUint::ZERO),
        ("SrcOne", BigUint::from(1u8)),
        ("SrcFour", BigUint::from(4u8)),
        ("SrcD", d()),
        ("SrcD2", d() * 2u8 % p()),
        ("SrcBarrett", barrett()),
        ("SrcEightL", l() * 8u8),
        ("SrcLMinus1", l() - 1u8),
        ("SrcPMinus1", p() - 1u8),
        ("SrcRoot0", sqrt_minus_one()),
    ]
}

/// An affine point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// Coordinate x.
    pub x: BigUint,
    /// Coordinate y.
    pub y: BigUint,
}

impl Affine {
    /// Returns the neutral element.
    pub fn neutral() -> Self {
        Self { x: BigUint::ZERO, y: BigUint::from(1u8) }
    }

    /// Returns the base point: y = 4/5, x even.
    pub fn base() -> Self {
        let y = inverse(&BigUint::from(5u8)) * 4u8 % p();
        let y2 = &y * &y % p();
        let ratio = (&y2 + p() - 1u8) * inverse(&((d() * &y2 + 1u8) % p())) % p();
        let root = ratio.modpow(&((p() + 3u8) / 8u8), &p());
        let x = if &root * &root % p() == ratio { root } else { root * sqrt_minus_one() % p() };
        let x = if x.bit(0) { p() - x } else { x };
        Self { x, y }
    }

    /// Returns the sum (RFC 8032, Section 5.1.4 (Point Addition), in affine form).
    pub fn add(&self, other: &Self) -> Self {
        let p = p();
        let cross = d() * &self.x % &p * &other.x % &p * &self.y % &p * &other.y % &p;
        let x = (&self.x * &other.y + &self.y * &other.x) * inverse(&((&cross + 1u8) % &p)) % &p;
        let y =
            (&self.y * &other.y + &self.x * &other.x) * inverse(&((&p + 1u8 - cross) % &p)) % &p;
        Self { x, y }
    }

    /// Returns the negated point.
    pub fn negate(&self) -> Self {
        Self { x: (p() - &self.x) % p(), y: self.y.clone() }
    }

    /// Returns `2^n` times the point.
    pub fn double_times(&self, n: usize) -> Self {
        (0..n).fold(self.clone(), |point, _| point.add(&point))
    }

    /// Returns (y - x) / 2, (y + x) / 2, d x y.
    pub fn halved(&self) -> [BigUint; 3] {
        let p = p();
        let half = (&p + 1u8) / 2u8;
        let minus = (&self.y + &p - &self.x) * &half % &p;
        [minus, (&self.y + &self.x) * half % &p, &self.x * &self.y % &p * d() % &p]
    }
}

/// Returns the neutral element, B, 2B, 3B: the fixed table of the paper's windows.
pub fn window_table() -> Vec<Affine> {
    let base = Affine::base();
    let mut table = vec![Affine::neutral()];
    for i in 0..3 {
        let next = table[i].add(&base);
        table.push(next);
    }
    table
}

/// Returns comb table `q`. Entry `i` is the sum over the teeth of plus or minus `2^(32 t + 16 q) B`
/// (for eight teeth in two tables). The sign of tooth `t` is minus if bit `t` of `i` is clear; the
/// top tooth is always plus.
pub fn comb_table(q: usize) -> Vec<Affine> {
    let spacing = 256 / COMB_TEETH;
    let first = Affine::base().double_times(q * spacing / COMB_TABLES);
    let mut teeth = vec![first];
    for t in 1..COMB_TEETH {
        let next = teeth[t - 1].double_times(spacing);
        teeth.push(next);
    }
    let top = teeth.pop().expect("at least one tooth");
    teeth.iter().fold(vec![top], |table, tooth| {
        let minus = tooth.negate();
        let low = table.iter().map(|entry| entry.add(&minus));
        low.chain(table.iter().map(|entry| entry.add(tooth))).collect()
    })
}
