//! CMS: signatures made here and by other programs verify, and nothing else does.
#![cfg(all(feature = "x509", feature = "sign"))]

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use cms::content_info::ContentInfo;
use cms::signed_data::{SignedData as Inner, SignerInfo, SignerInfos};
use common::Place as KeyPlace;
use der::asn1::{Any, OctetString, SetOfVec};
use der::{Decode, Encode};
use hasten_kernels::Kernels;
use hasten_keys::cms::{
    By, Content, Digest, Good, MOST_ATTACHED, Named, Place, SignedData, Signer, Unsigned,
};
use hasten_keys::encoding::{PublicKey, to_pem};
use hasten_keys::stateful::{Note, Purpose};
use hasten_keys::x509::{self, CertificateSigner, New, Period, Role, Subject};
use hasten_keys::{Error, registry, stateless};

const CONTENT: &[u8] = b"the firmware";
const NOW: u64 = 1_800_000_000;

fn stateless_key(alg: &str) -> stateless::Signer<'static> {
    let key = stateless::generate(registry::find(alg).unwrap(), Kernels::best()).unwrap();
    stateless::Signer::new(&key, Kernels::best()).unwrap()
}

/// Returns a self-signed certificate of the key.
fn certificate(signer: &mut dyn CertificateSigner) -> Vec<u8> {
    let subject = Subject { name: "signer".into(), ..Subject::default() };
    let period = Period { not_before: NOW - 1000, not_after: NOW + 1000 };
    let key = signer.public_key().unwrap();
    x509::issue(&New { role: Role::Root, subject, period }, &key, None, signer).unwrap()
}

fn signed(signer: &mut dyn CertificateSigner, place: Place, who: &Signer<'_>) -> Vec<u8> {
    let key = signer.public_key().unwrap();
    let content = Content::read(&key, &mut &CONTENT[..], place).unwrap();
    let unsigned = Unsigned::new(&key, content, who).unwrap();
    let beside = unsigned.beside();
    let signature = signer.sign(unsigned.message(), Note::of(Purpose::Cms)).unwrap();
    let der = unsigned.finish(&signature).unwrap();
    assert!(der.len() <= beside + signature.len(), "{} {beside}", der.len());
    der
}

fn verdict(der: &[u8], by: By<'_>, content: Option<&[u8]>) -> Result<Good, Error> {
    let mut given = content;
    let given = given.as_mut().map(|content| content as &mut dyn std::io::Read);
    SignedData::read(der)?.verify(by, given, Kernels::best())
}

/// Signs with all options, and verifies each signature in all ways.
fn every_way(signer: &mut dyn CertificateSigner) {
    let key = signer.public_key().unwrap();
    let own = [certificate(signer)];
    let other = [certificate(&mut stateless_key("Ed25519"))];
    for (named, without_certificates) in
        [(Named::Issuer, false), (Named::Issuer, true), (Named::Key, false), (Named::Key, true)]
    {
        let who = Signer { certificates: &own, named, without_certificates, time: Some(NOW) };
        let detached = signed(signer, Place::Detached, &who);
        let good = verdict(&detached, By::Certificate(&own[0]), Some(CONTENT)).unwrap();
        assert_eq!((good.digest, good.signing_time), (Digest::of(&key).ok(), Some(NOW)));
        assert_eq!(good.key, key);
        assert_eq!(verdict(&detached, By::Key(&key), Some(CONTENT)).as_ref(), Ok(&good));
        let pem = to_pem("CMS", &detached).unwrap();
        assert_eq!(verdict(pem.as_bytes(), By::Key(&key), Some(CONTENT)).as_ref(), Ok(&good));
        let beside = SignedData::read(&detached).unwrap().certificates();
        assert_eq!(beside, if without_certificates { vec![] } else { own.to_vec() });

        let wrong = verdict(&detached, By::Key(&key), Some(b"the firmwarE"));
        assert_eq!(wrong, Err(Error::BadSignature));
        assert_eq!(verdict(&detached, By::Key(&key), None), Err(Error::Detached));
        let by_other = By::Certificate(&other[0]);
        assert_eq!(verdict(&detached, by_other, Some(CONTENT)), Err(Error::NotThisSigner));
    }
    let attached = signed(signer, Place::Attached, &Signer::default());
    assert_eq!(SignedData::read(&attached).unwrap().content(), Some(CONTENT));
    for content in [None, Some(CONTENT)] {
        assert!(verdict(&attached, By::Key(&key), content).is_ok());
    }
    for wrong in [&CONTENT[1..], &CONTENT[..3], b"", b"the firmware and more"] {
        assert_eq!(verdict(&attached, By::Key(&key), Some(wrong)), Err(Error::BadSignature));
    }
}

#[test]
fn keys_of_every_kind_sign_in_every_way() {
    let lattice: &[&str] =
        if cfg!(feature = "aws-lc") { &["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"] } else { &[] };
    for alg in ["SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128f"].iter().chain(lattice) {
        every_way(&mut stateless_key(alg));
    }
}

