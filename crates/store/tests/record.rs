//! The signing record: it survives switches of the log files, it is checked whenever it is read,
//! and damage is located.

use hasten_store::{Break, Entry, NewKey, Options, RECORD, Reason, Signed, Store, StoreError};
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a temporary directory"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join("key").join(name)
    }

    fn options(&self) -> Options {
        Options::new().guard(self.0.path().join("guard"))
    }

    fn open(&self) -> Result<Store, StoreError> {
        self.options().open(self.0.path().join("key"))
    }

    fn audit(&self) -> Result<Vec<Entry>, StoreError> {
        Options::new().peek_audit(self.0.path().join("key"))
    }

    /// Returns the damage that is found when the audit log is read.
    fn wrong(&self) -> Option<Break> {
        match self.audit() {
            Err(StoreError::Audit(place)) => Some(place),
            Err(e) => panic!("another error: {e}"),
            Ok(_) => None,
        }
    }

    /// Creates a store that has signed `count` files, with log files of 32 records.
    fn signed(count: u64) -> Place {
        let place = Place::new();
        let key = NewKey { threshold: 0, log_records: 32, ..NewKey::new(1 << 20) };
        let mut store = place.options().create(place.0.path().join("key"), &key).expect("a store");
        (0..count).for_each(|at| sign(&mut store, at));
        store.confirm().expect("confirmed");
        store.close().expect("closed");
        place
    }
}

fn sign(store: &mut Store, at: u64) {
    let permit = store.reserve(1).expect("one").next().expect("one");
    let mut signed = Signed::new(permit.index(), [at as u8; 32]);
    signed.file = Some(format!("firmware {at}.bin"));
    signed.request = Some("R-7".to_owned());
    permit.recorder().record_signed(&signed).expect("recorded");
}

#[test]
fn what_was_signed_is_told_in_order_through_changes_of_files() {
    let place = Place::signed(200);
    let audit = place.audit().expect("whole");
    let told: Vec<_> = audit.iter().filter_map(|entry| entry.signed.as_ref()).collect();
    assert_eq!(told.len(), 200);
    for (at, detail) in told.iter().enumerate() {
        assert_eq!(
            (detail.index, detail.file.as_deref()),
            (at as u64, Some(&*format!("firmware {at}.bin")))
        );
        assert_eq!(
            (&detail.sha256, detail.request.as_deref()),
            (&format!("{:02x}", at as u8).repeat(32), Some("R-7"))
        );
    }
    let status = place.open().expect("opened").status();
    assert_eq!((status.used, status.lost), (200, 0), "each is counted once");
    assert!(audit.last().is_some_and(|entry| entry.what == "confirm"));
}

/// Cuts 20 of the archived records out, as an editor would.
#[test]
fn records_that_were_cut_out_are_named() {
    let place = Place::signed(200);
    let whole = fs::read(place.file("audit")).expect("read");
    let cut = [&whole[..100 * RECORD], &whole[120 * RECORD..]].concat();
    fs::write(place.file("audit"), cut).expect("written");
    assert_eq!(place.wrong(), Some(Break::Missing { first: 101, last: 120 }));
    let mut blank = whole.clone();
    blank[100 * RECORD..120 * RECORD].fill(0);
    fs::write(place.file("audit"), blank).expect("written");
    assert_eq!(place.wrong(), Some(Break::Missing { first: 101, last: 120 }));
    let (kept, all) = (whole.len() / RECORD - 20, whole.len() / RECORD);
    fs::write(place.file("audit"), &whole[..kept * RECORD]).expect("written");
    let (first, last) = (kept as u64 + 1, all as u64);
    assert_eq!(place.wrong(), Some(Break::Missing { first, last }));
    fs::write(place.file("audit"), whole).expect("written");
    assert_eq!(place.wrong(), None);
}

#[test]
fn a_record_that_was_changed_is_named_wherever_it_is() {
    let place = Place::signed(100);
    let whole = fs::read(place.file("audit")).expect("read");
    for number in 1..=whole.len() / RECORD {
        let mut changed = whole.clone();
        changed[(number - 1) * RECORD + 32] ^= 1;
        fs::write(place.file("audit"), changed).expect("written");
        let at = number as u64;
        assert_eq!(place.wrong(), Some(Break::Changed { first: at, last: at }));
    }
}

