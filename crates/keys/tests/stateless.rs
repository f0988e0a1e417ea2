//! Every stateless algorithm of this build: signing, verification, rejection, and keys of OpenSSL.

use hasten_kernels::Kernels;
use hasten_keys::{
    Error,
    encoding::{self, PrivateKey, PublicKey},
    registry, stateless,
};
use pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};
use spki::{DecodePublicKey, EncodePublicKey};
use std::{fs, path::PathBuf};

fn vector(name: &str) -> Vec<u8> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keys");
    fs::read(dir.join(name)).unwrap()
}

fn private(name: &str) -> PrivateKey {
    encoding::decode_pkcs8(&encoding::pem_blocks(&vector(name))[0].der).unwrap()
}

fn public(key: &PrivateKey) -> PublicKey {
    stateless::public(key, Kernels::best()).unwrap()
}

/// Signs and verifies. Every other message and every truncated or modified signature is invalid.
fn round(key: &PrivateKey) {
    let public = public(key);
    let sign = || stateless::sign(key, b"message", Kernels::best()).unwrap();
    let check = |message: &[u8], signature: &[u8]| {
        stateless::verify(&public, message, signature, Kernels::best())
    };
    let signature = sign();
    expanded_once(key);
    through_traits(key);
    assert_eq!(check(b"message", &signature), Ok(()), "{}", key.row.name);
    assert_eq!(check(b"massage", &signature), Err(Error::BadSignature));
    assert_eq!(check(b"message", &signature[..signature.len() - 1]), Err(Error::BadSignature));
    let mut changed = signature;
    *changed.last_mut().unwrap() ^= 1;
    assert_eq!(check(b"message", &changed), Err(Error::BadSignature));
}

/// Checks that a key that was expanded once can sign repeatedly, and that `Debug` does not reveal
/// it.
fn expanded_once(key: &PrivateKey) {
    let signer = stateless::Signer::new(key, Kernels::best()).unwrap();
    assert_eq!(*signer.public_key(), public(key));
    assert_eq!(signer.row().name, key.row.name);
    for message in [b"one".as_slice(), b"two", &[0; 5000]] {
        let signature = signer.sign(message).unwrap();
        let verdict = stateless::verify(signer.public_key(), message, &signature, Kernels::best());
        assert_eq!(verdict, Ok(()), "{}", key.row.name);
    }
    let shown = format!("{signer:?}");
    assert!(shown.len() < 60 && shown.contains(&key.row.name), "{shown}");
}

/// Checks that the RustCrypto traits give the same results as the functions.
fn through_traits(key: &PrivateKey) {
    let pem = key.to_pkcs8_pem(LineEnding::LF).unwrap();
    let read = PrivateKey::from_pkcs8_pem(&pem).unwrap();
    let written = public(&read).to_public_key_der().unwrap();
    assert_eq!(written.as_bytes(), encoding::encode_spki(&public(key)).unwrap());
    assert_eq!(PublicKey::from_public_key_der(written.as_bytes()).unwrap(), public(key));
    assert!(PrivateKey::from_pkcs8_der(written.as_bytes()).is_err());
}

/// Checks that a new key survives encoding and decoding, and signs.
fn fresh(name: &str) {
    let key = stateless::generate(registry::find(name).unwrap(), Kernels::best()).unwrap();
    let read = encoding::decode_pkcs8(&encoding::encode_pkcs8(&key).unwrap()).unwrap();
    assert_eq!(public(&read), public(&key));
    let spki = encoding::encode_spki(&public(&key)).unwrap();
    assert_eq!(encoding::read_public(&spki, None), Ok(public(&key)));
    round(&read);
}

#[test]
fn fresh_keys_without_c() {
    ["Ed25519", "SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128f"].into_iter().for_each(fresh);
}

#[test]
fn a_key_of_openssl_has_the_public_key_that_openssl_wrote() {
    for (key, expected) in [
        ("ed25519.key", "ed25519.pub"),
        ("slh-dsa-sha2-128s.key", "slh-dsa-sha2-128s.pub"),
        #[cfg(feature = "aws-lc")]
        ("ml-dsa-44-seed-only.key", "ml-dsa-44.pub"),
        #[cfg(feature = "aws-lc")]
        ("p384.key", "p384.pub"),
        #[cfg(feature = "aws-lc")]
        ("rsa2048.key", "rsa2048.pub"),
    ] {
        let expected = encoding::read_public(&vector(expected), None).unwrap();
        assert_eq!(public(&private(key)), expected);
    }
}

