//! The protocol, searched exhaustively for small sizes, and compared with the code.

mod conform;
mod world;

use hasten_store::{NewKey, Options, State};
use hasten_store_sim::{Machine, Mutation};
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use world::{CAPACITY, Outcome, Variant, World};

/// Returns the state of a new key with `CAPACITY` indices, made by the store itself.
pub fn new_state() -> State {
    let machine = Machine::new(7, Mutation::Honest);
    let options = Options::new().env(machine.process()).guard("/key.guard");
    let key = NewKey { threshold: 0, ..NewKey::new(CAPACITY) };
    options.create("/key", &key).expect("a new store").state().clone()
}

/// Returns the number of reachable worlds, or the first error. If `restores` is true, an operator
/// may put an old copy back. If `refusals` is true, a refusal without cause is an error.
fn search(variant: Variant, restores: bool, refusals: bool) -> Result<usize, &'static str> {
    let first = World::new(new_state());
    let (mut seen, mut to_do) = (HashSet::from([digest(&first)]), vec![first]);
    while let Some(world) = to_do.pop() {
        for step in World::steps() {
            let copies = matches!(step, world::Step::Copy | world::Step::Restore);
            match if copies && !restores { Outcome::Nothing } else { world.step(step, variant) } {
                Outcome::Next(next) if seen.insert(digest(&next)) => to_do.push(*next),
                Outcome::Next(_) | Outcome::Nothing => {}
                Outcome::Wrong("refused without cause") if !refusals => {}
                Outcome::Wrong(what) => return Err(what),
            }
        }
    }
    Ok(seen.len())
}

/// Returns a 128-bit digest of a world. The chance that two of some million worlds share a digest
/// is below 2^-80.
fn digest(world: &World) -> u128 {
    let half = |salt: u64| {
        let mut hasher = std::hash::DefaultHasher::new();
        (salt, world).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}

#[test]
fn no_index_is_used_twice_and_nothing_refused_without_cause() {
    let alone = search(Variant::AsBuilt, false, true);
    let with_copies = search(Variant::AsBuilt, true, true);
    println!("{alone:?} worlds, {with_copies:?} with old copies put back");
    assert!(alone.is_ok_and(|n| n > 100), "{alone:?}");
    assert!(with_copies.is_ok_and(|n| n > 1000), "{with_copies:?}");
}

#[test]
fn protocols_that_use_an_index_twice_are_refuted() {
    for variant in [Variant::ReturnEarly, Variant::NoGuard, Variant::NoLock, Variant::NoLineage] {
        assert_eq!(search(variant, true, false), Err("index used twice"), "{variant:?}");
    }
}

#[test]
fn protocols_that_refuse_without_cause_are_refuted() {
    for variant in [Variant::GuardFirst, Variant::NoCatchUp, Variant::NoSettling] {
        assert_eq!(search(variant, false, true), Err("refused without cause"), "{variant:?}");
    }
}
