//! Scalars for tests of the half-size scalars.

use hasten_rtlsim::ed25519::constants::l;
use hasten_rtlsim::ed25519::halve::{HALF_BITS, halve};
use hasten_rtlsim::ed25519::operations::NAF_DIGITS;
use num_bigint::BigUint;
use sha2::{Digest, Sha512};

/// Returns a scalar below L that is derived from a number.
pub fn random_scalar(i: u64) -> BigUint {
    let digest = Sha512::new().chain_update(b"scalar").chain_update(i.to_le_bytes()).finalize();
    BigUint::from_bytes_le(&digest) % l()
}

/// Returns extreme scalars for Euclid's algorithm: 0 and its neighbours, powers of two, the last
/// ones below L, fractions of 8L, and golden ones, whose quotients are all one. For some of the
/// fractions, only pairs with an even v are short.
pub fn corner_scalars() -> Vec<BigUint> {
    let (l, one) = (l(), BigUint::from(1u8));
    let eight = &l * 8u8;
    let small = (0u32..10).map(BigUint::from);
    let powers = (4u32..253).step_by(3).map(|bits| &one << bits);
    let last = (1u32..10).map(|less| &l - less);
    let parts = (9u32..60).flat_map(|by| [&eight / by, &eight / by + 1u8]);
    // 8L / (q + 1/phi), with 1/phi as a fraction of 2^300.
    let unit = &one << 300u32;
    let golden = ((&unit * &unit * 5u8).sqrt() - &unit) / 2u8;
    let ones = (8u32..20).map(|q| (&eight << 300u32) / (&unit * q + &golden));
    let all = small.chain(powers).chain(last).chain(parts).chain(ones);
    all.filter(|k| *k < l).collect()
}

/// Returns the cases of the bench of `ed25519_halve`, one per line: the corners, and random
/// scalars, whose cycles are measured.
pub fn lines(count: u64) -> impl Iterator<Item = String> {
    let random = (0..count).map(|i| line("timed", &random_scalar(i)));
    corner_scalars().into_iter().map(|k| line("corner", &k)).chain(random)
}

/// Returns a line: name, k, the pair as the packed struct, and the cycles.
fn line(name: &str, k: &BigUint) -> String {
    let pair = halve(k);
    let u = pair.u << (NAF_DIGITS - 1 - HALF_BITS - pair.more);
    let packed = ((u << HALF_BITS | pair.v) << 8u32 | BigUint::from(pair.more)) << 1u32;
    let packed = packed | BigUint::from(u8::from(pair.negative));
    format!("{name} {k:x} {packed:x} {}", pair.cycles)
}
