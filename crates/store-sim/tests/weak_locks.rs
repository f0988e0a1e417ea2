//! Two sessions on one disk that grants a lock to both, as some shared file systems do.

use hasten_store::{FileSystem, NewKey, Options, Reason, Store, StoreError};
use hasten_store_sim::{Loss, Machine, Mutation};
use std::collections::BTreeSet;

fn options(machine: &Machine) -> Options {
    Options::new().env(machine.process()).guard("/key.guard")
}

fn place(mutation: Mutation) -> Machine {
    let machine = Machine::new(1, mutation);
    let key = NewKey { threshold: 0, ..NewKey::new(64) };
    drop(options(&machine).accept_shared_filesystem(true).create("/key", &key).expect("a store"));
    machine
}

#[test]
fn a_shared_file_system_is_refused_unless_it_is_accepted() {
    let machine = Machine::new(1, Mutation::WeakLock);
    let refused = options(&machine).create("/key", &NewKey::new(64)).map(drop);
    let kind = FileSystem::Shared("simulated");
    assert!(matches!(refused, Err(StoreError::WrongPlace { kind: k, .. }) if k == kind));
    drop(options(&machine).accept_shared_filesystem(true).create("/key", &NewKey::new(64)));
    let status = options(&machine).peek("/key").expect("a status");
    assert!(status.shared_filesystem_accepted);
    assert!(options(&machine).open("/key").is_ok(), "accepted once and for all");
}

/// The session file stops the second session, twenty times out of twenty.
#[test]
fn the_second_session_is_stopped_where_locks_lie() {
    let machine = place(Mutation::WeakLock);
    let mut used = BTreeSet::new();
    for _ in 0..20 {
        let mut first = options(&machine).open("/key").expect("the first");
        let second = options(&machine).open("/key").map(drop);
        assert!(
            matches!(second, Err(StoreError::OtherSession { holder: Some(_), .. })),
            "{second:?}"
        );
        assert!(used.insert(first.reserve(1).expect("one").range().start));
    }
}

/// If the file system does not even report that its locks do not hold, the guard is compared with
/// its content at opening, also at a session's first commit.
#[test]
fn the_guard_stops_the_second_session_where_nothing_else_does() {
    let machine = place(Mutation::NoLock);
    for _ in 0..20 {
        let open = || options(&machine).open("/key").expect("both");
        let (mut first, mut second): (Store, Store) = (open(), open());
        assert!(first.reserve(1).is_ok());
        let other = second.reserve(1).map(|interval| interval.range());
        assert!(matches!(other, Err(StoreError::Refused(r)) if r.reason == Reason::Overtaken));
    }
}

/// On a local disk, a free lock proves that the crashed session has ended. On a shared disk, only
/// an override takes over.
#[test]
fn the_file_of_a_session_that_a_crash_ended() {
    for (mutation, stuck) in [(Mutation::Honest, false), (Mutation::WeakLock, true)] {
        let machine = place(mutation);
        let held = options(&machine).open("/key").expect("opened");
        std::mem::forget(held);
        machine.power_cut(Loss::Nothing);
        let again = options(&machine).open("/key").map(drop);
        assert_eq!(matches!(again, Err(StoreError::OtherSession { .. })), stuck, "{again:?}");
        let mut store = options(&machine).burn(3).open("/key").expect("overridden, or not needed");
        let burned = if stuck { 3 } else { 0 };
        assert_eq!(store.reserve(1).expect("one").range().start, burned);
        drop(store);
        assert!(options(&machine).open("/key").is_ok());
    }
}
