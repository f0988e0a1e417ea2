//! Files in the wrong place: a fleet's signer and a store are each given every file that is not
//! theirs. The file is refused, nothing is changed, and no other signer is stopped.

mod service;

use hasten_store::{
    CellWitness, FileCell, FileKind, Identity, MacKey, NewKey, Options, Reason, StoreError,
};
use hasten_store_etcd::{EtcdStore, Fleet};
use service::Service;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

const CAPACITY: u64 = 64;

/// A store of a key, and the fleet to which it gave all indices.
struct Key {
    name: &'static str,
    dir: PathBuf,
    guard: PathBuf,
    identity: Identity,
}

impl Key {
    fn new(place: &Path, name: &'static str, service: &Service) -> Key {
        let (dir, guard) = (place.join(name), place.join(format!("{name}.guard")));
        let options = Options::new().guard(&guard).accept_shared_filesystem(true);
        let mut store = options.create(&dir, &NewKey::new(CAPACITY)).expect("made");
        store.bind([name.len() as u8; 32]).expect("bound");
        store.put_blob("cache", b"hstncch2 nodes").expect("kept");
        store.put_blob("secret", b"hstnkey2 seeds").expect("kept");
        drop(store.give(CAPACITY).expect("given"));
        let (state, identity) = (store.state().clone(), store.identity());
        let key = Key { name, dir, guard, identity };
        drop(key.fleet(service, &key.signer(1)).adopt(&state).expect("adopted").close());
        drop(store.close());
        key
    }

    /// Returns the path of the guard of one of its signers.
    fn signer(&self, number: usize) -> PathBuf {
        self.guard.with_extension(format!("signer{number}"))
    }

    fn fleet(&self, service: &Service, guard: &Path) -> Fleet {
        let fleet = Fleet::new(&service.urls(), self.name, guard).key(MacKey::new(&[7; 32]));
        let fleet = if self.guard.exists() { fleet } else { return fleet };
        fleet.patience(Duration::from_secs(5))
    }

    fn open(&self, service: &Service, number: usize) -> Result<EtcdStore, StoreError> {
        self.fleet(service, &self.signer(number)).expect(self.identity).open()
    }
}

/// Returns all files below a folder, with their bytes.
fn files(place: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(place).expect("a folder").map(|entry| entry.expect("an entry"));
    let below = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => BTreeMap::from([(path.clone(), std::fs::read(&path).expect("read"))]),
    };
    entries.flat_map(|entry| below(entry.path())).collect()
}

fn is_lock(path: &Path) -> bool {
    path.ends_with("lock")
}

struct World {
    place: tempfile::TempDir,
    service: Service,
    ours: Key,
    other: Key,
}

fn world() -> World {
    let place = tempfile::tempdir().expect("a folder");
    let service = Service::start();
    let (ours, other) =
        (Key::new(place.path(), "ours", &service), Key::new(place.path(), "others", &service));
    let first = ours.open(&service, 1).expect("opened");
    let token = first.service().token().expect("a token");
    drop(ours.fleet(&service, &ours.signer(2)).join(&token).open().expect("joined").close());
    drop(first.close());
    let cell = FileCell::new(place.path().join("cell"), Duration::from_secs(5));
    let watched = Options::new().witness(CellWitness::new(cell)).accept_shared_filesystem(true);
    let watched = watched.guard(place.path().join("watched.guard"));
    drop(watched.create(place.path().join("watched"), &NewKey::new(8)).expect("made").close());
    std::fs::write(
        place.path().join("text"),
        "dear reader, this is no file of a key\n".repeat(300),
    )
    .expect("written");
    World { place, service, ours, other }
}

impl World {
    /// Returns every file except the right ones, locks and empty files. An interrupted creation of
    /// a guard leaves an empty file, and a lock names the last process that tried.
    fn wrong_for(&self, right: &[PathBuf]) -> Vec<PathBuf> {
        let wrong = |(path, bytes): (PathBuf, Vec<u8>)| {
            let other = !right.contains(&path) && !is_lock(&path) && !bytes.is_empty();
            other.then_some(path)
        };
        files(self.place.path()).into_iter().filter_map(wrong).collect()
    }

    /// Checks that an attempt with a wrong file changes neither a file nor the service.
    fn refuses<T>(&self, what: &Path, attempt: impl Fn() -> Result<T, StoreError>) -> StoreError {
        let (before, held) = (files(self.place.path()), self.service.values());
        let error = attempt().err().unwrap_or_else(|| panic!("{} was taken", what.display()));
        let after = files(self.place.path());
        for (path, bytes) in before.iter().filter(|(path, _)| !is_lock(path)) {
            assert_eq!(
                after.get(path),
                Some(bytes),
                "{}: {} changed",
                what.display(),
                path.display()
            );
        }
        assert_eq!(after.len(), before.len(), "{}: a file came or went", what.display());
        assert_eq!(self.service.values(), held, "{}: the service changed", what.display());
        error
    }
}

