//! Private keys of hash-sigs.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_keys::encoding::{PublicKey, read_public};
use hasten_keys::stateful::{Foreign, Stateful};
use hasten_keys::{Error, ForeignError, verify::verify};
use hasten_store::StoreError;

use super::{MESSAGE, begin, folder, import, sign};

fn vector(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/lms/hash-sigs");
    std::fs::read(folder.join(name)).unwrap()
}

fn foreign(name: &str) -> Foreign {
    Foreign::read(&vector(&format!("{name}.prv")), &vector(&format!("{name}.pub"))).unwrap()
}

fn public(name: &str) -> PublicKey {
    read_public(&vector(&format!("{name}.pub")), None).unwrap()
}

#[test]
fn a_signature_after_the_import_is_that_of_hash_sigs() {
    for (name, set, index) in [
        ("one", "LMS_SHA256_M32_H5_W8", 11),
        ("two", "HSS(LMS_SHA256_M32_H5_W4,LMS_SHA256_M32_H5_W8)", 40),
        ("three", "HSS(LMS_SHA256_M32_H5_W2,LMS_SHA256_M32_H5_W4,LMS_SHA256_M32_H5_W4)", 40),
    ] {
        let (place, key, public) = (folder(), foreign(name), public(name));
        assert_eq!(key.set().name, Set::named(set).unwrap().name);
        let theirs = vector(&format!("{name}-{index}.sig"));
        assert_eq!(verify(&public, &mut &MESSAGE[..], &theirs, Kernels::best()), Ok(()), "theirs");
        // According to the file, indices 0 to 2 were used.
        let next = key.first_usable(Some(2), index - 3).unwrap();
        let made = import(&place, &key, next, "key").unwrap();
        assert_eq!(made.raw, public.raw);
        let (used, signature, status) = sign(&place, "key");
        assert_eq!((used, status.burned, status.used), (index, index, 1), "{name}");
        assert!(signature == theirs, "{name}: another signature than that of hash-sigs");
        assert_eq!(sign(&place, "key").0, index + 1);
    }
}

#[test]
fn the_highest_index_used_is_no_lower_than_the_file_says() {
    let key = foreign("one");
    assert_eq!(key.first_usable(Some(2), 1), Ok(4));
    assert_eq!(key.first_usable(Some(29), 1), Ok(31));
    let further = Err(Error::Foreign(ForeignError::UsedFurther { through: 2 }));
    assert_eq!(
        (key.first_usable(Some(1), 30), key.first_usable(None, 8)),
        (further.clone(), further)
    );
    let nothing = Err(Error::Foreign(ForeignError::NothingLeft { capacity: 32 }));
    for (through, margin) in
        [(Some(30), 1), (Some(31), 0), (Some(u64::MAX), 1), (Some(2), u64::MAX)]
    {
        assert_eq!(key.first_usable(through, margin), nothing, "{through:?}, {margin}");
    }
    let with_next = |next: u64| {
        let mut file = vector("one.prv");
        file[..8].copy_from_slice(&next.to_be_bytes());
        Foreign::read(&file, &vector("one.pub")).unwrap()
    };
    assert_eq!(with_next(0).first_usable(None, 1), Ok(1));
    assert_eq!(
        with_next(u64::MAX).first_usable(Some(2), 1),
        nothing,
        "used up, as hash-sigs says it"
    );
}

#[test]
fn everything_else_is_refused() {
    let (private, public) = (vector("two.prv"), vector("two.pub"));
    let read = |private: &[u8], public: &[u8]| match Foreign::read(private, public) {
        Err(Error::Foreign(why)) => why,
        other => panic!("{:?}", other.err()),
    };
    assert_eq!(read(&private, &vector("one.pub")), ForeignError::OtherPublic);
    assert_eq!(read(&private[..48], &public), ForeignError::OtherMethod);
    for length in [0, 47, 49, 63, 65] {
        let file = [&private[..], &[0]].concat();
        assert_eq!(read(&file[..length], &public), ForeignError::Unknown, "{length}");
    }
    // Invalid levels: none, one that hash-sigs does not support, one after the end mark.
    for (at, byte) in [(8, 0xff), (8, 0x43), (8, 0xa3), (9, 0x50), (9, 0x55), (11, 0x54)] {
        let mut file = private.clone();
        file[at] = byte;
        assert_eq!(read(&file, &public), ForeignError::Sets, "{at}");
    }
    let mut file = private.clone();
    file[8] = 0x54;
    assert_eq!(read(&file, &public), ForeignError::OtherPublic, "another set");
    file.clone_from(&private);
    file[63] ^= 1;
    assert_eq!(read(&file, &public), ForeignError::OtherPublic, "another I");
    assert!(Foreign::read(&private, b"no key").is_err());
}

#[test]
fn a_damaged_seed_makes_no_key() {
    let place = folder();
    let mut file = vector("two.prv");
    file[20] ^= 1;
    let key = Foreign::read(&file, &vector("two.pub")).expect("the seed is in no public key");
    let refused = import(&place, &key, 8, "key").err();
    assert_eq!(refused, Some(Error::Foreign(ForeignError::OtherPublic)));
    assert!(!place.path("key/public.pem").exists());
    let kept = place.kept("key", None).unwrap();
    let opened = Stateful::open(&place.path("key"), place.options(), &kept, Kernels::best());
    assert_eq!(opened.err(), Some(Error::UnfinishedImport));
    let other = import(&place, &foreign("two"), 8, "key").err();
    assert_eq!(other, Some(Error::Foreign(ForeignError::OtherKey)));
}

#[test]
fn a_key_is_imported_once() {
    let place = folder();
    import(&place, &foreign("two"), 8, "key").unwrap();
    let again = import(&place, &foreign("two"), 8, "key").err();
    assert_eq!(again, Some(Error::State(StoreError::Exists)));
    let dir: PathBuf = place.path("key").canonicalize().unwrap();
    let came = Some(Error::State(StoreError::Imported { dir }));
    assert_eq!(import(&place, &foreign("two"), 8, "other").err(), came);
    std::fs::remove_dir_all(place.path("key")).unwrap();
    assert_eq!(import(&place, &foreign("two"), 8, "other").err(), came, "the directory is gone");
    assert!(!place.path("other/secret").exists());
    import(&place, &foreign("three"), 8, "three").unwrap();
}

#[test]
fn an_import_that_was_broken_off_goes_on_and_burns_no_less() {
    let place = folder();
    let stop = &mut |_| ControlFlow::Break(());
    let stopped = begin(&place, &foreign("two"), 8, "key").unwrap().run(Kernels::best(), 1, stop);
    assert!(stopped.is_err());
    import(&place, &foreign("two"), 20, "key").unwrap();
    assert_eq!(sign(&place, "key").0, 20);
}