#[test]
fn an_entry_that_was_changed_or_is_gone_is_named() {
    let place = Place::signed(50);
    let whole = fs::read_to_string(place.file("signed")).expect("read");
    fs::write(place.file("signed"), whole.replace("firmware 17.bin", "firmware 18.bin"))
        .expect("written");
    assert!(matches!(place.wrong(), Some(Break::Detail { index: 17, .. })));
    fs::write(place.file("signed"), &whole[..whole.len() - 1]).expect("written");
    assert!(matches!(place.wrong(), Some(Break::Detail { index: 49, .. })));
    fs::remove_file(place.file("signed")).expect("removed");
    assert!(matches!(place.wrong(), Some(Break::Detail { index: 0, .. })));
}

/// After `confirm` the guard knows the head, so that cutting off the end of the log is detected.
#[test]
fn the_end_of_the_record_cannot_be_cut_off() {
    let place = Place::signed(3);
    let mut log = fs::OpenOptions::new().write(true).open(place.file("log.0")).expect("opened");
    let records = place.audit().expect("whole").len() as u64;
    log.seek(SeekFrom::Start(512 + (records - 2) * RECORD as u64)).expect("there");
    log.write_all(&[0; 2 * RECORD]).expect("written");
    let refused = place.open().map(drop);
    assert!(
        matches!(refused, Err(StoreError::Refused(r)) if r.reason == Reason::OldCopy),
        "{refused:?}"
    );
}

/// If the process dies in between, an entry has no log record. The next entry replaces it.
#[test]
fn an_entry_that_no_record_names_is_overwritten() {
    let place = Place::signed(5);
    let mut entries =
        fs::OpenOptions::new().append(true).open(place.file("signed")).expect("opened");
    entries
        .write_all(
            b"{\"index\":5,\"sha256\":\"never recorded, and long, and longer than an entry\"}\n",
        )
        .expect("written");
    assert_eq!(place.wrong(), None);
    let mut store = place.open().expect("opened");
    sign(&mut store, 5);
    store.close().expect("closed");
    assert_eq!(place.audit().expect("whole").iter().filter(|e| e.signed.is_some()).count(), 6);
}

#[test]
fn an_index_is_told_once() {
    let place = Place::new();
    let options = place.options();
    let mut store = options.create(place.0.path().join("key"), &NewKey::new(64)).expect("a store");
    let _held = store.reserve(2).expect("two");
    let signed = Signed::new(1, [1; 32]);
    assert_eq!(store.record_signed(&signed), Ok(()));
    assert_eq!(store.record_signed(&signed), Err(StoreError::AlreadyRecorded { index: 1 }));
    assert_eq!(store.record(1), Err(StoreError::AlreadyRecorded { index: 1 }));
    assert_eq!(
        store.record_signed(&Signed::new(2, [1; 32])),
        Err(StoreError::NotReserved { index: 2 })
    );
}

/// No memory is allocated for a sparse log file of a terabyte.
#[test]
fn a_log_that_is_too_long_is_refused_before_it_is_read() {
    let place = Place::signed(3);
    for name in ["log.0", "log.1"] {
        let file = fs::OpenOptions::new().write(true).open(place.file(name)).expect("opened");
        file.set_len(1 << 40).expect("a hole");
    }
    assert_eq!(place.open().map(drop), Err(StoreError::LogDamaged));
    assert!(Options::new().peek(place.0.path().join("key")).is_err());
}

#[test]
fn a_key_of_as_many_indices_as_there_are_numbers_is_made_and_used() {
    let place = Place::new();
    let mut store = place
        .options()
        .create(place.0.path().join("key"), &NewKey::new(u64::MAX))
        .expect("a store");
    store.set_threshold(0).expect("set");
    assert_eq!(store.reserve(u64::MAX - 3).expect("most").range(), 0..u64::MAX - 3);
    let grant = store.give(2).expect("two");
    assert_eq!(grant.range(), u64::MAX - 2..u64::MAX);
    assert_eq!(store.reserve(1).expect("the last").range(), u64::MAX - 3..u64::MAX - 2);
    let status = store.close().expect("closed");
    assert_eq!((status.lost, status.given, status.remaining), (u64::MAX - 2, 2, 0));
}

