//! Signatures whose key and R have parts of small order. An equation without cofactor accepts them
//! if the parts cancel.

use super::{Case, equation, hash, seed, verify};
use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::{EdwardsPoint, Scalar};

/// Returns cases for each part of small order except the neutral element, added to a real key and
/// to the neutral element as the key. In one case R's part and k times the key's part cancel; in
/// another they do not.
pub fn torsion() -> Vec<Case> {
    let keys = [Scalar::ZERO, Scalar::from_bytes_mod_order(seed("torsion", 0))];
    let parts = (1..8).flat_map(|part| keys.map(|key| (key, part)));
    parts.flat_map(|(key, part)| [true, false].map(|ok| cancelling(&key, part, ok))).collect()
}

/// Returns the case of the first message for which the equation holds, or fails if `ok` is false.
fn cancelling(key: &Scalar, part: usize, ok: bool) -> Case {
    let mut cases = (0u64..).map(|message| signed(key, part, &message.to_le_bytes()));
    cases.find(|(_, holds)| *holds == ok).expect("one k in eight does").0
}

/// Returns the case, and whether its equation holds.
fn signed(key: &Scalar, part: usize, message: &[u8]) -> (Case, bool) {
    let nonce = Scalar::from_bytes_mod_order(seed("torsion", 1));
    let encode = |scalar: &Scalar, part: usize| {
        (EdwardsPoint::mul_base(scalar) + EIGHT_TORSION[part]).compress().to_bytes()
    };
    let (public, r) = (encode(key, part), encode(&nonce, 8 - part));
    let k = Scalar::from_bytes_mod_order_wide(&hash(&[&r, &public, message]));
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&r);
    signature[32..].copy_from_slice(&(nonce + k * key).to_bytes());
    let case = verify(&format!("torsion-{part}"), &public, message, &signature);
    (case, equation(&public, message, &signature))
}
