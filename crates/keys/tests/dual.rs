//! Dual signatures are valid only as a whole, and are otherwise refused with the correct reason.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::dual::{Dual, DualError, HEAD, Pair};
use hasten_keys::encoding::PublicKey;
use hasten_keys::stateful::read_public_of;
use hasten_keys::stateless::Signer;
use hasten_keys::{Error, registry, stateless, verify::verify};

use common::Place;

const MESSAGE: &[u8] = b"firmware";
/// Algorithms of the second key, as far as this build supports them.
#[cfg(feature = "aws-lc")]
const SECONDS: [&str; 3] = ["Ed25519", "ML-DSA-87", "ECDSA-P-384"];
#[cfg(not(feature = "aws-lc"))]
const SECONDS: [&str; 1] = ["Ed25519"];

/// An HSS key and a stateless key, which make dual signatures together.
struct Keys {
    place: Place,
    first: PublicKey,
    second: Signer<'static>,
}

impl Keys {
    fn with(second: &str) -> Self {
        let place = Place::of("LMS_SHA256_M24_H5_W8", 1);
        place.generate(None);
        let first = read_public_of(&place.store()).unwrap();
        let key = stateless::generate(registry::find(second).unwrap(), Kernels::best()).unwrap();
        Self { place, first, second: Signer::new(&key, Kernels::best()).unwrap() }
    }

    fn pair(&self) -> Pair<'_> {
        Pair::new(&self.first, self.second.public_key()).unwrap()
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let pair = self.pair();
        let bytes = pair.bytes(&mut &message[..]).unwrap();
        let mut key = self.place.open().unwrap();
        key.acknowledge().unwrap();
        let (_, one) = common::sign(&mut key, SignerLevel::ChainTable, &bytes);
        key.close().unwrap();
        pair.seal(&one, &self.second.sign(&bytes).unwrap())
    }

    fn refusal(&self, file: &[u8]) -> DualError {
        match self.pair().verify(file, &mut &MESSAGE[..], Kernels::best()) {
            Err(Error::Dual(why)) => why,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn both_halves_are_good_together() {
    for second in SECONDS {
        let keys = Keys::with(second);
        let (pair, file) = (keys.pair(), keys.sign(MESSAGE));
        assert_eq!(pair.verify(&file, &mut &MESSAGE[..], Kernels::best()), Ok(()), "{second}");
        let other = pair.verify(&file, &mut &b"firmwarE"[..], Kernels::best());
        assert_eq!(other, Err(DualError::BadBoth.into()));
        let [one, two] = Dual::read(&file).unwrap().halves;
        assert_eq!(file.len(), Pair::room(one.len(), two.len()));
    }
}

/// Any verifier can check a half after prepending the head to the message, but not without it.
#[test]
fn a_half_by_itself_is_no_signature_of_the_message() {
    let keys = Keys::with("Ed25519");
    let file = keys.sign(MESSAGE);
    let read = Dual::read(&file).unwrap();
    let signed = [&read.head[..], MESSAGE].concat();
    for (key, half) in [&keys.first, keys.second.public_key()].into_iter().zip(read.halves) {
        assert_eq!(verify(key, &mut &signed[..], half, Kernels::best()), Ok(()));
        let alone = verify(key, &mut &MESSAGE[..], half, Kernels::best());
        assert_eq!(alone, Err(Error::BadSignature));
    }
}

#[test]
fn what_is_cut_out_swapped_or_replaced_is_named() {
    let keys = Keys::with("Ed25519");
    let (pair, file, again) = (keys.pair(), keys.sign(MESSAGE), keys.sign(b"other"));
    let [one, two] = Dual::read(&file).unwrap().halves;
    let [other_one, other_two] = Dual::read(&again).unwrap().halves;
    assert_eq!(keys.refusal(&pair.seal(one, &[])), DualError::HalfMissing);
    assert_eq!(keys.refusal(&pair.seal(&[], two)), DualError::HalfMissing);
    for length in 8..file.len() {
        assert_eq!(keys.refusal(&file[..length]), DualError::HalfMissing, "{length}");
    }
    assert_eq!(keys.refusal(&[&file[..], b"x"].concat()), DualError::TooLong);
    assert_eq!(keys.refusal(&pair.seal(two, one)), DualError::Swapped);
    assert_eq!(keys.refusal(&pair.seal(one, one)), DualError::BadSecond);
    assert_eq!(keys.refusal(&pair.seal(two, two)), DualError::BadFirst);
    assert_eq!(keys.refusal(&pair.seal(other_one, two)), DualError::BadFirst, "another message's");
    assert_eq!(keys.refusal(&pair.seal(one, other_two)), DualError::BadSecond);
    assert_eq!(keys.refusal(one), DualError::NotDual);
    assert_eq!(keys.refusal(b""), DualError::NotDual);
    for at in HEAD + 4..HEAD + 4 + one.len() {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert_eq!(keys.refusal(&changed), DualError::BadFirst, "{at}");
    }
}

#[test]
fn a_half_goes_with_no_other_key() {
    let (keys, others) = (Keys::with("Ed25519"), Keys::with("Ed25519"));
    let file = keys.sign(MESSAGE);
    assert_eq!(others.refusal(&file), DualError::OtherKeys);
    // The first half stays, and an attacker signs instead of the second key.
    let mixed = Pair::new(&keys.first, others.second.public_key()).unwrap();
    let bytes = mixed.bytes(&mut &MESSAGE[..]).unwrap();
    let one = Dual::read(&file).unwrap().halves[0];
    let forged = mixed.seal(one, &others.second.sign(&bytes).unwrap());
    let verdict = mixed.verify(&forged, &mut &MESSAGE[..], Kernels::best());
    assert_eq!(verdict, Err(DualError::BadFirst.into()));
    let turned = Pair::new(keys.second.public_key(), &keys.first).unwrap();
    let verdict = turned.verify(&file, &mut &MESSAGE[..], Kernels::best());
    assert_eq!(verdict, Err(DualError::OtherOrder.into()));
    assert_eq!(Pair::new(&keys.first, &keys.first).err(), Some(DualError::OneKey.into()));
}