/// Nothing is added to a damaged signing record. Mending sets it aside and is noted in the log. The
/// new record is undamaged and checked as before, also after switches of the log files.
#[test]
fn a_damaged_record_stops_a_session_until_it_is_set_aside() {
    for harmed in ["audit", "signed"] {
        let place = Place::signed(200);
        let path = place.file(harmed);
        let mut bytes = fs::read(&path).expect("read");
        bytes[1000] ^= 1;
        fs::write(&path, &bytes).expect("written");
        let before = fs::read(place.file("signed")).expect("read").len();
        assert!(matches!(place.open().map(drop), Err(StoreError::Audit(_))), "{harmed}");
        let key = place.0.path().join("key");
        let aside = place.options().mend_record(&key).expect("mended").expect("set aside");
        assert_eq!(aside.files.len(), 2);
        assert!(matches!(aside.cause, StoreError::Audit(_)));
        let kept = fs::read(place.file(&format!("{harmed}.damaged-1"))).expect("kept");
        assert!(kept.starts_with(&bytes), "{harmed}: the damage stays visible");
        let audit = place.audit().expect("whole again");
        assert_eq!((audit[0].what, audit[0].first, audit[0].count), ("mend", 1, aside.records));
        let mut store = place.open().expect("opened");
        (0..60).for_each(|at| sign(&mut store, at));
        assert_eq!(store.state().next, 260, "{harmed}: no index again");
        store.confirm().expect("confirmed");
        store.close().expect("closed");
        let audit = place.audit().expect("whole");
        assert_eq!(audit.iter().filter(|entry| entry.signed.is_some()).count(), 60);
        assert_eq!(place.options().mend_record(&key), Ok(None), "it holds together");
        let mut bytes = fs::read(place.file("signed")).expect("read");
        bytes[before + 50] ^= 1;
        fs::write(place.file("signed"), &bytes).expect("written");
        assert!(matches!(place.wrong(), Some(Break::Detail { .. })), "the new part is checked");
        let aside = place.options().mend_record(&key).expect("mended").expect("set aside");
        assert!(aside.files[0].ends_with("audit.damaged-2"));
        sign(&mut place.open().expect("opened"), 0);
    }
}

#[test]
fn an_absent_archive_is_named_and_mended() {
    let place = Place::signed(200);
    fs::remove_file(place.file("audit")).expect("removed");
    let absent = Err(StoreError::Absent { file: place.file("audit") });
    assert_eq!(place.open().map(drop), absent);
    assert_eq!(place.audit().map(drop), absent);
    let key = place.0.path().join("key");
    assert!(place.options().mend_record(&key).expect("mended").is_some());
    sign(&mut place.open().expect("opened"), 0);
    place.audit().expect("whole");
}

/// An override that continues from an old log keeps the entries of later signatures.
#[test]
fn an_override_from_an_old_log_cuts_no_entries_off() {
    let place = Place::signed(20);
    let old = ["log.0", "log.1"].map(|name| (name, fs::read(place.file(name)).expect("read")));
    let mut store = place.open().expect("opened");
    (0..5).for_each(|at| sign(&mut store, at));
    store.confirm().expect("confirmed");
    store.close().expect("closed");
    let signed = fs::read(place.file("signed")).expect("read");
    old.iter().for_each(|(name, bytes)| fs::write(place.file(name), bytes).expect("written"));
    let mut store = place.options().burn(4).open(place.0.path().join("key")).expect("overridden");
    assert_eq!(store.state().next, 29);
    sign(&mut store, 0);
    store.close().expect("closed");
    assert_eq!(fs::read(place.file("signed.damaged-1")).expect("kept"), signed);
    place.audit().expect("whole");
}

/// A damaged log file is not reported as an old copy, and an override continues from the other
/// file.
#[test]
fn a_log_file_that_is_damaged_is_told_from_an_old_copy() {
    for (at, count) in [(0, 3), (512 + 128 * 3 + 9, 3), (0, 200), (512 + 128 + 9, 200)] {
        let mut refused = 0;
        for name in ["log.0", "log.1"] {
            let place = Place::signed(count);
            let mut bytes = fs::read(place.file(name)).expect("read");
            bytes[at] ^= 1;
            fs::write(place.file(name), &bytes).expect("written");
            match place.open().map(drop) {
                // The damaged file is not the active one.
                Ok(()) => {}
                Err(StoreError::Refused(refusal)) => {
                    refused += 1;
                    assert_eq!(refusal.reason, Reason::DamagedLog, "{name} at {at} of {count}");
                    let key = place.0.path().join("key");
                    let store = place.options().burn(1).open(&key).expect("overridden");
                    assert_eq!(store.state().next, count + 1);
                }
                Err(other) => panic!("{name} at {at} of {count}: {other}"),
            }
        }
        assert_eq!(refused, 1, "at {at} of {count}");
    }
}
