//! SLH-DSA against NIST's vectors, against another implementation, and against its own counts.

#[path = "common/acvp.rs"]
mod acvp;
#[path = "common/source.rs"]
mod source;

use fips205::traits::{SerDes, Signer as _, Verifier as _};
use hasten_hbs::params::{SETS, Scheme};
use hasten_hbs::slhdsa::{
    Claim, Context, LimitedGeneration, PreHash, SigningKey, VerifyingKey, verify_many,
    verify_many_on,
};
use hasten_hbs::{Error, Set};
use hasten_kernels::{Counter, Counting, Kernels, Which};
use std::ops::ControlFlow;

fn sets() -> impl Iterator<Item = &'static Set> {
    SETS.iter().filter(|set| matches!(set.scheme, Scheme::SlhDsa { .. }) && !set.draft)
}

fn fast(set: &Set) -> bool {
    set.name.ends_with('f')
}

fn key(set: &'static Set) -> SigningKey<'static> {
    let seed: Vec<u8> =
        (0..3 * set.n as u8).map(|i| i.wrapping_mul(37) ^ set.number.get() as u8).collect();
    SigningKey::from_seed(&Kernels::best(), set, &seed).unwrap()
}

/// Sizes in bytes of public keys and signatures in the draft of SP 800-230. `SigningKey`, which
/// does not count signatures, refuses these sets.
#[test]
fn sets_of_the_draft() {
    let sizes = [(32, 3_856), (48, 7_752), (64, 14_944)];
    let drafts: Vec<&Set> = SETS.iter().filter(|set| set.draft).collect();
    let ours = drafts.iter().map(|set| (set.public_key_bytes(), set.signature_bytes()));
    assert!(ours.eq(sizes.into_iter().flat_map(|size| [size; 2])));
    for set in drafts {
        let kernels = Kernels::best();
        let key = VerifyingKey::from_bytes(&kernels, set, &vec![7; 2 * set.n]).unwrap();
        let verdict = key.verify(Context::EMPTY, b"m", &vec![7; set.signature_bytes()]);
        assert_eq!(verdict, Err(Error::BadSignature));
        let signing = SigningKey::from_seed(&kernels, set, &vec![7; set.seed_bytes()]);
        assert_eq!(signing.err(), Some(Error::UnknownSet), "{}", set.name);
    }
}

/// Signatures of draft sets by another implementation (see `vectors/slh-dsa/README.md`).
#[test]
fn signatures_of_another_implementation() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/slh-dsa/");
    let mut seen = 0;
    for set in SETS.iter().filter(|set| set.draft) {
        let Ok(text) = std::fs::read_to_string(format!("{folder}{}.rsp", set.name)) else {
            continue;
        };
        let [pk, message, mut signature] = ["pk", "msg", "sm"].map(|key| field(&text, key));
        let key = VerifyingKey::from_bytes(&Kernels::best(), set, &pk).unwrap();
        assert_eq!(key.verify_internal(&[&message], &signature), Ok(()), "{}", set.name);
        assert_eq!(key.verify(Context::EMPTY, &message[2..], &signature), Ok(()), "{}", set.name);
        for at in (0..signature.len()).step_by(97) {
            signature[at] ^= 1;
            assert!(key.verify_internal(&[&message], &signature).is_err(), "{} {at}", set.name);
            signature[at] ^= 1;
        }
        seen += 1;
    }
    assert!(seen > 0, "their signatures are in {folder}");
}

