//! SPHINCS+ of round 3.1 against the known answers of its reference code, and against signatures of
//! round 3 by code of that time. With SHAKE, both rounds are verified in the same way.

#[path = "common/source.rs"]
#[allow(dead_code)] // other tests read the sources of crates
mod source;

use hasten_hbs::slhdsa::{Claim, Context, PreHash, SigningKey, VerifyingKey, verify_many};
use hasten_hbs::{Error, Set};
use hasten_kernels::Kernels;
use sha3::{Digest, Sha3_256};
use source::{from_hex, vectors};
use std::collections::HashMap;

/// Returns the entries of the file, each as a map from key to value.
fn answers() -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(vectors().join("sphincs/round3.1.txt")).unwrap();
    let entry = |part: &str| {
        let lines = part.lines().filter_map(|line| line.split_once(" = "));
        lines.map(|(key, value)| (key.to_owned(), value.to_owned())).collect::<HashMap<_, _>>()
    };
    text.split("\n\n").map(entry).filter(|entry| entry.contains_key("set")).collect()
}

#[test]
fn signatures_of_the_reference_code() {
    let all = answers();
    assert_eq!(all.len(), 6);
    for answer in all {
        let (set, kernels) = (Set::named(&answer["set"]).unwrap(), Kernels::best());
        let bytes = |key: &str| from_hex(&answer[key]);
        let key = SigningKey::from_seed(&kernels, set, &bytes("sk")[..3 * set.n]).unwrap();
        assert_eq!(key.to_bytes()[..], bytes("sk"));
        let (message, optrand) = (bytes("msg"), bytes("optrand"));
        let signature = key.sign(Context::EMPTY, &message, Some(&optrand)).unwrap();
        assert_eq!(Sha3_256::digest(signature.as_bytes())[..], bytes("digest"), "{}", set.name);
        let public = VerifyingKey::from_bytes(&kernels, set, &bytes("pk")).unwrap();
        public.verify(Context::EMPTY, &message, signature.as_bytes()).unwrap();
        refused_elsewhere(set, &bytes("pk"), &message, signature.as_bytes());
    }
}

/// Asserts that the signature is refused by FIPS 205, and by round 3.1 with a context or a
/// pre-hash.
fn refused_elsewhere(set: &'static Set, key: &[u8], message: &[u8], signature: &[u8]) {
    let kernels = Kernels::best();
    let name = set.name.replace("SPHINCS+", "SLH-DSA").replace("-simple", "");
    let standard = VerifyingKey::from_bytes(&kernels, Set::named(&name).unwrap(), key).unwrap();
    let verdict = standard.verify(Context::EMPTY, message, signature);
    assert_eq!(verdict, Err(Error::BadSignature), "{name}");
    // If a FORS leaf is chosen by a whole byte (192f), the order of bits makes no difference.
    let same_order = standard.verify_internal(&[message], signature).is_ok();
    assert_eq!(same_order, name.ends_with("192f"), "{name}");
    let own = VerifyingKey::from_bytes(&kernels, set, key).unwrap();
    let context = Context::new(b"c").unwrap();
    assert_eq!(own.verify(context, message, signature), Err(Error::BadSignature));
    let claims = [Context::EMPTY, context].map(|context| Claim { context, message, signature });
    assert_eq!(verify_many(&own, &claims), [Ok(()), Err(Error::BadSignature)]);
    let hashed = own.verify_prehashed(Context::EMPTY, PreHash::Sha256, &[0; 32], signature);
    assert_eq!(hashed, Err(Error::PreHash));
}

/// Round 3.1 derives the secret values in another way than round 3. With SHAKE, it verifies in the
/// same way: the addresses of public nodes and the digest of the message are the same.
#[test]
fn signatures_of_round_3_are_verified() {
    let message = b"Hasten reads what round 3 signed";
    for shape in ["128s", "128f", "192s", "192f", "256s", "256f"] {
        let (kernels, name) = (Kernels::best(), format!("SPHINCS+-SHAKE-{shape}-simple"));
        let set = Set::named(&name).unwrap();
        let path = vectors().join(format!("sphincs/round3/{shape}.bin"));
        let bytes = std::fs::read(path).unwrap();
        let (public, signature) = bytes.split_at(2 * set.n);
        let key = VerifyingKey::from_bytes(&kernels, set, public).unwrap();
        key.verify(Context::EMPTY, message, signature).expect(&name);
        let other = key.verify(Context::EMPTY, b"another message", signature);
        assert_eq!(other, Err(Error::BadSignature), "{name}");
        for at in [0, set.n, signature.len() / 2, signature.len() - 1] {
            let mut changed = signature.to_vec();
            changed[at] ^= 1;
            let verdict = key.verify(Context::EMPTY, message, &changed);
            assert_eq!(verdict, Err(Error::BadSignature), "{name} at {at}");
        }
        refused_elsewhere(set, public, message, signature);
    }
}
