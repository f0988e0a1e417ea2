//! LMS and XMSS against NIST's ACVP vectors and others in the same format: key generation,
//! signatures, verification. `vectors/lms/README.md` names their sources.

use crate::source::{from_hex, source_of, vectors};
use hasten_hbs::slhdsa::PreHash;
use hasten_hbs::{
    Error, KeyGeneration, PublicKey, Set, SignerLevel, Verifier, generate, hazmat::Throwaway,
};
use hasten_kernels::Kernels;
use serde_json::Value;
use std::collections::BTreeSet;

fn cases(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(vectors().join(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn hex(case: &Value, key: &str) -> Vec<u8> {
    from_hex(case[key].as_str().unwrap_or_else(|| panic!("{key} of {case}")))
}

fn lms_set(case: &Value) -> &'static Set {
    let [tree, ots] = ["lmsMode", "lmOtsMode"].map(|key| case[key].as_str().unwrap());
    Set::named(&format!("{tree}/{ots}")).unwrap()
}

/// Converts ACVP's key, SEED and I, to our form, I ‖ SEED.
fn lms_key(case: &Value) -> KeyGeneration<'static> {
    let seed = [hex(case, "i"), hex(case, "seed")].concat();
    KeyGeneration::new(lms_set(case), &seed, Kernels::best()).unwrap()
}

fn verdict(key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
    let key = PublicKey::from_lms_bytes(key).unwrap();
    Verifier::new(&key, Kernels::best()).verify(message, signature)
}

/// Returns the SHA-256 of the signature of `message` with one-time key `q`.
fn digest_of_signature(mut signer: hasten_hbs::Signer<'_>, case: &Value) -> Vec<u8> {
    let permit = Throwaway::starting_at(case["q"].as_u64().unwrap()).permit();
    let prepared = signer.prepare(permit, SignerLevel::Masks).unwrap();
    let signature = prepared.finish(&hex(case, "message")).unwrap();
    PreHash::Sha256.digest(&Kernels::best(), signature.as_bytes()).unwrap()
}

#[test]
fn nist_lms() {
    let mut kinds = BTreeSet::new();
    for case in cases("lms/acvp.json") {
        let (key, file) = (hex(&case, "publicKey"), case["file"].as_str().unwrap());
        assert_eq!(PublicKey::from_lms_bytes(&key).unwrap().set(), lms_set(&case));
        let passed = case["testPassed"].as_bool().unwrap_or(true);
        kinds.insert((file.to_owned(), lms_set(&case).name, passed));
        if file.starts_with("LMS-keyGen") {
            let signer = lms_key(&case).run(2, &mut |_| core::ops::ControlFlow::Continue(()));
            assert_eq!(signer.unwrap().public_key().as_bytes(), key, "{}", case["tcId"]);
            continue;
        }
        let verdict = verdict(&key, &hex(&case, "message"), &hex(&case, "signature"));
        assert_eq!(verdict.is_ok(), passed, "{file} {}", case["tcId"]);
    }
    // Five files with two sets each; the sigVer files have both verdicts for each set.
    assert_eq!(kinds.len(), 14, "{kinds:?}");
}

/// One valid signature for each combination of tree and one-time key.
#[test]
fn nist_lms_signatures_of_every_set() {
    let folder = source_of("acvp", "oxicrypt-lms").join("tests/data");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix("_sigver_pk.bin").map(str::to_owned))
        .filter(|name| !name.ends_with("nist"))
        .collect();
    names.sort();
    let mut sets = BTreeSet::new();
    for name in names {
        let part = |part: &str| read(&format!("{name}_sigver_{part}.bin"));
        let (key, mut message, signature) = (part("pk"), part("msg"), part("sig"));
        sets.insert(PublicKey::from_lms_bytes(&key).unwrap().set().name);
        assert_eq!(verdict(&key, &message, &signature), Ok(()), "{name}");
        message[0] ^= 1;
        assert_eq!(verdict(&key, &message, &signature), Err(Error::BadSignature), "{name}");
    }
    assert_eq!(sets.len(), 80);
}

#[test]
fn lms_keys_and_signatures_byte_for_byte() {
    let mut kinds = BTreeSet::new();
    for case in cases("lms/pqc-kat.json") {
        let signer = lms_key(&case).run(2, &mut |_| core::ops::ControlFlow::Continue(())).unwrap();
        let (set, kind) = (lms_set(&case).name, case["kind"].as_str().unwrap());
        assert_eq!(signer.public_key().as_bytes(), hex(&case, "publicKey"), "{set}");
        kinds.insert((kind == "sigGen", set));
        if kind == "sigGen" {
            let expected = hex(&case, "signatureSha256");
            assert_eq!(digest_of_signature(signer, &case), expected, "{set}");
        }
    }
    // h = 5 with every w, h = 10 with w up to 4; two hash functions, two n.
    assert_eq!(kinds.len(), 2 * 4 * (4 + 3));
}

#[test]
fn xmss_keys_and_signatures_byte_for_byte() {
    let all = cases("xmss/pqc-kat.json");
    assert_eq!(all.len(), 8);
    for case in all {
        let oid = (case["OID"].as_u64().unwrap() as u32).to_be_bytes();
        let seed = hex(&case, "seed");
        let public = match case["kind"].as_str() {
            // One file leaves the OID out of its keys.
            Some("keyGen") => hex(&case, "publicKey"),
            _ => [hex(&case, "root"), seed[seed.len() / 3 * 2..].to_vec()].concat(),
        };
        let public = public.strip_prefix(&oid).unwrap_or(&public);
        let key = PublicKey::from_xmss_bytes(&[&oid, public].concat()).unwrap();
        let signer = generate(key.set(), &seed, Kernels::best()).unwrap();
        assert_eq!(*signer.public_key(), key, "{}", key.set().name);
        if case["kind"] == "sigGen" {
            let expected = hex(&case, "signatureSha256");
            assert_eq!(digest_of_signature(signer, &case), expected, "{}", key.set().name);
        }
    }
}
