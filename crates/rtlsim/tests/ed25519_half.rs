//! Verification with half-size scalars, for k that no hash gives. The exact model gets the digest
//! directly. Key and R have parts of small order, so that the equation holds, or fails only because
//! of such a part.

#[path = "support/scalars.rs"]
#[allow(dead_code)] // shared with the unit's tests
mod scalars;

use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::{EdwardsPoint, Scalar};
use hasten_rtlsim::ed25519::model::{Inputs, Model, Outcome};
use hasten_rtlsim::ed25519::operations::Config;
use num_bigint::BigUint;
use scalars::{corner_scalars, random_scalar};

fn number(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_le(bytes)
}

fn scalar(value: &BigUint) -> Scalar {
    let mut bytes = value.to_bytes_le();
    bytes.resize(32, 0);
    Scalar::from_bytes_mod_order(bytes.try_into().expect("a scalar below L"))
}

/// Returns R, A, S and k. `S B = R + k A` holds except for the parts of small order of R and A,
/// which are multiples of a point of order 8.
fn inputs(i: u64, k: &BigUint, parts: [usize; 2]) -> Inputs {
    let [nonce, key] = [random_scalar(2 * i), random_scalar(2 * i + 1)].map(|n| scalar(&n));
    let point = |scalar: &Scalar, part: usize| {
        number((EdwardsPoint::mul_base(scalar) + EIGHT_TORSION[part]).compress().as_bytes())
    };
    let s = number((nonce + scalar(k) * key).as_bytes());
    Inputs { words: [point(&nonce, parts[0]), point(&key, parts[1]), s], digests: vec![k.clone()] }
}

fn verify(config: Config, inputs: &Inputs) -> Outcome {
    Model::new(config, 2, true).run(&config.program(), "Verify", inputs)
}

#[test]
fn every_k_gives_the_verdict_of_the_equation() {
    let (program, model) = (Config::Half.program(), Model::new(Config::Half, 2, true));
    let mut accepted = 0;
    for (i, k) in corner_scalars().iter().enumerate() {
        let low = usize::from(k.bit(0)) + 2 * usize::from(k.bit(1)) + 4 * usize::from(k.bit(2));
        let key = i * 5 % 8;
        let cancels = (8 - low * key % 8) % 8;
        for r in [cancels, (cancels + 1 + i % 7) % 8] {
            let outcome = model.run(&program, "Verify", &inputs(i as u64, k, [r, key]));
            assert_eq!(!outcome.failed, r == cancels, "k = {k}, parts {r} and {key}");
            accepted += u32::from(!outcome.failed);
        }
    }
    assert!(accepted > 200);
}

/// If no pair is short, u has the digits of k itself, but in groups of three instead of four.
#[test]
fn the_longest_u_takes_about_as_long_as_k() {
    let k = corner_scalars().into_iter().max().expect("some");
    let inputs = inputs(1, &k, [0, 0]);
    let [whole, half] = [Config::Fast, Config::Half].map(|config| verify(config, &inputs));
    assert!(!whole.failed && !half.failed);
    assert_eq!((whole.cycles, half.cycles), (2869, 2913), "the README says so");
}
