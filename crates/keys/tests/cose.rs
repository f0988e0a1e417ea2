//! COSE_Sign1: signatures made here verify, but not with another payload, key or header.
#![cfg(all(feature = "x509", feature = "sign"))]

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use common::Place as KeyPlace;
use coset::{
    CborSerializable, CoseSign1, CoseSign1Builder, HeaderBuilder, TaggedCborSerializable, iana,
};
use hasten_kernels::Kernels;
use hasten_keys::cose::{MOST_PAYLOAD, Sign1, Unsigned, algorithm, payload};
use hasten_keys::encoding::PublicKey;
use hasten_keys::stateful::{Note, Purpose};
use hasten_keys::x509::CertificateSigner;
use hasten_keys::{Error, registry, stateless};

const PAYLOAD: &[u8] = b"the firmware";

fn signed(signer: &mut dyn CertificateSigner, attached: bool) -> Vec<u8> {
    let key = signer.public_key().unwrap();
    let unsigned = Unsigned::new(&key, PAYLOAD.to_vec(), attached).unwrap();
    let signature = signer.sign(unsigned.message(), Note::of(Purpose::Cose)).unwrap();
    let file = unsigned.finish(&signature).unwrap();
    assert!(file.len() <= unsigned.beside() + signature.len());
    file
}

fn verdict(file: &[u8], key: &PublicKey, payload: Option<&[u8]>) -> Result<(), Error> {
    let mut given = payload;
    let given = given.as_mut().map(|payload| payload as &mut dyn std::io::Read);
    Sign1::read(file)?.verify(key, given, Kernels::best())
}

fn every_way(signer: &mut dyn CertificateSigner) {
    let key = signer.public_key().unwrap();
    let detached = signed(signer, false);
    assert_eq!(Sign1::read(&detached).unwrap().payload(), None);
    assert_eq!(verdict(&detached, &key, Some(PAYLOAD)), Ok(()));
    assert_eq!(verdict(&detached, &key, None), Err(Error::Detached));
    let attached = signed(signer, true);
    assert_eq!(Sign1::read(&attached).unwrap().payload(), Some(PAYLOAD));
    assert_eq!(verdict(&attached, &key, None), Ok(()));
    assert_eq!(verdict(&attached, &key, Some(PAYLOAD)), Ok(()));
    for wrong in [&PAYLOAD[1..], &PAYLOAD[..3], b"", b"the firmwarE"] {
        for file in [&detached, &attached] {
            assert_eq!(verdict(file, &key, Some(wrong)), Err(Error::BadSignature));
        }
    }
    // The one-byte tag is optional.
    assert_eq!(verdict(&attached[1..], &key, None), Ok(()));
}

/// Runs a test with an LMS key, whose signatures are short.
fn with_lms(run: impl FnOnce(&mut dyn CertificateSigner)) {
    let place = KeyPlace::of("LMS_SHA256_M24_H5_W8", 1);
    place.generate(None);
    run(&mut place.open().unwrap());
}

#[test]
fn keys_with_a_state_sign_in_every_way() {
    with_lms(|key| every_way(key));
}

#[cfg(feature = "aws-lc")]
#[test]
fn lattice_keys_sign_in_every_way() {
    for (alg, number) in [("ML-DSA-44", -48), ("ML-DSA-65", -49), ("ML-DSA-87", -50)] {
        let key = stateless::generate(registry::find(alg).unwrap(), Kernels::best()).unwrap();
        let mut signer = stateless::Signer::new(&key, Kernels::best()).unwrap();
        assert_eq!(algorithm(signer.public_key()), Ok(number));
        every_way(&mut signer);
    }
}

#[test]
fn the_bytes_are_those_of_the_standards() {
    with_lms(|key| {
        let public = key.public_key().unwrap();
        assert_eq!(algorithm(&public), Ok(-46));
        let unsigned = Unsigned::new(&public, PAYLOAD.to_vec(), false).unwrap();
        // ["Signature1", h'a101382d', h'', h'...'], where a1 01 38 2d is {1: -46}.
        let expected = [b"\x84\x6aSignature1\x44\xa1\x01\x38\x2d\x40\x4c", PAYLOAD].concat();
        assert_eq!(unsigned.message(), expected);
        // 18([h'a101382d', {}, nil, h'...']), a signature of 784 bytes.
        let file = signed(key, false);
        assert_eq!(file[..12], *b"\xd2\x84\x44\xa1\x01\x38\x2d\xa0\xf6\x59\x03\x10");
        assert_eq!(file.len(), 12 + 784);
    });
}

#[test]
fn no_byte_changed_or_missing_is_good() {
    with_lms(|key| {
        let (file, public) = (signed(key, true), key.public_key().unwrap());
        for at in 0..file.len() {
            assert_eq!(Sign1::read(&file[..at]).err(), Some(Error::NotCose), "{at} bytes");
            let mut bent = file.clone();
            bent[at] ^= 1 << (at % 8);
            assert!(verdict(&bent, &public, None).is_err(), "byte {at}");
        }
        let longer = [&file[..], &[0]].concat();
        assert_eq!(Sign1::read(&longer).err(), Some(Error::NotCose));
    });
}