#[test]
fn what_is_known_by_name_only_is_refused() {
    let round3 = ["Dilithium2", "Dilithium3"].into_iter().filter(|_| cfg!(not(feature = "legacy")));
    for name in round3.chain(["SPHINCS+-SHA256-128f-simple"]) {
        let made = stateless::generate(registry::find(name).unwrap(), Kernels::best());
        assert_eq!(made.err(), Some(Error::NotBuiltIn));
    }
}

#[cfg(feature = "aws-lc")]
mod with_aws_lc {
    use super::*;
    use hasten_keys::{kem, stateless::Variant};

    #[test]
    fn fresh_keys() {
        ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"].into_iter().for_each(fresh);
        ["ECDSA-P-256", "ECDSA-P-384", "ECDSA-P-521", "RSA-2048"].into_iter().for_each(fresh);
    }

    #[test]
    fn two_libraries_agree_on_ml_dsa() {
        let kernels = Kernels::best();
        for name in ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"] {
            let key = stateless::generate(registry::find(name).unwrap(), kernels).unwrap();
            let signer = stateless::Signer::new(&key, kernels).unwrap();
            let plain = Variant::default();
            // One library signs, the other one verifies.
            let signature = signer.sign_variant(b"m", plain.deterministic()).unwrap();
            assert_eq!(signature, signer.sign_variant(b"m", plain.deterministic()).unwrap());
            let public = signer.public_key();
            stateless::verify(public, b"m", &signature, kernels).unwrap();
            let context = Variant::new(b"firmware").unwrap();
            let bound = signer.sign_variant(b"m", context).unwrap();
            stateless::verify_variant(public, b"m", &bound, context, kernels).unwrap();
            let without = stateless::verify(public, b"m", &bound, kernels);
            assert_eq!(without, Err(Error::BadSignature));
        }
    }

    #[test]
    fn all_three_forms_of_ml_dsa_keys_sign() {
        for file in
            ["ml-dsa-44-seed-only.key", "ml-dsa-44-priv-only.key", "ml-dsa-44-seed-priv.key"]
        {
            round(&private(file));
        }
    }

    /// An ECDSA signature by OpenSSL over the six bytes `hello\n`.
    #[test]
    fn a_signature_of_openssl_verifies() {
        let key = encoding::read_public(&vector("p384.pub"), None).unwrap();
        let check =
            |message| stateless::verify(&key, message, &vector("p384.sig"), Kernels::best());
        assert_eq!(check(b"hello\n"), Ok(()));
        assert_eq!(check(b"hello"), Err(Error::BadSignature));
    }

    #[test]
    fn kem() {
        for name in ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"] {
            let row = registry::find(name).unwrap();
            let (key, public) = kem::generate(row).unwrap();
            let key = encoding::decode_pkcs8(&encoding::encode_pkcs8(&key).unwrap()).unwrap();
            let made = kem::encapsulate(&public).unwrap();
            assert_eq!(made.ciphertext.len(), row.sizes.output);
            assert_eq!(kem::decapsulate(&key, &made.ciphertext).unwrap(), made.shared);
            let mut other = made.ciphertext.clone();
            other[0] ^= 1;
            assert_ne!(kem::decapsulate(&key, &other).unwrap(), made.shared);
            assert_eq!(kem::decapsulate(&key, &other[1..]).err(), Some(Error::CiphertextSize));
        }
    }

    #[test]
    fn decoded_kem_keys() {
        for name in ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"] {
            let row = registry::find(name).unwrap();
            let (key, public) = kem::Decapsulator::generate(row).unwrap();
            assert_eq!(format!("{key:?}"), format!("Decapsulator {{ row: {name:?}, .. }}"));
            let (file, of_file) = kem::generate(row).unwrap();
            let read = kem::Decapsulator::new(&file).unwrap();
            for (key, public) in [(key, public), (read, of_file)] {
                for _ in 0..2 {
                    let made = kem::encapsulate(&public).unwrap();
                    assert_eq!(key.decapsulate(&made.ciphertext).unwrap(), made.shared);
                }
                let short = vec![0; row.sizes.output - 1];
                assert_eq!(key.decapsulate(&short).err(), Some(Error::CiphertextSize));
            }
        }
        let signs = registry::find("ML-DSA-65").unwrap();
        assert!(matches!(kem::Decapsulator::generate(signs), Err(Error::OtherPurpose { .. })));
    }

    #[test]
    fn kem_keys_of_openssl() {
        let public = encoding::read_public(&vector("ml-kem-512.pub"), None).unwrap();
        assert_eq!(kem::encapsulate(&public).unwrap().shared.len(), 32);
        let files = ["priv-only", "seed-priv", "seed-only"];
        for file in files.map(|form| private(&format!("ml-kem-512-{form}.key"))) {
            assert!(kem::decapsulate(&file, &[7; 768]).is_ok());
        }
    }

    /// RFC 9935: the three forms of a key give the same secret, for a matching ciphertext and for
    /// one that does not match.
    #[test]
    fn three_forms_of_a_kem_key() {
        let both = private("ml-kem-512-seed-priv.key");
        let form = |seed: bool, expanded: bool| PrivateKey {
            row: both.row,
            seed: both.seed.clone().filter(|_| seed),
            expanded: both.expanded.clone().filter(|_| expanded),
        };
        let public = &both.expanded.as_deref().unwrap()[768..768 + 800];
        let made = kem::encapsulate(&PublicKey::new(both.row, public).unwrap()).unwrap();
        let secrets = |ciphertext: &[u8]| {
            [form(true, true), form(true, false), form(false, true)].map(|key| {
                let der = encoding::encode_pkcs8(&key).unwrap();
                kem::decapsulate(&encoding::decode_pkcs8(&der).unwrap(), ciphertext).unwrap()
            })
        };
        assert!(secrets(&made.ciphertext).iter().all(|secret| *secret == made.shared));
        let [first, rest @ ..] = secrets(&[7; 768]);
        assert!(rest.iter().all(|secret| *secret == first) && first != made.shared);
    }
}

