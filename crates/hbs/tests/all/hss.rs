//! HSS: known answers, levels with different sets, even costs from tree to tree, caches, hostile
//! input.

use crate::answers::{Answer, answers, field};
use crate::source::{from_hex, source_of, vectors};
use hasten_hbs::{
    Error, PreparedVerifier, PublicKey, Sectors, Set, Signer, SignerLevel, Verifier, VerifierLevel,
    generate, hazmat::Throwaway, load, load_levels,
};
use hasten_kernels::{Counter, Counting, Kernels};

fn set(name: &str) -> &'static Set {
    Set::named(name).unwrap()
}

/// Returns a set of two different levels, with 1,024 signatures.
fn small() -> &'static Set {
    set("HSS(LMS_SHA256_M32_H5_W2,LMS_SHAKE_M24_H5_W4)")
}

fn seed(set: &Set) -> Vec<u8> {
    (0..set.seed_bytes() as u8).collect()
}

fn one(seed: &[u8]) -> Sectors<'_> {
    Sectors::one(seed)
}

fn signer<'k>(set: &'static Set, kernels: Kernels<'k>) -> Signer<'k> {
    generate(set, &seed(set), kernels).unwrap()
}

fn verify(answer: &Answer) {
    let key = PublicKey::from_hss_bytes(&answer.pk).unwrap();
    assert_eq!(key.as_bytes(), answer.pk);
    let plain = Verifier::new(&key, Kernels::best());
    plain.verify(&answer.msg, &answer.sm).expect(&answer.name);
    assert_eq!(plain.verify(&answer.msg[1..], &answer.sm), Err(Error::BadSignature));
    for level in VerifierLevel::ALL {
        let mut prepared = PreparedVerifier::new(plain.clone(), level, 0);
        for _ in 0..2 {
            prepared.verify(&answer.msg, &answer.sm).expect(&answer.name);
            let other = prepared.verify(&answer.msg[1..], &answer.sm);
            assert_eq!(other, Err(Error::BadSignature));
        }
    }
}

/// RFC 8554, Appendix F (Test Cases) and those of RFC 9858.
#[test]
fn the_standards_test_cases() {
    let all = answers(&vectors().join("lms"), "RFC");
    assert_eq!(all.len(), 5);
    all.iter().for_each(verify);
}

#[test]
fn every_answer_of_liboqs() {
    let all = answers(&source_of("oqs", "oqs-sys").join("liboqs/tests/KATs/sig_stfl/lms"), "LMS_");
    assert_eq!(all.len(), 18);
    all.iter().for_each(verify);
    assert_eq!(all.iter().filter(|answer| answer.pk[3] == 2).count(), 2);
}

/// Generates the trees of the second test case of RFC 8554 from the secrets that it prints.
#[test]
fn the_second_test_case_out_of_its_secrets() {
    let path = vectors().join("lms/RFC8554_2.rsp");
    let (key, signature) = (field(&path, "pk"), field(&path, "sm"));
    let top = "d08fabd4a2091ff0a8cb4ed834e74534\
        558b8966c48ae9cb898b423c83443aae014a72f1b1ab5cc85cf1d892903b5439";
    let low = "215f83b7ccb9acbcd08db97b0d04dc2b\
        a1c4696e2608035a886100d05cd99945eb3370731884a8235e2fb3d4d71f2547";
    let (w4, w8) = (set("LMS_SHA256_M32_H10_W4"), set("LMS_SHA256_M32_H5_W8"));
    let made = |set, seed| generate(set, &from_hex(seed), Kernels::best()).unwrap();
    assert_eq!(made(w4, top).public_key().as_bytes(), &key[4..]);
    let below = 4 + w4.signature_bytes();
    assert_eq!(made(w8, low).public_key().as_bytes(), &signature[below..below + 56]);
}

/// Reads a private key of hash-sigs: levels, index, typecodes, SEED and I. Returns set, index and
/// seed.
fn of_reference(sk: &[u8]) -> (&'static Set, u64, Vec<u8>) {
    let (levels, rest) = (sk[3] as usize, &sk[4..]);
    let (index, rest) = rest.split_first_chunk().unwrap();
    let (types, secret) = rest.split_at(8 * levels);
    let rows = types.chunks(8).map(|types| Set::lms_by_types(types.try_into().unwrap()).unwrap());
    let set = Set::hss(&rows.collect::<Vec<_>>()).unwrap();
    let (seed, id) = secret.split_at(secret.len() - 16);
    (set, u64::from_be_bytes(*index), [id, seed].concat())
}

