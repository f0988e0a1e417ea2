//! Key and guard restored together on the real file system, with various tools.
#![cfg(target_os = "linux")]

use hasten_store::{Mark, NewKey, Options, Reason, StoreError, Witness};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

struct Place {
    root: tempfile::TempDir,
}

impl Place {
    /// Creates a key that has signed once, copies it to `old` and to `old.tar`, and signs once
    /// more.
    fn with_copy() -> Place {
        let place = Place::new();
        place.shell("mkdir old && cp -a key g old && tar cf old.tar key g && sleep 0.02");
        assert_eq!(place.sign(), Ok(1));
        place.shell("sleep 0.02");
        place
    }

    fn new() -> Place {
        let place = Place { root: tempfile::tempdir().expect("a directory") };
        let new = place.options().create(place.path("key"), &key());
        new.expect("a new store").close().expect("closed");
        assert_eq!(place.sign(), Ok(0));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn shell(&self, line: &str) {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-ec", line]).current_dir(self.root.path());
        assert!(shell.status().expect("a shell").success(), "{line}");
    }

    /// Returns options that wait for the lock: a shell that another test starts holds this
    /// process's locks until it executes.
    fn options(&self) -> Options {
        Options::new().guard(self.path("g")).wait(Duration::from_secs(5))
    }

    fn sign(&self) -> Result<u64, StoreError> {
        signed(self.options(), &self.path("key"))
    }

    fn refusal(&self) -> Option<Reason> {
        let shown = Options::new().guard(self.path("g")).peek(self.path("key")).expect("a status");
        match self.sign() {
            Err(StoreError::Refused(refusal)) => {
                assert_eq!(shown.refused, Some(refusal), "the account says the same");
                Some(refusal.reason)
            }
            Err(e) => panic!("another error: {e}"),
            Ok(_) => {
                assert_eq!(shown.refused, None);
                None
            }
        }
    }
}

fn key() -> NewKey {
    NewKey { threshold: 0, ..NewKey::new(64) }
}

fn signed(options: Options, dir: &Path) -> Result<u64, StoreError> {
    let mut store = options.open(dir)?;
    let permit = store.reserve(1)?.next().ok_or(StoreError::Empty)?;
    let index = permit.index();
    permit.check()?;
    permit.record()?;
    store.close().map(|_| index)
}

fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|done| done.status.success())
}

/// Every way of restoring is refused. If it is accepted as a move, the key continues with the next
/// index of the copy, which is why the acceptance is required.
#[test]
fn a_copy_of_key_and_guard_is_refused_however_it_is_put_back() {
    let mut ways = vec![
        "rm -r key g; cp -r old/. .",
        "rm -r key g; cp -a old/. .",
        "rm -r key g; mv old/key old/g .",
        "rm -r key g; tar xf old.tar",
        "tar xf old.tar",
        "tar xf old.tar --overwrite",
        "cp -r old/. .",
        "cp -a old/. .",
        "cp --remove-destination -a old/. .",
        "for f in g key/log.0 key/log.1 key/stamp; do dd if=old/$f of=$f conv=notrunc 2>/dev/null; done",
    ];
    if has("rsync") {
        ways.extend([
            "rm -r key g; rsync -a old/ .",
            "rsync -a --ignore-times old/ .",
            "rsync -a --ignore-times --inplace old/ .",
        ]);
    }
    for way in ways {
        let place = Place::with_copy();
        place.shell(way);
        let found = place.refusal();
        assert!(found.is_some_and(Reason::is_moved), "{way}: {found:?}");
        let accepted = place.options().accept_moved(true).open(place.path("key"));
        assert!(accepted.is_ok_and(|store| store.repair().is_some_and(|r| r.moved)), "{way}");
        assert_eq!(place.sign(), Ok(1), "{way}: bound to the new files");
    }
}

