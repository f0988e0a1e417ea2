//! The files of a key: encrypted, damaged, out of date.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::Error;
use hasten_keys::stateful::{Kept, Sealed, read_public_of};
use hasten_keys::verify::verify;
use hasten_store::Identity;

use common::Place;

const ALG: &str = "XMSS-SHA2_10_256";
const KEY: Identity = Identity { key_id: [5; 16], public: [6; 32] };

#[test]
fn a_passphrase_is_needed_and_hides_the_seed() {
    let place = Place::of(ALG, 1);
    let kept = Kept::of_one_seed(KEY.key_id, ALG, 3, vec![0xA5; 96].into());
    let file = Sealed::seal(&kept, Some(b"correct horse")).unwrap();
    assert!(!file.windows(8).any(|bytes| bytes == [0xA5; 8]));
    let open = |passphrase| Sealed::read(&file, &KEY).unwrap().open(passphrase);
    assert_eq!(open(None).err(), Some(Error::Passphrase));
    assert_eq!(open(Some(b"wrong")).err(), Some(Error::Passphrase));
    let opened = open(Some(b"correct horse")).unwrap();
    assert_eq!((opened.device_seed(), opened.reserve), (kept.device_seed(), 3));
    assert!(!format!("{opened:?}").contains("165"), "Debug shows no seed");

    place.generate(Some(b"p"));
    assert!(Sealed::of_store(&place.store()).unwrap().is_encrypted());
    assert_eq!(place.open().err(), Some(Error::Passphrase));
}

#[test]
fn damaged_key_files_are_noticed() {
    let kept = Kept::of_one_seed(KEY.key_id, ALG, 1, vec![7; 96].into());
    for file in [Sealed::seal(&kept, None).unwrap(), Sealed::seal(&kept, Some(b"p")).unwrap()] {
        for at in 0..file.len() {
            assert!(Sealed::read(&file[..at], &KEY).is_err());
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert!(Sealed::read(&changed, &KEY).is_err());
        }
    }
}

#[test]
fn a_damaged_cache_is_made_anew() {
    let place = Place::of(ALG, 1);
    place.generate(None);
    let path = place.file("cache");
    let whole = fs::read(&path).unwrap();
    let mut cache = whole.clone();
    *cache.last_mut().unwrap() ^= 1;
    fs::write(&path, cache).unwrap();
    assert_eq!(common::sign_next(&place, "key", None), 0);
    assert_eq!(fs::read(&path).unwrap(), whole);
}

/// A set whose keys load slowly, so that leaves are saved for them.
const TALL: &str = "LMS_SHA256_M32_H10_W8";

#[test]
fn leaves_are_kept_where_loading_takes_long_and_may_be_damaged_or_old() {
    let place = Place::of(TALL, 1);
    place.generate(None);
    let public = read_public_of(&place.store()).unwrap();
    let (path, mut seen) = (place.file("leaves"), Vec::new());
    let first = fs::read(&path).unwrap();
    for session in 0..8_u64 {
        let mut key = place.open().unwrap();
        for _ in 0..3 {
            let (index, signature) = common::sign(&mut key, SignerLevel::ChainTable, b"message");
            assert_eq!(verify(&public, &mut &b"message"[..], &signature, Kernels::best()), Ok(()));
            seen.push(index);
        }
        key.close().unwrap();
        match session {
            1 => fs::write(&path, &first).unwrap(),
            3 => fs::remove_file(&path).unwrap(),
            5 => fs::write(&path, vec![7; first.len()]).unwrap(),
            _ => assert_ne!(fs::read(&path).unwrap(), first, "it goes with the index"),
        }
    }
    assert_eq!(seen, (0..24).collect::<Vec<u64>>());
}
