//! Operations on the core with their expected results, from `ed25519-dalek` and SHA-512 of `sha2`.

mod cctv;
mod torsion;
pub mod wycheproof;

use std::fmt::Write as _;

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use hasten_rtlsim::ed25519::constants;
use num_bigint::BigUint;
use sha2::{Digest, Sha512};

/// An operation: its input words with byte counts and message ends, and its outcome.
#[derive(Clone, Debug)]
pub struct Case {
    /// Operation: 0 key generation, 1 signing, 2 verification.
    pub op: u8,
    /// Name of the case.
    pub name: String,
    /// Seed of the key that is made, or that signs.
    pub seed: Option<[u8; 32]>,
    /// Parts of the input, each with true for a message.
    pub parts: Vec<(Vec<u8>, bool)>,
    /// Expected output bytes.
    pub out: Vec<u8>,
    /// Expected response.
    pub ok: bool,
}

/// Returns SHA-512 of the concatenated parts.
pub fn hash(parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = Sha512::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

/// Returns 32 bytes that are derived from a label and a number.
pub fn seed(label: &str, i: u64) -> [u8; 32] {
    let digest = hash(&[label.as_bytes(), &i.to_le_bytes()]);
    digest[..32].try_into().expect("half of a digest")
}

/// Returns the expanded key: the scalar s and the prefix.
pub fn expand(seed: &[u8; 32]) -> ([u8; 32], [u8; 32]) {
    let digest = hash(&[seed]);
    let mut s: [u8; 32] = digest[..32].try_into().expect("half of a digest");
    s[0] &= 248;
    s[31] = s[31] & 63 | 64;
    (s, digest[32..].try_into().expect("half of a digest"))
}

/// Returns a case that makes a key.
pub fn keygen(name: &str, secret: &[u8; 32]) -> Case {
    let public = SigningKey::from_bytes(secret).verifying_key().to_bytes();
    Case {
        op: 0,
        name: name.into(),
        seed: Some(*secret),
        parts: Vec::new(),
        out: public.to_vec(),
        ok: true,
    }
}

/// Returns a case that signs. The second reading of the message gets `again`.
pub fn sign(name: &str, secret: &[u8; 32], message: &[u8], again: &[u8]) -> Case {
    let signature = SigningKey::from_bytes(secret).sign(message).to_bytes();
    let ok = message == again;
    Case {
        op: 1,
        name: name.into(),
        seed: Some(*secret),
        parts: [message, again].map(|part| (part.to_vec(), true)).into(),
        out: signature[..if ok { 64 } else { 32 }].to_vec(),
        ok,
    }
}

/// The prime p: the smallest number that is not the canonical encoding of a y.
const P: [u8; 32] = {
    let mut p = [0xff; 32];
    p[0] = 0xed;
    p[31] = 0x7f;
    p
};

/// Returns true if a point is encoded as RFC 8032, Section 5.1.3 (Decoding) requires: y is below p,
/// and x = 0 (y = 1 or y = -1) has no sign.
pub fn canonical(point: &[u8; 32]) -> bool {
    let mut y = *point;
    y[31] &= 0x7f;
    let below = y.iter().rev().lt(P.iter().rev());
    let mut minus_one = P;
    minus_one[0] -= 1;
    let mut one = [0; 32];
    one[0] = 1;
    let signed_zero = point[31] > 0x7f && (y == one || y == minus_one);
    below && !signed_zero
}

/// Returns true if y is that of a point whose order divides eight.
#[allow(dead_code)] // not every program that shares this file asks
pub fn small_order(point: &[u8; 32]) -> bool {
    let mut y = *point;
    y[31] &= 0x7f;
    constants::small_orders().contains(&BigUint::from_bytes_le(&y))
}

/// Returns true if the key or R is of small order, which the point unit does not check.
#[allow(dead_code)] // not every program that shares this file asks
pub fn weak(case: &Case) -> bool {
    let small = |i: usize| small_order(case.parts[i].0.as_slice().try_into().expect("a point"));
    case.op == 2 && (small(0) || small(1))
}

/// Returns true if the equation without cofactor holds and the encodings are canonical.
pub fn equation(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let Ok(key) = VerifyingKey::from_bytes(public) else { return false };
    let r: &[u8; 32] = signature[..32].try_into().expect("half of a signature");
    let valid = key.verify(message, &Signature::from_bytes(signature)).is_ok();
    valid && canonical(public) && canonical(r)
}

/// Returns the verdict that the core must give. A signature is good if the equation without
/// cofactor holds and no point is of small order, as in `verify_strict` of `ed25519-dalek`, and if
/// all encodings are canonical.
pub fn verdict(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let strict = VerifyingKey::from_bytes(public)
        .is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok());
    strict && equation(public, message, signature)
}

