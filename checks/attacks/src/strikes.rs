//! The part that `errors` and `kill-at` share: it runs every case of every scenario, as many at a
//! time as there are cores, and sums up the results.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hasten_report::{argument, number};
use hasten_store_sim::Dice;
use serde_json::{Value, json};

use crate::namespace::NEEDS;
use crate::progress::Progress;
use crate::scenario::{SCENARIOS, Scenario, Verdict, World};
use crate::trace::{Blow, Call, Strike};
use crate::yard::Setup;

/// One case: a strike on the command, and possibly one on the next command.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The strike on the command itself.
    pub first: Strike,
    /// The strike on the command that follows.
    pub again: Option<Strike>,
}

/// Rows of the report, and the errors found.
#[derive(Default)]
pub struct Tally {
    /// One row for each scenario.
    pub rows: Vec<Value>,
    /// Sentences about the errors, each with its case.
    pub wrong: Vec<String>,
}

type Cases<'c> = &'c (dyn Fn(&[Call]) -> Vec<Case> + Sync);
type One<'o> = &'o (dyn Fn(&World<'_>, &Case) -> Verdict + Sync);

/// Number of cases of a scenario in the short form.
const SHORT: u64 = 14;

/// Runs the cases of every scenario.
pub fn drive(setup: &Setup, what: &str, cases: Cases<'_>, one: One<'_>) -> Tally {
    let progress = Progress::new(what);
    let (wanted, old) = (argument("--only"), argument("--old"));
    let is_wanted = |scenario: &&Scenario| {
        wanted.as_ref().is_none_or(|name| scenario.name == name)
            && (old.is_some() || !scenario.needs_old())
    };
    let chosen: Vec<&Scenario> = SCENARIOS.iter().filter(is_wanted).collect();
    let mut tally = Tally::default();
    for (row, wrong) in
        in_pairs(&chosen, |_, scenario| strike_all(setup, scenario, cases, one, &progress))
    {
        tally.rows.push(row);
        tally.wrong.extend(wrong);
    }
    tally
}

/// Does `work` for each of the items, as many at a time as there are cores. The results are in the
/// order of the items.
pub fn in_pairs<I: Sync, R: Send>(items: &[I], work: impl Fn(usize, &I) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let result = work(at, item);
                    done.lock().expect("no thread died").insert(at, result);
                }
            });
        }
    });
    done.into_inner().expect("no thread died").into_values().collect()
}

fn strike_all(
    setup: &Setup,
    scenario: &Scenario,
    cases: Cases<'_>,
    one: One<'_>,
    progress: &Progress,
) -> (Value, Vec<String>) {
    let begun = Instant::now();
    let old = argument("--old");
    let old = old.map(|tool| std::path::absolute(tool).expect("a path").display().to_string());
    let world = match World::new(setup, scenario, old.as_deref()) {
        Ok(world) => world,
        Err(why) => {
            hasten_report::skipped(scenario.name, &why, NEEDS);
            return (json!({ "scenario": scenario.name, "not_run": why }), Vec::new());
        }
    };
    let calm = world.strike(None);
    assert!(calm.answer.good(), "{}: {}", scenario.name, calm.answer.err);
    let all = cases(&calm.calls);
    let mut sum = Sum::default();
    let mut wrong = world.judge(&calm).wrong;
    for case in chosen(setup, &all) {
        let verdict = one(&world, &case);
        sum.add(case.first.blow, &verdict);
        let call = calm.calls.get(case.first.at).map(|call| (call.kind, &call.path));
        let told = |text: &String| format!("{}: {case:?} {call:?}: {text}", scenario.name);
        wrong.extend(verdict.wrong.iter().map(told));
        progress.step(wrong.len());
    }
    (sum.row(scenario, &calm.calls, begun, &wrong), wrong)
}

/// Returns all cases, or a few spread over them.
fn chosen(setup: &Setup, all: &[Case]) -> Vec<Case> {
    let most = number("--most", if setup.short { SHORT } else { u64::MAX });
    let (count, mut dice) = (all.len() as u64, Dice(setup.seed));
    if count <= most {
        return all.to_vec();
    }
    let pick = |part: u64| all[((part * count + dice.below(count)) / most) as usize];
    (0..most).map(pick).collect()
}

/// Sums over the cases of one scenario.
#[derive(Default)]
struct Sum {
    cases: u64,
    missed: u64,
    good: u64,
    signatures: u64,
    torn: u64,
    lost: u64,
    ranges: u64,
    blows: BTreeMap<String, u64>,
}

impl Sum {
    fn add(&mut self, blow: Blow, verdict: &Verdict) {
        self.cases += 1;
        self.missed += u64::from(!verdict.struck);
        self.good += u64::from(verdict.good);
        self.signatures += verdict.signatures;
        self.torn += verdict.torn;
        self.lost += verdict.lost;
        self.ranges += verdict.ranges_lost;
        *self.blows.entry(format!("{blow:?}").to_lowercase()).or_default() += 1;
    }

    fn row(&self, scenario: &Scenario, calls: &[Call], begun: Instant, wrong: &[String]) -> Value {
        let mut kinds = BTreeMap::<String, u64>::new();
        for call in calls {
            *kinds.entry(format!("{:?}", call.kind).to_lowercase()).or_default() += 1;
        }
        let twice = wrong.iter().filter(|text| text.contains("twice")).count();
        json!({
            "scenario": scenario.name, "alg": scenario.alg, "calls": calls.len(), "calls_by_kind": kinds,
            "cases": self.cases, "ended_before_the_blow": self.missed, "by_blow": self.blows, "status_0_in_spite_of_it": self.good,
            "signatures": self.signatures, "broken_off": self.torn, "lost_and_counted": self.lost,
            "ranges_lost": self.ranges, "used_twice": twice, "otherwise_wrong": wrong.len() - twice,
            "seconds": begun.elapsed().as_secs_f64().round(),
        })
    }
}
