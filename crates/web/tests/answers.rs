//! Questions of the page and their answers, including invalid questions.

use hasten_web::{State, answer};
use serde_json::{Value, json};

fn ask(state: &mut State, ask: Value, files: &[&[u8]]) -> Value {
    let lengths: Vec<usize> = files.iter().map(|file| file.len()).collect();
    let mut question = json!({ "ask": ask, "files": lengths }).to_string().into_bytes();
    question.push(b'\n');
    files.iter().for_each(|file| question.extend_from_slice(file));
    serde_json::from_slice(&answer(state, &question)).expect("JSON")
}

fn error(answer: &Value) -> &str {
    answer["error"].as_str().unwrap_or_else(|| panic!("no error: {answer}"))
}

#[test]
fn questions_that_make_no_sense_get_a_sentence() {
    let state = &mut State::default();
    for question in [
        &b""[..],
        b"\xff\xfe",
        b"{}",
        b"{\"ask\":{\"nothing\":{}}}",
        b"{\"ask\":{\"inspect\":{}},\"files\":[1000000000000]}\nshort",
        b"{\"ask\":{\"inspect\":{}}}\n",
        b"{\"ask\":{\"choices\":{}},\"files\":[1]}\nx",
    ] {
        let answer: Value = serde_json::from_slice(&answer(state, question)).expect("JSON");
        assert!(!error(&answer).is_empty(), "{question:?}");
    }
    let study = json!({ "machines": ["gpu"] });
    assert!(error(&ask(state, json!({ "explore": study }), &[])).contains("gpu"));
    let study = json!({ "workload": { "alg": ["XMSS"] } });
    assert!(error(&ask(state, json!({ "explore": study }), &[])).contains("XMSS"));
}

#[test]
fn a_study_is_answered_alike_with_recordings_and_without() {
    let study = json!({
        "workload": { "alg": ["LMS_SHA256_M24_H10_W4"], "message": 100, "budget": "100us" },
        "machines": ["cpu", "4@100ns"], "links": { "rates": ["1Gbit"] }
    });
    let (made, kept) = (&mut State::default(), &mut State::default());
    let record = json!({ "record": { "alg": "LMS_SHA256_M24_H10_W4" } });
    let lengths = json!({ "ask": record }).to_string();
    let text = answer(kept, lengths.as_bytes());
    assert_eq!(ask(kept, json!({ "keep": {} }), &[&text])["lines"], 20);
    let [first, second] = [made, kept].map(|state| ask(state, json!({ "explore": study }), &[]));
    assert_eq!(first["rows"], second["rows"]);
    assert!(first["rows"].as_array().is_some_and(|rows| rows.len() > 20));
    let command = "hasten explore --budget 100us --message 100 --link 1Gbit --machine cpu \
                   --machine 4@100ns --alg LMS_SHA256_M24_H10_W4";
    assert_eq!(first["command"], command);
}

fn story(witness: bool, acts: Value) -> Value {
    let told =
        ask(&mut State::default(), json!({ "store": { "acts": acts, "witness": witness } }), &[]);
    assert!(told["told"].is_array(), "{told}");
    told
}

fn whats(story: &Value) -> Vec<&str> {
    let told = story["told"].as_array().expect("acts").iter();
    told.map(|told| told["what"].as_str().expect("a word")).collect()
}

const SIGN: fn() -> Value = || json!({ "sign": { "clone": false } });

/// After a power cut at any call of a signature, the next signature uses another index.
#[test]
fn no_crash_makes_an_index_sign_twice() {
    for at in 0..60 {
        let told = story(false, json!([SIGN(), { "crash": { "at": at } }, SIGN(), SIGN()]));
        assert_eq!(whats(&told), ["done", "cut", "done", "done"], "{at}: {told}");
    }
}

#[test]
fn an_old_copy_is_refused_and_recovered_from() {
    let acts = json!([
        SIGN(), { "backup": {} }, SIGN(), { "restore": {} }, SIGN(), { "recover": { "burn": 8 } }, SIGN()
    ]);
    let told = story(false, acts);
    let want = ["done", "done", "done", "done", "refused", "done", "done"];
    assert_eq!(whats(&told), want, "{told}");
    assert_eq!(told["disk"]["status"]["burned"].as_u64().map(|burned| burned >= 8), Some(true));
}

/// A cloned machine cannot detect by itself that it is a clone; an external witness can.
#[test]
fn a_clone_signs_twice_unless_a_witness_is_asked() {
    let acts = json!([SIGN(), { "clone": {} }, SIGN(), { "sign": { "clone": true } }]);
    assert_eq!(whats(&story(false, acts.clone())), ["done", "done", "done", "twice"]);
    assert_eq!(whats(&story(true, acts)), ["done", "done", "done", "refused"]);
}

/// The published conformance cases: their signatures are good, and changed ones are not.
#[test]
fn conformance_cases_get_their_verdicts() {
    let state = &mut State::default();
    for name in ["lms", "hss", "xmss", "xmssmt"] {
        let path = format!("{}/../../vectors/conformance/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("cases");
        let cases: Value = serde_json::from_str(&text).expect("JSON");
        for group in cases["groups"].as_array().expect("groups") {
            let count = group["cases"].as_array().expect("cases").iter();
            let checked = count.filter(|case| verdict(state, group, case)).count();
            assert!(checked > 0, "{}", group["alg"]);
            bad_keys(state, group);
        }
    }
}

/// Checks a case: its signature is good, but not if the signature or the message is changed.
/// Returns true if the case passes.
fn verdict(state: &mut State, group: &Value, case: &Value) -> bool {
    let bytes = |value: &Value| hex(value.as_str().expect("text"));
    let (key, message, signature) =
        (bytes(&group["publicKey"]), bytes(&case["message"]), bytes(&case["signature"]));
    let alg = group["alg"].as_str().expect("a name");
    let verify = json!({ "verify": { "alg": alg } });
    let said = ask(state, verify.clone(), &[&key, &message, &signature]);
    assert_eq!(said["good"], true, "{alg}: {said}");
    let mut changed = signature.clone();
    changed[signature.len() / 2] ^= 1;
    assert_eq!(ask(state, verify.clone(), &[&key, &message, &changed])["good"], false, "{alg}");
    let other = [&message[..], b"."].concat();
    assert_eq!(ask(state, verify, &[&key, &other, &signature])["good"], false, "{alg}");
    let readings = ask(state, json!({ "inspect": {} }), &[&key]);
    let named = |reading: &Value| reading["alg"] == alg || reading["alg"] == "HSS";
    assert!(readings["readings"].as_array().is_some_and(|all| all.iter().any(named)), "{readings}");
    true
}

fn bad_keys(state: &mut State, group: &Value) {
    for bad in group["badKeys"].as_array().expect("keys") {
        let key = hex(bad["key"].as_str().expect("text"));
        let verify = json!({ "verify": { "alg": group["alg"] } });
        let said = ask(state, verify, &[&key, b"message", b"signature"]);
        assert!(said["good"] != true, "{}: {}", group["alg"], bad["what"]);
    }
}

fn hex(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(byte).collect()
}
