//! Replays `vectors/conformance`: verdicts, and signatures made from the seeds, byte for byte.

#[path = "common/source.rs"]
#[allow(dead_code)] // other tests read the sources of crates
mod source;

use hasten_hbs::params::{Scheme, TOYS};
use hasten_hbs::slhdsa::{self, Context, LimitedGeneration};
use hasten_hbs::{Error, PublicKey, Set, SignerLevel, Verifier, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use serde_json::Value;
use source::{from_hex, vectors};
use std::ops::ControlFlow;

fn groups(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(vectors().join("conformance").join(name)).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["schema"], "hasten.conformance/1");
    file["groups"].as_array().unwrap().clone()
}

fn hex(value: &Value) -> Vec<u8> {
    from_hex(value.as_str().unwrap())
}

fn list<'v>(group: &'v Value, key: &str) -> &'v Vec<Value> {
    group[key].as_array().unwrap()
}

/// Returns the set of a group. `HSS(A)` means HSS with one level, not the single tree A.
fn set(group: &Value) -> &'static Set {
    let name = group["alg"].as_str().unwrap();
    if let Some(toy) = TOYS.iter().find(|set| set.name == name) {
        return toy;
    }
    let set = Set::named(name).unwrap();
    if name.starts_with("HSS(") { Set::hss(&set.levels()).unwrap() } else { set }
}

fn read(set: &Set, key: &[u8]) -> Result<PublicKey, Error> {
    match set.scheme {
        Scheme::Lms { .. } => PublicKey::from_lms_bytes(key),
        Scheme::Hss { .. } => PublicKey::from_hss_bytes(key),
        Scheme::XmssMt => PublicKey::from_xmssmt_bytes(key),
        _ => PublicKey::from_xmss_bytes(key),
    }
}

/// Returns the signature with one change.
fn edited(signature: &[u8], edit: &Value) -> Vec<u8> {
    let mut signature = signature.to_vec();
    if let Some(length) = edit["length"].as_u64() {
        signature.resize(length as usize, 0);
        return signature;
    }
    let at = edit["at"].as_u64().unwrap() as usize;
    signature[at..].iter_mut().zip(hex(&edit["xor"])).for_each(|(byte, xor)| *byte ^= xor);
    signature
}

fn stateful(group: &Value) {
    let (set, key) = (set(group), hex(&group["publicKey"]));
    let verifier = Verifier::new(&read(set, &key).unwrap(), Kernels::best());
    let mut signer = generate(set, &hex(&group["seed"]), Kernels::best()).unwrap();
    assert_eq!(signer.public_key().as_bytes(), key, "{}", set.name);
    for case in list(group, "cases") {
        let (message, signature) = (hex(&case["message"]), hex(&case["signature"]));
        verifier.verify(&message, &signature).expect(set.name);
        let permit = Throwaway::starting_at(case["index"].as_u64().unwrap()).permit();
        let ours = signer.prepare(permit, SignerLevel::Masks).unwrap().finish(&message).unwrap();
        assert!(ours.as_bytes() == signature, "{} {}", set.name, case["index"]);
    }
    let past = Throwaway::starting_at(group["capacity"].as_u64().unwrap()).permit();
    let past = signer.prepare(past, SignerLevel::None).err();
    assert_eq!(past, Some(Error::Exhausted), "{}", set.name);
    let first = &list(group, "cases")[0];
    for edit in list(group, "edits") {
        let bad = edited(&hex(&first["signature"]), edit);
        let verdict = verifier.verify(&hex(&first["message"]), &bad);
        assert_eq!(verdict, Err(Error::BadSignature), "{} {edit}", set.name);
    }
    for bad in list(group, "badKeys") {
        assert_eq!(read(set, &hex(&bad["key"])).err(), Some(Error::BadKey), "{} {bad}", set.name);
    }
}

fn stateless(group: &Value) {
    let (set, key) = (set(group), hex(&group["publicKey"]));
    let signing = slhdsa::SigningKey::from_seed(&Kernels::best(), set, &hex(&group["seed"]));
    let signing = signing.unwrap();
    assert_eq!(signing.verifying_key().as_bytes(), key);
    let case = &list(group, "cases")[0];
    let [message, signature, context] =
        ["message", "signature", "context"].map(|name| hex(&case[name]));
    let context = Context::new(&context).unwrap();
    assert!(signing.sign(context, &message, None).unwrap().as_bytes() == signature);
    verdicts(group);
}

/// Generates the key and the signature of a toy set again. For a real set, this would take minutes.
fn limited(group: &Value) {
    let (set, case) = (set(group), &list(group, "cases")[0]);
    assert_eq!(group["capacity"], set.capacity());
    if set.h < 10 {
        let seed = hex(&group["seed"]);
        let mut generation = LimitedGeneration::new(set, &seed, Kernels::best()).unwrap();
        let signer = generation.run(1, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(signer.verifying_key().as_bytes(), hex(&group["publicKey"]));
        let message = hex(&case["message"]);
        let ours = signer.sign_uncounted_beyond_any_limit(Context::EMPTY, &message, None, 1);
        assert!(ours.unwrap().as_bytes() == hex(&case["signature"]));
    }
    verdicts(group);
}

/// Asserts that the signature verifies and that no changed one does.
fn verdicts(group: &Value) {
    let (set, key) = (set(group), hex(&group["publicKey"]));
    let verifying = slhdsa::VerifyingKey::from_bytes(&Kernels::best(), set, &key).unwrap();
    let case = &list(group, "cases")[0];
    let [message, signature, context] =
        ["message", "signature", "context"].map(|name| hex(&case[name]));
    let other = if context.is_empty() { &b"other"[..] } else { b"" };
    let [context, other] = [&context, other].map(|bytes| Context::new(bytes).unwrap());
    verifying.verify(context, &message, &signature).unwrap();
    assert!(verifying.verify(other, &message, &signature).is_err());
    for edit in list(group, "edits") {
        let verdict = verifying.verify(context, &message, &edited(&signature, edit));
        assert_eq!(verdict, Err(Error::BadSignature), "{} {edit}", set.name);
    }
    for bad in list(group, "badKeys") {
        let read = slhdsa::VerifyingKey::from_bytes(&Kernels::best(), set, &hex(&bad["key"]));
        assert_eq!(read.err(), Some(Error::BadKey), "{} {bad}", set.name);
    }
}

#[test]
fn lms() {
    let all = groups("lms.json");
    assert_eq!(all.len(), 32);
    all.iter().for_each(stateful);
}

#[test]
fn hss_of_one_to_eight_levels() {
    let all = groups("hss.json");
    assert_eq!(all.len(), 7);
    all.iter().for_each(stateful);
}

#[test]
fn xmss() {
    let all = groups("xmss.json");
    assert_eq!(all.len(), 7);
    all.iter().for_each(stateful);
}

#[test]
fn xmssmt() {
    let all = groups("xmssmt.json");
    assert_eq!(all.len(), 17);
    all.iter().for_each(stateful);
}

#[test]
fn slh_dsa() {
    let all = groups("slh-dsa.json");
    assert_eq!(all.len(), 12);
    all.iter().for_each(stateless);
}

#[test]
fn slh_dsa_for_a_limited_number_of_signatures() {
    let all = groups("slh-dsa-limited.json");
    assert_eq!(all.len(), 9, "three toys, and the six sets of the draft");
    all.iter().for_each(limited);
}