/// Returns a case that verifies.
pub fn verify(name: &str, public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Case {
    let plain = |part: &[u8]| (part.to_vec(), false);
    Case {
        op: 2,
        name: name.into(),
        seed: None,
        parts: vec![
            plain(&signature[..32]),
            plain(public),
            plain(&signature[32..]),
            (message.to_vec(), true),
        ],
        out: Vec::new(),
        ok: verdict(public, message, signature),
    }
}

/// Returns cases of one key: making it, signing and verifying with it, and changed inputs that must
/// be refused.
pub fn family(i: u64, length: usize) -> Vec<Case> {
    let secret = seed("key", i);
    let message: Vec<u8> =
        (0..length).map(|j| seed("message", i)[j % 32] ^ (j / 32) as u8).collect();
    let key = SigningKey::from_bytes(&secret);
    let public = key.verifying_key().to_bytes();
    let signature = key.sign(&message).to_bytes();
    let timed = if length == 32 { "timed" } else { "random" };
    let mut cases = vec![
        keygen(timed, &secret),
        sign(timed, &secret, &message, &message),
        verify(timed, &public, &message, &signature),
    ];
    let mut wrong = signature;
    wrong[(i as usize * 11) % 64] ^= 1 << (i % 8);
    cases.push(verify("changed-signature", &public, &message, &wrong));
    let mut other = public;
    other[i as usize % 32] ^= 4;
    cases.push(verify("changed-key", &other, &message, &signature));
    if length > 0 {
        let mut again = message.clone();
        again[i as usize % length] ^= 1;
        cases.push(sign("changed-between-passes", &secret, &message, &again));
    }
    cases
}

impl Case {
    /// Returns the case as a line for the bench: op, verdict, name, input words as
    /// `data:bytes:last`, `=` and output words. If the case has a seed, `key` and the seed follow;
    /// if it makes a key, `s` and the scalar follow too.
    pub fn line(&self) -> String {
        let mut line = format!("{} {} {}", self.op, u8::from(self.ok), self.name);
        for (part, message) in &self.parts {
            words(&mut line, part, *message);
        }
        line += " =";
        plain_words(&mut line, &self.out);
        if let Some(seed) = &self.seed {
            line += " key";
            plain_words(&mut line, seed);
            if self.op == 0 {
                line += " s";
                plain_words(&mut line, &expand(seed).0);
            }
        }
        line
    }
}

fn plain_words(line: &mut String, bytes: &[u8]) {
    for word in bytes.chunks(8) {
        let word = u64::from_le_bytes(word.try_into().expect("whole words"));
        write!(line, " {word:x}").expect("writing to a string");
    }
}

fn words(line: &mut String, part: &[u8], message: bool) {
    let count = part.len().div_ceil(8).max(1);
    for i in 0..count {
        let bytes = &part[(8 * i).min(part.len())..(8 * i + 8).min(part.len())];
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let last = u8::from(message && i + 1 == count);
        let word = u64::from_le_bytes(word);
        write!(line, " {word:x}:{}:{last}", bytes.len()).expect("writing to a string");
    }
}

/// Returns all cases that CI sends through a core.
pub fn standard() -> Vec<Case> {
    let lengths = (0..24).map(|i| {
        if i < 12 { 32 } else { [0, 1, 7, 8, 63, 111, 112, 114, 127, 128, 239, 1023][i - 12] }
    });
    let mut cases: Vec<Case> =
        lengths.enumerate().flat_map(|(i, length)| family(i as u64, length)).collect();
    cases.extend(rfc8032());
    cases.extend(speccheck());
    cases.extend(encodings());
    cases.extend(torsion::torsion());
    cases
}

/// Returns Wycheproof's verifications whose signatures fit the input, with Wycheproof's verdicts.
#[allow(dead_code)] // not every program that shares this file runs them
pub fn wycheproof() -> Vec<Case> {
    let all = wycheproof::verifications().into_iter();
    let fitting = all.filter_map(|case| {
        let signature = case.signature.try_into().ok()?;
        let made = verify("wycheproof", &case.public, &case.message, &signature);
        assert_eq!(made.ok, case.valid, "Wycheproof and ed25519-dalek agree on case {}", case.id);
        Some(made)
    });
    fitting.collect()
}

#[allow(unused_imports)] // not every program that shares this file runs them
pub use cctv::cctv;

fn unhex(text: &str) -> Vec<u8> {
    let digit = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(digit).collect()
}

fn array<const N: usize>(text: &str) -> [u8; N] {
    unhex(text).try_into().expect("the right length")
}

/// Returns the cases of RFC 8032, Section 7.1 (Test Vectors for Ed25519): TEST 1, 2, 3, SHA(abc)
/// and 1024.
fn rfc8032() -> Vec<Case> {
    let rows = include_str!("../../../../vectors/ed25519/rfc8032.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let rows = rows.map(|row| row.split(' ').collect::<Vec<_>>());
    rows.flat_map(|row| {
        let (secret, public, message) =
            (array(row[0]), array(row[1]), unhex(row[2].trim_matches('-')));
        let signature: [u8; 64] = array(row[3]);
        let made = sign("rfc8032", &secret, &message, &message);
        assert_eq!(made.out, signature, "the vectors and ed25519-dalek agree");
        let checked = verify("rfc8032", &public, &message, &signature);
        assert!(checked.ok);
        [keygen("rfc8032", &secret), made, checked]
    })
    .collect()
}

#[derive(serde::Deserialize)]
struct SpecCase {
    message: String,
    pub_key: String,
    signature: String,
}

/// Verdicts on the twelve cases of ed25519-speccheck: the table in `rtl/ed25519/README.md`.
pub const SPECCHECK: [bool; 12] =
    [false, false, false, true, false, false, false, false, false, false, false, false];

fn speccheck() -> Vec<Case> {
    let text = include_str!("../../../../vectors/ed25519/speccheck.json");
    let rows: Vec<SpecCase> = serde_json::from_str(text).expect("the file is JSON");
    let cases = rows.iter().enumerate().map(|(i, row)| {
        let (public, signature) = (array(&row.pub_key), array(&row.signature));
        verify(&format!("speccheck-{i}"), &public, &unhex(&row.message), &signature)
    });
    let cases: Vec<Case> = cases.collect();
    assert_eq!(cases.iter().map(|case| case.ok).collect::<Vec<_>>(), SPECCHECK);
    cases
}

/// Returns cases with border values in each field of a good signature. A and R are 0, 1, p - 1, p,
/// p + 1 and `2^255 - 1`, with both signs; S is 0, L - 1, L, L + S and `2^256 - 1`.
fn encodings() -> Vec<Case> {
    let secret = seed("borders", 0);
    let key = SigningKey::from_bytes(&secret);
    let (public, message) = (key.verifying_key().to_bytes(), seed("borders", 1));
    let good = key.sign(&message).to_bytes();
    let mut cases = Vec::new();
    for value in border_points() {
        cases.push(verify("border-a", &value, &message, &good));
        let mut signature = good;
        signature[..32].copy_from_slice(&value);
        cases.push(verify("border-r", &public, &message, &signature));
        signature[32..].fill(0);
        cases.push(verify("border-a-r", &value, &message, &signature));
    }
    for value in border_scalars(&good[32..]) {
        let mut signature = good;
        signature[32..].copy_from_slice(&value);
        cases.push(verify("border-s", &public, &message, &signature));
    }
    cases
}

fn border_points() -> Vec<[u8; 32]> {
    let change = |mut value: [u8; 32], low: u8| {
        value[0] = low;
        value
    };
    let zero = [0; 32];
    let mut most = [0xff; 32];
    most[31] = 0x7f;
    let plain = [zero, change(zero, 1), change(zero, 2), change(P, 0xec), P, change(P, 0xee), most];
    let signed = plain.map(|mut value| {
        value[31] |= 0x80;
        value
    });
    plain.into_iter().chain(signed).collect()
}

fn border_scalars(good: &[u8]) -> Vec<[u8; 32]> {
    let l: [u8; 32] = array("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    let mut before = l;
    before[0] -= 1;
    let mut more = [0; 32];
    let mut carry = 0;
    for i in 0..32 {
        let sum = u16::from(l[i]) + u16::from(good[i]) + carry;
        more[i] = sum as u8;
        carry = sum >> 8;
    }
    vec![[0; 32], before, l, more, [0xff; 32]]
}

#[allow(dead_code)]
fn number(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_le(bytes)
}

/// Returns the inputs of the point unit for a case: the input words, and the digests of the hash
/// units.
#[allow(dead_code)] // not every program that shares this file runs the model
pub fn inputs(case: &Case) -> hasten_rtlsim::ed25519::model::Inputs {
    let part = |i: usize| case.parts[i].0.as_slice();
    let (s, prefix) = case.seed.as_ref().map(expand).unwrap_or_default();
    let (words, digests) = match (case.op, &case.seed) {
        (0, Some(seed)) => (vec![], vec![hash(&[seed])]),
        (1, Some(seed)) => {
            let public = SigningKey::from_bytes(seed).verifying_key().to_bytes();
            let k = hash(&[&case.out[..32], &public, part(1)]);
            (vec![s.as_slice()], vec![hash(&[&prefix, part(0)]), k])
        }
        _ => (vec![part(0), part(1), part(2)], vec![hash(&[part(0), part(1), part(3)])]),
    };
    let mut numbers: [BigUint; 3] = Default::default();
    words.iter().zip(&mut numbers).for_each(|(word, number_)| *number_ = number(word));
    hasten_rtlsim::ed25519::model::Inputs {
        words: numbers,
        digests: digests.iter().map(|digest| number(digest)).collect(),
    }
}
