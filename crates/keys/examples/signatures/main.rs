//! Signatures per second through the state store:
//! `cargo run --release -p hasten-keys --example signatures -- --json FILE`.
//!
//! One key for each row; 1, 2 and 8 processes, with a shard or a sector of it each, or taking turns
//! at the one directory; 1, 16 and 256 indices to a commit; or a thread that reserves ahead, where
//! the time of a commit is that of waiting for a permit. Every message is another, no index may
//! occur twice, and of every process's signatures some are verified. `--ms N` signs that long for
//! each row; `--place DIR` is the disk.

mod worker;

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_keys::stateful::{Generation, NewStateful, Share, give_shard};
use hasten_report::{Machine, argument, number};
use hasten_store::Options;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use worker::{Done, Way, Work};

const SETS: [&str; 2] =
    ["XMSSMT-SHA2_20/4_256", "HSS(LMS_SHA256_M32_H10_W2,LMS_SHA256_M32_H10_W2)"];
const WAYS: [(Way, usize); 7] = [
    (Way::Shards, 1),
    (Way::Shards, 2),
    (Way::Shards, 8),
    (Way::Turns, 2),
    (Way::Turns, 8),
    (Way::Ahead, 1),
    (Way::Ahead, 2),
];
const BATCHES: [u64; 3] = [1, 16, 256];

fn main() {
    if let Some(dir) = argument("--worker") {
        return worker::run(Path::new(&dir));
    }
    let place = argument("--place")
        .map_or_else(std::env::temp_dir, PathBuf::from)
        .join(format!("signatures-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a place");
    let rows: Vec<Value> = SETS.into_iter().flat_map(|set| rows(&place, set)).collect();
    let program = "cargo run --release -p hasten-keys --example signatures --";
    hasten_report::publish("hasten.store-signatures/1", program, Machine::this(), &rows)
        .expect("the report is written");
    drop(std::fs::remove_dir_all(&place));
}

fn rows(place: &Path, set: &str) -> Vec<Value> {
    let mut rows = Vec::new();
    for (way, processes) in WAYS {
        rows.extend(BATCHES.map(|batch| row(place, set, way, processes, batch)));
    }
    rows.push(row(place, set, Way::Sectors, 2, 16));
    rows.push(row(place, set, Way::Sectors, 4, 16));
    rows
}

/// Makes a key, lets the processes sign, and erases it.
fn row(place: &Path, set: &str, way: Way, processes: usize, batch: u64) -> Value {
    let place = place.join("row");
    std::fs::create_dir_all(&place).expect("a place");
    let sectors = if way == Way::Sectors { processes as u32 } else { 1 };
    let whole = make(&place, set, sectors);
    let dirs = match way {
        Way::Shards | Way::Ahead => {
            let share = Set::named(set).expect("a set").capacity() / processes as u64;
            shards(&place, &whole, Share::Indices(share), processes)
        }
        Way::Sectors => {
            [shards(&place, &whole, Share::Sector, processes - 1), vec![whole]].concat()
        }
        Way::Turns => vec![whole; processes],
    };
    let length = Duration::from_millis(number("--ms", 1000));
    let done = worker::all(&Work { way, batch, length }, &dirs);
    std::fs::remove_dir_all(&place).expect("erased");
    report(set, way, processes, batch, &done)
}

fn make(place: &Path, set: &str, sectors: u32) -> PathBuf {
    let dir = place.join("key");
    let set = Set::named(set).expect("a set");
    let options = Options::new().guard(place.join("key.guard"));
    let new = NewStateful { set, reserve: 1, sectors };
    let generation = Generation::begin(&dir, options, new, None).expect("begun");
    let watch = &mut |_| ControlFlow::Continue(());
    generation.run(Kernels::best(), 2, watch).expect("generated");
    dir
}

/// Makes as many parts of the key, each in a directory of its own.
fn shards(place: &Path, key: &Path, share: Share, count: usize) -> Vec<PathBuf> {
    let mut store = Options::new().open(key).expect("opened");
    let give = |number| {
        let (dir, guard) =
            (place.join(format!("shard-{number}")), place.join(format!("guard-{number}")));
        let options = Options::new().guard(guard);
        give_shard(&mut store, share, &dir, options).expect("given");
        dir
    };
    (0..count).map(give).collect()
}

fn report(set: &str, way: Way, processes: usize, batch: u64, done: &[Done]) -> Value {
    let indices: Vec<u64> = done.iter().flat_map(|one| one.indices.iter().copied()).collect();
    let once: HashSet<_> = indices.iter().collect();
    assert_eq!(once.len(), indices.len(), "an index was used twice");
    let per_second = worker::rate(done);
    let commits = done.iter().flat_map(|one| one.commits_us.iter().copied()).collect();
    json!({
        "alg": set, "what": way.words(), "processes": processes, "signatures_per_commit": batch,
        "signatures": indices.len(), "signatures_per_second": per_second, "commit_us": spread(commits),
        "verified": done.iter().map(|one| one.verified).sum::<u64>(),
    })
}

/// Returns minimum, median, 99th percentile, maximum.
fn spread(mut times: Vec<f64>) -> Value {
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    json!({ "min": at(0.0), "p50": at(0.5), "p99": at(0.99), "max": at(1.0) })
}