#[test]
fn keys_with_a_state_sign_in_every_way() {
    for alg in ["LMS_SHA256_M24_H5_W8", "LMS_SHAKE_M32_H5_W8", "L2_H5_W4"] {
        let place = KeyPlace::of(alg, 1);
        place.generate(None);
        let mut key = place.open().unwrap();
        every_way(&mut key);
        // One certificate, and one index for each signature.
        assert_eq!(key.close().unwrap().next, 6, "{alg}");
    }
}

#[test]
fn keys_without_a_standard_are_refused() {
    let read = |key: &PublicKey| Content::read(key, &mut &CONTENT[..], Place::Detached).err();
    assert_eq!(read(stateless_key("Ed25519").public_key()), Some(Error::NoCms));
    let xmss = registry::find("XMSS-SHA2_10_256").unwrap();
    assert_eq!(read(&PublicKey { row: xmss, raw: vec![0; 68] }), Some(Error::NoCms));
}

#[test]
fn a_certificate_of_another_key_is_refused() {
    let key = stateless_key("SLH-DSA-SHA2-128f");
    let foreign = [certificate(&mut stateless_key("SLH-DSA-SHA2-128f"))];
    let content = || Content::read(key.public_key(), &mut &CONTENT[..], Place::Detached).unwrap();
    let with = |certificates| {
        let who = Signer { certificates, ..Signer::default() };
        Unsigned::new(key.public_key(), content(), &who).err()
    };
    assert_eq!(with(&foreign), Some(Error::NotThisKey));
    assert_eq!(with(&[vec![0x30, 0]]), Some(Error::NotACertificate));
}

/// Returns the SignedData of an LMS key; it is small enough to modify every byte.
fn small() -> (PublicKey, Vec<u8>) {
    let place = KeyPlace::of("LMS_SHA256_M24_H5_W8", 1);
    place.generate(None);
    let mut key = place.open().unwrap();
    let who = Signer { time: Some(NOW), ..Signer::default() };
    (key.public_key().unwrap(), signed(&mut key, Place::Attached, &who))
}

#[test]
fn no_byte_changed_or_missing_gives_another_content() {
    let (key, der) = small();
    let good = verdict(&der, By::Key(&key), None).unwrap();
    let mut refused = 0;
    for at in 0..der.len() {
        assert_eq!(SignedData::read(&der[..at]).err(), Some(Error::NotCms), "{at} bytes");
        let mut bent = der.clone();
        bent[at] ^= 1 << (at % 8);
        match verdict(&bent, By::Key(&key), None) {
            // The list of digest algorithms, which no signature covers.
            Ok(same) => assert_eq!(same, good, "byte {at}"),
            Err(_) => refused += 1,
        }
        if SignedData::read(&bent).is_ok_and(|bent| bent.content() != Some(CONTENT)) {
            assert!(verdict(&bent, By::Key(&key), None).is_err(), "byte {at}");
        }
    }
    assert!(refused + 100 > der.len(), "{refused} of {}", der.len());
    let longer = [&der[..], &[0]].concat();
    assert_eq!(SignedData::read(&longer).err(), Some(Error::NotCms));
}

