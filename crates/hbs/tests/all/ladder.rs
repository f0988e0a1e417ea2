//! The preparation ladder for XMSS-SHA2_10_256: every level gives the same bytes and the same
//! verdict.

use crate::key::key;
use hasten_hbs::{
    Error, MOST_PENDING, Permit, Prepared, PreparedVerifier, Signer, SignerLevel, Verifier,
    VerifierLevel,
    hazmat::{Throwaway, ThrowawayPermit},
    load,
};
use hasten_kernels::Kernels;

fn at(
    signer: &mut Signer<'static>,
    index: u64,
    level: SignerLevel,
) -> Prepared<'static, ThrowawayPermit> {
    signer.prepare(Throwaway::starting_at(index).permit(), level).unwrap()
}

#[test]
fn every_level_makes_the_same_bytes() {
    let verifier = Verifier::new(&key().public, Kernels::best());
    for index in [0, 1, 15, 16, 511, 1022, 1023] {
        let message = [index as u8; 64];
        let mut signatures = SignerLevel::ALL.map(|level| {
            let mut signer = key().signer(0);
            at(&mut signer, index, level).finish(&message).unwrap()
        });
        verifier.verify(&message, signatures[0].as_bytes()).unwrap();
        signatures.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
        assert_eq!(signatures[0], signatures[4], "index {index}");
    }
}

#[test]
fn a_message_may_come_in_pieces() {
    for level in SignerLevel::ALL {
        let whole = at(&mut key().signer(0), 3, level).finish(&[5; 300]).unwrap();
        let mut prepared = at(&mut key().signer(0), 3, level);
        prepared.update(&[5; 100]);
        prepared.update(&[5; 199]);
        assert_eq!(prepared.finish(&[5; 1]).unwrap(), whole);
        let verifier = Verifier::new(&key().public, Kernels::best());
        let mut verification = verifier.begin(whole.as_bytes()).unwrap();
        verification.update(&[5; 299]);
        verification.finish(&[5]).unwrap();
    }
}

#[test]
fn indices_go_forward_only_and_end() {
    let mut signer = key().signer(7);
    assert_eq!((signer.next_index(), signer.remaining()), (7, 1017));
    let early = signer.prepare(Throwaway::starting_at(6).permit(), SignerLevel::EarlyAuth);
    assert_eq!(early.err(), Some(Error::IndexPassed));
    drop(at(&mut signer, 100, SignerLevel::EarlyAuth));
    for used in [7, 99, 100] {
        let again = signer.prepare(Throwaway::starting_at(used).permit(), SignerLevel::None);
        assert_eq!(again.err(), Some(Error::IndexPassed));
    }
    at(&mut signer, 1023, SignerLevel::None).finish(b"last").unwrap();
    let past = signer.prepare(Throwaway::starting_at(1024).permit(), SignerLevel::None);
    assert_eq!(past.err(), Some(Error::Exhausted));
    assert_eq!(signer.remaining(), 0);
}

/// A permit that is lost after it was granted.
struct Fleeting<'a>(&'a std::sync::atomic::AtomicBool);

impl Permit for Fleeting<'_> {
    fn index(&self) -> u64 {
        0
    }
    fn check(&self) -> Result<(), Error> {
        let held = self.0.load(std::sync::atomic::Ordering::Relaxed);
        if held { Ok(()) } else { Err(Error::PermitLost) }
    }
}

