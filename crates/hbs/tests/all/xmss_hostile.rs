//! Hostile input: a wrong signature or key always gives the same error and never a panic.

use crate::answers::{Answer, answers};
use crate::source::vectors;
use hasten_hbs::{Error, PreparedVerifier, PublicKey, Set, Verifier, VerifierLevel, params};
use hasten_kernels::Kernels;

fn selection() -> Vec<Answer> {
    answers(&vectors().join("xmss"), "XMSS-")
}

/// A plain verifier, and prepared ones at every level, which must all give the same verdict.
struct Judges<'a> {
    answer: &'a Answer,
    plain: Verifier<'static>,
    prepared: Vec<PreparedVerifier<'static>>,
}

impl<'a> Judges<'a> {
    fn new(answer: &'a Answer) -> Self {
        let key = PublicKey::from_xmss_bytes(&answer.pk).unwrap();
        let plain = Verifier::new(&key, Kernels::best());
        let at = |level| PreparedVerifier::new(plain.clone(), level, 0);
        let prepared = VerifierLevel::ALL.map(at).into();
        Self { answer, plain, prepared }
    }

    fn refuse(&mut self, signature: &[u8]) {
        let refused = Err(Error::BadSignature);
        let Answer { name, msg, .. } = self.answer;
        assert_eq!(self.plain.verify(msg, signature), refused, "{name}");
        for judge in &mut self.prepared {
            assert_eq!(judge.verify(msg, signature), refused, "{name}");
        }
    }

    fn accept(mut self) {
        for judge in &mut self.prepared {
            judge.verify(&self.answer.msg, &self.answer.sm).unwrap();
        }
    }
}

#[test]
fn wrong_lengths() {
    for answer in &selection() {
        let mut judges = Judges::new(answer);
        let sm = &answer.sm;
        for len in [0, 1, 3, 4, 5, 4 + sm.len() / 2, sm.len() - 1] {
            judges.refuse(&sm[..len]);
        }
        judges.refuse(&[sm.as_slice(), &[0]].concat());
        judges.refuse(&[sm.as_slice(), sm].concat());
        judges.accept();
    }
}

#[test]
fn indices_out_of_range_or_of_others() {
    for answer in &selection() {
        let mut judges = Judges::new(answer);
        let capacity = Set::named(&answer.name).unwrap().capacity() as u32;
        for index in [1, capacity - 1, capacity, capacity + 1, 1 << 31, u32::MAX] {
            let mut bad = answer.sm.clone();
            bad[..4].copy_from_slice(&index.to_be_bytes());
            judges.refuse(&bad);
        }
        judges.accept();
    }
}

#[test]
fn bits_turned_anywhere() {
    for answer in &selection() {
        let mut judges = Judges::new(answer);
        for place in (0..answer.sm.len()).step_by(answer.sm.len() / 29) {
            let mut bad = answer.sm.clone();
            bad[place] ^= 1 << (place % 8);
            judges.refuse(&bad);
        }
        judges.refuse(&vec![0; answer.sm.len()]);
        judges.refuse(&vec![0xff; answer.sm.len()]);
        judges.accept();
    }
}

#[test]
fn other_messages() {
    for answer in &selection() {
        let verifier = Judges::new(answer).plain;
        for message in [&[][..], &answer.msg[1..], &[answer.msg.as_slice(), &[0]].concat()] {
            assert_eq!(verifier.verify(message, &answer.sm), Err(Error::BadSignature));
        }
    }
}

#[test]
fn keys_that_are_none() {
    for answer in &selection() {
        let pk = &answer.pk;
        for len in [0, 3, 4, pk.len() - 1] {
            assert_eq!(PublicKey::from_xmss_bytes(&pk[..len]), Err(Error::BadKey));
        }
        let long = [pk.as_slice(), &[0]].concat();
        assert_eq!(PublicKey::from_xmss_bytes(&long), Err(Error::BadKey));
        for oid in [0, 0x16, 0x100, u32::MAX] {
            let bad = [&u32::to_be_bytes(oid), &pk[4..]].concat();
            assert_eq!(PublicKey::from_xmss_bytes(&bad), Err(Error::BadKey));
        }
    }
}

#[test]
fn a_key_of_another_set_or_another_root_verifies_nothing() {
    for answer in &selection() {
        let xmss = params::SETS.iter().filter(|set| set.scheme == params::Scheme::Xmss);
        for set in xmss.filter(|set| set.name != answer.name) {
            let other = [&set.number.get().to_be_bytes(), &answer.pk[4..]].concat();
            if let Ok(key) = PublicKey::from_xmss_bytes(&other) {
                let verifier = Verifier::new(&key, Kernels::best());
                let verdict = verifier.verify(&answer.msg, &answer.sm);
                assert_eq!(verdict, Err(Error::BadSignature), "{} as {}", answer.name, set.name);
            }
        }
        for place in [4, answer.pk.len() / 2, answer.pk.len() - 1] {
            let mut other = answer.pk.clone();
            other[place] ^= 1;
            let key = PublicKey::from_xmss_bytes(&other).unwrap();
            let verdict = Verifier::new(&key, Kernels::best()).verify(&answer.msg, &answer.sm);
            assert_eq!(verdict, Err(Error::BadSignature));
        }
    }
}
