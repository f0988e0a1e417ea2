//! XMSS^MT: known answers, even costs from tree to tree, caches, hostile input.

use crate::answers::{Answer, answers};
use crate::source::source_of;
use hasten_hbs::{
    Error, PreparedVerifier, PublicKey, Set, Signer, SignerLevel, Verifier, VerifierLevel,
    generate, hazmat::Throwaway, load,
};
use hasten_kernels::{Counter, Counting, Kernels};

const SMALL: &str = "XMSSMT-SHA2_20/4_256";

fn small() -> &'static Set {
    Set::named(SMALL).unwrap()
}

fn signer<'k>(set: &'static Set, kernels: Kernels<'k>) -> Signer<'k> {
    let seed: Vec<u8> = (0..set.seed_bytes() as u8).collect();
    generate(set, &seed, kernels).unwrap()
}

fn verify(answer: &Answer) {
    let key = PublicKey::from_xmssmt_bytes(&answer.pk).unwrap();
    let verifier = Verifier::new(&key, Kernels::best());
    verifier.verify(&answer.msg, &answer.sm).expect(&answer.name);
    assert!(verifier.verify(&answer.msg[1..], &answer.sm).is_err());
}

#[test]
fn signatures_of_liboqs() {
    let dir = source_of("oqs", "oqs-sys").join("liboqs/tests/KATs/sig_stfl/xmss");
    let all = answers(&dir, "XMSSMT-");
    assert!(all.len() >= 16);
    all.iter().for_each(verify);
}

/// The signature sizes in RFC 8391's table of XMSS^MT parameters, in bytes.
#[test]
fn sizes_are_the_standards() {
    let size = |name: &str| Set::named(name).unwrap().signature_bytes();
    assert_eq!(size("XMSSMT-SHA2_20/2_256"), 4_963);
    assert_eq!(size("XMSSMT-SHA2_20/4_256"), 9_251);
    assert_eq!(size("XMSSMT-SHA2_40/2_256"), 5_605);
    assert_eq!(size("XMSSMT-SHA2_60/12_256"), 27_688);
    assert_eq!(size("XMSSMT-SHA2_20/2_192"), 2_955);
    assert_eq!(size("XMSSMT-SHAKE_60/6_512"), 54_216);
}

/// Signatures verify with and without preparation, and none costs much more than the mean.
#[test]
fn tree_after_tree_evenly() {
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let mut signer = signer(small(), counting.kernels());
    let plain = Verifier::new(signer.public_key(), Kernels::best());
    let mut prepared = PreparedVerifier::new(plain.clone(), VerifierLevel::NodeCache, 0);
    let mut permits = Throwaway::new();
    let (mut prepares, mut finishes) = (Vec::new(), Vec::new());
    for index in 0..2_100u32 {
        counter.reset();
        let ready = signer.prepare(permits.permit(), SignerLevel::EarlyAuth).unwrap();
        prepares.push(counter.total());
        counter.reset();
        let signature = ready.finish(&index.to_be_bytes()).unwrap();
        finishes.push(counter.total());
        if index % 7 == 0 || index % 32 < 2 || index % 32 == 31 {
            plain.verify(&index.to_be_bytes(), signature.as_bytes()).unwrap();
        }
        prepared.verify(&index.to_be_bytes(), signature.as_bytes()).unwrap();
        prepared.prepare();
    }
    assert_even("prepare", &prepares);
    assert_even("finish", &finishes);
}

fn assert_even(what: &str, counts: &[u64]) {
    let most = *counts.iter().max().unwrap();
    let mean = counts.iter().sum::<u64>() / counts.len() as u64;
    assert!(most <= 2 * mean, "{what}: {most} at most, {mean} on average");
}

#[test]
fn a_key_goes_on_from_its_cache_anywhere() {
    let mut first = signer(small(), Kernels::best());
    let seed: Vec<u8> = (0..small().seed_bytes() as u8).collect();
    let public = first.public_key().clone();
    let verifier = Verifier::new(&public, Kernels::best());
    let mut permits = Throwaway::starting_at(1_030);
    first.prepare(permits.permit(), SignerLevel::EarlyAuth).unwrap().finish(b"m").unwrap();
    let cache = first.to_cache();
    for next in [1_031, 1_055, 1_056, 2_048, (1 << 20) - 1] {
        let mut again =
            load(&public, &seed, &cache, &Throwaway::starting_at(next), Kernels::best()).unwrap();
        for (level, index) in SignerLevel::ALL.into_iter().zip(next..1 << 20) {
            let ready = again.prepare(Throwaway::starting_at(index).permit(), level).unwrap();
            let signature = ready.finish(b"again").unwrap();
            verifier.verify(b"again", signature.as_bytes()).unwrap();
        }
    }
    for at in (0..cache.len()).step_by(61) {
        let mut bad = cache.clone();
        bad[at] ^= 4;
        let loaded = load(&public, &seed, &bad, &Throwaway::starting_at(1_031), Kernels::best());
        if let Ok(mut signer) = loaded {
            let permit = Throwaway::starting_at(1_031).permit();
            let ready = signer.prepare(permit, SignerLevel::None).unwrap();
            let signature = ready.finish(b"m").unwrap();
            verifier.verify(b"m", signature.as_bytes()).expect("a cache that loads is good");
        }
    }
}

#[test]
fn announcements_carry_the_higher_layers() {
    let mut signer = signer(small(), Kernels::best());
    let plain = Verifier::new(signer.public_key(), Kernels::best());
    let mut verifier = PreparedVerifier::new(plain, VerifierLevel::OtsKey, 0);
    let permit = Throwaway::starting_at(33).permit();
    let ready = signer.prepare(permit, SignerLevel::ChainTable).unwrap();
    let announcement = ready.announcement();
    assert_eq!(announcement.len(), PreparedVerifier::announce_bytes(small()));
    let mut bad = announcement.clone();
    bad[3 + 5 * 32 + 40] ^= 1;
    assert_eq!(verifier.announce(&bad), Err(Error::BadAnnouncement));
    verifier.announce(&announcement).unwrap();
    let signature = ready.finish(b"m").unwrap();
    verifier.verify(b"m", signature.as_bytes()).unwrap();
}

#[test]
fn bad_input_is_refused_with_one_error() {
    let mut signer = signer(small(), Kernels::best());
    let public = signer.public_key().clone();
    let ready = signer.prepare(Throwaway::new().permit(), SignerLevel::Secrets).unwrap();
    let good = ready.finish(b"m").unwrap().into_bytes();
    let verifier = Verifier::new(&public, Kernels::best());
    for at in (0..good.len()).step_by(37) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        assert_eq!(verifier.verify(b"m", &bad), Err(Error::BadSignature), "byte {at}");
    }
    for len in [0, 2, 3, good.len() - 1] {
        assert_eq!(verifier.verify(b"m", &good[..len]), Err(Error::BadSignature));
    }
    let mut past = good;
    past[0] = 0xff;
    assert_eq!(verifier.verify(b"m", &past), Err(Error::BadSignature));
    for len in [0, 3, 67] {
        let cut = &public.as_bytes()[..len];
        assert_eq!(PublicKey::from_xmssmt_bytes(cut).err(), Some(Error::BadKey));
    }
}
