//! The embedded store on the real file system.

use hasten_store::{Argument, NewKey, Options, Reason, Store, StoreError, Unfinished};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { root: tempfile::tempdir().expect("a temporary directory") }
    }

    fn dir(&self) -> PathBuf {
        self.root.path().join("key")
    }

    fn guard(&self) -> PathBuf {
        self.root.path().join("key.guard")
    }

    fn create(&self, key: &NewKey) -> Store {
        Options::new().guard(self.guard()).create(self.dir(), key).expect("a new store")
    }

    fn open(&self) -> Result<Store, StoreError> {
        Options::new().open(self.dir())
    }
}

fn copy_dir(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("a directory").flatten() {
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

fn refusal(result: Result<Store, StoreError>) -> Reason {
    match result {
        Err(StoreError::Refused(r)) => r.reason,
        Err(e) => panic!("another error: {e}"),
        Ok(_) => panic!("not refused"),
    }
}

/// Every permit has the guard file open, but its lock ends with the session.
#[test]
fn a_permit_that_lives_on_keeps_no_session_out_and_signs_nothing() {
    let place = Place::new();
    for dropped in [false, true] {
        let mut store = match place.dir().exists() {
            true => place.open().expect("opened"),
            false => place.create(&NewKey::new(64)),
        };
        let mut interval = store.reserve(2).expect("two");
        let (permit, first) = (interval.next().expect("one"), interval.next().expect("another"));
        if dropped {
            drop(store);
        } else {
            assert_eq!(store.close().expect("closed").lost, 2);
        }
        let store = place.open().expect("open again at once");
        assert_eq!(permit.check(), Err(StoreError::Closed));
        assert_eq!(first.record(), Err(StoreError::Closed));
        assert!(matches!(place.open(), Err(StoreError::Busy { .. })), "the lock is the new one's");
        drop((permit, interval));
        assert!(matches!(place.open(), Err(StoreError::Busy { .. })), "and stays so");
        let status = store.close().expect("closed");
        assert_eq!(status.used, 0);
        assert_eq!(status.next, status.lost, "no index comes again");
    }
}

#[test]
fn unused_indices_are_lost_and_counted() {
    let place = Place::new();
    let mut store = place.create(&NewKey::new(64));
    let mut interval = store.reserve(8).expect("eight");
    interval.next().expect("one").record().expect("recorded");
    drop(interval);
    let status = store.close().expect("closed");
    assert_eq!((status.used, status.lost, status.next, status.remaining), (1, 7, 8, 56));
    let mut store = place.open().expect("opened");
    assert_eq!(store.repair().expect("said").lost, 7);
    assert_eq!(store.reserve(1).expect("one").range(), 8..9);
    let status = store.status();
    assert_eq!((status.used, status.lost, status.reserved), (1, 7, 1));
}

#[test]
fn an_old_copy_is_refused_and_an_override_burns() {
    let place = Place::new();
    place.create(&NewKey::new(64)).close().expect("closed");
    let old = place.root.path().join("old");
    copy_dir(&place.dir(), &old);
    let mut store = place.open().expect("opened");
    let _ = store.reserve(10).expect("ten");
    store.close().expect("closed");
    std::fs::remove_dir_all(place.dir()).expect("removed");
    std::fs::rename(&old, place.dir()).expect("restored");
    assert_eq!(refusal(place.open()), Reason::OldCopy);
    let mut store = Options::new().burn(5).open(place.dir()).expect("overridden");
    assert_eq!(store.reserve(1).expect("one").range(), 15..16);
    let status = store.status();
    assert_eq!((status.lost, status.burned), (10, 5));
}

#[test]
fn a_missing_or_foreign_guard_is_refused() {
    let (place, other) = (Place::new(), Place::new());
    place.create(&NewKey::new(64)).close().expect("closed");
    other.create(&NewKey::new(64)).close().expect("closed");
    let foreign = Options::new().guard(other.guard()).burn(1).open(place.dir());
    assert_eq!(refusal(foreign), Reason::ForeignGuard);
    std::fs::remove_file(place.guard()).expect("removed");
    assert_eq!(refusal(place.open()), Reason::NoGuard);
    let mut store = Options::new().burn(3).open(place.dir()).expect("overridden");
    assert_eq!(store.reserve(1).expect("one").range(), 3..4);
}

#[test]
fn a_second_owner_waits_and_learns_who_holds_it() {
    let place = Place::new();
    let store = place.create(&NewKey::new(64));
    let begun = std::time::Instant::now();
    match Options::new().wait(Duration::from_millis(60)).open(place.dir()) {
        Err(StoreError::Busy { holder: Some(h) }) => assert_eq!(h.pid, std::process::id()),
        Err(e) => panic!("another error: {e}"),
        Ok(_) => panic!("two owners"),
    }
    assert!(begun.elapsed() >= Duration::from_millis(60));
    drop(store);
    assert!(place.open().is_ok());
}

#[test]
fn two_copies_of_a_directory_are_never_open_at_once() {
    let place = Place::new();
    let store = place.create(&NewKey::new(64));
    let copy = place.root.path().join("copy");
    copy_dir(&place.dir(), &copy);
    assert!(matches!(Options::new().open(&copy), Err(StoreError::Busy { .. })));
    drop(store);
}

#[test]
fn a_permit_dies_with_its_session() {
    let place = Place::new();
    let mut store = place.create(&NewKey::new(64));
    let permit = store.reserve(1).expect("one").next().expect("one");
    assert_eq!(permit.check(), Ok(()));
    drop(store);
    assert_eq!(permit.check(), Err(StoreError::Closed));
    assert_eq!(permit.record(), Err(StoreError::Closed));
}

#[test]
fn a_permit_sees_that_the_guard_was_overtaken() {
    let place = Place::new();
    let mut store = place.create(&NewKey::new(64));
    let before = std::fs::read(place.guard()).expect("read");
    let permit = store.reserve(1).expect("one").next().expect("one");
    std::fs::write(place.guard(), before).expect("written");
    assert!(matches!(permit.check(), Err(StoreError::Refused(r)) if r.reason == Reason::Overtaken));
    assert!(matches!(store.reserve(1), Err(StoreError::Refused(_))));
}

#[test]
fn recording_twice_or_unreserved_is_an_error() {
    let place = Place::new();
    let mut store = place.create(&NewKey::new(64));
    let _interval = store.reserve(4).expect("four");
    assert_eq!(store.record(2), Ok(()));
    assert_eq!(store.record(2), Err(StoreError::AlreadyRecorded { index: 2 }));
    assert_eq!(store.record(4), Err(StoreError::NotReserved { index: 4 }));
}

#[test]
fn exhaustion_needs_an_acknowledgement() {
    let place = Place::new();
    let mut store = place.create(&NewKey { threshold: 4, ..NewKey::new(16) });
    let _ = store.reserve(12).expect("twelve");
    assert!(matches!(
        store.reserve(1),
        Err(StoreError::NearExhaustion { remaining: 4, threshold: 4 })
    ));
    store.acknowledge().expect("acknowledged");
    let _ = store.reserve(4).expect("four");
    assert!(matches!(store.reserve(1), Err(StoreError::Exhausted { remaining: 0 })));
}

#[test]
fn shards_are_disjoint_and_sectors_aligned() {
    let place = Place::new();
    let mut store = place.create(&NewKey { sectors: 4, ..NewKey::new(64) });
    let grant = store.give_sector().expect("a sector");
    assert_eq!(grant.range(), 48..64);
    let at = place.root.path().join("shard");
    let guard = place.root.path().join("shard.guard");
    let mut shard = Options::new().guard(guard).create_shard(&at, grant).expect("a shard");
    assert_eq!(shard.reserve(2).expect("two").range(), 48..50);
    assert_eq!(shard.status().key_id, store.status().key_id);
    assert_eq!(store.reserve(48).expect("down to the threshold").range(), 0..44);
    store.acknowledge().expect("acknowledged");
    assert_eq!(store.reserve(4).expect("the rest").range(), 44..48);
    assert!(matches!(store.give(1), Err(StoreError::Exhausted { .. })));
    assert_eq!(store.status().given, 16);
}

/// An interrupted creation of a shard can be finished, but only once: from its release on, only the
/// released store can be finished.
#[test]
fn a_grant_becomes_one_shard_although_its_making_was_broken_off() {
    let place = Place::new();
    let mut store = place.create(&NewKey::new(64));
    let options = |name: &str| Options::new().guard(place.root.path().join(name));
    let at = |name: &str| place.root.path().join(name);
    let offer = store.offer(8).expect("offered");
    let first = options("a.guard").shard_place(at("a"), &offer).expect("a place");
    assert_eq!(store.status().given, 0, "a place costs nothing");
    drop(store.give_retriable(offer).expect("given"));
    drop((first, store));

    let mut store = place.open().expect("open");
    let Some(Unfinished::Grant(grant)) = store.unfinished_grant().expect("read") else {
        panic!("the grant again")
    };
    let a = options("a.guard").create_shard(at("a"), grant).expect("a shard");
    let Some(Unfinished::Grant(grant)) = store.unfinished_grant().expect("read") else {
        panic!("nobody was released")
    };
    let b = options("b.guard").create_shard(at("b"), grant).expect("a second one");
    let old = std::fs::read(place.dir().join("grant")).expect("a file");
    store.release(&b).expect("released");
    let new = std::fs::read(place.dir().join("grant")).expect("a file");
    std::fs::write(place.dir().join("grant"), old).expect("put back");
    assert!(store.unfinished_grant().expect("read").is_none(), "an old file gives nothing again");
    std::fs::write(place.dir().join("grant"), new).expect("as it was");
    assert_eq!(store.release(&a), Err(StoreError::OtherGrant), "only one gets the secret");
    let unfinished = store.unfinished_grant().expect("read").expect("released, not whole");
    assert!(matches!(unfinished, Unfinished::Released { .. }));
    assert!(store.is_to_be_finished(&at("b"), &unfinished));
    assert!(!store.is_to_be_finished(&at("a"), &unfinished));
    store.end_grant().expect("whole");
    assert!(store.unfinished_grant().expect("read").is_none());
    assert_eq!(store.release(&a), Err(StoreError::OtherGrant), "nothing is under way");
}

#[test]
fn retirement_burns_the_rest() {
    let place = Place::new();
    let mut store = place.create(&NewKey::new(64));
    store.retire().expect("retired");
    assert!(matches!(store.reserve(1), Err(StoreError::Retired)));
    let status = store.close().expect("closed");
    assert_eq!((status.burned, status.remaining, status.retired), (64, 0, true));
}

#[test]
fn blobs_are_private_whole_and_never_overwritten() {
    let place = Place::new();
    let store = place.create(&NewKey::new(64));
    store.put_blob("seed", b"secret").expect("kept");
    assert_eq!(store.put_blob("seed", b"other"), Err(StoreError::Exists));
    let refused = Err(StoreError::Argument(Argument::BlobName));
    assert_eq!(store.put_blob("log.0", b"other"), refused);
    assert_eq!(store.put_blob("../x", b"other"), refused);
    std::fs::hard_link(place.dir().join("seed"), place.root.path().join("old")).expect("a link");
    store.supersede_blob("seed", b"less").expect("superseded");
    assert_eq!(store.blob("seed"), Ok(Some(b"less".to_vec())));
    assert_eq!(std::fs::read(place.root.path().join("old")).expect("read"), [0; 6], "erased");
    store.supersede_blob("seed", b"secret").expect("superseded");
    store.replace_blob("cache", b"1").expect("kept");
    store.replace_blob("cache", b"22").expect("replaced");
    assert_eq!(store.blob("seed"), Ok(Some(b"secret".to_vec())));
    assert_eq!(Options::new().peek_blob(place.dir(), "cache"), Ok(Some(b"22".to_vec())));
    let mode = |p: PathBuf| std::fs::metadata(p).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode(place.dir()), mode(place.dir().join("seed"))), (0o700, 0o600));
    store.destroy_blob("seed").expect("destroyed");
    assert_eq!(store.blob("seed"), Ok(None));
}

