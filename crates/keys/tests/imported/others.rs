//! Private keys of Bouncy Castle and wolfSSL, each after three signatures.

use std::path::Path;

use hasten_hbs::Set;
use hasten_keys::encoding::{self, PublicKey, read_public};
use hasten_keys::stateful::Foreign;
use hasten_keys::{Error, ForeignError};

use super::{folder, import, sign};

/// Name, set, and the index of a signature that the other program made later.
const KEYS: [(&str, &str, u64); 7] = [
    ("bc-one.key", "LMS_SHA256_M32_H5_W8", 20),
    ("bc-two.key", "HSS(LMS_SHA256_M32_H5_W4,LMS_SHA256_M32_H5_W8)", 40),
    ("bc-three.key", "HSS(LMS_SHAKE_M24_H5_W4,LMS_SHAKE_M24_H5_W8,LMS_SHAKE_M24_H5_W4)", 70),
    ("wolf-short.prv", "HSS(LMS_SHA256_M24_H5_W4,LMS_SHA256_M24_H5_W4,LMS_SHA256_M24_H5_W4)", 70),
    ("wolf-shake-short.prv", "LMS_SHAKE_M24_H5_W8", 20),
    ("wolf-xmss.prv", "XMSS-SHA2_10_256", 20),
    ("wolf-xmssmt.prv", "XMSSMT-SHA2_20/4_256", 40),
];

fn vector(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/imported");
    std::fs::read(folder.join(name)).unwrap()
}

/// Returns the file with the same name and this extension.
fn beside(name: &str, ending: &str) -> Vec<u8> {
    vector(&Path::new(name).with_extension(ending).display().to_string())
}

/// Returns the public key of one of [`KEYS`]. For XMSS the set must be given, because the file is
/// ambiguous.
fn public(name: &str) -> PublicKey {
    let (_, set, _) = KEYS.iter().find(|key| key.0 == name).unwrap();
    let set = set.starts_with("XMSS").then_some(*set);
    read_public(&beside(name, "pub"), set).unwrap()
}

fn refused(private: &[u8], public: &PublicKey) -> ForeignError {
    match Foreign::of(private, public) {
        Err(Error::Foreign(why)) => why,
        other => panic!("{:?}", other.err()),
    }
}

#[test]
fn a_signature_after_the_import_is_that_of_the_other_program() {
    for (name, set, index) in KEYS {
        let (place, public) = (folder(), public(name));
        let key = Foreign::of(&vector(name), &public).unwrap();
        assert_eq!(key.set().name, Set::named(set).unwrap().name, "{name}");
        // According to the file, indices 0 to 2 were used.
        let further = ForeignError::UsedFurther { through: 2 };
        assert_eq!(key.first_usable(Some(1), 30), Err(further.into()), "{name}");
        let next = key.first_usable(Some(2), index - 3).unwrap();
        assert_eq!(import(&place, &key, next, "key").unwrap().raw.len(), public.raw.len());
        let (used, signature, status) = sign(&place, "key");
        assert_eq!((used, status.burned, status.used), (index, index, 1), "{name}");
        assert!(signature.ends_with(&beside(name, "sig")), "{name}: another signature");
    }
}

#[test]
fn a_private_key_of_another_public_key_is_refused() {
    for (name, set, _) in KEYS {
        let private = vector(name);
        for (other, ..) in KEYS.iter().filter(|key| key.0 != name) {
            let why = refused(&private, &public(other));
            let known = [ForeignError::OtherPublic, ForeignError::Unknown, ForeignError::Sets];
            assert!(known.contains(&why), "{name} as {other}: {why:?}");
        }
        let other = encoding::encode_spki(&other_of(set)).unwrap();
        assert_eq!(
            refused(&private, &read_public(&other, None).unwrap()),
            ForeignError::OtherPublic
        );
    }
}

