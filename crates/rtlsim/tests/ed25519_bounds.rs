//! Proves the ranges on which the reductions modulo p and modulo L rest, with exact integers. Every
//! expression is linear in numbers that lie in intervals. So its extremes are at the corners, and
//! all corners are tried. Numbers with few values are tried one by one. `rtl/mul25519/README.md`
//! has the text; the benches check that the RTL takes the same steps.

use hasten_rtlsim::ed25519::constants;
use num_bigint::{BigInt, BigUint};

fn power(bits: u32) -> BigInt {
    BigInt::from(1) << bits
}

fn l() -> BigInt {
    BigInt::from(constants::l())
}

fn p() -> BigInt {
    BigInt::from(constants::p())
}

/// Returns `2^257 - floor(2^512 / 8L)`, as the core has it.
fn reciprocal() -> BigInt {
    let values = constants::values();
    let found = values.into_iter().find(|(name, _)| *name == "SrcBarrett");
    BigInt::from(found.expect("a constant of the core").1)
}

#[test]
fn the_reciprocal_is_that_of_the_derivation() {
    assert_eq!(reciprocal(), power(257) - power(512) / (8 * l()));
}

/// With `a = a0 + 2^255 a1` and `a1 T' = 2^257 q' + rho`, the remainder `v = a - 8 L (a1 - q')` is
/// `a0 + (m a1 - 8 L rho) / 2^257`, where `m = 2^512 mod 8L`: linear in a0, a1 and rho.
#[test]
fn the_remainder_of_barretts_quotient_is_in_range() {
    let eight = 8 * l();
    let m = power(512) - &eight * (power(257) - reciprocal());
    assert_eq!(m, power(512) % &eight);
    let ends = |bits| [BigInt::ZERO, power(bits) - 1];
    for a0 in ends(255) {
        for a1 in ends(257) {
            for rho in ends(257) {
                let scaled: BigInt = power(257) * &a0 + &m * &a1 - &eight * &rho;
                assert!(scaled > -&eight * power(257), "above -8 L");
                assert!(100 * &scaled < 1123 * l() * power(257), "below 11.23 L");
            }
        }
    }
    // It fits a signed number of 257 bits.
    assert!(eight < power(256) && 1123 * l() < 100 * power(256));
}

/// For a signed 257-bit number v, the bits h from 252 up determine the multiple of L to subtract.
#[test]
fn the_estimate_modulo_l_leaves_one_multiple() {
    let delta = l() - power(252);
    for h in -16..16 {
        for low in [BigInt::ZERO, power(252) - 1] {
            let v = h * power(252) + &low;
            let (x, taken) = match h >= 0 {
                true => (&low - h * &delta, h),
                false => (&low - power(252) - (h + 1) * &delta, h + 1),
            };
            assert_eq!(x, &v - taken * l(), "what is computed is v less a multiple of L");
            assert!(x > -l() && x < l(), "h = {h}");
        }
    }
}

/// The rows are not negative and add up to the product, which is below 2^511. So the sum of their
/// parts from bit 255 up is below 2^256.
#[test]
fn the_fold_fits_its_width() {
    let product: BigInt = (power(255) - 1) * 2 * (power(255) - 1);
    assert!(product < power(511));
    // Both low parts, both times 16 and times 2 cut at bit 255, and both high parts.
    let most: BigInt = 6 * (power(255) - 1) + power(256);
    assert!(most < 8 * power(255) && most < power(258), "positive as a signed number of 259 bits");
    // The two `hi` are below 2^256 together. So their bits from 251 up add up to at most 31, and
    // those from 254 up to at most 3.
    let both: BigInt = power(256) - 1;
    assert!(&both >> 251u32 <= BigInt::from(31) && &both >> 254u32 <= BigInt::from(3));
}

/// t is the sum of the bits from 251 up of both rows and 16 times `tops`.
#[test]
fn the_estimate_modulo_p_leaves_one_multiple() {
    let top = (8 * power(255)) >> 251u32;
    assert_eq!(top, BigInt::from(128));
    for t in 0..=128 + 16 * (31 + 3) {
        let (h, rest) = (t / 16, t % 16);
        let most: BigInt = 2 * (power(251) - 1) + rest * power(251) + 19 * h;
        assert!(h <= 42 && t < 1 << 10 && 19 * h < 1 << 10, "the widths of the RTL");
        assert!(most < 2 * p(), "t = {t}");
        // t 2^251 and the number that is computed from it are the same modulo p.
        assert_eq!((t * power(251) - rest * power(251) - 19 * h) % p(), BigInt::ZERO);
    }
}

/// Product, sum and difference: enough multiples are tried, and the numbers fit.
#[test]
fn the_last_step_tries_enough_multiples() {
    let (x, c): (BigInt, BigInt) = (2 * p() - 1, p() - 1);
    assert!(&x - p() < p(), "product");
    assert!(&c + &x - 2 * p() < p(), "sum");
    assert!(BigInt::ZERO - &x + 2 * p() > BigInt::ZERO && c.clone() < p(), "difference");
    assert!(&c + 2 * p() < power(258), "as signed numbers of 259 bits");
    // Modulo L: x in (-L, L), c below L; sum and difference lie between -L and 2 L.
    let x = l() - 1;
    assert!(&x + &x - l() < l() && l() - &x > BigInt::ZERO);
}

/// The corners of the derivation as numbers: the part cut off the quotient is at its minimum and at
/// its maximum.
#[test]
fn barretts_steps_give_the_remainder_at_their_corners() {
    let modulus = BigUint::from(1u8) << 257u32;
    let t = reciprocal().to_biguint().expect("positive");
    let inverse = t.modinv(&modulus).expect("odd");
    let last = &modulus - 1u8;
    for rho in [BigUint::ZERO, BigUint::from(1u8), &last - 1u8, last.clone()] {
        let a1 = (&rho * &inverse) % &modulus;
        assert_eq!(&a1 * &t % &modulus, rho);
        for a0 in [BigUint::ZERO, (BigUint::from(1u8) << 255u32) - 1u8] {
            let a = (&a1 << 255u32) + &a0;
            let q = &a1 - ((&a1 * &t) >> 257u32);
            let v = BigInt::from(a.clone()) - BigInt::from(q) * 8 * l();
            assert!(v > -8 * l() && 100 * &v < 1123 * l());
            assert_eq!(((v % l()) + l()) % l(), BigInt::from(a % constants::l()));
        }
    }
}
