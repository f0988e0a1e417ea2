//! `kill -9` in a loop: `cargo run --release -p hasten-store-sim --example kills -- --kills 10000
//! --json FILE`.
//!
//! Several processes reserve and use indices of a key and of a shard of it, on a real file system.
//! One after the other is killed at a random moment and replaced. The program then collects every
//! used index and exits with 1 if an index came twice or a loss was silent. A test of the command
//! line does the same with the real `hasten sign`.

mod collect;
mod worker;

use collect::Collected;
use hasten_report::{Machine, argument, number};
use hasten_store::{NewKey, Options};
use hasten_store_sim::Dice;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

fn main() {
    if let Some(dir) = argument("--worker") {
        return worker::work(Path::new(&dir));
    }
    let kills: u64 = number("--kills", 100);
    let processes: usize = number("--processes", 4) as usize;
    let place = argument("--place")
        .map_or_else(std::env::temp_dir, PathBuf::from)
        .join(format!("kills-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a place for the key");
    let begun = Instant::now();
    let keys = keys(&place);
    let (killed, ended) = hunt(&keys, kills, processes);
    let collected = collect::collect(&place, &keys);
    let good = collected.good();
    report(&collected, killed, ended, processes, begun.elapsed().as_secs_f64());
    if good {
        drop(std::fs::remove_dir_all(&place));
    } else {
        eprintln!("kept for inspection: {}", place.display());
    }
    std::process::exit(i32::from(!good));
}

/// Creates the key and its shard.
fn keys(place: &Path) -> Vec<PathBuf> {
    let (key, shard) = (place.join("key"), place.join("shard"));
    let new = NewKey { log_records: 64, threshold: 0, ..NewKey::new(1 << 40) };
    let mut store =
        Options::new().guard(place.join("key.guard")).create(&key, &new).expect("a key");
    let grant = store.give(1 << 39).expect("half of it");
    drop(
        Options::new()
            .guard(place.join("shard.guard"))
            .create_shard(&shard, grant)
            .expect("a shard"),
    );
    vec![key, shard]
}

/// Kills workers until `kills` of them have died of it. Returns that number and the number of
/// workers that had ended before.
fn hunt(keys: &[PathBuf], kills: u64, processes: usize) -> (u64, u64) {
    let mut dice = Dice(number("--seed", 1));
    let start = |serial: u64| worker::start(&keys[serial as usize % keys.len()]);
    let mut serial = processes as u64;
    let mut pack: Vec<Child> = (0..serial).map(start).collect();
    let (mut killed, mut ended, mut said) = (0, 0, Instant::now());
    while killed < kills {
        std::thread::sleep(Duration::from_micros(dice.below(12_000)));
        let at = dice.below(pack.len() as u64) as usize;
        if matches!(pack[at].try_wait(), Ok(Some(_))) {
            ended += 1;
        } else {
            pack[at].kill().expect("killed");
            pack[at].wait().expect("dead");
            killed += 1;
        }
        serial += 1;
        pack[at] = start(serial);
        if said.elapsed().as_secs() >= 1 {
            said = Instant::now();
            eprint!("\r{killed} of {kills} kills ");
        }
    }
    eprintln!();
    for mut child in pack {
        drop(child.kill());
        drop(child.wait());
    }
    (killed, ended)
}

fn report(collected: &Collected, kills: u64, ended: u64, processes: usize, seconds: f64) {
    let row = json!({
        "kills": kills, "ended_before_the_kill": ended, "processes": processes, "seconds": seconds,
        "signatures": collected.signatures, "used_twice": collected.twice.len(), "still_available": collected.available,
        "lost_and_counted": collected.lost, "recorded": collected.used, "accounts_that_do_not_add_up": collected.silent,
    });
    let program = "cargo run --release -p hasten-store-sim --example kills --";
    hasten_report::publish("hasten.store-kills/1", program, Machine::this(), &[row])
        .expect("the report is written");
}