/// Returns a public key of the set with a different last byte; for LMS and HSS a byte of I differs.
fn other_of(set: &str) -> PublicKey {
    let (name, ..) = KEYS.iter().find(|key| key.1 == set).unwrap();
    let mut other = public(name);
    let last = other.raw.len() - 1;
    other.raw[if set.starts_with("XMSS") { last } else { 20 }] ^= 1;
    other
}

#[test]
fn a_part_of_a_key_is_refused() {
    assert_eq!(refused(&vector("bc-two.shard"), &public("bc-two.key")), ForeignError::Shard);
    // The end of a tree's indices, 32, precedes the length of SEED.
    let mut one = der("bc-one.key");
    let at = one.windows(8).position(|bytes| bytes == [0, 0, 0, 32, 0, 0, 0, 32]).unwrap();
    one[at + 3] = 16;
    assert_eq!(refused(&one, &public("bc-one.key")), ForeignError::Shard);
}

#[test]
fn levels_of_two_lengths_are_refused() {
    let public = read_public(&vector("bc-mixed.pub"), None).unwrap();
    assert_eq!(refused(&vector("bc-mixed.key"), &public), ForeignError::Levels);
}

#[test]
fn xmss_of_bouncy_castle_is_refused() {
    let public = read_public(&vector("bc-xmss.pub"), None).unwrap();
    assert_eq!(refused(&vector("bc-xmss.key"), &public), ForeignError::OtherAlgorithm);
}

#[test]
fn the_trees_count_where_they_are_further_than_the_index() {
    let (mut two, public) = (der("bc-two.key"), public("bc-two.key"));
    let index = [0u32, 2, 0, 3, 0, 1024].iter().flat_map(|word| word.to_be_bytes());
    let index: Vec<u8> = index.collect();
    let at = two.windows(index.len()).position(|bytes| bytes == index).unwrap();
    two[at + 15] = 0;
    let key = Foreign::of(&two, &public).unwrap();
    let further = ForeignError::UsedFurther { through: 2 };
    assert_eq!(key.first_usable(None, 8), Err(further.into()));
    two[at + 15] = 9;
    let further = ForeignError::UsedFurther { through: 8 };
    assert_eq!(Foreign::of(&two, &public).unwrap().first_usable(None, 8), Err(further.into()));
}

#[test]
fn every_byte_less_is_refused() {
    for name in ["bc-one.key", "bc-two.key"] {
        let whole = der(name);
        for length in 0..whole.len() {
            // Keys of 48 or 64 bytes are taken for keys of hash-sigs.
            let why = refused(&whole[..length], &public(name));
            let known = match length {
                48 => ForeignError::OtherMethod,
                64 => ForeignError::Sets,
                _ => ForeignError::Unknown,
            };
            assert_eq!(why, known, "{length}");
        }
    }
    for (name, kept) in [("wolf-xmss.prv", 4 + 4 * 32), ("wolf-xmssmt.prv", 3 + 4 * 32)] {
        let (whole, public) = (vector(name), public(name));
        for length in 0..kept {
            assert_eq!(refused(&whole[..length], &public), ForeignError::Unknown, "{length}");
        }
        // The form that wolfSSL writes if it is built for small memory.
        assert!(Foreign::of(&whole[..kept], &public).is_ok());
    }
}

#[test]
fn a_key_under_a_passphrase_is_refused() {
    let inner = [[0x30, 0x0b, 0x06, 0x09].as_slice(), &PBES2, &[0x04, 0x01, 0x00]].concat();
    let der = [&[0x30, inner.len() as u8], &inner[..]].concat();
    assert_eq!(refused(&der, &public("bc-one.key")), ForeignError::Encrypted);
}

/// The object identifier 1.2.840.113549.1.5.13.
const PBES2: [u8; 9] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d];

fn der(name: &str) -> Vec<u8> {
    encoding::pem_blocks(&vector(name))[0].der.to_vec()
}
