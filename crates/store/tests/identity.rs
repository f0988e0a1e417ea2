//! The identity of a store's key: bound once, kept in log and guard, compared at every opening.

use hasten_store::{NewKey, Options, Reason, Store, StoreError};
use std::path::PathBuf;

const OURS: [u8; 32] = [7; 32];
const OTHER: [u8; 32] = [8; 32];

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a temporary directory"))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn options(&self) -> Options {
        Options::new().guard(self.at("key.guard"))
    }

    fn bound(&self) -> Store {
        let key = NewKey { sectors: 2, log_records: 8, ..NewKey::new(64) };
        let mut store = self.options().create(self.at("key"), &key).expect("a new store");
        store.bind(OURS).expect("bound");
        store
    }
}

fn reason<T>(result: Result<T, StoreError>) -> Option<Reason> {
    match result {
        Err(StoreError::Refused(refusal)) => Some(refusal.reason),
        _ => None,
    }
}

#[test]
fn the_public_key_is_bound_once_and_for_good() {
    let place = Place::new();
    let mut store = place.bound();
    let generation = store.status().generation;
    assert_eq!(store.bind(OURS), Ok(()), "again, nothing happens");
    assert_eq!(store.status().generation, generation);
    assert_eq!(reason(store.bind(OTHER)), Some(Reason::OtherKey));
    for _ in 0..20 {
        drop(store.reserve(1).expect("one"));
    }
    store.close().expect("closed");
    let store = place.options().open(place.at("key")).expect("opened, after changes of files");
    assert_eq!(store.identity().public, OURS);
    assert!(store.audit().expect("an audit log").iter().any(|entry| entry.what == "bind"));
}

#[test]
fn nothing_binds_a_store_to_no_key() {
    let place = Place::new();
    let mut store = place.options().create(place.at("key"), &NewKey::new(8)).expect("a new store");
    assert!(!store.identity().is_bound());
    assert_eq!(store.bind([0; 32]), Ok(()));
    assert!(!store.identity().is_bound());
}

#[test]
fn a_store_of_another_key_is_refused_whatever_is_burned() {
    let place = Place::new();
    place.bound().close().expect("closed");
    let open = |public| place.options().public(public).open(place.at("key")).map(drop);
    assert_eq!(open(OURS), Ok(()));
    assert_eq!(reason(open(OTHER)), Some(Reason::OtherKey));
    let burned = place.options().public(OTHER).burn(5).open(place.at("key")).map(drop);
    assert_eq!(reason(burned), Some(Reason::OtherKey));
    assert_eq!(open(OURS), Ok(()), "and nothing was changed by it");
}

#[test]
fn a_shard_has_its_parents_identity() {
    let place = Place::new();
    let mut store = place.bound();
    let grant = store.give(8).expect("given");
    let options = Options::new().guard(place.at("shard.guard"));
    let shard = options.create_shard(place.at("shard"), grant).expect("a shard");
    assert_eq!(shard.identity(), store.identity());
}
