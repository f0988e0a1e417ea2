//! Compares the simulated core with `ed25519-dalek`: keys, signatures, verdicts, and messages of
//! every length around the hash's blocks.

#[allow(dead_code)] // shared with other tests
mod support;

use ed25519_dalek::{Signer, SigningKey};
use hasten_rtlsim::{BUILT, Ed25519Core};
use support::wycheproof;

/// Returns true if there are simulated cores.
fn has_cores() -> bool {
    hasten_report::is_built(BUILT, "simulated cores", &["rtl"])
}

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + length) as u8).collect()
}

#[test]
fn the_core_makes_the_same_keys_and_signatures() {
    if !has_cores() {
        return;
    }
    let core = Ed25519Core::new().unwrap();
    for (i, length) in [0, 1, 7, 8, 32, 63, 64, 111, 112, 300, 1023].into_iter().enumerate() {
        let seed = [i as u8 + 1; 32];
        let (key, keygen) = core.keygen(&seed);
        let other = SigningKey::from_bytes(&seed);
        assert_eq!(key, other.verifying_key().to_bytes());
        let message = message(length);
        let (signature, sign) = core.sign(&message).unwrap();
        assert_eq!(signature, other.sign(&message).to_bytes(), "{length} bytes");
        let (good, verify) = core.verify(&key, &message, &signature);
        assert!(good && keygen < 1150 && sign > 900 && verify < 3200 + 24 * length as u64 / 8 * 8);
    }
}

/// The core keeps the key that it made, also while it verifies signatures by other keys.
#[test]
fn the_core_signs_with_the_key_that_it_holds() {
    if !has_cores() {
        return;
    }
    let core = Ed25519Core::new().unwrap();
    assert_eq!(core.sign(b"no key yet"), None);
    let (mine, other) = (SigningKey::from_bytes(&[3; 32]), SigningKey::from_bytes(&[4; 32]));
    core.keygen(&[3; 32]);
    let foreign = other.sign(b"message").to_bytes();
    assert!(core.verify(&other.verifying_key().to_bytes(), b"message", &foreign).0);
    assert_eq!(core.sign(b"message").unwrap().0, mine.sign(b"message").to_bytes());
}

#[test]
fn a_changed_byte_is_refused() {
    if !has_cores() {
        return;
    }
    let core = Ed25519Core::new().unwrap();
    let (key, _) = core.keygen(&[9; 32]);
    let message = message(40);
    let (mut signature, _) = core.sign(&message).unwrap();
    for at in [0, 31, 32, 63] {
        signature[at] ^= 1;
        assert!(!core.verify(&key, &message, &signature).0, "byte {at}");
        signature[at] ^= 1;
    }
    assert!(!core.verify(&key, &message[1..], &signature).0);
    assert!(core.verify(&key, &message, &signature).0);
}

/// Signatures that do not have 64 bytes do not fit the core's input. Every other case gets
/// Wycheproof's verdict.
#[test]
fn wycheproofs_cases_get_their_verdicts() {
    if !has_cores() {
        return;
    }
    let core = Ed25519Core::new().unwrap();
    let (mut sent, mut short) = (0, 0);
    for case in wycheproof::verifications() {
        match <[u8; 64]>::try_from(case.signature) {
            Ok(signature) => {
                let (good, _) = core.verify(&case.public, &case.message, &signature);
                assert_eq!(good, case.valid, "case {}", case.id);
                sent += 1;
            }
            Err(_) => {
                assert!(!case.valid, "case {}", case.id);
                short += 1;
            }
        }
    }
    assert_eq!((sent, short), (139, 12));
}

/// Software and gates agree on signatures with points of small order (C2SP's CCTV).
#[test]
fn the_edge_cases_get_their_verdicts() {
    if !has_cores() {
        return;
    }
    let core = Ed25519Core::new().unwrap();
    for case in support::cctv().iter().step_by(9) {
        let part = |i: usize| case.parts[i].0.as_slice();
        let signature = [part(0), part(2)].concat().try_into().unwrap();
        let (good, _) = core.verify(part(1).try_into().unwrap(), part(3), &signature);
        assert_eq!(good, case.ok, "{}", case.name);
    }
}