#[test]
fn a_signer_takes_no_file_but_a_signers_guard_and_stops_nobody() {
    let world = world();
    let World { ours, other, service, .. } = &world;
    let right = [ours.signer(1), ours.signer(2)];
    let mut kinds = 0;
    for file in world.wrong_for(&right) {
        let fleet = || ours.fleet(service, &file).expect(ours.identity);
        let peeked = || match fleet().peek()?.refused {
            Some(refusal) => Err(StoreError::Refused(refusal)),
            None => Ok(()),
        };
        let ways: [&dyn Fn() -> Result<(), StoreError>; 4] =
            [&|| fleet().open().map(drop), &peeked, &|| fleet().burn(4).open().map(drop), &|| {
                fleet().join("hf1.").open().map(drop)
            }];
        for way in ways {
            let error = world.refuses(&file, way);
            match error {
                StoreError::OtherKind { file: named, found, expected } => {
                    assert_eq!((named, expected), (file.clone(), FileKind::SignerGuard));
                    assert_ne!(found, FileKind::SignerGuard);
                    kinds += 1;
                }
                StoreError::Refused(r) if r.reason == Reason::ForeignGuard => {
                    assert!(file == other.signer(1), "{}", file.display());
                }
                StoreError::NotAGuard { path } => assert_eq!(path, file),
                StoreError::Refused(r) if r.reason == Reason::NoGuard => {
                    assert!(file.ends_with("text"), "{}", file.display());
                }
                other => panic!("{}: {other}", file.display()),
            }
        }
        let good = ours.open(service, 2).and_then(|mut store| store.reserve(1).map(drop));
        assert_eq!(good, Ok(()), "{} stopped another signer", file.display());
    }
    assert!(kinds > 20, "{kinds}");
}

#[test]
fn a_store_takes_no_file_but_its_own_guard() {
    let world = world();
    let World { ours, other, .. } = &world;
    for file in world.wrong_for(std::slice::from_ref(&ours.guard)) {
        let options = || Options::new().guard(&file).accept_shared_filesystem(true);
        for burn in [None, Some(4)] {
            let open = || burn.into_iter().fold(options(), Options::burn).open(&ours.dir).map(drop);
            match world.refuses(&file, open) {
                StoreError::OtherKind { expected: FileKind::Guard, .. } => {}
                StoreError::NotAGuard { path } if burn.is_some() => assert_eq!(path, file),
                StoreError::Refused(r) if r.reason == Reason::DamagedGuard => {
                    assert!(file.ends_with("text") && burn.is_none(), "{}", file.display());
                }
                StoreError::Refused(r) => {
                    assert_eq!(r.reason, Reason::ForeignGuard, "{}", file.display());
                    assert!(file == other.guard || file.ends_with("watched.guard"));
                }
                other => panic!("{}: {other}", file.display()),
            }
        }
        let made = || options().create(world.place.path().join("new"), &NewKey::new(8)).map(drop);
        if !file.starts_with(&ours.dir) {
            let before = std::fs::read(&file).expect("read");
            let error = made().expect_err("a guard that is in use");
            assert_eq!(std::fs::read(&file).expect("read"), before, "{}", file.display());
            let taken = matches!(
                error,
                StoreError::GuardTaken { .. }
                    | StoreError::OtherKind { .. }
                    | StoreError::NotAGuard { .. }
            );
            assert!(taken, "{}: {error}", file.display());
            let begun = world.place.path().join("new.partial");
            std::fs::remove_dir_all(begun).expect("what a creation begins with");
        }
    }
}

#[test]
fn a_witness_takes_no_file_but_a_cell() {
    let world = world();
    let right = world.place.path().join("cell");
    let dir = world.place.path().join("watched");
    for file in world.wrong_for(&[right]) {
        let cell = || CellWitness::new(FileCell::new(&file, Duration::from_secs(1)));
        let options = || Options::new().witness(cell()).accept_shared_filesystem(true);
        for way in [false, true] {
            let open =
                || if way { options().peek_witness(&dir) } else { options().open(&dir).map(drop) };
            match world.refuses(&file, open) {
                StoreError::OtherKind { file: named, expected: FileKind::Cell, .. } => {
                    assert_eq!(named, file);
                }
                StoreError::WitnessUnreachable => assert!(file.ends_with("cell.lock")),
                other => panic!("{}: {other}", file.display()),
            }
        }
    }
}

#[test]
fn a_signers_guard_of_the_form_before_is_read_and_renewed() {
    let world = world();
    let World { ours, service, .. } = &world;
    let path = ours.signer(1);
    let mut old = std::fs::read(&path).expect("read");
    for at in [0, 4096] {
        old[at..at + 8].copy_from_slice(b"HASTENG2");
        let tag = tag(&old[at..at + 240]);
        old[at + 240..at + 256].copy_from_slice(&tag);
    }
    std::fs::write(&path, &old).expect("written");
    let refused = Options::new().guard(&path).accept_shared_filesystem(true).open(&ours.dir);
    assert!(matches!(refused, Err(StoreError::OtherKind { .. })), "a store takes it");
    drop(ours.open(service, 1).expect("opened").close());
    let new = std::fs::read(&path).expect("read");
    assert!([0, 4096].iter().any(|at| new[*at..].starts_with(b"HASTENS1")));
    ours.open(service, 1).expect("opened again");
}

/// Returns the tag of a guard's slot: the first 16 bytes of SHA-256 of the bytes that it covers.
fn tag(body: &[u8]) -> [u8; 16] {
    use sha2::{Digest, Sha256};
    let whole = Sha256::new().chain_update([2; 16]).chain_update(body).finalize();
    whole[..16].try_into().expect("16 bytes")
}