#[test]
fn a_part_put_back_is_refused() {
    let moved = |reason: Reason| reason.is_moved();
    type Way = (&'static str, fn(Reason) -> bool);
    let ways: [Way; 6] = [
        ("cp old/g g", |r| r == Reason::OldGuard || r.is_moved()),
        ("rm g; cp -a old/g g", |r| r == Reason::OldGuard || r.is_moved()),
        ("rm key/log.*; cp old/key/log.* key", |r| r == Reason::OldCopy),
        ("mv key/log.0 x; mv key/log.1 key/log.0; mv x key/log.1", |r| r == Reason::LogReplaced),
        ("cp -a g h; mv h g", |r| r == Reason::GuardReplaced),
        ("chmod 400 g; chmod 600 g", |r| r == Reason::GuardTouched),
    ];
    for (way, fits) in ways {
        let place = Place::with_copy();
        place.shell(way);
        let found = place.refusal();
        assert!(found.is_some_and(fits), "{way}: {found:?}");
    }
    let place = Place::with_copy();
    place.shell("ln g other");
    assert!(place.refusal().is_some_and(moved), "another name of the guard");
}

/// Files keep their identity if the directory of the key or of the guard is moved.
#[test]
fn a_directory_that_was_moved_opens_as_before() {
    let place = Place::new();
    place.shell("mkdir deep; mv key deep/key2");
    assert_eq!(signed(place.options(), &place.path("deep/key2")), Ok(1));
    let place = Place::new();
    place.shell("mkdir guards; mv g guards");
    let named = || place.options().guard(place.path("guards/g"));
    let refused = signed(named(), &place.path("key"));
    assert!(matches!(refused, Err(StoreError::Refused(r)) if r.reason == Reason::GuardTouched));
    drop(named().accept_moved(true).open(place.path("key")).expect("accepted"));
    place.shell("mv guards other");
    let named = place.options().guard(place.path("other/g"));
    assert_eq!(signed(named, &place.path("key")), Ok(1), "no index was lost");
}

/// A cell that is never restored from a copy.
#[derive(Clone, Default)]
struct Cell(Arc<Mutex<Option<Mark>>>);

impl Witness for Cell {
    fn read(&self) -> Result<Option<Mark>, StoreError> {
        Ok(*self.0.lock().expect("not poisoned"))
    }

    fn swap(&self, from: Option<&Mark>, to: &Mark) -> Result<bool, StoreError> {
        let mut mark = self.0.lock().expect("not poisoned");
        let same = mark.as_ref() == from;
        if same {
            *mark = Some(*to);
        }
        Ok(same)
    }

    fn lease(&self) -> Duration {
        Duration::ZERO
    }
}

/// A runner without a disk unpacks key and guard anew each time. Its witness knows the newest
/// state.
#[test]
fn a_key_with_a_witness_may_be_unpacked_anew() {
    let place = Place { root: tempfile::tempdir().expect("a directory") };
    let cell = Cell::default();
    let options = || place.options().witness(cell.clone());
    options().create(place.path("key"), &key()).expect("a store").close().expect("closed");
    for index in 0..3 {
        place.shell("rm -rf old; mkdir old; mv key g old; cp -r old/key old/g .");
        assert_eq!(signed(options(), &place.path("key")), Ok(index));
    }
    place.shell("rm -r key g; cp -r old/key old/g .");
    let refused = signed(options(), &place.path("key"));
    assert!(matches!(refused, Err(StoreError::Refused(r)) if r.reason == Reason::Witness));
}

/// Converts the guard to the version before, which names no files.
fn of_older_form(place: &Place) {
    let mut bytes = std::fs::read(place.path("g")).expect("read");
    for at in [0, 4096] {
        let Some(slot) = bytes.get_mut(at..at + 256) else { continue };
        assert_eq!(&slot[..8], b"HASTENG3");
        slot[..8].copy_from_slice(b"HASTENG2");
        slot[152..240].fill(0);
        let tag = Sha256::new().chain_update([2; 16]).chain_update(&slot[..240]).finalize();
        slot[240..].copy_from_slice(&tag[..16]);
    }
    std::fs::write(place.path("g"), bytes).expect("written");
    std::fs::remove_file(place.path("key/stamp")).expect("removed");
}

#[test]
fn a_guard_of_an_older_form_is_bound_by_the_next_commit() {
    let place = Place::new();
    of_older_form(&place);
    let shown = Options::new().peek(place.path("key")).expect("a status");
    assert_eq!((shown.refused, shown.binding), (None, "not-yet"));
    assert_eq!(place.sign(), Ok(1));
    let bytes = std::fs::read(place.path("g")).expect("read");
    assert!(bytes.starts_with(b"HASTENG3") && bytes[4096..].starts_with(b"HASTENG3"), "both slots");
    place.shell("mkdir old; cp -a key g old; sleep 0.02");
    assert_eq!(place.sign(), Ok(2));
    place.shell("cp -a old/. .");
    assert!(place.refusal().is_some_and(Reason::is_moved));
}

/// An override continues after the given index, whatever the files are, and binds the guard anew.
#[test]
fn an_override_lifts_it_too() {
    let place = Place::with_copy();
    place.shell("rm -r key g; cp -a old/. .");
    let store = place.options().burn(4).known(1).open(place.path("key")).expect("overridden");
    assert!(store.repair().is_some_and(|repair| repair.overridden));
    drop(store);
    assert_eq!(place.sign(), Ok(6));
}
