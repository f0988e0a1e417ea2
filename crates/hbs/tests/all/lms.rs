//! LMS: known answers, every shape of key at every level, operation counts, hostile input.

use crate::answers::{Answer, answers};
use crate::source::source_of;
use hasten_hbs::params::{SETS, Scheme};
use hasten_hbs::{
    Error, PublicKey, Set, Signer, SignerLevel, Verifier, generate, hazmat::Throwaway,
};
use hasten_kernels::{Counter, Counting, Kernels};
use signature::rand_core::{TryCryptoRng, TryRng};

fn sets(h: u32) -> impl Iterator<Item = &'static Set> {
    SETS.iter().filter(move |set| matches!(set.scheme, Scheme::Lms { .. }) && set.h == h)
}

fn signer(set: &'static Set) -> Signer<'static> {
    let seed: Vec<u8> = (0..set.seed_bytes() as u8).collect();
    generate(set, &seed, Kernels::best()).unwrap()
}

/// Verifies an answer. An HSS answer with one level is an LMS answer after a number.
fn verify(answer: &Answer) {
    let public = PublicKey::from_lms_bytes(answer.pk.strip_prefix(&[0, 0, 0, 1]).unwrap()).unwrap();
    let signature = answer.sm.strip_prefix(&[0, 0, 0, 0]).unwrap();
    let verifier = Verifier::new(&public, Kernels::best());
    verifier.verify(&answer.msg, signature).expect(&answer.name);
    assert!(verifier.verify(&answer.msg[1..], signature).is_err());
}

#[test]
fn signatures_of_liboqs() {
    let all = answers(&source_of("oqs", "oqs-sys").join("liboqs/tests/KATs/sig_stfl/lms"), "LMS_");
    let single: Vec<&Answer> = all.iter().filter(|a| a.pk[3] == 1).collect();
    assert!(single.len() >= 16);
    single.into_iter().for_each(verify);
}

#[test]
fn sizes_are_the_standards() {
    let size = |name: &str| Set::named(name).unwrap().signature_bytes();
    assert_eq!(size("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8"), 1_292);
    assert_eq!(size("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4"), 2_508);
    assert_eq!(size("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W2"), 4_620);
    assert_eq!(size("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W1"), 8_844);
    assert_eq!(size("LMS_SHAKE_M24_H10/LMOTS_SHAKE_N24_W4"), 1_500);
    assert!(sets(5).chain(sets(25)).all(|set| set.public_key_bytes() == 24 + set.n));
    assert_eq!([5, 10, 15, 20, 25].map(|h| sets(h).count()), [16; 5]);
}

#[test]
fn every_shape_signs_alike_at_every_level_to_the_last_index() {
    for set in sets(5) {
        let mut signer = signer(set);
        let verifier = Verifier::new(signer.public_key(), Kernels::best());
        let mut permits = Throwaway::new();
        for index in 0..32 {
            let level = SignerLevel::ALL[index % 5];
            let prepared = signer.prepare(permits.permit(), level).unwrap();
            let signature = prepared.finish(&[index as u8]).unwrap();
            assert_eq!(signature.as_bytes().len(), set.signature_bytes());
            verifier.verify(&[index as u8], signature.as_bytes()).expect(set.name);
        }
        let past = signer.prepare(permits.permit(), SignerLevel::None).err();
        assert_eq!(past, Some(Error::Exhausted));
    }
}

/// A generator that returns consecutive bytes, or always fails.
struct CountingRng(Option<u8>);

impl TryRng for CountingRng {
    type Error = std::fmt::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes).map(|()| u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes).map(|()| u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        let next = self.0.as_mut().ok_or(std::fmt::Error)?;
        out.iter_mut().for_each(|byte| (*byte, *next) = (*next, next.wrapping_add(1)));
        Ok(())
    }
}

impl TryCryptoRng for CountingRng {}

/// SP 800-208, section 6.1 (LMS and HSS Random Number Generation Requirements).
#[test]
fn a_generator_gives_the_randomizer() {
    let shapes = ["LMS_SHA256_M24_H5_W8", "HSS(LMS_SHAKE_M32_H5_W8,LMS_SHAKE_M32_H5_W4)"];
    for set in shapes.map(|name| Set::named(name).unwrap()) {
        let mut signer = generate(set, &vec![9; set.seed_bytes()], Kernels::best()).unwrap();
        let verifier = Verifier::new(signer.public_key(), Kernels::best());
        let mut permits = Throwaway::new();
        for level in SignerLevel::ALL {
            let ready = signer.prepare(permits.permit(), level).unwrap();
            let made = ready.finish_with_rng(&mut CountingRng(Some(1)), b"message").unwrap();
            verifier.verify(b"message", made.as_bytes()).expect(set.name);
            let c: Vec<u8> = (1..=set.n as u8).collect();
            assert!(made.as_bytes().windows(set.n).any(|part| part == c), "C is the generator's");
            let ready = signer.prepare(permits.permit(), level).unwrap();
            let failed = ready.finish_with_rng(&mut CountingRng(None), b"message");
            assert_eq!(failed.err(), Some(Error::Rng));
            let mut ready = signer.prepare(permits.permit(), level).unwrap();
            ready.update(b"mess");
            assert_eq!(ready.randomize(&mut CountingRng(Some(1))), Err(Error::Begun));
            let made = ready.finish(b"age").unwrap();
            verifier.verify(b"message", made.as_bytes()).expect(set.name);
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_level() {
    for set in sets(5) {
        let sign = |level| {
            let prepared = signer(set).prepare(Throwaway::starting_at(9).permit(), level);
            prepared.unwrap().finish(b"message").unwrap()
        };
        let first = sign(SignerLevel::None);
        SignerLevel::ALL.into_iter().for_each(|level| assert_eq!(sign(level), first));
    }
}

/// The operations of RFC 8554 in compressions: secret elements, chains, K, leaf, inner nodes.
#[test]
fn a_key_costs_what_the_formulas_say() {
    let costs = [(1, 133), (2, 67), (4, 34), (8, 18)];
    for (lg_w, k) in costs {
        let name = format!("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W{lg_w}");
        let set = Set::named(&name).unwrap();
        let counter = Counter::new();
        let counting = Counting::new(Kernels::best(), &counter);
        generate(set, &[7; 48], counting.kernels()).unwrap();
        let p = set.len() as u64;
        let leaf = p + p * (set.w() as u64 - 1) + k + 1;
        assert_eq!(counter.total(), 32 * leaf + 31 * 2, "{name}");
    }
}

#[test]
fn bad_input_is_refused_with_one_error() {
    let set = Set::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8").unwrap();
    let mut signer = signer(set);
    let public = signer.public_key().clone();
    let prepared = signer.prepare(Throwaway::new().permit(), SignerLevel::Secrets).unwrap();
    let good = prepared.finish(b"m").unwrap().into_bytes();
    let verifier = Verifier::new(&public, Kernels::best());
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        assert_eq!(verifier.verify(b"m", &bad), Err(Error::BadSignature), "byte {at}");
    }
    for len in [0, 3, 11, good.len() - 1] {
        assert_eq!(verifier.verify(b"m", &good[..len]), Err(Error::BadSignature));
    }
    let key = public.as_bytes();
    for len in [0, 7, 8, key.len() - 1] {
        assert_eq!(PublicKey::from_lms_bytes(&key[..len]).err(), Some(Error::BadKey));
    }
    let mut foreign = key.to_vec();
    foreign[7] = 9; // LMOTS_SHAKE_N32_W1 under a tree of SHA-256
    assert_eq!(PublicKey::from_lms_bytes(&foreign).err(), Some(Error::BadKey));
}
