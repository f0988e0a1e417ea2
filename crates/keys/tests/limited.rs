//! Keys with a signature limit in a real store: the limit holds in all cases.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;
use std::ops::ControlFlow;

use hasten_hbs::params::SETS;
use hasten_hbs::{Error as Scheme, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::encoding::{PublicKey, public_to_pem, read_public};
use hasten_keys::inspect::inspect;
use hasten_keys::registry::{Kind, find};
use hasten_keys::stateful::{Share, Stateful, give_shard, read_public_of};
use hasten_keys::verify::verify;
use hasten_keys::{Error, stateless};
use hasten_store::{Reason, StoreError};

use common::{Place, copy_dir};

const TOYS: [&str; 3] = ["TOY-SHA2-128-2", "TOY-SHAKE-192-2", "TOY-SHA2-256-2"];

fn generated(alg: &'static str) -> Place {
    let place = Place::of(alg, 1);
    place.generate(None);
    place
}

fn sign(key: &mut Stateful<'_>) -> u64 {
    common::sign(key, SignerLevel::ChainTable, b"boot image").0
}

#[test]
fn signatures_verify_and_the_limit_is_refused() {
    for alg in TOYS {
        let place = generated(alg);
        let public = read_public_of(&place.store()).unwrap();
        assert_eq!(public.row.name, alg);
        for session in 0..2 {
            let mut key = place.open().unwrap();
            assert_eq!(key.status().remaining, 4 - 2 * session);
            key.acknowledge().unwrap();
            for at in 0..2 {
                let (index, signature) = common::sign(&mut key, SignerLevel::None, b"boot image");
                assert_eq!(index, 2 * session + at);
                let check = |m: &[u8]| verify(&public, &mut &m[..], &signature, Kernels::best());
                assert_eq!(check(b"boot image"), Ok(()));
                assert_eq!(check(b"root image"), Err(Error::BadSignature));
            }
            key.close().unwrap();
        }
        let mut key = place.open().unwrap();
        let refused = key.reserve(1).err();
        assert!(matches!(refused, Some(Error::State(StoreError::Exhausted { .. }))), "{refused:?}");
        let status = key.close().unwrap();
        assert_eq!((status.capacity, status.used, status.remaining), (4, 4, 0));
    }
}

/// An unused permit reduces the number of signatures by one: the count never goes back.
#[test]
fn what_was_reserved_and_not_used_is_lost() {
    let place = generated(TOYS[0]);
    let mut key = place.open().unwrap();
    key.acknowledge().unwrap();
    drop(key.reserve(3).unwrap());
    drop(key);
    let mut key = place.open().unwrap();
    key.acknowledge().unwrap();
    assert_eq!(sign(&mut key), 3);
    let status = key.close().unwrap();
    assert_eq!((status.used, status.lost, status.remaining), (1, 3, 0));
}

#[test]
fn a_signature_that_is_broken_off_is_counted() {
    let place = generated(TOYS[0]);
    let mut key = place.open().unwrap();
    let permit = key.reserve(1).unwrap().next().unwrap();
    let ready = key.prepare(permit, SignerLevel::None).unwrap();
    let stopped = ready.finish_watched(b"m", &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped.err(), Some(Error::Scheme(Scheme::Stopped)));
    assert_eq!(sign(&mut key), 1);
    let status = key.close().unwrap();
    assert_eq!((status.used, status.lost), (1, 1));
}

#[test]
fn an_older_copy_is_refused_and_a_shard_has_its_share() {
    let place = generated(TOYS[0]);
    let (copy, shard) = (place.path("copy"), Place::of(TOYS[0], 1));
    copy_dir(&place.store(), &copy);
    let mut store = place.options().open(place.store()).unwrap();
    let given = give_shard(&mut store, Share::Indices(2), &shard.store(), shard.options()).unwrap();
    assert_eq!((given.start, given.end), (2, 4));
    store.close().unwrap();
    let mut other = shard.open().unwrap();
    other.acknowledge().unwrap();
    assert_eq!(sign(&mut other), 2);
    let mut key = place.open().unwrap();
    key.acknowledge().unwrap();
    assert_eq!((sign(&mut key), sign(&mut key)), (0, 1));
    assert!(key.reserve(1).is_err(), "the other two are elsewhere");
    key.close().unwrap();
    fs::rename(place.store(), place.path("newer")).unwrap();
    fs::rename(copy, place.store()).unwrap();
    let Err(Error::State(StoreError::Refused(refusal))) = place.open() else { panic!("opened") };
    assert_eq!(refusal.reason, Reason::OldCopy);
}

#[test]
fn generation_goes_on_after_it_was_broken_off() {
    let place = Place::of(TOYS[2], 1);
    let mut half = |p: hasten_hbs::Progress| match p.done * 2 < p.total {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let begun = place.begin(Some(b"word")).unwrap();
    let stopped = begun.run(Kernels::best(), 1, &mut half);
    assert_eq!(stopped.err(), Some(Error::Scheme(Scheme::Stopped)));
    let mut first = None;
    let mut watch = |p: hasten_hbs::Progress| {
        first.get_or_insert(p.done);
        ControlFlow::Continue(())
    };
    place.begin(Some(b"word")).unwrap().run(Kernels::best(), 2, &mut watch).unwrap();
    assert!(first > Some(32), "what was done is not done again: {first:?}");
    let kept = place.kept("key", Some(b"word")).unwrap();
    let key = Stateful::open(&place.store(), place.options(), &kept, Kernels::best()).unwrap();
    assert_eq!(key.close().unwrap().remaining, 4);
}

/// The cache is checked against the root: a modified cache is rebuilt before the key signs.
#[test]
fn a_changed_cache_is_made_anew() {
    let (place, other) = (generated(TOYS[0]), generated(TOYS[0]));
    let own = fs::read(place.file("cache")).unwrap();
    fs::copy(other.file("cache"), place.file("cache")).unwrap();
    assert_eq!(place.open().map(drop), Ok(()));
    assert_eq!(fs::read(place.file("cache")).unwrap(), own);
}

#[test]
fn a_public_key_names_its_set_where_there_is_no_identifier() {
    for set in SETS.iter().filter(|set| set.limit.is_some()) {
        let row = find(set.name).unwrap();
        assert_eq!((row.kind, row.oid_now()), (Kind::StatefulSignature, None));
        let key = PublicKey::new(row, &vec![7; set.public_key_bytes()]).unwrap();
        let pem = public_to_pem(&key).unwrap();
        let label = set.name.replace('-', " ");
        assert!(pem.starts_with(&format!("-----BEGIN {label} PUBLIC KEY-----")), "{}", *pem);
        assert_eq!(read_public(pem.as_bytes(), None).as_ref(), Ok(&key));
        assert_eq!(read_public(pem.as_bytes(), Some(set.name)).as_ref(), Ok(&key));
        let other = read_public(pem.as_bytes(), Some("SLH-DSA-SHA2-128s"));
        assert_eq!(other, Err(Error::WrongAlgorithm));
        assert_eq!(read_public(&key.raw, Some(set.name)).as_ref(), Ok(&key));
        let found = &inspect(pem.as_bytes())[0];
        assert_eq!(found.algorithm.as_deref(), Some(set.name));
        assert!(found.notes[0].contains("draft: NIST SP 800-230"), "{found:?}");
        let signature = vec![1; set.signature_bytes()];
        let verdict = verify(&key, &mut &b"m"[..], &signature, Kernels::best());
        assert_eq!(verdict, Err(Error::BadSignature));
        let found = inspect(&signature);
        assert!(found.iter().any(|f| f.algorithm.as_deref() == Some(set.name)), "{found:?}");
        assert!(stateless::generate(row, Kernels::best()).is_err(), "it has no file without count");
    }
}