#[test]
fn creation_refuses_to_overwrite() {
    let place = Place::new();
    place.create(&NewKey::new(64)).close().expect("closed");
    let again = |guard: PathBuf, dir: PathBuf| {
        Options::new().guard(guard).create(dir, &NewKey::new(8)).map(drop)
    };
    let elsewhere = place.root.path().join("elsewhere");
    assert_eq!(again(place.root.path().join("g2"), place.dir()), Err(StoreError::Exists));
    let taken = StoreError::GuardTaken { path: place.guard() };
    assert_eq!(again(place.guard(), elsewhere.clone()), Err(taken));
    assert_eq!(again(elsewhere.join("inside"), elsewhere), Err(StoreError::GuardInside));
}

#[test]
fn the_audit_log_outlives_rotation() {
    let place = Place::new();
    let mut store = place.create(&NewKey { log_records: 8, ..NewKey::new(256) });
    for _ in 0..30 {
        let permit = store.reserve(1).expect("one").next().expect("one");
        permit.record().expect("recorded");
    }
    store.close().expect("closed");
    let audit = place.open().expect("opened").audit().expect("read");
    assert_eq!(Options::new().peek_audit(place.dir()), Ok(audit.clone()), "without opening it");
    let reserved: u64 = audit.iter().filter(|e| e.what == "reserve").map(|e| e.count).sum();
    let used: u64 = audit.iter().filter(|e| e.what == "used").map(|e| e.count).sum();
    assert_eq!((reserved, used, audit[0].seq), (30, 30, 1));
    assert!(audit.windows(2).all(|w| w[1].seq == w[0].seq + 1));
}

