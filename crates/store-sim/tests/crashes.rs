//! Injected crashes, and deliberately broken machines that must be detected.

use hasten_store_sim::{Mutation, Outcome, Torture, Wrong, sweep};

#[test]
fn every_boundary_crossed_with_every_outcome() {
    let sweep = sweep(Mutation::Honest, 4);
    assert_eq!(sweep.wrong, []);
    assert!(sweep.calls.values().all(|calls| *calls > 10), "{:?}", sweep.calls);
    assert!(sweep.cases > 5000, "{}", sweep.cases);
}

#[test]
fn some_thousand_random_crashes() {
    let mut torture = Torture::new(1, Mutation::Honest);
    while torture.tally.faults() < 5000 && torture.life() {}
    let tally = torture.tally;
    assert_eq!(tally.wrong, []);
    assert!(
        Outcome::ALL.iter().all(|o| tally.struck.get(o).is_some_and(|n| *n > 100)),
        "{:?}",
        tally.struck
    );
    assert!(tally.repairs > 100 && tally.old_copies > 10 && tally.signatures > 1000, "{tally:?}");
}

/// Returns the finding of the torture on a broken machine within at most 3000 lives.
fn found(mutation: Mutation) -> Vec<Wrong> {
    let mut torture = Torture::new(2, mutation);
    for _ in 0..3000 {
        if !torture.life() {
            break;
        }
    }
    torture.tally.wrong
}

#[test]
fn a_store_that_returns_before_it_syncs_is_caught() {
    for mutation in [Mutation::NoSync, Mutation::LateSync] {
        let wrong = found(mutation);
        assert!(!wrong.is_empty(), "{mutation:?} was not noticed");
    }
}

#[test]
fn a_store_that_does_not_sync_one_file_is_caught() {
    for mutation in [Mutation::NoLogSync, Mutation::NoGuardSync, Mutation::NoDirSync] {
        assert!(!found(mutation).is_empty(), "{mutation:?} was not noticed");
    }
}

#[test]
fn a_store_without_locks_or_fork_check_is_caught() {
    for mutation in [Mutation::NoLock, Mutation::SamePid] {
        assert!(found(mutation).contains(&Wrong::SecondOwner), "{mutation:?} was not noticed");
    }
}
