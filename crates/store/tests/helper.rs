//! Witness helpers: programs that follow the protocol, and programs that do not.

use hasten_store::{Cell, CellWitness, ExecCell, FileCell, NewKey, Options, StoreError, Trouble};
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A helper that keeps one word in the file `$1`, without a lock.
const HONEST: &str = r#"
while read -r what old new; do
  held=$(cat "$1" 2>/dev/null)
  case $what in
    hasten-witness) echo 'hasten-witness 1' ;;
    read) if [ -n "$held" ]; then echo "value $held"; else echo empty; fi ;;
    swap) if [ "${held:--}" = "$old" ]; then echo "$new" > "$1"; echo done; else echo differs; fi ;;
  esac
done"#;

type Heard = Arc<Mutex<Vec<Trouble>>>;

fn helper(script: &str, argument: &Path, patience: Duration) -> (ExecCell, Heard) {
    let words = ["sh", "-c", script, "helper"].map(OsString::from);
    let words = words.into_iter().chain([argument.as_os_str().to_owned()]);
    let heard = Heard::default();
    let hears = Arc::clone(&heard);
    let hear = move |trouble: &Trouble| hears.lock().expect("not poisoned").push(trouble.clone());
    (ExecCell::new(words, patience).hear(hear), heard)
}

fn honest(place: &Path) -> ExecCell {
    helper(HONEST, &place.join("word"), Duration::from_secs(10)).0
}

#[test]
fn a_helper_keeps_the_word() {
    let place = tempfile::tempdir().expect("a directory");
    let cell = honest(place.path());
    assert_eq!(cell.read(), Ok(None));
    assert_eq!(cell.swap(None, "1.a"), Ok(true));
    assert_eq!(cell.swap(None, "1.b"), Ok(false));
    assert_eq!(honest(place.path()).swap(Some("1.a"), "1.c"), Ok(true));
    assert_eq!(cell.read(), Ok(Some("1.c".into())));
}

fn copy(place: &Path, from: &str, to: &str) {
    let mut copy = std::process::Command::new("cp");
    let copied = copy.arg("-a").args([place.join(from), place.join(to)]).status();
    assert!(copied.expect("cp runs").success());
}

/// Copies a store and its guard together, and checks that the copy is refused after the original
/// was used.
fn a_copy_is_refused<C: Cell + 'static>(place: &Path, cell: impl Fn() -> C) {
    let options = |dir: &str| {
        let guard = place.join(format!("{dir}.guard"));
        Options::new().guard(guard).witness(CellWitness::new(cell()))
    };
    drop(options("a").create(place.join("a"), &NewKey::new(64)).expect("a store"));
    let mut a = options("a").open(place.join("a")).expect("opened");
    a.reserve(1).expect("one").next().expect("one").record().expect("recorded");
    drop(a);
    copy(place, "a", "b");
    copy(place, "a.guard", "b.guard");
    let mut a = options("a").open(place.join("a")).expect("opened");
    let mut b = options("b").open(place.join("b")).expect("neither has gone on yet");
    let permit = a.reserve(1).expect("one").next().expect("one");
    assert_eq!(permit.check(), Ok(()));
    assert!(matches!(b.reserve(1), Err(StoreError::WitnessMoved)));
    drop(b);
    let copied = options("b").open(place.join("b")).map(drop);
    assert!(matches!(copied, Err(StoreError::Refused(_))), "{copied:?}");
}

#[test]
fn a_copy_is_refused_by_a_helper_and_by_a_file() {
    let place = tempfile::tempdir().expect("a directory");
    a_copy_is_refused(place.path(), || honest(place.path()));
    let place = tempfile::tempdir().expect("a directory");
    a_copy_is_refused(place.path(), || {
        FileCell::new(place.path().join("cell"), Duration::from_secs(5))
    });
}

const HELLO: &str = "read -r hello; echo \"$hello\"; read -r request";

/// Predicate for the expected trouble.
type Expected = fn(&Trouble) -> bool;