/// Compares signatures byte for byte: of a key with eight levels, and of one with two different
/// levels.
#[test]
fn signatures_of_the_reference_code() {
    let text = std::fs::read_to_string(vectors().join("lms/HSS_hash-sigs.txt")).unwrap();
    let value = |line: &str, key: &str| line.strip_prefix(key)?.strip_prefix(" = ").map(from_hex);
    let all = |key: &str| text.lines().filter_map(|l| value(l, key)).collect::<Vec<_>>();
    let (keys, messages, signatures) = (all("sk"), all("msg"), all("sm"));
    assert_eq!((keys.len(), messages.len(), signatures.len()), (2, 2, 2));
    for ((sk, message), signature) in keys.iter().zip(&messages).zip(&signatures) {
        let (set, index, seed) = of_reference(sk);
        let mut signer = generate(set, &seed, Kernels::best()).unwrap();
        let permit = Throwaway::starting_at(index).permit();
        let ours = signer.prepare(permit, SignerLevel::EarlyAuth).unwrap().finish(message);
        assert!(ours.unwrap().as_bytes() == signature, "{}", set.name);
        let verifier = Verifier::new(signer.public_key(), Kernels::best());
        verifier.verify(message, signature).unwrap();
    }
}

/// The signature sizes of wolfSSL's named sets, in bytes.
#[test]
fn sizes_are_the_standards() {
    let size = |name: &str| set(name).signature_bytes();
    assert_eq!(size("L2_H10_W2"), 9_300);
    assert_eq!(size("L2_H10_W4"), 5_076);
    assert_eq!(size("L2_H10_W8"), 2_964);
    assert_eq!(size("L3_H5_W4"), 7_160);
    assert_eq!(size("L3_H5_W8"), 3_992);
    assert_eq!(size("L4_H5_W8"), 5_340);
    assert_eq!(set("L2_H10_W4").public_key_bytes(), 60);
}

/// Uses every index of a key with two different levels, at each preparation level in turn. The key
/// is then exhausted.
#[test]
fn a_key_is_used_up_and_ends() {
    let mut signer = signer(small(), Kernels::best());
    let plain = Verifier::new(signer.public_key(), Kernels::best());
    let mut watching = PreparedVerifier::new(plain.clone(), VerifierLevel::OtsKey, 0);
    let mut permits = Throwaway::new();
    for index in 0..1_024usize {
        let message = index.to_be_bytes();
        let level = SignerLevel::ALL[index % 5];
        let ready = signer.prepare(permits.permit(), level).unwrap();
        if index % 3 == 0 {
            let announcement = ready.announcement();
            assert_eq!(announcement.len(), PreparedVerifier::announce_bytes(small()));
            watching.announce(&announcement).unwrap();
        }
        let signature = ready.finish(&message).unwrap();
        assert_eq!(signature.as_bytes().len(), small().signature_bytes());
        plain.verify(&message, signature.as_bytes()).unwrap();
        assert_eq!(watching.expected(), index as u64);
        watching.verify(&message, signature.as_bytes()).unwrap();
        watching.prepare();
    }
    assert_eq!(signer.remaining(), 0);
    let past = signer.prepare(permits.permit(), SignerLevel::None).err();
    assert_eq!(past, Some(Error::Exhausted));
}

#[test]
fn the_bytes_do_not_depend_on_the_level() {
    for index in [0, 31, 32, 1_023] {
        let mut made = SignerLevel::ALL.map(|level| {
            let permit = Throwaway::starting_at(index).permit();
            let ready = signer(small(), Kernels::best()).prepare(permit, level).unwrap();
            (ready.announcement(), ready.finish(b"message").unwrap().into_bytes())
        });
        made.sort();
        assert_eq!(made[0], made[4]);
    }
}

/// Returns the compressions of `prepare` and of `finish` for `count` signatures from `first` on.
fn life(set: &'static Set, first: u64, count: u64) -> (Vec<u64>, Vec<u64>) {
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let mut signer = signer(set, counting.kernels());
    let plain = Verifier::new(signer.public_key(), Kernels::best());
    let mut permits = Throwaway::starting_at(first);
    let one = |index: u64| {
        counter.reset();
        let ready = signer.prepare(permits.permit(), SignerLevel::EarlyAuth).unwrap();
        let prepare = counter.total();
        counter.reset();
        let signature = ready.finish(&index.to_be_bytes()).unwrap();
        if index.is_multiple_of(61) {
            plain.verify(&index.to_be_bytes(), signature.as_bytes()).unwrap();
        }
        (prepare, counter.total())
    };
    (0..count).map(one).unzip()
}

