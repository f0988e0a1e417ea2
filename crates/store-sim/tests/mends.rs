//! Faults that long runs of injected crashes have found, each reproduced directly.

use hasten_store::{Env, File, NewKey, Options, Signed, Store, StoreError};
use hasten_store_sim::{Book, Fault, Loss, Machine, Mutation, Outcome};
use std::path::Path;

const KEY: &str = "/key";
const GUARD: &str = "/key.guard";

fn options(machine: &Machine) -> Options {
    Options::new().env(machine.process()).guard(GUARD)
}

fn new_key() -> NewKey {
    NewKey { threshold: 0, ..NewKey::new(64) }
}

fn create(machine: &Machine) -> Result<Store, StoreError> {
    options(machine).create(KEY, &new_key())
}

fn open(machine: &Machine) -> Result<Store, StoreError> {
    options(machine).open(KEY)
}

/// Returns a machine with a key that has used `count` indices, all of it durable.
fn used(seed: u64, count: u64, book: &mut Book) -> Machine {
    let machine = Machine::new(seed, Mutation::Honest);
    drop(create(&machine).expect("a store"));
    for _ in 0..count {
        use_one(&mut open(&machine).expect("opened"), book);
    }
    machine.power_cut(Loss::Nothing);
    machine
}

fn use_one(store: &mut Store, book: &mut Book) {
    store.reserve(1).into_iter().flatten().for_each(|permit| {
        book.sign(permit, false);
    });
}

fn file(machine: &Machine, path: &str) -> Box<dyn File> {
    machine.process().open(Path::new(path)).expect("a file")
}

/// Replaces a file's content, durably.
fn put(machine: &Machine, path: &str, content: &[u8]) {
    let process = machine.process();
    let file = process.open(Path::new(path)).or_else(|_| process.create(Path::new(path)));
    let file = file.expect("a file");
    file.set_size(0).expect("emptied");
    file.write_at(content, 0).expect("written");
    file.sync().expect("synced");
}

/// Runs `act` with a kill at call `at`, then restarts the machine. Returns false if no kill struck.
fn killed_at(machine: &Machine, at: u64, act: impl FnOnce(&Machine)) -> bool {
    machine.arm(Some(Fault { at, outcome: Outcome::KillAfter }));
    act(machine);
    let struck = machine.struck().is_some();
    machine.restart();
    struck
}

/// Reserves an index and records what it signed. Errors are ignored: they come from the kill.
fn tell_one(machine: &Machine) {
    let Ok(mut store) = open(machine) else { return };
    for permit in store.reserve(1).into_iter().flatten() {
        drop(permit.recorder().record_signed(&Signed::new(permit.index(), [7; 32])));
    }
    drop(store.confirm());
}

/// A process dies between making the file `signed` and syncing its directory. The next session
/// finds the file, and must still make its name durable before a record names one of its entries.
#[test]
fn the_name_of_the_file_of_entries_is_durable_before_a_record_names_an_entry() {
    let mut kills = 0;
    for at in 0.. {
        let machine = used(at, 0, &mut Book::default());
        if !killed_at(&machine, at, tell_one) {
            break;
        }
        kills += 1;
        tell_one(&machine);
        machine.power_cut(Loss::All);
        let audit = options(&machine).peek_audit(KEY);
        assert!(audit.is_ok_and(|all| all.iter().any(|e| e.signed.is_some())), "killed at {at}");
    }
    assert!(kills > 20, "{kills} kills");
}

/// Returns the machines whose power was cut while a key was created, leaving a guard without any
/// commit.
fn unfinished() -> Vec<Machine> {
    let mut left = Vec::new();
    for at in 0.. {
        let machine = Machine::new(at, Mutation::Honest);
        machine.arm(Some(Fault { at, outcome: Outcome::CrashAfter }));
        drop(create(&machine));
        if machine.struck().is_none() {
            break;
        }
        machine.power_cut(Loss::Nothing);
        let guard = machine.process().open(Path::new(GUARD));
        let is_begun = machine.process().stat(Path::new("/key.partial")).is_ok();
        if is_begun && guard.is_ok_and(|file| file.size() == Ok(256)) {
            left.push(machine);
        }
    }
    assert!(!left.is_empty());
    left
}