#[test]
fn peek_sees_the_holder_and_the_refusal() {
    let place = Place::new();
    let store = place.create(&NewKey::new(64));
    let status = Options::new().peek(place.dir()).expect("a status");
    assert_eq!(status.holder.expect("held").pid, std::process::id());
    drop(store);
    std::fs::remove_file(place.guard()).expect("removed");
    let status = Options::new().peek(place.dir()).expect("a status");
    assert_eq!((status.refused.expect("refused").reason, status.holder), (Reason::NoGuard, None));
}

/// The guard was removed, or another file was renamed over it. Nobody would see what is written to
/// it.
#[test]
fn a_guard_that_goes_under_a_session_stops_it() {
    for replaced in [false, true] {
        let place = Place::new();
        let mut store = place.create(&NewKey::new(64));
        let permit = store.reserve(1).expect("one").next().expect("one");
        assert_eq!(permit.check(), Ok(()));
        if replaced {
            let copy = place.root.path().join("copy");
            std::fs::copy(place.guard(), &copy).expect("copied");
            std::fs::rename(&copy, place.guard()).expect("moved");
        } else {
            std::fs::remove_file(place.guard()).expect("removed");
        }
        let gone =
            |e: StoreError| matches!(e, StoreError::Refused(r) if r.reason == Reason::NoGuard);
        assert!(permit.check().is_err_and(gone), "{replaced}");
        assert!(store.reserve(1).is_err_and(gone), "{replaced}");
    }
}