fn assert_even(set: &'static Set) {
    let (prepare, mut finish) = life(set, 0, 2_100.min(set.capacity()));
    let (most, sum) = (*prepare.iter().max().unwrap(), prepare.iter().sum::<u64>());
    let mean = sum / prepare.len() as u64;
    assert!(most <= 2 * mean, "{}: prepare {most} at most, {mean} on average", set.name);
    finish.sort_unstable();
    let (most, median) = (finish[finish.len() - 1], finish[finish.len() / 2]);
    assert!(most <= 2 * median, "{}: finish {most} at most, median {median}", set.name);
}

/// With trees of height 5, 2,100 signatures cover 65 lowest trees and two of the trees above them.
#[test]
fn tree_after_tree_evenly() {
    for name in ["L3_H5_W4", "L4_H5_W8", "L3_H5_W2", "L3_H5_W1", "L2_H10_W4"] {
        assert_even(set(name));
    }
}

/// A leaf of a higher level costs up to sixteen times as much as one of the lowest.
#[test]
fn costly_levels_above_cheap_ones_evenly() {
    for name in [
        "HSS(L1_H5_W8,L1_H5_W1)",
        "HSS(L1_H5_W8,L1_H10_W2)",
        "HSS(L1_H5_W4,L1_H5_W2)",
        "HSS(L1_H10_W8,L1_H5_W8,L1_H5_W4)",
        "HSS(L1_H5_W4,L1_H5_W8,L1_H5_W1)",
        "HSS(LMS_SHAKE_M24_H5_W8,LMS_SHA256_M32_H5_W2)",
        "HSS(L1_H5_W1,L1_H5_W2,L1_H5_W8)",
    ] {
        assert_even(set(name));
    }
}

#[test]
fn a_key_goes_on_from_its_cache_anywhere() {
    let set = set("HSS(LMS_SHA256_M32_H5_W4,LMS_SHAKE_M24_H10_W2,LMS_SHA256_M24_H5_W8)");
    let mut first = signer(set, Kernels::best());
    let public = first.public_key().clone();
    let verifier = Verifier::new(&public, Kernels::best());
    let permit = Throwaway::starting_at(33_000).permit();
    first.prepare(permit, SignerLevel::EarlyAuth).unwrap().finish(b"m").unwrap();
    let cache = first.to_cache();
    for next in [33_001, 33_055, 1 << 16, (1 << 20) - 1] {
        let load = load_levels(
            set,
            &public,
            &one(&seed(set)),
            &cache,
            &Throwaway::starting_at(next),
            Kernels::best(),
        );
        let mut again = load.unwrap();
        assert_eq!(again.set(), set);
        for (level, index) in SignerLevel::ALL.into_iter().zip(next..1 << 20) {
            let ready = again.prepare(Throwaway::starting_at(index).permit(), level).unwrap();
            let signature = ready.finish(b"again").unwrap();
            verifier.verify(b"again", signature.as_bytes()).unwrap();
        }
    }
    for at in (0..cache.len()).step_by(97) {
        let mut bad = cache.clone();
        bad[at] ^= 4;
        if let Ok(mut signer) = load_levels(
            set,
            &public,
            &one(&seed(set)),
            &bad,
            &Throwaway::starting_at(33_001),
            Kernels::best(),
        ) {
            let permit = Throwaway::starting_at(33_001).permit();
            let ready = signer.prepare(permit, SignerLevel::None).unwrap();
            let signature = ready.finish(b"m").unwrap();
            verifier.verify(b"m", signature.as_bytes()).expect("a cache that loads is good");
        }
    }
}

