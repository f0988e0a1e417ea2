//! Files put back from a copy, in every combination, overwritten or replaced.

use hasten_store::{NewKey, Options, Reason, Store, StoreError};
use hasten_store_sim::{Book, Dice, Fault, Loss, Machine, Mutation, Outcome};
use std::path::Path;
use std::time::Duration;

const FILES: [&str; 4] = ["/key.guard", "/key/log.0", "/key/log.1", "/key/stamp"];

fn options(machine: &Machine) -> Options {
    Options::new().env(machine.process()).guard("/key.guard")
}

fn create(machine: &Machine) {
    let key = NewKey { threshold: 0, log_records: 8, ..NewKey::new(200) };
    options(machine).create("/key", &key).expect("a store").close().expect("closed");
}

fn sign(store: &mut Store, book: &mut Book) {
    store.reserve(1).expect("one").for_each(|permit| {
        book.sign(permit, true);
    });
}

fn open_and_sign(machine: &Machine, book: &mut Book) -> Result<(), StoreError> {
    let mut store = options(machine).open("/key")?;
    sign(&mut store, book);
    store.close().map(drop)
}

fn copy(machine: &Machine) -> Vec<Vec<u8>> {
    FILES.iter().map(|file| machine.content(Path::new(file)).unwrap_or_default()).collect()
}

fn reason(result: Result<(), StoreError>) -> Option<Reason> {
    match result {
        Err(StoreError::Refused(refusal)) => Some(refusal.reason),
        _ => None,
    }
}

/// Each of four files is left, overwritten, or replaced by a new one: 81 ways to put a copy back.
#[test]
fn whatever_is_put_back_no_index_comes_twice() {
    let mut refused = 0;
    for way in 0..81_usize {
        for (signatures, late) in [(1, false), (1, true), (3, false), (9, true)] {
            let (machine, mut book) = (Machine::new(1, Mutation::Honest), Book::default());
            create(&machine);
            open_and_sign(&machine, &mut book).expect("signed");
            let old = copy(&machine);
            for _ in 0..signatures {
                open_and_sign(&machine, &mut book).expect("signed");
            }
            // Put back at once, the guard and the stamp of the previous commit look as after a
            // power cut, and the key continues after the log's last commit. Put back later, they
            // are refused.
            machine.pass(Duration::from_secs(if late { 11 } else { 0 }));
            let mut rest = way;
            for (file, content) in FILES.iter().zip(&old) {
                match rest % 3 {
                    1 => machine.overwrite(Path::new(file), content),
                    2 => machine.replace(Path::new(file), content),
                    _ => {}
                }
                rest /= 3;
            }
            let no = open_and_sign(&machine, &mut book).is_err();
            refused += u32::from(no);
            assert!(
                no || way % 3 == 0 || (signatures, late) == (1, false),
                "the guard was put back: way {way}, {signatures}"
            );
            assert_eq!(book.wrong, [], "way {way}, {signatures} signatures");
        }
    }
    // The other ways put back only files that decide nothing: the stamp, or the unused log file.
    assert!((250..324).contains(&refused), "{refused} refused");
}

/// The stamp alone decides nothing: the key opens without it and with an old one.
#[test]
fn an_old_or_missing_stamp_alone_refuses_nothing() {
    let (machine, mut book) = (Machine::new(1, Mutation::Honest), Book::default());
    create(&machine);
    let old = copy(&machine);
    open_and_sign(&machine, &mut book).expect("signed");
    for content in [&old[3][..], b"", &[7; 64]] {
        machine.replace(Path::new(FILES[3]), content);
        assert_eq!(open_and_sign(&machine, &mut book), Ok(()));
    }
    assert_eq!(book.wrong, []);
}

/// A copy is taken and put back at any moment of a life with crashes. No index is used twice, and
/// nothing is refused unless it was put back.
#[test]
fn copies_put_back_after_crashes_are_seen() {
    let (mut refused, mut struck) = (0, 0);
    for seed in 0..1500 {
        let mut dice = Dice(seed);
        let (machine, mut book) = (Machine::new(seed, Mutation::Honest), Book::default());
        create(&machine);
        for _ in 0..1 + dice.below(4) {
            crash(&machine, &mut dice, &mut book);
        }
        struck += u32::from(machine.struck().is_some());
        let old = copy(&machine);
        let signatures = 1 + dice.below(3);
        for _ in 0..signatures {
            let opened = open_and_sign(&machine, &mut book);
            assert_eq!(opened, Ok(()), "seed {seed}: nothing was put back yet");
        }
        machine.pass(Duration::from_secs(11));
        let in_place = dice.below(2) == 0;
        for (file, content) in FILES.iter().zip(&old) {
            match in_place {
                true => machine.overwrite(Path::new(file), content),
                false => machine.replace(Path::new(file), content),
            }
        }
        let found = reason(open_and_sign(&machine, &mut book));
        assert!(found.is_some_and(Reason::is_moved), "seed {seed}: {found:?}");
        refused += 1;
        assert_eq!(book.wrong, [], "seed {seed}");
    }
    assert_eq!(refused, 1500);
    println!("{struck} faults struck last");
}

