//! SLH-DSA against NIST's ACVP vectors: those in the crate `slh-dsa`, which use only the internal
//! interface, and a selection of later ones, listed in `vectors/slh-dsa/README.md`.

use crate::fast;
use crate::source::{from_hex, source_of, vectors};
use hasten_hbs::slhdsa::{Context, PreHash, SigningKey, VerifyingKey};
use hasten_hbs::{Error, Set};
use hasten_kernels::Kernels;
use serde_json::Value;
use std::collections::BTreeSet;

fn hex(value: &Value) -> Vec<u8> {
    from_hex(value.as_str().unwrap())
}

/// Runs the first `most` cases of every group of one ACVP file.
fn acvp(kind: &str, most: usize, case: impl Fn(&'static Set, &Value)) {
    let path = format!("tests/acvp/SLH-DSA-{kind}-FIPS205/internalProjection.json");
    let text = std::fs::read_to_string(source_of("acvp", "slh-dsa").join(path)).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    for group in file["testGroups"].as_array().unwrap() {
        let set = Set::named(group["parameterSet"].as_str().unwrap()).unwrap();
        let most = if fast(set) || kind != "sigGen" { most } else { 1 };
        group["tests"].as_array().unwrap().iter().take(most).for_each(|test| case(set, test));
    }
}

#[test]
fn acvp_key_generation() {
    acvp("keyGen", 10, |set, test| {
        let seed = ["skSeed", "skPrf", "pkSeed"].map(|part| hex(&test[part])).concat();
        let key = SigningKey::from_seed(&Kernels::best(), set, &seed).unwrap();
        assert_eq!(*key.to_bytes(), hex(&test["sk"]));
        assert_eq!(key.verifying_key().as_bytes(), hex(&test["pk"]));
    });
}

#[test]
fn acvp_signatures() {
    acvp("sigGen", 10, |set, test| {
        let key = SigningKey::from_bytes(&Kernels::best(), set, &hex(&test["sk"])).unwrap();
        let randomness = test.get("additionalRandomness").map(hex);
        let message = hex(&test["message"]);
        let signature = key.sign_internal(&[&message], randomness.as_deref()).unwrap();
        assert!(signature.as_bytes() == hex(&test["signature"]), "{} {}", set.name, test["tcId"]);
    });
}

#[test]
fn acvp_verification() {
    acvp("sigVer", 9, |set, test| {
        let key = VerifyingKey::from_bytes(&Kernels::best(), set, &hex(&test["pk"])).unwrap();
        let verdict = key.verify_internal(&[&hex(&test["message"])], &hex(&test["signature"]));
        assert_eq!(verdict.is_ok(), test["testPassed"].as_bool().unwrap(), "{}", test["tcId"]);
    });
}

fn selection(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(vectors().join("slh-dsa").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The form of a case: the interface, and the pre-hash function if there is one.
enum Form {
    Internal,
    Pure,
    PreHash(PreHash),
}

fn form(case: &Value) -> Form {
    match (case["signatureInterface"].as_str(), case["preHash"].as_str()) {
        (Some("internal"), None) => Form::Internal,
        (Some("external"), Some("pure")) => Form::Pure,
        (Some("external"), Some("preHash")) => {
            Form::PreHash(function(case["hashAlg"].as_str().unwrap()))
        }
        other => panic!("{other:?}"),
    }
}

fn function(name: &str) -> PreHash {
    match name {
        "SHA2-224" => PreHash::Sha224,
        "SHA2-256" => PreHash::Sha256,
        "SHA2-384" => PreHash::Sha384,
        "SHA2-512" => PreHash::Sha512,
        "SHA2-512/224" => PreHash::Sha512_224,
        "SHA2-512/256" => PreHash::Sha512_256,
        "SHA3-224" => PreHash::Sha3_224,
        "SHA3-256" => PreHash::Sha3_256,
        "SHA3-384" => PreHash::Sha3_384,
        "SHA3-512" => PreHash::Sha3_512,
        "SHAKE-128" => PreHash::Shake128,
        "SHAKE-256" => PreHash::Shake256,
        other => panic!("{other}"),
    }
}

fn context(case: &Value) -> Vec<u8> {
    case.get("context").map(hex).unwrap_or_default()
}

fn sign(key: &SigningKey<'_>, case: &Value) -> Vec<u8> {
    let (message, context) = (hex(&case["message"]), context(case));
    let (context, random) =
        (Context::new(&context).unwrap(), case.get("additionalRandomness").map(hex));
    match form(case) {
        Form::Internal => key.sign_internal(&[&message], random.as_deref()),
        Form::Pure => key.sign(context, &message, random.as_deref()),
        Form::PreHash(function) => {
            let digest = function.digest(&Kernels::best(), &message).unwrap();
            key.sign_prehashed_weakly(context, function, &digest, random.as_deref())
        }
    }
    .unwrap()
    .into_bytes()
}

fn verify(key: &VerifyingKey<'_>, case: &Value, signature: &[u8]) -> Result<(), Error> {
    let (message, context) = (hex(&case["message"]), context(case));
    let context = Context::new(&context).unwrap();
    match form(case) {
        Form::Internal => key.verify_internal(&[&message], signature),
        Form::Pure => key.verify(context, &message, signature),
        Form::PreHash(function) => {
            let digest = function.digest(&Kernels::best(), &message).unwrap();
            key.verify_prehashed_weakly(context, function, &digest, signature)
        }
    }
}

/// Returns the set of a case, its form without the function, and whether it is hedged.
fn kind(case: &Value) -> (String, String, bool) {
    let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
    let form = text("signatureInterface") + &text("preHash");
    (text("parameterSet"), form, case.get("additionalRandomness").is_some())
}

#[test]
fn acvp_signatures_of_every_form() {
    let (mut kinds, mut functions) = (BTreeSet::new(), BTreeSet::new());
    for case in selection("acvp-sigGen.json") {
        let set = Set::named(case["parameterSet"].as_str().unwrap()).unwrap();
        let key = SigningKey::from_bytes(&Kernels::best(), set, &hex(&case["sk"])).unwrap();
        let signature = sign(&key, &case);
        let digest = PreHash::Sha256.digest(&Kernels::best(), &signature).unwrap();
        assert_eq!(digest, hex(&case["signatureSha256"]), "{} {}", set.name, case["tcId"]);
        assert_eq!(verify(key.verifying_key(), &case, &signature), Ok(()));
        kinds.insert(kind(&case));
        functions.extend(case.get("hashAlg").map(|name| name.as_str().unwrap().to_owned()));
    }
    // Twelve sets; pure, pre-hash, internal; deterministic and hedged.
    assert_eq!((kinds.len(), functions.len()), (12 * 3 * 2, 12));
}

#[test]
fn acvp_verification_of_both_external_forms() {
    let mut verdicts = BTreeSet::new();
    for case in selection("acvp-sigVer.json") {
        let set = Set::named(case["parameterSet"].as_str().unwrap()).unwrap();
        let key = VerifyingKey::from_bytes(&Kernels::best(), set, &hex(&case["pk"])).unwrap();
        let passed = case["testPassed"].as_bool().unwrap();
        let verdict = verify(&key, &case, &hex(&case["signature"]));
        assert_eq!(verdict.is_ok(), passed, "{} {}", set.name, case["tcId"]);
        verdicts.insert((kind(&case), passed));
    }
    assert_eq!(verdicts.len(), 2 * 2 * 2);
}