#[test]
fn garbage_and_lengths_that_are_not_there() {
    let claims: [&[u8]; 6] = [
        b"",
        b"-----BEGIN CMS-----\n-----END CMS-----\n",
        &[0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
        &[0x30, 0x80, 0, 0],
        &[0x30; 5000],
        &[0xff; 64],
    ];
    for claim in claims {
        assert_eq!(SignedData::read(claim).err(), Some(Error::NotCms));
    }
}

/// Modifies the only signer of a SignedData, and its content.
fn changed(der: &[u8], content: Option<&[u8]>, change: impl Fn(&mut SignerInfo)) -> Vec<u8> {
    let mut outer = ContentInfo::from_der(der).unwrap();
    let mut inner: Inner = outer.content.decode_as().unwrap();
    let mut info = inner.signer_infos.0.as_slice()[0].clone();
    change(&mut info);
    inner.signer_infos = SignerInfos(SetOfVec::try_from(vec![info]).unwrap());
    if let Some(content) = content {
        let octets = OctetString::new(content).unwrap();
        inner.encap_content_info.econtent = Some(Any::encode_from(&octets).unwrap());
    }
    outer.content = Any::encode_from(&inner).unwrap();
    outer.to_der().unwrap()
}

#[test]
fn a_content_signed_without_attributes() {
    let signer = stateless_key("SLH-DSA-SHA2-128f");
    let key = signer.public_key();
    let content = Content::read(key, &mut &CONTENT[..], Place::Attached).unwrap();
    let unsigned = Unsigned::new(key, content, &Signer::default()).unwrap();
    let attributes = unsigned.message().to_vec();
    let with = unsigned.finish(&signer.sign(&attributes).unwrap()).unwrap();

    let signature = OctetString::new(signer.sign(CONTENT).unwrap()).unwrap();
    let bare = changed(&with, None, |info| {
        (info.signed_attrs, info.signature) = (None, signature.clone());
    });
    let good = verdict(&bare, By::Key(key), Some(CONTENT)).unwrap();
    assert_eq!((good.digest, good.signing_time), (None, None));
    assert_eq!(verdict(&bare, By::Key(key), Some(b"another")), Err(Error::BadSignature));

    // The attributes of a signature cannot be passed off as signed content.
    let stolen = changed(&with, Some(&attributes), |info| info.signed_attrs = None);
    assert_eq!(verdict(&stolen, By::Key(key), None), Err(Error::BadSignature));
}

#[test]
fn attributes_say_each_thing_once_and_the_truth() {
    let signer = stateless_key("SLH-DSA-SHA2-128f");
    let key = signer.public_key();
    let content = Content::read(key, &mut &CONTENT[..], Place::Attached).unwrap();
    let unsigned = Unsigned::new(key, content, &Signer { time: Some(NOW), ..Signer::default() });
    let der = unsigned.unwrap().finish(&[]).unwrap();
    let resigned = |change: &dyn Fn(&mut SignerInfo)| {
        changed(&der, None, |info| {
            change(info);
            let message = info.signed_attrs.as_ref().unwrap().to_der().unwrap();
            info.signature = OctetString::new(signer.sign(&message).unwrap()).unwrap();
        })
    };
    assert!(verdict(&resigned(&|_| ()), By::Key(key), None).is_ok());
    let without = |oid: &'static str| {
        move |info: &mut SignerInfo| {
            let kept = info.signed_attrs.take().unwrap().into_vec();
            let kept: Vec<_> = kept.into_iter().filter(|a| a.oid.to_string() != oid).collect();
            info.signed_attrs = Some(SetOfVec::try_from(kept).unwrap());
        }
    };
    // Content type and digest are mandatory; the time and the algorithms are optional.
    for (oid, is_good) in [(3, false), (4, false), (5, true), (52, true)] {
        let oid: &'static str = format!("1.2.840.113549.1.9.{oid}").leak();
        let said = verdict(&resigned(&without(oid)), By::Key(key), None);
        assert_eq!(said.is_ok(), is_good, "{oid}");
    }
    let other_digest = |info: &mut SignerInfo| {
        info.digest_alg.oid = "2.16.840.1.101.3.4.2.3".parse().unwrap();
    };
    assert!(verdict(&resigned(&other_digest), By::Key(key), None).is_err());
    let other_type = |info: &mut SignerInfo| info.version = cms::content_info::CmsVersion::V1;
    assert_eq!(verdict(&resigned(&other_type), By::Key(key), None), Err(Error::NotCms));
}

#[test]
fn a_content_that_is_too_long_is_not_attached() {
    let key = stateless_key("SLH-DSA-SHA2-128f").public_key().clone();
    let long = vec![0; MOST_ATTACHED + 1];
    let read = |place| Content::read(&key, &mut &long[..], place).err();
    assert_eq!(
        (read(Place::Attached), read(Place::Detached)),
        (Some(Error::TooLongToAttach), None)
    );
}

fn vector(name: &str) -> Vec<u8> {
    let path = format!("{}/../../vectors/cms/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

/// Verifies a signature by OpenSSL, with the certificate and with its key.
fn openssl(name: &str, signer: &str) {
    let (file, content) = (vector(name), vector("content"));
    let certificate = x509::certificates(&vector(signer)).unwrap().remove(0);
    let key = x509::public_key(&certificate).unwrap();
    for by in [By::Certificate(&certificate), By::Key(&key)] {
        let good = verdict(&file, by, Some(&content)).unwrap();
        assert!(good.signing_time.is_some());
        assert_eq!(verdict(&file, by, Some(b"other")), Err(Error::BadSignature));
    }
}

#[test]
fn openssl_signed_with_slh_dsa() {
    openssl("slhdsa-detached.der", "slhdsa.pem");
}

#[cfg(feature = "aws-lc")]
#[test]
fn openssl_signed_with_ml_dsa() {
    openssl("mldsa-detached.der", "mldsa.pem");
    openssl("mldsa-attached.pem", "mldsa.pem");
}

/// Uses the key of RFC 9881's examples, whose seed is 0, 1, 2 and so on.
#[cfg(feature = "aws-lc")]
#[test]
fn the_example_of_rfc_9882() {
    let seed: Vec<u8> = (0..32).collect();
    let row = registry::find("ML-DSA-44").unwrap();
    let private =
        hasten_keys::encoding::PrivateKey { row, seed: Some(seed.into()), expanded: None };
    let key = stateless::public(&private, Kernels::best()).unwrap();
    let file = vector("rfc9882-mldsa44-signed-attrs.pem");
    let good = verdict(&file, By::Key(&key), None).unwrap();
    assert_eq!((good.digest, good.signing_time), (Some(Digest::Sha512), None));
    let content = b"ML-DSA-44 signed-data example with signed attributes";
    assert_eq!(SignedData::read(&file).unwrap().content(), Some(&content[..]));
    let other = stateless_key("ML-DSA-44");
    assert_eq!(verdict(&file, By::Key(other.public_key()), None), Err(Error::BadSignature));
}
