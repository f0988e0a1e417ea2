//! Round trips of keys through SPKI and PKCS#8, and keys of other programs.

use hasten_hbs::params::{Scheme, Set};
use hasten_keys::{
    Error, ed25519,
    encoding::{self, PrivateKey, PublicKey, hash_based},
    registry::{self, Family, Kind},
};
use std::{fs, path::PathBuf};
use zeroize::Zeroizing;

fn vector(name: &str) -> Vec<u8> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keys");
    fs::read(dir.join(name)).unwrap()
}

fn private(name: &str) -> PrivateKey {
    encoding::decode_pkcs8(&encoding::pem_blocks(&vector(name))[0].der).unwrap()
}

#[test]
fn public_keys_of_every_row_come_back() {
    let fixed =
        |row: &&registry::Row| row.oid_now().is_some() && row.kind != Kind::StatefulSignature;
    for row in registry::all().iter().filter(fixed) {
        let key = PublicKey::new(row, &vec![7; row.sizes.public]).unwrap();
        let decoded = encoding::decode_spki(&encoding::encode_spki(&key).unwrap());
        assert_eq!(decoded, Ok(key), "{}", row.name);
    }
}

#[test]
fn stateful_public_keys_are_told_apart_by_the_number_inside() {
    for (family, count) in [(Family::Xmss, 21), (Family::XmssMt, 56)] {
        let rows = registry::all().iter().filter(|row| row.family == family);
        for (number, row) in (1u32..).zip(rows) {
            assert!(number <= count);
            let mut raw = number.to_be_bytes().to_vec();
            raw.resize(row.sizes.public, 9);
            let key = PublicKey::new(row, &raw).unwrap();
            assert_eq!(encoding::decode_spki(&encoding::encode_spki(&key).unwrap()), Ok(key));
            let named = encoding::read_public(&raw, Some(&row.name)).unwrap();
            assert_eq!(named.row, row);
        }
    }
}

#[test]
fn raw_numbers_of_both_xmss_families_are_ambiguous() {
    let mut raw = vec![0, 0, 0, 1];
    raw.resize(68, 3);
    assert_eq!(encoding::read_public(&raw, None), Err(Error::Ambiguous));
    let named = |name| encoding::read_public(&raw, Some(name)).map(|key| key.row.name.clone());
    assert_eq!(named("xmss-sha2_10_256"), Ok("XMSS-SHA2_10_256".into()));
    assert_eq!(named("XMSSMT-SHA2_20_2_256"), Ok("XMSSMT-SHA2_20/2_256".into()));
    assert_eq!(named("XMSS-SHA2_16_256"), Err(Error::WrongAlgorithm));
}

#[test]
fn keys_of_openssl_are_read() {
    for (file, name, form) in [
        ("ml-dsa-44-seed-only.key", "ML-DSA-44", "seed"),
        ("ml-dsa-44-priv-only.key", "ML-DSA-44", "expanded key"),
        ("ml-dsa-44-seed-priv.key", "ML-DSA-44", "seed and expanded key"),
        ("ml-kem-512-seed-only.key", "ML-KEM-512", "seed"),
        ("ml-kem-512-priv-only.key", "ML-KEM-512", "expanded key"),
        ("ml-kem-512-seed-priv.key", "ML-KEM-512", "seed and expanded key"),
        ("slh-dsa-sha2-128s.key", "SLH-DSA-SHA2-128s", "whole key"),
        ("ed25519.key", "Ed25519", "seed"),
        ("p384.key", "ECDSA-P-384", "whole key"),
        ("rsa2048.key", "RSA-2048", "whole key"),
    ] {
        let key = private(file);
        assert_eq!((key.row.name.as_str(), key.form()), (name, form));
    }
    for (file, name) in [
        ("ml-dsa-44.pub", "ML-DSA-44"),
        ("rsa2048.pub", "RSA-2048"),
        ("botan-hss.pub", "HSS"),
        ("botan-xmss.pub", "XMSS-SHA2_10_256"),
    ] {
        assert_eq!(encoding::read_public(&vector(file), None).unwrap().row.name, name);
    }
}