#[test]
fn a_cache_of_another_key_or_set_is_refused() {
    let signer = signer(small(), Kernels::best());
    let (public, cache) = (signer.public_key(), signer.to_cache());
    let loaded = |set, seed: &[u8], cache: &[u8]| {
        load_levels(set, public, &one(seed), cache, &Throwaway::new(), Kernels::best()).err()
    };
    let good = seed(small());
    let other = set("HSS(LMS_SHA256_M32_H5_W2,LMS_SHAKE_M24_H5_W8)");
    assert_eq!(loaded(small(), &good, &cache), None);
    assert_eq!(loaded(small(), &good, &cache[1..]), Some(Error::BadCache));
    assert_eq!(loaded(small(), &good[1..], &cache), Some(Error::BadSeed));
    assert!(loaded(other, &good, &cache).is_some());
    assert_eq!(loaded(set("L2_H5_W1"), &good, &cache), Some(Error::BadKey));
    let plain = load(public, &good, &cache, &Throwaway::new(), Kernels::best());
    assert_eq!(plain.err(), Some(Error::UnknownSet));
}

#[test]
fn one_level_is_its_tree_behind_a_number() {
    let tree = set("LMS_SHA256_M32_H5_W8");
    let one = Set::hss(&[tree]).unwrap();
    let (mut alone, mut inside) =
        (generate(tree, &seed(tree), Kernels::best()).unwrap(), signer(one, Kernels::best()));
    let sign = |signer: &mut Signer<'_>| {
        let ready = signer.prepare(Throwaway::new().permit(), SignerLevel::Secrets).unwrap();
        ready.finish(b"m").unwrap().into_bytes()
    };
    let (bare, whole) = (sign(&mut alone), sign(&mut inside));
    assert_eq!(whole, [&[0; 4], bare.as_slice()].concat());
    let key = [&[0, 0, 0, 1], alone.public_key().as_bytes()].concat();
    assert_eq!(inside.public_key().as_bytes(), key);
    let verifier = Verifier::new(inside.public_key(), Kernels::best());
    assert!(verifier.verify(b"m", &whole).is_ok());
    assert!(verifier.verify(b"m", &bare).is_err());
}

#[test]
fn bad_input_is_refused_with_one_error() {
    let mut signer = signer(small(), Kernels::best());
    let public = signer.public_key().clone();
    let ready = signer.prepare(Throwaway::new().permit(), SignerLevel::Secrets).unwrap();
    let good = ready.finish(b"m").unwrap().into_bytes();
    let verifier = Verifier::new(&public, Kernels::best());
    let mut watching = PreparedVerifier::new(verifier.clone(), VerifierLevel::OtsKey, 0);
    watching.verify(b"m", &good).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        assert_eq!(verifier.verify(b"m", &bad), Err(Error::BadSignature), "byte {at}");
        assert_eq!(watching.verify(b"m", &bad), Err(Error::BadSignature), "byte {at}");
        assert_eq!(watching.announce(&bad), Err(Error::BadAnnouncement), "byte {at}");
    }
    for len in [0, 3, 4, 8, good.len() / 2, good.len() - 1] {
        assert_eq!(verifier.verify(b"m", &good[..len]), Err(Error::BadSignature));
    }
    let long = [good.as_slice(), &[0]].concat();
    assert_eq!(verifier.verify(b"m", &long), Err(Error::BadSignature));
}

#[test]
fn keys_that_are_none() {
    let key = signer(small(), Kernels::best()).public_key().as_bytes().to_vec();
    for len in [0, 3, 4, 11, key.len() - 1] {
        assert_eq!(PublicKey::from_hss_bytes(&key[..len]).err(), Some(Error::BadKey));
    }
    for levels in [0, 9, 0x100, u32::MAX] {
        let bad = [&levels.to_be_bytes(), &key[4..]].concat();
        assert_eq!(PublicKey::from_hss_bytes(&bad).err(), Some(Error::BadKey));
    }
    let foreign = [&key[..11], &[9], &key[12..]].concat();
    assert_eq!(PublicKey::from_hss_bytes(&foreign).err(), Some(Error::BadKey));
    // With another number of levels, the right tree verifies nothing.
    let mut signer = signer(small(), Kernels::best());
    let ready = signer.prepare(Throwaway::new().permit(), SignerLevel::Secrets).unwrap();
    let good = ready.finish(b"m").unwrap();
    for levels in [1u32, 3, 8] {
        let other = [&levels.to_be_bytes(), &key[4..]].concat();
        let other = PublicKey::from_hss_bytes(&other).unwrap();
        let verdict = Verifier::new(&other, Kernels::best()).verify(b"m", good.as_bytes());
        assert_eq!(verdict, Err(Error::BadSignature));
    }
}