/// Falcon of round 3: PQClean's keys are readable, and its signatures with and without padding
/// verify.
#[cfg(feature = "legacy")]
mod falcon {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(digits).collect()
    }

    #[test]
    fn fresh_keys() {
        ["Falcon-512", "FALCON_LEVEL5"].into_iter().for_each(fresh);
    }

    #[test]
    fn keys_and_signatures_of_pqclean() {
        let file = String::from_utf8(vector("../falcon/falcon-round3.rsp")).unwrap();
        let mut lengths = std::collections::BTreeSet::new();
        for record in file.split("\n\n").filter(|record| !record.trim().is_empty()) {
            let field = |name: &str| {
                let line = record.lines().find_map(|line| line.strip_prefix(name));
                line.unwrap().trim_start_matches(" = ")
            };
            let row = registry::find(field("alg")).unwrap();
            let expanded = Some(zeroize::Zeroizing::new(bytes(field("sk"))));
            let key = PrivateKey { row, seed: None, expanded };
            let theirs = PublicKey::new(row, &bytes(field("pk"))).unwrap();
            assert_eq!(public(&key), theirs);
            let (message, mut signature) = (bytes(field("msg")), bytes(field("sig")));
            let good = |signature: &[u8]| {
                stateless::verify(&theirs, &message, signature, Kernels::best()).is_ok()
            };
            assert!(good(&signature), "{record:.40}");
            assert!(!good(&[&signature[..], &[0; 40]].concat()), "too long");
            lengths.insert(signature.len());
            signature[60] ^= 1;
            assert!(!good(&signature));
            round(&key);
        }
        assert!(lengths.contains(&666) && lengths.contains(&1280) && lengths.len() > 4);
    }
}

/// Kyber and Dilithium of round 3: known answers of liboqs and round trips.
#[cfg(all(feature = "legacy", feature = "aws-lc"))]
mod round3 {
    use super::*;
    use hasten_keys::kem;
    use sha2::{Digest, Sha256};