/// Returns scripts of misbehaving helpers, each with the expected trouble.
fn hostile() -> Vec<(String, Expected)> {
    let garbled = |trouble: &Trouble| *trouble == Trouble::Garbled;
    let ended = |trouble: &Trouble| *trouble == Trouble::Ended;
    let silent = |trouble: &Trouble| matches!(trouble, Trouble::Silent(_));
    let said = |trouble: &Trouble| *trouble == Trouble::Said("no way?[31m".into());
    vec![
        ("true".into(), ended),
        ("kill -9 $$".into(), ended),
        ("sleep 60".into(), silent),
        ("sleep 60 & sleep 60".into(), silent),
        ("echo 'hasten-witness 2'; sleep 60".into(), garbled),
        ("while :; do echo done; done".into(), garbled),
        (
            "read -r hello; while :; do printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; done".into(),
            ended,
        ),
        (format!("{HELLO}; exec sleep 60"), silent),
        (format!("{HELLO}; exit 0"), ended),
        (format!("{HELLO}; echo; sleep 60"), garbled),
        (format!("{HELLO}; echo DONE; sleep 60"), garbled),
        (format!("{HELLO}; printf done; sleep 60"), silent),
        (format!("{HELLO}; printf 'done\\000\\n'; sleep 60"), garbled),
        (format!("{HELLO}; echo 'value a b'; sleep 60"), garbled),
        (format!("{HELLO}; echo 'value ../x'; sleep 60"), garbled),
        (format!("{HELLO}; echo 'value '; sleep 60"), garbled),
        (format!("{HELLO}; echo \"value $(printf '%0200d' 0)\"; sleep 60"), garbled),
        (format!("{HELLO}; printf 'error no way\\033[31m\\n'; sleep 60"), said),
    ]
}

#[test]
fn a_hostile_helper_makes_the_tool_refuse_and_no_more() {
    for (script, expected) in hostile() {
        let begun = Instant::now();
        let (cell, heard) = helper(&script, Path::new("-"), Duration::from_millis(400));
        assert_eq!(cell.read(), Err(StoreError::WitnessUnreachable), "{script}");
        assert_eq!(cell.swap(None, "1"), Err(StoreError::WitnessUnreachable), "{script}");
        drop(cell);
        assert!(begun.elapsed() < Duration::from_secs(20), "{script}");
        let heard = heard.lock().expect("not poisoned");
        assert!(heard.len() == 2 && heard.iter().all(expected), "{script}: {heard:?}");
    }
}

#[test]
fn a_program_that_is_not_there_is_silence() {
    let cell = ExecCell::new(["/no/such/program".into()], Duration::from_secs(1));
    assert_eq!(cell.read(), Err(StoreError::WitnessUnreachable));
    let cell = ExecCell::new([], Duration::from_secs(1));
    assert_eq!(cell.swap(None, "1"), Err(StoreError::WitnessUnreachable));
}

#[test]
fn a_store_whose_witness_falls_silent_hands_nothing_out() {
    let place = tempfile::tempdir().expect("a directory");
    let mute = place.path().join("mute");
    let script = format!("[ -e '{}' ] && exec sleep 60\n{HONEST}", mute.display());
    let options = || {
        let cell = helper(&script, &place.path().join("word"), Duration::from_millis(500)).0;
        Options::new().guard(place.path().join("guard")).witness(CellWitness::new(cell))
    };
    let mut store = options().create(place.path().join("key"), &NewKey::new(64)).expect("a store");
    drop(store.reserve(1).expect("one"));
    drop(store);
    std::fs::write(&mute, "").expect("written");
    let silent = options().open(place.path().join("key")).map(drop);
    assert_eq!(silent, Err(StoreError::WitnessUnreachable));
    std::fs::remove_file(&mute).expect("removed");
    let mut store = options().open(place.path().join("key")).expect("opened again");
    assert_eq!(store.reserve(1).expect("one").range(), 1..2);
}
