//! Certificates and keys have only one valid encoding each: only the signer can make another
//! version of a certificate, and parameters of an identifier are rejected if its standard has none.
#![cfg(feature = "x509")]

use der::{
    Decode, Encode, Sequence,
    asn1::{Any, BitString, Null},
};
use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_keys::{
    Error,
    encoding::{self, PublicKey},
    inspect::{self, Value},
    registry::{self, Family, Kind},
    stateful::{Generation, NewStateful, Note, Sealed, Stateful},
    stateless,
    verify::{self, Form, verify},
    x509::{self, CertificateSigner, New, Period, Question, Role, Subject, Usage},
};
use hasten_store::Options;
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use std::ops::ControlFlow;

const NOW: u64 = 1_800_000_000;
const LMS: &str = "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8";

/// The common structure of certificates and requests: signed data, an identifier, the signature.
#[derive(Sequence)]
struct Signed {
    signed: Any,
    algorithm: AlgorithmIdentifierOwned,
    signature: BitString,
}

/// Returns the structure with a modified signature.
fn with_signature(der: &[u8], change: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut whole = Signed::from_der(der).unwrap();
    whole.signature = BitString::from_bytes(&change(whole.signature.raw_bytes())).unwrap();
    whole.to_der().unwrap()
}

/// Runs `with` on a fresh LMS key in a store.
fn with_lms(with: impl FnOnce(&mut Stateful<'_>)) {
    let place = tempfile::tempdir().unwrap();
    let (dir, guard) = (place.path().join("key"), place.path().join("guard"));
    let new = NewStateful { set: Set::named(LMS).unwrap(), reserve: 1, sectors: 1 };
    let options = || Options::new().guard(&guard);
    let made = Generation::begin(&dir, options(), new, None).unwrap();
    made.run(Kernels::best(), 2, &mut |_| ControlFlow::Continue(())).unwrap();
    let kept = Sealed::of_store(&dir).unwrap().open(None).unwrap();
    with(&mut Stateful::open(&dir, options(), &kept, Kernels::best()).unwrap());
}

fn new(role: Role, name: &str) -> New {
    let subject = Subject { name: name.into(), ..Subject::default() };
    New { role, subject, period: Period { not_before: NOW - 1000, not_after: NOW + 1000 } }
}

fn verdict(leaf: &[u8], root: &[u8]) -> Result<usize, Error> {
    let (chain, roots) = ([leaf.to_vec()], [root.to_vec()]);
    let usage = Usage::Server;
    let question = Question { chain: &chain, roots: &roots, name: None, at: NOW, usage };
    x509::verify_path(&question).map(|path| path.len())
}

/// Returns a root certificate of the signer, and a leaf certificate under it.
fn chain(signer: &mut dyn CertificateSigner) -> (Vec<u8>, Vec<u8>) {
    let public = signer.public_key().unwrap();
    let root = x509::issue(&new(Role::Root, "root"), &public, None, signer).unwrap();
    let row = registry::find("Ed25519").unwrap();
    let own = stateless::generate(row, Kernels::best()).unwrap();
    let key = stateless::public(&own, Kernels::best()).unwrap();
    let leaf = x509::issue(&new(Role::Leaf, "leaf"), &key, Some(&root), signer).unwrap();
    (root, leaf)
}

/// An LMS signature needs four more bytes to be an HSS signature. Without them the certificate is
/// invalid.
#[test]
fn certificates_of_hss_take_hss_bytes_only() {
    with_lms(|key| {
        let (root, leaf) = chain(key);
        assert_eq!(verdict(&leaf, &root), Ok(2));
        let cut = with_signature(&leaf, |signature| signature[4..].to_vec());
        assert_ne!(cut, leaf);
        assert!(matches!(verdict(&cut, &root), Err(Error::Path(_))), "four bytes fewer");
        let fact = |der: &[u8]| {
            let found = inspect::inspect(der).remove(0).facts;
            found.into_iter().find(|(name, _)| *name == "signature_algorithm").unwrap().1
        };
        assert_eq!(fact(&leaf), Value::Text(format!("HSS({LMS})")));
        assert_eq!(fact(&cut), Value::Text("unknown".into()), "what it holds is not HSS");
    });
}

#[test]
fn requests_of_hss_take_hss_bytes_only() {
    with_lms(|key| {
        let subject = Subject { name: "asked".into(), ..Subject::default() };
        let der = x509::request(&subject, key).unwrap();
        assert!(x509::read_request(&der, Kernels::best()).is_ok());
        let cut = with_signature(&der, |signature| signature[4..].to_vec());
        let refused = x509::read_request(&cut, Kernels::best()).err();
        assert_eq!(refused, Some(Error::BadSignature));
    });
}

/// The algorithms for webpki and rustls accept neither the plain signature nor the plain key of LMS
/// as HSS.
#[test]
fn the_identifier_of_hss_takes_neither_a_bare_signature_nor_a_bare_key() {
    with_lms(|key| {
        let public = CertificateSigner::public_key(key).unwrap();
        let signature = CertificateSigner::sign(key, b"message", Note::message()).unwrap();
        let hss = encoding::key_identifier(public.row).unwrap().oid;
        let (_, algorithm) = x509::own_algorithms()
            .find(|(_, algorithm)| algorithm.signature_alg_id().ends_with(hss.as_bytes()))
            .unwrap();
        let good = |key: &[u8], signature: &[u8]| {
            algorithm.verify_signature(key, b"message", signature).is_ok()
        };
        assert!(good(&public.raw, &signature));
        assert!(!good(&public.raw, &signature[4..]), "a bare signature");
        assert!(!good(&public.raw[4..], &signature), "a bare key");
        assert!(!good(&public.raw[4..], &signature[4..]), "both bare");
    });
}

/// Outside of certificates the caller may state the form of a signature; otherwise the key
/// determines it.
#[test]
fn the_form_of_an_lms_signature_is_said_by_the_caller() {
    with_lms(|key| {
        let wrapped = CertificateSigner::public_key(key).unwrap();
        let bare = encoding::read_public(&wrapped.raw[4..], None).unwrap();
        assert_eq!(bare.row.family, Family::Lms);
        let signature = CertificateSigner::sign(key, b"message", Note::message()).unwrap();
        let good = |key: &PublicKey, form: Option<Form>, signature: &[u8]| {
            let signature = match form {
                Some(form) => verify::in_form(key, signature, form)?,
                None => signature.into(),
            };
            verify(key, &mut &b"message"[..], &signature, Kernels::best())
        };
        let (hss, lms) = (Some(Form::Hss), Some(Form::Lms));
        for (key, own) in [(&wrapped, hss), (&bare, lms)] {
            for (form, bytes) in [(hss, &signature[..]), (lms, &signature[4..])] {
                assert_eq!(good(key, form, bytes), Ok(()));
                let unasked = if form == own { Ok(()) } else { Err(Error::BadSignature) };
                assert_eq!(good(key, None, bytes), unasked);
            }
            assert_eq!(good(key, lms, &signature), Err(Error::BadSignature));
            assert_eq!(good(key, hss, &signature[4..]), Err(Error::BadSignature));
        }
    });
    let row = registry::find("Ed25519").unwrap();
    let other = PublicKey::new(row, &[0; 32]).unwrap();
    assert_eq!(verify::in_form(&other, &[0; 64], Form::Lms), Err(Error::NoForms));
    assert_eq!(verify::signature_as(&other, &[0; 64], Form::Hss), Err(Error::NoForms));
    assert_eq!(verify::public_as(&other, Form::Lms), Err(Error::NoForms));
}

/// Each form of key and signature can be converted to the other; other values have no plain form.
#[test]
fn both_forms_can_be_written() {
    with_lms(|key| {
        let wrapped = CertificateSigner::public_key(key).unwrap();
        let bare = encoding::read_public(&wrapped.raw[4..], None).unwrap();
        let signature = CertificateSigner::sign(key, b"message", Note::message()).unwrap();
        for (key, own) in [(&wrapped, &signature[..]), (&bare, &signature[4..])] {
            assert_eq!(verify::public_as(key, Form::Hss).unwrap(), wrapped.raw);
            assert_eq!(verify::public_as(key, Form::Lms).unwrap(), bare.raw);
            assert_eq!(verify::signature_as(key, own, Form::Hss).unwrap(), signature);
            assert_eq!(verify::signature_as(key, own, Form::Lms).unwrap(), &signature[4..]);
        }
        let spoilt = [&[1], &signature[1..]].concat();
        let refused = verify::signature_as(&wrapped, &spoilt, Form::Lms);
        assert_eq!(refused, Err(Error::BadSignature), "it has no zero in front");
        let two = [&[0, 0, 0, 2], &wrapped.raw[4..]].concat();
        let two = encoding::read_public(&two, None).unwrap();
        assert_eq!(verify::public_as(&two, Form::Lms), Err(Error::SeveralLevels(2)));
        assert_eq!(verify::signature_as(&two, &signature, Form::Lms), Err(Error::SeveralLevels(2)));
        assert_eq!(verify::signature_as(&two, &signature, Form::Hss).unwrap(), signature);
    });
}

/// Padded Falcon signatures have a separate identifier: under the other one, padding a certificate
/// makes it invalid.
#[cfg(feature = "legacy")]
#[test]
fn certificates_of_falcon_take_no_padding() {
    for (name, padded) in [("Falcon-512", 666), ("Falcon-1024", 1280)] {
        let own = stateless::generate(registry::find(name).unwrap(), Kernels::best()).unwrap();
        let mut signer = stateless::Signer::new(&own, Kernels::best()).unwrap();
        let (root, leaf) = loop {
            let (root, leaf) = chain(&mut signer);
            if Signed::from_der(&leaf).unwrap().signature.raw_bytes().len() < padded {
                break (root, leaf);
            }
        };
        assert_eq!(verdict(&leaf, &root), Ok(2), "{name}");
        let more = with_signature(&leaf, |signature| {
            let mut signature = signature.to_vec();
            signature.resize(padded, 0);
            signature
        });
        assert!(verdict(&more, &root).is_err(), "{name}");
    }
}

/// Returns a public key whose identifier has NULL parameters.
fn with_null(key: &PublicKey) -> Vec<u8> {
    let der = encoding::encode_spki(key).unwrap();
    let mut spki = SubjectPublicKeyInfoOwned::from_der(&der).unwrap();
    spki.algorithm.parameters = Some(Any::from(Null));
    spki.to_der().unwrap()
}

/// RFC 9802, 9881, 9909, 9935 and 8410: parameters are absent. RFC 3279: for RSA they are NULL.
#[test]
fn identifiers_take_no_parameters_where_their_standard_has_none() {
    let alone = |row: &&registry::Row| {
        let with_parameters = [Family::Ecdsa, Family::Rsa].contains(&row.family);
        row.oid_now().is_some() && !with_parameters && row.kind != Kind::StatefulSignature
    };
    let mut keys: Vec<_> = registry::all()
        .iter()
        .filter(alone)
        .map(|row| PublicKey::new(row, &vec![7; row.sizes.public]).unwrap())
        .collect();
    for set in [LMS, "XMSS-SHA2_10_256", "XMSSMT-SHA2_20/2_256"] {
        let row = registry::find(set).unwrap();
        let mut raw = match row.family {
            Family::Lms => [[0, 0, 0, 1], [0, 0, 0, 5], [0, 0, 0, 4]].concat(),
            _ => vec![0, 0, 0, 1],
        };
        let wrapping = if row.family == Family::Lms { 4 } else { 0 };
        raw.resize(row.sizes.public + wrapping, 7);
        let named = if wrapping > 0 { "HSS" } else { set };
        keys.push(encoding::read_public(&raw, Some(named)).unwrap());
    }
    for key in &keys {
        let name = &key.row.name;
        let der = encoding::encode_spki(key).unwrap();
        assert_eq!(encoding::decode_spki(&der).as_ref(), Ok(key), "{name}");
        assert_eq!(encoding::decode_spki(&with_null(key)), Err(Error::Parameters), "{name}");
        let notes = inspect::inspect(&with_null(key)).remove(0).notes;
        assert!(notes.contains(&Error::Parameters.to_string()), "{name}: {notes:?}");
    }
    let named = |family| keys.iter().filter(|key| key.row.family == family).count();
    for family in [Family::Hss, Family::Xmss, Family::XmssMt, Family::Ed25519] {
        assert_eq!(named(family), 1, "{family:?}");
    }
    assert_eq!([Family::SlhDsa, Family::MlDsa, Family::MlKem].map(named), [12, 3, 3]);
    let rsa = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/keys/rsa2048.pub"));
    let rsa = encoding::read_public(&rsa.unwrap(), None).unwrap();
    assert_eq!(encoding::decode_spki(&with_null(&rsa)).as_ref(), Ok(&rsa), "RSA has NULL");
}

/// Identifiers of private keys follow the same rule.
#[test]
fn private_keys_take_no_parameters_where_their_standard_has_none() {
    let row = registry::find("Ed25519").unwrap();
    let key = stateless::generate(row, Kernels::best()).unwrap();
    let der = encoding::encode_pkcs8(&key).unwrap();
    let mut info = pkcs8::PrivateKeyInfoRef::from_der(&der).unwrap();
    assert!(encoding::decode_pkcs8(&info.to_der().unwrap()).is_ok());
    info.algorithm.parameters = Some(Null.into());
    let refused = encoding::decode_pkcs8(&info.to_der().unwrap()).err();
    assert_eq!(refused, Some(Error::Parameters));
}