    /// SHA-256 of each file, as listed by liboqs 0.13 (`tests/KATs`, `single`).
    const DIGESTS: [(&str, &str); 6] = [
        ("Kyber512", "bb0481d3325d828817900b709d23917cefbc10026fc857f098979451f67bb0ca"),
        ("Kyber768", "89e82a5bf2d4ddb2c6444e10409e6d9ca65dafbca67d1a0db2c9b54920a29172"),
        ("Kyber1024", "5afcf2a568ad32d49b55105b032af1850f03f3888ff9e2a72f4059c58e968f60"),
        ("Dilithium2", "26ae9c1224171e957dbe38672942d31edb7dffbe700825e0cb52128cdb45280a"),
        ("Dilithium3", "eea584803c3d6991a4acbf9f117147bbdd246faf822cfb1a17effe20b2052ba9"),
        ("Dilithium5", "3f6e58603a38be57cf08d79b01fcfd0ccc1129a09e14a6122c6fe22c906ddc3b"),
    ];

    /// Returns the fields of a file whose digest liboqs lists.
    fn fields(name: &str, digest: &str) -> impl Fn(&str) -> Vec<u8> {
        let file = vector(&format!("../round3/{name}.rsp"));
        let found: String = Sha256::digest(&file).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(found, digest, "{name}");
        let text = String::from_utf8(file).unwrap();
        move |field| {
            let hex = text.lines().find_map(|line| line.strip_prefix(&format!("{field} = ")));
            let digits = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16);
            hex.unwrap().as_bytes().chunks(2).map(|pair| digits(pair).unwrap()).collect()
        }
    }

    fn key(row: &'static registry::Row, whole: Vec<u8>) -> PrivateKey {
        PrivateKey { row, seed: None, expanded: Some(zeroize::Zeroizing::new(whole)) }
    }

    #[test]
    fn kyber() {
        for (name, digest) in DIGESTS.into_iter().filter(|(name, _)| name.starts_with('K')) {
            let (row, of) = (registry::find(name).unwrap(), fields(name, digest));
            let theirs = key(row, of("sk"));
            assert_eq!(*kem::decapsulate(&theirs, &of("ct")).unwrap(), of("ss"), "{name}");
            let made = kem::encapsulate(&PublicKey::new(row, &of("pk")).unwrap()).unwrap();
            assert_eq!(kem::decapsulate(&theirs, &made.ciphertext).unwrap(), made.shared);
            // ML-KEM derives a different secret from the same bytes.
            let today = registry::find(&name.replace("Kyber", "ML-KEM-")).unwrap();
            let as_ml_kem = kem::decapsulate(&key(today, of("sk")), &of("ct")).unwrap();
            assert_ne!(*as_ml_kem, of("ss"), "{name}");
        }
    }

    /// The expanded key of Falcon is large; signers of other algorithms must not need stack space
    /// for it.
    #[test]
    fn signers_need_little_stack() {
        for name in ["Dilithium5", "Ed25519", "SLH-DSA-SHA2-128f"] {
            let row = registry::find(name).unwrap();
            let key = stateless::generate(row, Kernels::best()).unwrap();
            let made = std::thread::Builder::new().stack_size(160 << 10);
            let made = made.spawn(move || {
                stateless::Signer::new(&key, Kernels::best())
                    .map(|signer| signer.row().sizes.output)
            });
            assert_eq!(made.unwrap().join().unwrap(), Ok(row.sizes.output));
        }
    }

    #[test]
    fn dilithium() {
        for (name, digest) in DIGESTS.into_iter().filter(|(name, _)| name.starts_with('D')) {
            let (row, of) = (registry::find(name).unwrap(), fields(name, digest));
            let public_key = PublicKey::new(row, &of("pk")).unwrap();
            let good = |message: &[u8], signature: &[u8]| {
                stateless::verify(&public_key, message, signature, Kernels::best()).is_ok()
            };
            let (signed, message) = (of("sm"), of("msg"));
            let mut theirs = signed[..row.sizes.output].to_vec();
            assert!(good(&message, &theirs) && !good(&message, &signed), "{name}");
            theirs[100] ^= 1;
            assert!(!good(&message, &theirs));
            let key = key(row, [of("sk"), of("pk")].concat());
            assert_eq!(public(&key), public_key);
            let ours = stateless::sign(&key, b"another", Kernels::best()).unwrap();
            assert!(good(b"another", &ours) && !good(b"another one", &ours));
            round(&key);
            round(&stateless::generate(row, Kernels::best()).unwrap());
        }
    }
}

/// Replaces the number of round 3.1 by that of round 3: the last byte of 1.3.9999.6.x.y.
fn of_round_3(mut later: Vec<u8>, [node, now, then]: [u8; 3]) -> Vec<u8> {
    let at = later.windows(3).position(|bytes| bytes == [6, node, now]).unwrap() + 2;
    later[at] = then;
    later
}