/// Compares a signature with that of the other implementation, byte for byte. This generates the
/// whole key, which takes most of a minute.
#[test]
#[ignore = "it makes a whole key: a minute of work"]
fn signatures_like_those_of_another_implementation() {
    let set = Set::named("SLH-DSA-SHA2-128-24").unwrap();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/slh-dsa/");
    let text = std::fs::read_to_string(format!("{path}{}.rsp", set.name)).unwrap();
    let [seed, pk, message, theirs] = ["seed", "pk", "msg", "sm"].map(|key| field(&text, key));
    let mut generation = LimitedGeneration::new(set, &seed, Kernels::best()).unwrap();
    let signer = generation.run(2, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(signer.verifying_key().as_bytes(), pk);
    let ours =
        signer.sign_uncounted_beyond_any_limit(Context::EMPTY, &message[2..], None, 2).unwrap();
    assert!(ours.as_bytes() == theirs);
}

fn field(text: &str, key: &str) -> Vec<u8> {
    let digits = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
    let digits = digits.expect("the field").trim();
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// FIPS 205, Table 2 (SLH-DSA parameter sets): public key and signature in bytes.
#[test]
fn sizes_are_the_standards() {
    let sizes = [(32, 7_856), (32, 17_088), (48, 16_224), (48, 35_664), (64, 29_792), (64, 49_856)];
    let ours = sets().map(|set| (set.public_key_bytes(), set.signature_bytes()));
    assert!(ours.eq([sizes, sizes].concat()));
}

/// Signs here and verifies in `fips205`, and the other way round.
macro_rules! against_fips205 {
    ($($test:ident: $module:ident, $name:literal;)*) => {$(
        #[test]
        fn $test() {
            use fips205::$module as other;
            let set = Set::named($name).unwrap();
            let ours = key(set);
            let bytes: [u8; other::SK_LEN] = ours.to_bytes().as_slice().try_into().unwrap();
            let theirs = other::PrivateKey::try_from_bytes(bytes).unwrap();
            let context = Context::new(b"context").unwrap();
            let signature = ours.sign(context, b"message", None).unwrap();
            let public = theirs.get_public_key();
            let sized: &[u8; other::SIG_LEN] = signature.as_bytes().try_into().unwrap();
            assert!(public.verify(b"message", sized, b"context"));
            assert!(!public.verify(b"message", sized, b"other"));
            let back = ours.verifying_key().verify(context, b"message", signature.as_bytes());
            assert_eq!(back, Ok(()));
            if fast(set) {
                let digest = PreHash::Shake256.digest(&Kernels::best(), b"message").unwrap();
                let oid = &fips205::pre_hash::SHAKE_256;
                let theirs = theirs.try_hash_sign(&digest, b"c", oid, false);
                let theirs = theirs.unwrap();
                let context = Context::new(b"c").unwrap();
                let ours = ours.sign_prehashed(context, PreHash::Shake256, &digest, None).unwrap();
                assert!(ours.as_bytes() == theirs);
            }
        }
    )*};
}

against_fips205! {
    sha2_128s: slh_dsa_sha2_128s, "SLH-DSA-SHA2-128s";
    sha2_128f: slh_dsa_sha2_128f, "SLH-DSA-SHA2-128f";
    sha2_192s: slh_dsa_sha2_192s, "SLH-DSA-SHA2-192s";
    sha2_192f: slh_dsa_sha2_192f, "SLH-DSA-SHA2-192f";
    sha2_256s: slh_dsa_sha2_256s, "SLH-DSA-SHA2-256s";
    sha2_256f: slh_dsa_sha2_256f, "SLH-DSA-SHA2-256f";
    shake_128s: slh_dsa_shake_128s, "SLH-DSA-SHAKE-128s";
    shake_128f: slh_dsa_shake_128f, "SLH-DSA-SHAKE-128f";
    shake_192s: slh_dsa_shake_192s, "SLH-DSA-SHAKE-192s";
    shake_192f: slh_dsa_shake_192f, "SLH-DSA-SHAKE-192f";
    shake_256s: slh_dsa_shake_256s, "SLH-DSA-SHAKE-256s";
    shake_256f: slh_dsa_shake_256f, "SLH-DSA-SHAKE-256f";
}

/// Returns the compressions of one tree of a hypertree, after PK.seed is absorbed: FIPS 205,
/// Algorithm 9 (xmss_node).
fn tree_cost(set: &Set, block: usize, head: usize) -> u64 {
    let t_len = (head + set.ots_bytes() + 9).div_ceil(block) as u64;
    let leaf = set.len() as u64 * set.w() as u64 + t_len;
    ((leaf + 1) << set.tree_height()) - 1
}

#[test]
fn operations_cost_what_the_formulas_say() {
    let set = Set::named("SLH-DSA-SHA2-128f").unwrap();
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let key = SigningKey::from_seed(&counting.kernels(), set, &[1; 48]).unwrap();
    let tree = tree_cost(set, 64, 22);
    assert_eq!(counter.compressions(Which::Sha256), 1 + tree, "PK.seed, one tree");
    counter.reset();
    let signature = key.sign(Context::EMPTY, b"", None).unwrap();
    let (prf_msg, h_msg) = (4, 1 + 1 + 2);
    let fors = 33 * (3 * 64 - 1) + 9;
    let signed = counter.total() - (prf_msg + h_msg + fors + 22 * tree);
    counter.reset();
    key.verifying_key().verify(Context::EMPTY, b"", signature.as_bytes()).unwrap();
    let fixed = h_msg + 33 * 7 + 9 + 22 * (10 + 3);
    let chains = counter.total() - fixed;
    assert!(chains < 22 * 35 * 15 && chains > 22 * 3 * 15, "{chains}");
    // Signing computes the secret elements again and advances the chains to the point where
    // verification begins.
    assert_eq!(signed + chains, 22 * 35 * 16);
}

/// FIPS 205, section 10.2.2 (HashSLH-DSA Signature Generation): a digest must have at least 2n
/// bytes.
#[test]
fn a_digest_is_as_strong_as_its_set() {
    let shortest =
        [("128f", PreHash::Sha256), ("192f", PreHash::Sha384), ("256f", PreHash::Sha512)];
    for (name, enough) in shortest {
        let set = Set::named(&format!("SLH-DSA-SHA2-{name}")).unwrap();
        let key = key(set);
        let mut weak = vec![PreHash::Sha224, PreHash::Sha256, PreHash::Sha384];
        weak.retain(|function| function.len() < enough.len());
        for function in weak {
            let digest = vec![1; function.len()];
            let signed = key.sign_prehashed(Context::EMPTY, function, &digest, None);
            assert_eq!(signed.err(), Some(Error::PreHash), "{name}, {function:?}");
            let signed =
                key.sign_prehashed_weakly(Context::EMPTY, function, &digest, None).unwrap();
            let public = key.verifying_key();
            let verdict =
                public.verify_prehashed(Context::EMPTY, function, &digest, signed.as_bytes());
            assert_eq!(verdict, Err(Error::PreHash), "{name}, {function:?}");
        }
        let digest = vec![1; enough.len()];
        let signed = key.sign_prehashed(Context::EMPTY, enough, &digest, None).unwrap();
        let public = key.verifying_key();
        let verdict = public.verify_prehashed(Context::EMPTY, enough, &digest, signed.as_bytes());
        assert_eq!(verdict, Ok(()), "{name}");
    }
}

#[test]
fn many_signatures_are_verified_each_on_its_own() {
    let set = Set::named("SLH-DSA-SHAKE-128f").unwrap();
    let key = key(set);
    let messages: Vec<[u8; 4]> = (0..11u32).map(u32::to_be_bytes).collect();
    let sign = |m: &[u8; 4]| key.sign(Context::EMPTY, m, None).unwrap().into_bytes();
    let mut signatures: Vec<Vec<u8>> = messages.iter().map(sign).collect();
    signatures[2][9_000] ^= 1;
    signatures[5].pop();
    signatures[9].push(0);
    let claims: Vec<Claim<'_>> = messages
        .iter()
        .zip(&signatures)
        .map(|(message, signature)| Claim { context: Context::EMPTY, message, signature })
        .collect();
    for threads in 1..4 {
        let verdicts = verify_many_on(threads, key.verifying_key(), &claims);
        let bad: Vec<usize> = (0..11).filter(|i| verdicts[*i].is_err()).collect();
        assert_eq!(bad, [2, 5, 9], "on {threads} threads");
    }
    assert!(verify_many(key.verifying_key(), &[]).is_empty());
}

#[test]
fn threads_make_the_same_key_and_signatures() {
    for name in ["SLH-DSA-SHA2-192f", "SLH-DSA-SHAKE-128f", "SLH-DSA-SHA2-128s"] {
        let (set, kernels) = (Set::named(name).unwrap(), Kernels::best());
        let (seed, random) = (vec![5; set.seed_bytes()], vec![7; 2 * set.n]);
        let key = SigningKey::from_seed(&kernels, set, &seed).unwrap();
        let messages: [&[u8]; 2] = [b"one", b"two"];
        let sign = |threads, message, random| {
            key.sign_on(threads, Context::EMPTY, message, Some(random)).unwrap().into_bytes()
        };
        let one: Vec<_> =
            [0, 1].map(|i| sign(1, messages[i], &random[i * set.n..][..set.n])).into();
        for threads in [2, 5] {
            let again = SigningKey::from_seed_on(threads, &kernels, set, &seed).unwrap();
            assert_eq!(again.to_bytes(), key.to_bytes(), "{name}, {threads}");
            assert_eq!(sign(threads, messages[0], &random[..set.n]), one[0], "{name}, {threads}");
            let many = key.sign_many_on(threads, Context::EMPTY, &messages, Some(&random));
            let many: Vec<_> = many.unwrap().into_iter().map(|s| s.into_bytes()).collect();
            assert_eq!(many, one, "{name}, {threads}");
        }
        let short = key.sign_many_on(2, Context::EMPTY, &messages, Some(&random[1..]));
        assert_eq!(short.unwrap_err(), Error::BadSeed, "{name}");
    }
}

#[test]
fn bad_input_is_refused_with_one_error() {
    let set = Set::named("SLH-DSA-SHA2-128f").unwrap();
    let kernels = Kernels::best();
    let key = key(set);
    let good = key.sign(Context::EMPTY, b"m", Some(&[3; 16])).unwrap().into_bytes();
    let public = key.verifying_key();
    for bit in (0..good.len() * 8).step_by(4_999) {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(public.verify(Context::EMPTY, b"m", &bad), Err(Error::BadSignature), "{bit}");
    }
    for len in [0, 1, good.len() - 1] {
        assert_eq!(public.verify(Context::EMPTY, b"m", &good[..len]), Err(Error::BadSignature));
    }
    assert_eq!(public.verify(Context::EMPTY, b"n", &good), Err(Error::BadSignature));
    assert!(matches!(Context::new(&[0; 256]), Err(Error::LongContext)));
    assert!(matches!(key.sign(Context::EMPTY, b"", Some(&[0; 15])), Err(Error::BadSeed)));
    assert!(matches!(VerifyingKey::from_bytes(&kernels, set, &[0; 31]), Err(Error::BadKey)));
    assert!(matches!(SigningKey::from_bytes(&kernels, set, &[0; 63]), Err(Error::BadKey)));
    assert!(matches!(SigningKey::from_seed(&kernels, set, &[0; 47]), Err(Error::BadSeed)));
    let xmss = Set::named("XMSS-SHA2_10_256").unwrap();
    assert!(matches!(VerifyingKey::from_bytes(&kernels, xmss, &[0; 64]), Err(Error::UnknownSet)));
    assert!(!format!("{key:?}").contains("seed"));
}