/// PKCS#8 files by OpenSSL are written again byte for byte, if they have the form that is written
/// here.
#[test]
fn pkcs8_of_openssl_is_written_alike() {
    for file in [
        "ml-dsa-44-seed-only.key",
        "ml-kem-512-seed-only.key",
        "slh-dsa-sha2-128s.key",
        "ed25519.key",
        "p384.key",
        "rsa2048.key",
    ] {
        let der = encoding::encode_pkcs8(&private(file)).unwrap();
        let pem = encoding::to_pem("PRIVATE KEY", &der).unwrap();
        assert_eq!(pem.as_bytes(), vector(file), "{file}");
    }
    for file in [
        "ml-dsa-44.pub",
        "ml-kem-512.pub",
        "slh-dsa-sha2-128s.pub",
        "ed25519.pub",
        "p384.pub",
        "rsa2048.pub",
        "botan-hss.pub",
    ] {
        let key = encoding::read_public(&vector(file), None).unwrap();
        let der = encoding::encode_spki(&key).unwrap();
        assert_eq!(
            encoding::to_pem("PUBLIC KEY", &der).unwrap().as_bytes(),
            vector(file),
            "{file}"
        );
    }
}

#[test]
fn a_key_of_another_size_is_refused() {
    let row = registry::find("ML-DSA-65").unwrap();
    let key = PrivateKey { row, seed: Some(Zeroizing::new(vec![1; 31])), expanded: None };
    let der = encoding::encode_pkcs8(&key).unwrap();
    assert_eq!(encoding::decode_pkcs8(&der).unwrap_err(), Error::KeySize);
    assert!(!format!("{key:?}").contains("1, 1"), "Debug shows the algorithm alone");
}

#[test]
fn ed25519_agrees_with_openssl() {
    let key = private("ed25519.key");
    let public = encoding::read_public(&vector("ed25519.pub"), None).unwrap();
    assert_eq!(ed25519::public(&key).unwrap(), public);
    let mut signature = ed25519::sign(&key, b"message").unwrap();
    assert_eq!(ed25519::verify(&public.raw, b"message", &signature), Ok(()));
    assert_eq!(ed25519::verify(&public.raw, b"massage", &signature), Err(Error::BadSignature));
    signature.pop();
    assert_eq!(ed25519::verify(&public.raw, b"message", &signature), Err(Error::BadSignature));
    assert_ne!(*ed25519::generate().unwrap().seed.unwrap(), *key.seed.unwrap());
}

/// RFC 8032, TEST 2.
#[test]
fn ed25519_of_rfc_8032() {
    let hex = |text: &str| -> Vec<u8> {
        (0..text.len())
            .step_by(2)
            .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
            .collect()
    };
    let seed = hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    let row = registry::find("ed25519").unwrap();
    let key = PrivateKey { row, seed: Some(Zeroizing::new(seed)), expanded: None };
    let signature = hex("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
         085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
    assert_eq!(ed25519::sign(&key, &[0x72]).unwrap(), signature);
}

/// Returns an HSS signature of equal levels that has only typecodes, indices and lengths; all other
/// bytes are zero.
fn hss_in_form(set: &Set, indices: &[u32]) -> Vec<u8> {
    let Scheme::Lms { ots } = set.scheme else { panic!("a set of LMS") };
    let mut bytes = (indices.len() as u32 - 1).to_be_bytes().to_vec();
    for (level, index) in indices.iter().enumerate() {
        if level > 0 {
            let key = bytes.len();
            bytes.extend([set.number.get(), ots].map(u32::to_be_bytes).concat());
            bytes.resize(key + set.public_key_bytes(), 0);
        }
        let begin = bytes.len();
        bytes.extend([*index, ots].map(u32::to_be_bytes).concat());
        bytes.resize(begin + 8 + set.n + set.ots_bytes(), 0);
        bytes.extend(set.number.get().to_be_bytes());
        bytes.resize(begin + set.signature_bytes(), 0);
    }
    bytes
}

#[test]
fn an_hss_index_counts_over_all_levels() {
    let read = |set: &str, indices: &[u32]| {
        let bytes = hss_in_form(Set::named(set).unwrap(), indices);
        let readings = hash_based::signature_readings(&bytes);
        let [reading] = readings.as_slice() else { panic!("{readings:?}") };
        assert_eq!((reading.family, &*reading.level_indices), (Family::Hss, indices));
        reading.index
    };
    let (small, tall) =
        ("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8", "LMS_SHA256_M32_H25/LMOTS_SHA256_N32_W8");
    assert_eq!(read(small, &[7]), Some(7));
    assert_eq!(read(small, &[3, 0, 31]), Some(3 * 1024 + 31));
    assert_eq!(read(tall, &[1, 2]), Some((1 << 25) + 2));
    // Eight levels of height 25 have more indices than fit into 64 bits. An index is returned if it
    // fits.
    assert_eq!(read(tall, &[0, 0, 0, 0, 0, 0, 5, 6]), Some(5 << 25 | 6));
    assert_eq!(read(tall, &[1, 0, 0, 0, 0, 0, 0, 0]), None);
}
