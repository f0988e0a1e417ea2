//! Injected crashes by the million: `cargo run --release -p hasten-store --example crashes -- --count 1000000 --json FILE`.
//!
//! First every system-call boundary of every operation crossed with every outcome, then random lives of keys until
//! `--count` crashes and kills (and as many errors) have struck. Exit 1 if an index was used twice, a loss was silent, or a store that must open did not.

use hasten_store::sim::{Mutation, Sweep, Tally, Torture, sweep};
use serde_json::{Value, json};
use std::time::Instant;

fn main() {
    let count: u64 = argument("--count").and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let seed: u64 = argument("--seed").and_then(|n| n.parse().ok()).unwrap_or(20_261_121);
    let begun = Instant::now();
    let sweep = sweep(Mutation::Honest, 64);
    println!("sweep: {} cases, {} wrong", sweep.cases, sweep.wrong.len());
    let tally = torture(seed, count, begun);
    let report = report(&sweep, &tally, seed, begun.elapsed().as_secs_f64());
    println!("{}", serde_json::to_string_pretty(&report["rows"]).unwrap_or_default());
    if let Some(path) = argument("--json") {
        save(&path, &report);
    }
    for wrong in tally.wrong.iter().take(5) {
        println!("WRONG: {wrong:?}");
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

fn report(sweep: &Sweep, tally: &Tally, seed: u64, seconds: f64) -> Value {
    let calls: serde_json::Map<String, Value> =
        sweep.calls.iter().map(|(op, n)| (format!("{op:?}").to_lowercase(), json!(n))).collect();
    let struck: serde_json::Map<String, Value> =
        tally.struck.iter().map(|(o, n)| (format!("{o:?}").to_lowercase(), json!(n))).collect();
    json!({
        "schema": "hasten.store-crashes/1",
        "machine": machine(),
        "command": "cargo run --release -p hasten-store --example crashes -- --count 1000000 --json results/store-crashes.json",
        "seed": seed,
        "seconds": seconds,
        "rows": [
            { "run": "sweep", "boundaries": calls, "cases": sweep.cases, "overridden": sweep.overridden, "wrong": sweep.wrong.len() },
            { "run": "random", "crashes": tally.crashes(), "faults": tally.faults(), "by_outcome": struck, "power_cuts": tally.power_cuts, "keys": tally.worlds,
              "repairs": tally.repairs, "refused_after_a_lying_disk": tally.overridden, "old_copies": tally.old_copies,
              "signatures": tally.signatures, "indices_lost_and_counted": tally.lost, "wrong": tally.wrong.len() },
        ],
        "used_twice": count_twice(tally),
        "silent_losses": tally.wrong.len() + sweep.wrong.len() - count_twice(tally),
    })
}

fn count_twice(tally: &Tally) -> usize {
    tally.wrong.iter().filter(|w| matches!(w, hasten_store::sim::Wrong::UsedTwice(_))).count()
}

fn machine() -> Value {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|l| l.strip_prefix("model name")).unwrap_or_default();
    json!({ "cpu": model.trim_start_matches([' ', '\t', ':']), "cores": std::thread::available_parallelism().map_or(0, |n| n.get()) })
}

fn save(path: &str, report: &Value) {
    let text = serde_json::to_string_pretty(report).unwrap_or_default() + "\n";
    if let Err(e) = std::fs::write(path, text) {
        eprintln!("{path}: {e}");
    }
}

fn argument(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|a| a != name);
    arguments.nth(1)
}