#[test]
fn garbage_and_lengths_that_are_not_there() {
    let deep = [0x81; 100_000];
    let claims: [&[u8]; 6] = [
        b"",
        &[0xd2, 0x84],
        &[0xd2, 0x84, 0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        &[0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        &deep,
        &[0xff; 64],
    ];
    for claim in claims {
        assert_eq!(Sign1::read(claim).err(), Some(Error::NotCose));
    }
}

#[test]
fn headers_that_say_something_else() {
    with_lms(|key| {
        let public = key.public_key().unwrap();
        let mut with = |header| {
            let sign1 = CoseSign1Builder::new().protected(header).payload(PAYLOAD.to_vec()).build();
            let signature = key.sign(&sign1.tbs_data(&[]), Note::of(Purpose::Cose)).unwrap();
            let file = CoseSign1 { signature, ..sign1 }.to_tagged_vec().unwrap();
            verdict(&file, &public, None)
        };
        let hss = || HeaderBuilder::new().algorithm(iana::Algorithm::HSS_LMS);
        assert_eq!(with(hss().build()), Ok(()));
        assert_eq!(with(HeaderBuilder::new().build()), Err(Error::BadSignature));
        let other = HeaderBuilder::new().algorithm(iana::Algorithm::ML_DSA_44).build();
        assert_eq!(with(other), Err(Error::BadSignature));
        let critical = hss().add_critical(iana::HeaderParameter::ContentType).build();
        assert_eq!(with(critical), Err(Error::NotCose));
    });
}

#[test]
fn an_algorithm_outside_the_protected_header_does_not_count() {
    with_lms(|key| {
        let header = HeaderBuilder::new().algorithm(iana::Algorithm::HSS_LMS).build();
        let sign1 = CoseSign1Builder::new().unprotected(header).payload(PAYLOAD.to_vec()).build();
        let signature = key.sign(&sign1.tbs_data(&[]), Note::of(Purpose::Cose)).unwrap();
        let file = CoseSign1 { signature, ..sign1 }.to_vec().unwrap();
        let public = key.public_key().unwrap();
        assert_eq!(verdict(&file, &public, None), Err(Error::BadSignature));
    });
}

/// RFC 9052, section 3 (Header Parameters): a label in both headers is rejected, and so is a list
/// of critical labels in the unprotected header.
#[test]
fn a_label_in_both_headers_is_refused() {
    with_lms(|key| {
        let public = key.public_key().unwrap();
        let hss = || HeaderBuilder::new().algorithm(iana::Algorithm::HSS_LMS);
        let mut with = |protected, unprotected| {
            let sign1 = CoseSign1Builder::new().protected(protected).unprotected(unprotected);
            let sign1 = sign1.payload(PAYLOAD.to_vec()).build();
            let signature = key.sign(&sign1.tbs_data(&[]), Note::of(Purpose::Cose)).unwrap();
            let file = CoseSign1 { signature, ..sign1 }.to_tagged_vec().unwrap();
            verdict(&file, &public, None)
        };
        let none = HeaderBuilder::new;
        assert_eq!(with(hss().build(), none().build()), Ok(()));
        assert_eq!(with(hss().build(), none().key_id(b"who".to_vec()).build()), Ok(()));
        let named = |id: &[u8]| hss().key_id(id.to_vec()).build();
        assert_eq!(with(named(b"who"), none().iv(vec![1]).build()), Ok(()));
        for algorithm in [iana::Algorithm::ML_DSA_44, iana::Algorithm::HSS_LMS] {
            let beside = none().algorithm(algorithm).build();
            assert_eq!(with(hss().build(), beside), Err(Error::NotCose));
        }
        let twice = none().key_id(b"other".to_vec()).build();
        assert_eq!(with(named(b"who"), twice), Err(Error::NotCose));
        let unknown = || hss().value(99, some_value()).build();
        assert_eq!(with(unknown(), none().value(98, some_value()).build()), Ok(()));
        let again = none().value(99, some_value()).build();
        assert_eq!(with(unknown(), again), Err(Error::NotCose));
        let critical = none().add_critical(iana::HeaderParameter::ContentType).build();
        assert_eq!(with(hss().build(), critical), Err(Error::NotCose));
    });
}

/// Returns a CBOR value.
fn some_value() -> coset::cbor::value::Value {
    coset::cbor::value::Value::Bool(true)
}

#[test]
fn keys_without_a_number_and_long_payloads_are_refused() {
    for alg in ["Ed25519", "SLH-DSA-SHA2-128f"] {
        let key = stateless::generate(registry::find(alg).unwrap(), Kernels::best()).unwrap();
        let public = stateless::public(&key, Kernels::best()).unwrap();
        assert_eq!(Unsigned::new(&public, Vec::new(), true).err(), Some(Error::NoCose), "{alg}");
    }
    let long = vec![0; MOST_PAYLOAD + 1];
    assert_eq!(payload(&mut &long[..]), Err(Error::TooLongToAttach));
    assert_eq!(payload(&mut &long[1..]).map(|bytes| bytes.len()), Ok(MOST_PAYLOAD));
}
