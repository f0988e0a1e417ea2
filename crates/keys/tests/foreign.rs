//! Files of key A in the directory of key B: each is refused with an error that names it, and no
//! index of A is used.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::stateful::{Generation, NewStateful, Stateful};
use hasten_keys::{Error, KeyFile};
use hasten_store::{Identity, Indices, Interval, Reason, Status, Store, StoreError};

use common::Place;

const ALG: &str = "LMS_SHA256_M24_H5_W8";

/// Returns two keys of one set; the first has signed once.
fn two(alg: &'static str, passphrase: Option<&[u8]>) -> (Place, Place) {
    let (a, b) = (Place::of(alg, 1), Place::of(alg, 1));
    a.generate(passphrase);
    b.generate(passphrase);
    (a, b)
}

/// Opens `b` after copying these files of `a` into it.
fn with_files(a: &Place, b: &Place, names: &[&str], passphrase: Option<&[u8]>) -> Option<Error> {
    for name in names {
        fs::copy(a.file(name), b.file(name)).unwrap();
    }
    let kept = b.kept("key", passphrase);
    kept.and_then(|kept| Stateful::open(&b.store(), b.options(), &kept, Kernels::best())).err()
}

#[test]
fn a_secret_of_another_key_is_refused_alone_and_with_all_that_belongs_to_it() {
    for passphrase in [None, Some(&b"words"[..])] {
        for names in [&["secret"][..], &["secret", "cache"], &["secret", "cache", "public.pem"]] {
            let (a, b) = two(ALG, passphrase);
            let refused = with_files(&a, &b, names, passphrase);
            assert_eq!(refused, Some(Error::ForeignFile(KeyFile::Secret)), "{names:?}");
        }
    }
}

/// Files that follow from the seeds are rebuilt and equal the key's original files.
#[test]
fn each_other_file_of_another_key_is_made_anew() {
    for name in ["cache", "public.pem"] {
        let (a, b) = two(ALG, None);
        let own = fs::read(b.file(name)).unwrap();
        assert_ne!(own, fs::read(a.file(name)).unwrap(), "{name}");
        assert_eq!(with_files(&a, &b, &[name], None), None, "{name}");
        assert_eq!(fs::read(b.file(name)).unwrap(), own, "{name}");
        assert_eq!(common::sign_next(&b, "key", None), 0, "{name}");
    }
}

/// With the log of A the directory is consistent, but the guard knows the store and refuses.
#[test]
fn a_whole_directory_of_another_key_is_refused_by_the_guard() {
    let (a, b) = two(ALG, None);
    let names = ["secret", "cache", "public.pem", "log.0", "log.1", "audit", "config"];
    let refused = with_files(&a, &b, &names, None);
    let foreign = |e: &Error| matches!(e, Error::State(StoreError::Refused(r)) if r.reason == Reason::ForeignGuard);
    assert!(refused.as_ref().is_some_and(foreign), "{refused:?}");
}

#[test]
fn trees_that_follow_of_another_key_are_made_anew() {
    let (a, b) = two("HSS(LMS_SHA256_M24_H5_W4,LMS_SHA256_M24_H5_W4)", None);
    for place in [&a, &b] {
        let mut key = place.open().unwrap();
        common::sign(&mut key, SignerLevel::None, b"message");
        key.close().unwrap();
    }
    assert!(a.file("growth").exists());
    assert_eq!(with_files(&a, &b, &["growth"], None), None);
    assert_eq!(common::sign(&mut b.open().unwrap(), SignerLevel::None, b"message").0, 1);
}

#[test]
fn an_unfinished_generation_does_not_take_a_foreign_seed() {
    let (a, b) = (Place::of(ALG, 1), Place::of(ALG, 1));
    let stop = &mut |_: hasten_hbs::Progress| core::ops::ControlFlow::Break(());
    a.begin(None).unwrap().run(Kernels::best(), 1, stop).unwrap_err();
    b.begin(None).unwrap().run(Kernels::best(), 1, stop).unwrap_err();
    fs::copy(a.file("secret"), b.file("secret")).unwrap();
    let set = hasten_hbs::Set::named(ALG).unwrap();
    let new = NewStateful { set, reserve: 1, sectors: 1 };
    let begun = Generation::begin(&b.store(), b.options(), new, None);
    assert_eq!(begun.err(), Some(Error::ForeignFile(KeyFile::Secret)));
}

/// The indices of another key, as a fleet would issue them.
struct Elsewhere(Store);

impl Indices for Elsewhere {
    fn identity(&self) -> Identity {
        self.0.identity()
    }

    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        self.0.reserve(count)
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        self.0.record(index)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        self.0.flush()
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn last_commit(&self) -> std::time::Duration {
        self.0.last_commit()
    }

    fn acknowledge(&mut self) -> Result<(), StoreError> {
        self.0.acknowledge()
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        self.0.retire()
    }

    fn close(self: Box<Self>) -> Result<Status, StoreError> {
        self.0.close()
    }
}

#[test]
fn indices_of_another_key_are_refused_wherever_they_come_from() {
    let (a, b) = two(ALG, None);
    let over = |place: &Place| {
        let store = b.options().open(b.store()).unwrap();
        let kept = place.kept("key", None).unwrap();
        Stateful::over(&place.store(), Box::new(Elsewhere(store)), &kept, Kernels::best()).err()
    };
    let refused = over(&a);
    let other = |e: &Error| matches!(e, Error::State(StoreError::Refused(r)) if r.reason == Reason::OtherKey);
    assert!(refused.as_ref().is_some_and(other), "{refused:?}");
    assert_eq!(over(&b), None, "its own are taken");
}