/// A power cut while a key is created leaves noise in place of the guard's first mark.
#[test]
fn a_guard_of_noise_that_a_creation_left_is_written_anew() {
    for machine in unfinished() {
        put(&machine, GUARD, &[0x5a; 256]);
        let mut store = options(&machine).begin(KEY, &new_key()).expect("made in the end");
        assert_eq!(store.reserve(1).expect("one").range(), 0..1);
    }
}

/// Noise in a file that no creation of this key named is not a guard, nor is longer noise in a file
/// that one did name. The file is refused and stays unchanged.
#[test]
fn a_file_of_noise_that_no_creation_named_is_no_guard() {
    let stays = |machine: &Machine, noise: &[u8]| {
        put(machine, GUARD, noise);
        assert_eq!(create(machine).map(drop), Err(StoreError::NotAGuard { path: GUARD.into() }));
        let mut content = vec![0; noise.len() + 1];
        assert_eq!(file(machine, GUARD).read_at(&mut content, 0), Ok(noise.len()));
        assert_eq!(&content[..noise.len()], noise);
    };
    stays(&Machine::new(1, Mutation::Honest), &[0x5a; 256]);
    unfinished().iter().for_each(|machine| stays(machine, &[0x5a; 4096 + 256]));
}

/// A power cut leaves noise in the session file: six words on a line, fewer words, or no text at
/// all.
#[test]
fn a_session_file_of_noise_is_taken_over_where_locks_hold() {
    let noise: [&[u8]; 5] = [
        b"a b c d e f\n",
        b"\x80\xff 1 2 \xfe\xfd 3 4\n",
        b"17 99 host 00112233445566778899aabbccddeeff l\xffcked mark\n",
        b"17 99 host",
        &[0; 100],
    ];
    for content in noise {
        let machine = used(1, 1, &mut Book::default());
        put(&machine, "/key/session", content);
        let mut store = open(&machine).expect("the lock is free, so nobody is at work");
        assert_eq!(store.reserve(1).expect("one").range(), 1..2);
    }
}

/// Where locks do not hold, only an override takes over a session file.
#[test]
fn a_session_file_is_not_taken_over_where_locks_lie() {
    for content in ["a b c d e f\n", "17 99 host 00112233445566778899aabbccddeeff shared mark\n"] {
        let machine = Machine::new(1, Mutation::WeakLock);
        let made = options(&machine).accept_shared_filesystem(true).create(KEY, &new_key());
        drop(made.expect("a store"));
        put(&machine, "/key/session", content.as_bytes());
        assert!(matches!(open(&machine).map(drop), Err(StoreError::OtherSession { .. })));
        assert!(options(&machine).burn(1).open(KEY).is_ok());
    }
}

/// A kill leaves one slot of the guard visible but not durable. The next session makes it durable
/// before it writes to the other slot, so that one of them survives a power cut.
#[test]
fn a_guard_that_a_kill_left_keeps_one_slot_whole_through_a_power_cut() {
    let mut cuts = 0;
    for kill in (0..60).filter(|kill| unsynced_guard(*kill, 0).is_some()) {
        let (machine, mut book) = unsynced_guard(kill, 0).expect("as before");
        for cut in guard_calls(&machine, || use_next(&machine, &mut book)) {
            for seed in 0..200 {
                let (machine, mut book) = unsynced_guard(kill, seed).expect("for every seed");
                machine.arm(Some(Fault { at: cut, outcome: Outcome::CrashAfter }));
                use_next(&machine, &mut book);
                assert!(machine.struck().is_some());
                machine.power_cut(Loss::Random);
                let mut store = open(&machine).expect("one slot of the guard is whole");
                use_one(&mut store, &mut book);
                assert_eq!(book.wrong, [], "kill {kill}, cut {cut}, seed {seed}");
                cuts += 1;
            }
        }
    }
    assert!(cuts >= 800, "{cuts} power cuts");
}

/// Returns the number of calls made before each write or sync of the guard.
fn guard_calls(machine: &Machine, act: impl FnOnce()) -> Vec<u64> {
    let heard = machine.listen(act).into_iter();
    heard.filter(|(_, what)| what.ends_with("guard")).map(|(at, _)| at).collect()
}

/// Opens the key and uses its next index, unless the machine dies first.
fn use_next(machine: &Machine, book: &mut Book) {
    open(machine).iter_mut().for_each(|store| use_one(store, book));
}