/// Public keys with SHAKE verify alike in both rounds, and are accepted if the build supports round
/// 3.1; keys with SHA-256 are not.
#[test]
fn round_3_of_sphincs_is_named_and_refused() {
    for (name, number, shake) in [
        ("SPHINCS+-SHAKE256-128f-simple", [7, 13, 4], true),
        ("SPHINCS+-SHA256-128f-simple", [4, 13, 4], false),
    ] {
        let row = registry::find(name).unwrap();
        let key = PublicKey::new(row, &[7; 32]).unwrap();
        let later = encoding::encode_spki(&key).unwrap();
        assert_eq!(encoding::read_public(&later, None).as_ref(), Ok(&key));
        let earlier = of_round_3(later, number);
        let read = encoding::decode_spki(&earlier);
        let legacy = shake && cfg!(feature = "legacy");
        assert_eq!(read, if legacy { Ok(key) } else { Err(Error::EarlierRound) });
        let said = format!("{:?}", hasten_keys::inspect::inspect(&earlier));
        assert!(said.contains(name), "{said}");
        assert!(legacy || said.contains("round 3"), "{said}");
    }
}

#[cfg(feature = "legacy")]
mod round_3_1 {
    use super::*;
    use hasten_hbs::{Set, slhdsa};

    #[test]
    fn fresh_keys() {
        ["SPHINCS+-SHAKE256-128f-simple", "SPHINCS+-SHAKE-192f-simple"].into_iter().for_each(fresh);
    }

    /// Round 3 derives secret values differently, so its keys would sign with wrong values here.
    #[test]
    fn private_keys_of_round_3_are_refused() {
        let row = registry::find("SPHINCS+-SHAKE256-128f-simple").unwrap();
        let key = stateless::generate(row, Kernels::best()).unwrap();
        let later = encoding::encode_pkcs8(&key).unwrap().to_vec();
        assert!(encoding::decode_pkcs8(&later).is_ok());
        let earlier = of_round_3(later, [7, 13, 4]);
        assert_eq!(encoding::decode_pkcs8(&earlier).err(), Some(Error::EarlierRound));
    }

    fn from_hex(digits: &str) -> Vec<u8> {
        let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        (0..digits.len()).step_by(2).map(byte).collect()
    }

    /// Keys of the reference code under the number of round 3.1, directly and from files: their
    /// signatures are valid under that number, and invalid under that of SLH-DSA.
    #[test]
    fn keys_of_the_reference_code() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/sphincs");
        let text = fs::read_to_string(path.join("round3.1.txt")).unwrap();
        let field = |entry: &str, key: &str| {
            let value = |l: &str| l.strip_prefix(key)?.strip_prefix(" = ").map(str::to_owned);
            entry.lines().find_map(value)
        };
        let entries = text.split("\n\n").filter_map(|entry| Some((field(entry, "set")?, entry)));
        let fast = entries.filter(|(name, _)| name.contains("f-"));
        assert_eq!(fast.map(|(name, entry)| signed_under(&name, &field, entry)).count(), 3);
    }

    fn signed_under(name: &str, field: &dyn Fn(&str, &str) -> Option<String>, entry: &str) {
        let bytes = |key: &str| from_hex(&field(entry, key).unwrap());
        let row = registry::find(name).unwrap();
        let set = Set::named(name).unwrap();
        let key = slhdsa::SigningKey::from_bytes(&Kernels::best(), set, &bytes("sk")).unwrap();
        let signature = key.sign(slhdsa::Context::EMPTY, b"m", Some(&bytes("optrand"))).unwrap();
        let spki = encoding::encode_spki(&PublicKey::new(row, &bytes("pk")).unwrap()).unwrap();
        let public = encoding::decode_spki(&spki).unwrap();
        let check = |key| stateless::verify(key, b"m", signature.as_bytes(), Kernels::best());
        assert_eq!(check(&public), Ok(()), "{name}");
        let standard = name.replace("SPHINCS+", "SLH-DSA").replace("-simple", "");
        let standard = PublicKey::new(registry::find(&standard).unwrap(), &public.raw).unwrap();
        assert_eq!(check(&standard), Err(Error::BadSignature), "{name}");
    }
}
