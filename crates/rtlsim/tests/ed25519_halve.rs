//! Half-size scalars: checks the claims of the derivation in `halve.rs` on random scalars and on
//! extreme ones, and the bounds for the widths and for the maximum number of cycles.

#[path = "support/scalars.rs"]
mod scalars;

use hasten_rtlsim::ed25519::constants::l;
use hasten_rtlsim::ed25519::halve::{HALF_BITS, Halved, MOST_CYCLES, halve};
use num_bigint::BigUint;
use scalars::{corner_scalars, random_scalar};

fn eight_l() -> BigUint {
    l() * 8u8
}

/// Checks that `u = v k modulo 8L`, that v is odd, and that both are in their ranges. Returns the
/// pair.
fn check(k: &BigUint) -> Halved {
    let pair = halve(k);
    let product = &pair.v * k % eight_l();
    let product = if pair.negative { (eight_l() - product) % eight_l() } else { product };
    assert_eq!(pair.u, product, "k = {k}");
    assert!(pair.v.bit(0), "v is odd, k = {k}");
    assert!(pair.v.bits() <= u64::from(HALF_BITS), "v is short, k = {k}");
    assert!(pair.u.bits() <= u64::from(HALF_BITS + pair.more), "u is as short as said, k = {k}");
    // Bounds of the registers for the digits.
    assert!(pair.more <= 125 && pair.u.bits() <= 253, "k = {k}");
    assert!(pair.cycles <= MOST_CYCLES, "{} cycles, k = {k}", pair.cycles);
    pair
}

#[test]
fn pairs_of_random_scalars_are_short() {
    let more: Vec<u16> = (0..4000).map(|i| check(&random_scalar(i)).more).collect();
    // In a third of the cases `t[i]` is even and the longer pair is taken. Each further bit of u
    // halves the number of cases.
    let above = |bits: u16| more.iter().filter(|more| **more > bits).count();
    assert!((1000..1700).contains(&above(0)), "{}", above(0));
    assert!(above(8) < 20 && above(24) == 0, "{} {}", above(8), above(24));
}

#[test]
fn pairs_at_the_ends_are_right() {
    for k in corner_scalars() {
        check(&k);
    }
}

/// k = 0 and 1 are short already. For L - 1 the short pairs have an even v, so u is as long as k.
#[test]
fn the_ends_are_reached() {
    let (zero, one) = (check(&BigUint::ZERO), check(&BigUint::from(1u8)));
    assert_eq!((zero.u, zero.v), (BigUint::ZERO, BigUint::from(1u8)));
    assert_eq!((one.u, one.v), (BigUint::from(1u8), BigUint::from(1u8)));
    let last = check(&(l() - 1u8));
    assert_eq!((last.u, last.v, last.more), (l() - 1u8, BigUint::from(1u8), 125));
}

/// t[1] = 1, t[2] >= 8 because k < L, and t[i+1] >= t[i] + t[i-1]. Also t[N+1] <= 8L / 2^128, which
/// is the maximum of v.
#[test]
fn the_count_of_quotients_is_bounded() {
    let most = eight_l() >> HALF_BITS;
    assert!(most.bits() <= u64::from(HALF_BITS));
    let (mut before, mut t, mut index) = (BigUint::from(1u8), BigUint::from(8u8), 2);
    while t <= most {
        (before, t) = (t.clone(), before + t);
        index += 1;
    }
    // t[index] is too large, so N + 1 < index.
    assert_eq!(MOST_CYCLES, 256 + (index - 2) + 1);
    // Scalars with as many quotients of one as possible come close to this maximum.
    let longest = corner_scalars().iter().map(|k| check(k).cycles).max().expect("some");
    assert!(longest > MOST_CYCLES - 4, "{longest}");
}

/// Width of the registers of t: a shifted t is at most 8L 2^scale / 2^255, and it is not added at
/// the largest scale.
#[test]
fn a_shifted_multiple_fits_its_register() {
    let at = |scale: u16| (eight_l() << scale) >> 255u32;
    assert!(at(HALF_BITS).bits() <= u64::from(HALF_BITS) + 1);
    assert!(at(HALF_BITS - 1).bits() <= u64::from(HALF_BITS));
}

/// The committed cases are those of `example ed25519_halve_vectors` without a count.
#[test]
fn the_cases_of_the_unit_are_the_committed_ones() {
    let lines = scalars::lines(200).map(|line| line + "\n").collect::<String>();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/ed25519/bench/halve.txt");
    let committed = std::fs::read_to_string(path).expect("the file is there");
    assert!(committed == lines, "run cargo run -p hasten-rtlsim --example ed25519_halve_vectors");
}
