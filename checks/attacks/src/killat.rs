//! `kill-at`: the tool is killed before and after every call on a file, in every command. The
//! command that follows is killed too, at a random call. After that the key must work.

use hasten_store_sim::Dice;

use crate::scenario::{Verdict, World};
use crate::strikes::{Case, Tally, drive};
use crate::trace::{Blow, Call, Strike};
use crate::yard::Setup;

/// Strikes every scenario.
pub fn run(setup: &Setup) -> Tally {
    let again = hasten_report::number("--again", 2);
    let seed = setup.seed;
    drive(setup, "kills", &move |calls| cases(calls, again, seed), &one)
}

/// Returns two cases per call, before and after it, each also `again` times with the next command
/// killed too.
fn cases(calls: &[Call], again: u64, seed: u64) -> Vec<Case> {
    let mut dice = Dice(seed);
    let mut cases = Vec::new();
    for at in 0..calls.len() {
        for blow in [Blow::KillBefore, Blow::KillAfter] {
            let first = Strike { at, blow };
            cases.push(Case { first, again: None });
            for _ in 0..again {
                let at = dice.below(calls.len() as u64 + 8) as usize;
                cases.push(Case { first, again: Some(Strike { at, blow }) });
            }
        }
    }
    cases
}

fn one(world: &World<'_>, case: &Case) -> Verdict {
    let mut struck = world.strike(Some(case.first));
    if let Some(again) = case.again {
        let next = world.strike_again(Some(again));
        if world.goes_on_by_itself() {
            struck.answer = next.answer;
        }
    }
    world.judge(&struck)
}