/// An interrupted creation continues if the store was never used. A used store is not touched.
#[test]
fn a_store_that_was_made_and_never_used_is_begun_again() {
    let place = Place::new();
    let begin = || Options::new().guard(place.guard()).begin(place.dir(), &NewKey::new(64));
    let id = place.create(&NewKey::new(64)).status().key_id;
    let mut store = begin().expect("begun again");
    assert_eq!((store.status().key_id, store.reserve(1).expect("one").range()), (id, 0..1));
    store.close().expect("closed");
    assert_eq!(begin().map(drop), Err(StoreError::Exists));
}

#[test]
fn an_argument_that_cannot_be_served_is_told_by_its_own_sentence() {
    let place = Place::new();
    let made = |options: Options, key: &NewKey| options.create(place.dir(), key).map(drop);
    let guarded = || Options::new().guard(place.guard());
    let mut store = place.create(&NewKey::new(64));
    let cases = [
        (made(guarded(), &NewKey::new(0)), "at least one index"),
        (made(guarded(), &NewKey { sectors: 3, ..NewKey::new(64) }), "power of two"),
        (made(Options::new(), &NewKey::new(64)), "needs a guard"),
        (guarded().create("..", &NewKey::new(64)).map(drop), "does not end with a name"),
        (store.reserve(0).map(drop), "the count is zero"),
        (store.give(0).map(drop), "the count is zero"),
        (store.put_blob("a/b", b""), "not a plain file name"),
    ];
    for (refused, told) in cases {
        let error = refused.expect_err(told);
        assert!(matches!(error, StoreError::Argument(_)), "{error:?}");
        assert!(error.to_string().contains(told), "{error}");
    }
}