/// Opens the key and signs until a fault strikes, then cuts the power or ends only the process.
fn crash(machine: &Machine, dice: &mut Dice, book: &mut Book) {
    let outcome =
        [Outcome::CrashBefore, Outcome::CrashAfter, Outcome::KillBefore, Outcome::KillAfter];
    let outcome = outcome[dice.below(4) as usize];
    machine.arm(Some(Fault { at: dice.below(60), outcome }));
    if let Ok(mut store) = options(machine).open("/key") {
        for _ in 0..1 + dice.below(3) {
            let Ok(interval) = store.reserve(1) else { break };
            interval.for_each(|permit| {
                book.sign(permit, true);
            });
        }
    }
    match outcome.kills() {
        true => machine.restart(),
        false => machine.power_cut(Loss::ALL[dice.below(3) as usize]),
    }
}

/// Accepting moved files is a commit of its own. It holds once and lifts no other refusal.
#[test]
fn what_was_moved_is_accepted_and_recorded() {
    let (machine, mut book) = (Machine::new(1, Mutation::Honest), Book::default());
    create(&machine);
    open_and_sign(&machine, &mut book).expect("signed");
    let now = copy(&machine);
    let accept = || options(&machine).accept_moved(true).open("/key");
    let store = accept().expect("nothing was moved");
    assert_eq!(store.repair().map(|repair| repair.moved), None);
    drop(store);
    for (round, replaced) in [false, true, false].into_iter().enumerate() {
        let (guard, content) = (Path::new(FILES[0]), copy(&machine).swap_remove(0));
        match replaced {
            true => machine.replace(guard, &content),
            false => machine.overwrite(guard, &content),
        }
        assert!(reason(open_and_sign(&machine, &mut book)).is_some_and(Reason::is_moved));
        let store = accept().expect("accepted");
        assert!(store.repair().is_some_and(|repair| repair.moved && !repair.overridden));
        let moved = store.audit().expect("whole").iter().filter(|e| e.what == "moved").count();
        assert_eq!(moved, round + 1);
        drop(store);
        open_and_sign(&machine, &mut book).expect("signed");
    }
    FILES.iter().zip(&now).for_each(|(file, old)| machine.replace(Path::new(file), old));
    machine.overwrite(Path::new(FILES[0]), b"nothing that was a guard");
    assert_eq!(
        reason(accept().map(drop)),
        Some(Reason::DamagedGuard),
        "no other refusal is lifted"
    );
    assert_eq!(book.wrong, []);
}

/// After a kill or a power cut at any call, an acceptance has happened with its record, or not at
/// all.
#[test]
fn an_acceptance_that_was_broken_off_leaves_its_record_or_the_refusal() {
    let machine = Machine::new(1, Mutation::Honest);
    create(&machine);
    open_and_sign(&machine, &mut Book::default()).expect("signed");
    machine.pass(Duration::from_secs(2));
    for in_place in [true, false] {
        let content = copy(&machine).swap_remove(0);
        match in_place {
            true => machine.overwrite(Path::new(FILES[0]), &content),
            false => machine.replace(Path::new(FILES[0]), &content),
        }
        let before = machine.calls();
        let trial = machine.fork_world(0);
        drop(options(&trial).accept_moved(true).open("/key").expect("accepted"));
        for at in 0..trial.calls() - before {
            for (outcome, loss) in [Outcome::CrashAfter, Outcome::KillAfter, Outcome::KillBefore]
                .into_iter()
                .flat_map(|outcome| Loss::ALL.map(|loss| (outcome, loss)))
            {
                let machine = machine.fork_world(at);
                machine.arm(Some(Fault { at, outcome }));
                drop(options(&machine).accept_moved(true).open("/key"));
                match outcome.kills() {
                    true => machine.restart(),
                    false => machine.power_cut(loss),
                }
                let entries = options(&machine).peek_audit("/key").expect("whole");
                let recorded = entries.iter().any(|entry| entry.what == "moved");
                let opened = options(&machine).open("/key").map(drop);
                let said = (at, outcome, loss, in_place);
                assert!(
                    recorded || reason(opened.clone()).is_some_and(Reason::is_moved),
                    "{said:?}"
                );
                let again = options(&machine).accept_moved(true).open("/key").map(drop);
                assert_eq!(again, Ok(()), "{said:?}");
            }
        }
    }
}

/// A clone of the whole machine has the same file identities and times: only a witness detects it.
#[test]
fn a_clone_of_the_machine_is_not_seen_by_the_files() {
    let machine = Machine::new(1, Mutation::Honest);
    create(&machine);
    let clone = machine.fork_world(2);
    assert_eq!(open_and_sign(&machine, &mut Book::default()), Ok(()));
    assert_eq!(open_and_sign(&clone, &mut Book::default()), Ok(()));
}