/// Returns a machine whose session was killed after it wrote the guard and before it synced it.
/// Returns `None` if the kill strikes at another point.
fn unsynced_guard(kill: u64, seed: u64) -> Option<(Machine, Book)> {
    let mut book = Book::default();
    let machine = used(seed, 1, &mut book);
    let heard = machine.listen(|| {
        machine.arm(Some(Fault { at: kill, outcome: Outcome::KillAfter }));
        use_next(&machine, &mut book);
    });
    machine.restart();
    let last = heard.iter().rfind(|(_, what)| what.ends_with("guard"));
    last.is_some_and(|(_, what)| what == "write guard").then_some((machine, book))
}

/// The log's newest commit is damaged, so that only the guard knows of it. A power cut while the
/// next session makes the guard durable must not leave the older mark alone: its index was used.
#[test]
fn a_commit_that_only_the_guard_knows_of_outlives_a_power_cut() {
    let mut opened = 0;
    for (cut, seed) in (0..80).flat_map(|cut| (0..64).map(move |seed| (cut, seed))) {
        let mut book = Book::default();
        let machine = used(seed, 3, &mut book);
        damage_newest_commit(&machine);
        machine.arm(Some(Fault { at: cut, outcome: Outcome::CrashAfter }));
        use_next(&machine, &mut book);
        if machine.struck().is_none() {
            break;
        }
        machine.power_cut(Loss::Random);
        match open(&machine) {
            Ok(mut store) => use_one(&mut store, &mut book),
            Err(error) => assert!(matches!(error, StoreError::Refused(_)), "{error}"),
        }
        assert_eq!(book.wrong, [], "cut {cut}, seed {seed}");
        opened += u64::from(book.signatures() > 3);
    }
    assert!(opened > 1000, "{opened} openings");
}

/// Overwrites the last record of the log, that of the newest commit, with noise.
fn damage_newest_commit(machine: &Machine) {
    let mut log = vec![0; 512 + 1024 * hasten_store::RECORD];
    let content = file(machine, "/key/log.0");
    let read = content.read_at(&mut log, 0).expect("read");
    let end = log[..read].iter().rposition(|byte| *byte != 0).expect("a record") + 1;
    let last = (end - 1 - 512) / hasten_store::RECORD * hasten_store::RECORD + 512;
    content.write_at(&[0xa5; hasten_store::RECORD], last as u64).expect("written");
    content.sync().expect("synced");
}

/// Without a guard, an override burns at least the largest reservation on record. If a read fails
/// while the store determines that number, it is an error: the number is not lowered.
#[test]
fn a_failed_read_does_not_lower_what_an_override_burns() {
    let machine = Machine::new(1, Mutation::Honest);
    let mut store = create(&machine).expect("a store");
    store.reserve(8).into_iter().flatten().for_each(drop);
    drop(store);
    machine.process().remove(Path::new(GUARD)).expect("removed");
    let opened = |machine: &Machine| options(machine).burn(1).open(KEY);
    let before = machine.calls();
    let refused = opened(&machine).map(drop);
    assert_eq!(refused, Err(StoreError::BurnTooFew { least: 8 }));
    let calls = machine.calls() - before;
    assert!(calls > 10, "{calls}");
    for at in 0..calls {
        machine.arm(Some(Fault { at, outcome: Outcome::Fails }));
        let found = opened(&machine).map(drop);
        machine.arm(None);
        assert!(found.is_err(), "call {at}: {found:?}");
    }
}

/// A query about a store is answered or fails. It never calls a store free if its lock could not be
/// examined.
#[test]
fn a_failed_look_is_no_good_news() {
    let machine = used(1, 2, &mut Book::default());
    let held = open(&machine).expect("held");
    let peek = |machine: &Machine| options(machine).peek(KEY);
    let before = machine.calls();
    let whole = peek(&machine).expect("a look");
    assert!(whole.holder.is_some());
    for at in 0..machine.calls() - before {
        machine.arm(Some(Fault { at, outcome: Outcome::Fails }));
        let found = peek(&machine);
        machine.arm(None);
        assert!(found.as_ref().is_err() || found == Ok(whole.clone()), "call {at}: {found:?}");
    }
    drop(held);
}
