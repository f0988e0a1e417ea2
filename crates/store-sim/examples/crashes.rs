//! Millions of injected crashes: `cargo run --release -p hasten-store-sim --example crashes --
//! --count 1000000 --json FILE`.
//!
//! The program first combines every system-call boundary of every operation with every outcome. It
//! then simulates random lives of keys until `--count` crashes and kills (and about as many errors)
//! have struck. It exits with 1 if an index was used twice, a loss was silent, or a store that must
//! open did not.

use hasten_report::{Machine, number};
use hasten_store_sim::{Mutation, Sweep, Tally, Torture, Wrong, sweep};
use serde_json::{Map, Value, json};
use std::time::Instant;

const PROGRAM: &str = "cargo run --release -p hasten-store-sim --example crashes --";

fn main() {
    let begun = Instant::now();
    let sweep = sweep(Mutation::Honest, 64);
    let tally = torture(number("--seed", 20_261_121), number("--count", 20_000), begun);
    let rows = [swept(&sweep), tortured(&tally)];
    hasten_report::publish("hasten.store-crashes/1", PROGRAM, Machine::this(), &rows)
        .expect("the report is written");
    for wrong in sweep.wrong.iter().map(|w| &w.4).chain(&tally.wrong).take(5) {
        eprintln!("WRONG: {wrong:?}");
    }
    std::process::exit(i32::from(!(sweep.wrong.is_empty() && tally.wrong.is_empty())));
}

fn torture(seed: u64, count: u64, begun: Instant) -> Tally {
    let mut torture = Torture::new(seed, Mutation::Honest);
    let mut said = 0;
    while torture.tally.crashes() < count && torture.life() {
        if begun.elapsed().as_secs() > said {
            said = begun.elapsed().as_secs();
            let done = torture.tally.crashes().max(1);
            eprint!(
                "\r{done} of {count} crashes, {:.0} s left ",
                (count - done.min(count)) as f64 * said as f64 / done as f64
            );
        }
    }
    eprintln!();
    torture.tally
}

fn swept(sweep: &Sweep) -> Value {
    let calls: Map<String, Value> =
        sweep.calls.iter().map(|(op, n)| (format!("{op:?}").to_lowercase(), json!(n))).collect();
    let wrong: Vec<&Wrong> = sweep.wrong.iter().map(|w| &w.4).collect();
    json!({
        "run": "every boundary", "calls": calls, "boundaries": sweep.calls.values().sum::<u64>(), "cases": sweep.cases,
        "refused_after_a_lying_disk": sweep.overridden, "used_twice": twice(&wrong), "silent_or_other": wrong.len() - twice(&wrong),
    })
}

fn tortured(tally: &Tally) -> Value {
    let struck: Map<String, Value> =
        tally.struck.iter().map(|(o, n)| (format!("{o:?}").to_lowercase(), json!(n))).collect();
    let wrong: Vec<&Wrong> = tally.wrong.iter().collect();
    json!({
        "run": "random lives", "crashes": tally.crashes(), "errors": tally.faults() - tally.crashes(), "by_outcome": struck,
        "power_cuts": tally.power_cuts, "keys": tally.worlds, "repairs": tally.repairs, "old_copies": tally.old_copies,
        "refused_after_a_lying_disk": tally.overridden, "signatures": tally.signatures, "lost_and_counted": tally.lost,
        "used_twice": twice(&wrong), "silent_or_other": wrong.len() - twice(&wrong),
    })
}

fn twice(wrong: &[&Wrong]) -> usize {
    wrong.iter().filter(|w| matches!(w, Wrong::UsedTwice(_))).count()
}