#[test]
fn a_lost_permit_signs_nothing() {
    for level in SignerLevel::ALL {
        let held = std::sync::atomic::AtomicBool::new(true);
        let mut signer = key().signer(0);
        let prepared = signer.prepare(Fleeting(&held), level).unwrap();
        held.store(false, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(prepared.finish(b"m").err(), Some(Error::PermitLost));
        let again = signer.prepare(Fleeting(&held), level);
        assert_eq!(again.err(), Some(Error::PermitLost));
    }
}

/// A permit for another key.
struct Foreign;

impl Permit for Foreign {
    fn index(&self) -> u64 {
        0
    }
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
    fn is_for(&self, _public_key: &[u8]) -> bool {
        false
    }
}

#[test]
fn a_permit_for_another_key_is_refused() {
    let refused = key().signer(0).prepare(Foreign, SignerLevel::ChainTable);
    assert_eq!(refused.err(), Some(Error::PermitLost));
}

#[test]
fn several_prepared_at_once_in_any_order() {
    let mut signer = key().signer(12);
    let mut waiting: Vec<_> =
        (12..20).map(|i| at(&mut signer, i, SignerLevel::ALL[i as usize % 5])).collect();
    waiting.reverse();
    let verifier = Verifier::new(&key().public, Kernels::best());
    for prepared in waiting {
        let message = prepared.index().to_be_bytes();
        let signature = prepared.finish(&message).unwrap();
        verifier.verify(&message, signature.as_bytes()).unwrap();
    }
}

#[test]
fn every_verifier_level_gives_the_same_verdict() {
    for level in VerifierLevel::ALL {
        let plain = Verifier::new(&key().public, Kernels::best());
        let mut verifier = PreparedVerifier::new(plain.clone(), level, 0);
        let mut signer = key().signer(0);
        // In order, with gaps, and across subtrees.
        for index in (0..20).chain([40, 41, 511, 512, 513, 1023]) {
            let prepared = at(&mut signer, index, SignerLevel::ChainTable);
            let announced = level == VerifierLevel::OtsKey && index % 3 != 0;
            if announced {
                verifier.announce(&prepared.announcement()).unwrap();
            }
            let message = [index as u8; 64];
            let signature = prepared.finish(&message).unwrap().into_bytes();
            for place in [0, 3, 4, 35, 36, 1000, 2179, 2180, 2211, 2212, 2300, 2499] {
                let mut bad = signature.clone();
                bad[place] ^= 1;
                assert_eq!(verifier.verify(&message, &bad), Err(Error::BadSignature));
            }
            assert_eq!(verifier.verify(b"other", &signature), Err(Error::BadSignature));
            verifier.verify(&message, &signature).unwrap();
            plain.verify(&message, &signature).unwrap();
            verifier.prepare();
            assert_eq!(verifier.expected(), index + 1);
        }
    }
}

#[test]
fn announcements_are_authenticated_and_bounded() {
    let plain = Verifier::new(&key().public, Kernels::best());
    let mut verifier = PreparedVerifier::new(plain.clone(), VerifierLevel::OtsKey, 0);
    let mut signer = key().signer(0);
    let first = at(&mut signer, 0, SignerLevel::None);
    let announcement = first.announcement();
    assert_eq!(announcement.len(), PreparedVerifier::announce_bytes(key().public.set()));
    for place in (0..announcement.len()).step_by(61) {
        let mut bad = announcement.clone();
        bad[place] ^= 0x80;
        assert_eq!(verifier.announce(&bad), Err(Error::BadAnnouncement));
    }
    assert_eq!(verifier.announce(&announcement[1..]), Err(Error::BadAnnouncement));
    assert_eq!(verifier.pending(), 0);
    verifier.announce(&announcement).unwrap();
    verifier.verify(b"m", first.finish(b"m").unwrap().as_bytes()).unwrap();
    assert_eq!(verifier.pending(), 0);
    assert_eq!(verifier.announce(&announcement), Err(Error::BadAnnouncement), "index passed");
    for index in 1..=MOST_PENDING as u64 + 3 {
        verifier.announce(&at(&mut signer, index, SignerLevel::EarlyAuth).announcement()).unwrap();
    }
    assert_eq!(verifier.pending(), MOST_PENDING);
    let mut masks = PreparedVerifier::new(plain, VerifierLevel::Masks, 0);
    assert_eq!(masks.announce(&announcement), Err(Error::BadAnnouncement), "below its level");
}

#[test]
fn announcements_are_the_same_at_every_level() {
    let all = SignerLevel::ALL.map(|level| at(&mut key().signer(0), 5, level).announcement());
    assert!(all.iter().all(|a| *a == all[0]));
}

#[test]
fn memory_is_what_the_chapter_says() {
    let set = key().public.set();
    assert_eq!(SignerLevel::ALL.map(|l| l.adds(set)), [0, 320, 2_208, 64_320, 34_304]);
    assert_eq!(VerifierLevel::ALL.map(|l| l.adds(set)), [0, 71_616, 640, 2_464]);
    let n24 = hasten_hbs::Set::named("XMSS-SHA2_10_192").unwrap();
    assert_eq!(SignerLevel::Masks.adds(n24), 36_720);
    assert_eq!(SignerLevel::ChainTable.adds(n24), 19_584);
}

#[test]
fn a_cache_is_checked_when_it_is_loaded() {
    let key = key();
    let mut signer = key.signer(0);
    drop(at(&mut signer, 333, SignerLevel::EarlyAuth));
    assert_eq!(signer.to_cache(), key.cache);
    for place in (0..key.cache.len()).step_by(97) {
        let mut bad = key.cache.clone();
        bad[place] ^= 1;
        let loaded = load(&key.public, &key.seed, &bad, &Throwaway::new(), Kernels::best());
        assert_eq!(loaded.err(), Some(Error::BadCache));
    }
    let loaded = load(&key.public, &key.seed, &key.cache[1..], &Throwaway::new(), Kernels::best());
    assert_eq!(loaded.err(), Some(Error::BadCache));
    let mut other = key.seed.clone();
    other[0] ^= 1;
    let loaded = load(&key.public, &other, &key.cache, &Throwaway::new(), Kernels::best());
    assert_eq!(loaded.err(), Some(Error::BadCache), "the seed of another key");
}

#[test]
fn the_signature_traits() {
    use signature::SignerMut;
    let verifier = Verifier::new(&key().public, Kernels::best());
    let mut signing = key().signer(0).with_permits(Throwaway::new());
    for message in [b"one", b"two"] {
        let signature = signing.try_sign(message).unwrap();
        signature::Verifier::verify(&verifier, message, &signature).unwrap();
        assert!(signature::Verifier::verify(&verifier, b"not", &signature).is_err());
    }
    assert_eq!(signing.signer().next_index(), 2);
}

#[test]
fn nothing_secret_is_printed() {
    let mut signer = key().signer(0);
    let prepared = at(&mut signer, 0, SignerLevel::ChainTable);
    assert_eq!(format!("{prepared:?}"), "Prepared(XMSS-SHA2_10_256, index 0, chain-table)");
    assert_eq!(format!("{signer:?}"), "Signer(XMSS-SHA2_10_256, next index 1)");
}
