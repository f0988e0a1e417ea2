//! The simulated core against `ed25519-dalek`: keys, signatures, verdicts, messages of every length around the hash's blocks.

use ed25519_dalek::{Signer, SigningKey};
use hasten_rtlsim::{BUILT, Ed25519Core};

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + length) as u8).collect()
}

#[test]
fn the_core_makes_the_same_keys_and_signatures() {
    if !BUILT {
        return eprintln!("SKIPPED: built without Verilator");
    }
    let core = Ed25519Core::new().unwrap();
    for (i, length) in [0, 1, 7, 8, 32, 63, 64, 111, 112, 300, 1023].into_iter().enumerate() {
        let seed = [i as u8 + 1; 32];
        let (key, keygen) = core.keygen(&seed);
        let other = SigningKey::from_bytes(&seed);
        assert_eq!(key.public, other.verifying_key().to_bytes());
        let message = message(length);
        let (signature, sign) = core.sign(&key, &message);
        assert_eq!(signature, other.sign(&message).to_bytes(), "{length} bytes");
        let (good, verify) = core.verify(&key.public, &message, &signature);
        assert!(good && keygen < 1150 && sign > 900 && verify < 3200 + 24 * length as u64 / 8 * 8);
    }
}

#[test]
fn a_changed_byte_is_refused() {
    if !BUILT {
        return eprintln!("SKIPPED: built without Verilator");
    }
    let core = Ed25519Core::new().unwrap();
    let (key, _) = core.keygen(&[9; 32]);
    let message = message(40);
    let (mut signature, _) = core.sign(&key, &message);
    for at in [0, 31, 32, 63] {
        signature[at] ^= 1;
        assert!(!core.verify(&key.public, &message, &signature).0, "byte {at}");
        signature[at] ^= 1;
    }
    assert!(!core.verify(&key.public, &message[1..], &signature).0);
    assert!(core.verify(&key.public, &message, &signature).0);
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wycheproof {
    test_groups: Vec<Group>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    public_key: Public,
    tests: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Public {
    pk: String,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    tc_id: u32,
    msg: String,
    sig: String,
    result: String,
}

fn unhex(text: &str) -> Vec<u8> {
    let digit = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(digit).collect()
}

/// Signatures that are not of 64 bytes do not fit the core's input; every other case gets Wycheproof's verdict.
#[test]
fn wycheproofs_cases_get_their_verdicts() {
    if !BUILT {
        return eprintln!("SKIPPED: built without Verilator");
    }
    let file: Wycheproof =
        serde_json::from_str(include_str!("../../../vectors/ed25519/wycheproof.json")).unwrap();
    let core = Ed25519Core::new().unwrap();
    let (mut sent, mut short) = (0, 0);
    for (group, case) in file.test_groups.iter().flat_map(|g| g.tests.iter().map(move |c| (g, c))) {
        let public = unhex(&group.public_key.pk).try_into().unwrap();
        match <[u8; 64]>::try_from(unhex(&case.sig)) {
            Ok(signature) => {
                let (good, _) = core.verify(&public, &unhex(&case.msg), &signature);
                assert_eq!(good, case.result == "valid", "case {}", case.tc_id);
                sent += 1;
            }
            Err(_) => {
                assert_eq!(case.result, "invalid", "case {}", case.tc_id);
                short += 1;
            }
        }
    }
    assert_eq!((sent, short), (139, 12));
}
