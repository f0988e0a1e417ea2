//! Indices per second: `cargo run --release -p hasten-store --example throughput -- --json FILE`.
//!
//! Three setups: one process that keeps the store open; 1, 2 and 8 processes that open one store in
//! turn; and 2 and 8 processes with one shard each. Each setup reserves 1, 16 and 256 indices per
//! commit. The report also has the latency of a commit, of an `fdatasync` on the same disk, of
//! `Permit::check` and of `record`.

use hasten_report::{Machine, argument, number};
use hasten_store::{NewKey, Options, Store};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const BATCHES: [u64; 3] = [1, 16, 256];

fn main() {
    if let Some(dir) = argument("--worker") {
        return worker(Path::new(&dir));
    }
    let place = argument("--place")
        .map_or_else(std::env::temp_dir, PathBuf::from)
        .join(format!("rate-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a place");
    let rows: Vec<Value> =
        [latencies(&place), stays(&place), hands_over(&place), shards(&place)].concat();
    let program = "cargo run --release -p hasten-store --example throughput --";
    hasten_report::publish("hasten.store-throughput/1", program, Machine::this(), &rows)
        .expect("the report is written");
    drop(std::fs::remove_dir_all(&place));
}

fn make(place: &Path, name: &str) -> (PathBuf, Store) {
    let dir = place.join(name);
    let guard = place.join(format!("{name}.guard"));
    let key = NewKey { threshold: 0, ..NewKey::new(1 << 40) };
    let store = Options::new().guard(guard).create(&dir, &key).expect("a store");
    (dir, store)
}

fn run_time() -> Duration {
    Duration::from_millis(number("--ms", 1000))
}

/// Returns the minimum, median, 99th percentile and maximum, in microseconds.
fn spread(mut times: Vec<Duration>) -> Value {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6;
    json!({ "min": at(0.0), "p50": at(0.5), "p99": at(0.99), "max": at(1.0) })
}

fn timed(count: usize, mut act: impl FnMut()) -> Value {
    let one = |_| {
        let begun = Instant::now();
        act();
        begun.elapsed()
    };
    spread((0..count).map(one).collect())
}

fn latencies(place: &Path) -> Vec<Value> {
    let (_, mut store) = make(place, "latency");
    let (commit, plain) = commits(place, &mut store);
    let permit = store.reserve(1).expect("one").next().expect("one");
    let check = timed(20_000, || permit.check().expect("good"));
    let range = store.reserve(20_000).expect("many").range();
    let mut indices = range.into_iter();
    let record = timed(20_000, || store.record(indices.next().expect("one")).expect("recorded"));
    vec![
        json!({ "measured": "time", "what": "commit of a reservation (log and guard)", "time_us": commit }),
        json!({ "measured": "time", "what": "fdatasync of 128 bytes on the same disk", "time_us": plain }),
        json!({ "measured": "time", "what": "Permit::check", "time_us": check }),
        json!({ "measured": "time", "what": "record", "time_us": record }),
    ]
}

/// Measures commits and plain syncs alternately, so that both run under the same disk conditions.
fn commits(place: &Path, store: &mut Store) -> (Value, Value) {
    use std::os::unix::fs::FileExt;
    let file = std::fs::File::create(place.join("plain")).expect("a file");
    file.write_all_at(&[0; 1 << 17], 0).expect("written");
    let (mut commits, mut plain) = (Vec::new(), Vec::new());
    for at in (0..1 << 17).step_by(128).take(400) {
        let begun = Instant::now();
        drop(store.reserve(1));
        commits.push(begun.elapsed());
        let begun = Instant::now();
        file.write_all_at(&[1; 128], at).expect("written");
        file.sync_data().expect("synced");
        plain.push(begun.elapsed());
    }
    (spread(commits), spread(plain))
}

/// Reserves, uses and records `batch` indices.
fn use_batch(store: &mut Store, batch: u64) {
    for permit in store.reserve(batch).expect("reserved") {
        permit.check().expect("good");
        permit.record().expect("recorded");
    }
}

fn stays(place: &Path) -> Vec<Value> {
    let row = |batch: u64| {
        let (_, mut store) = make(place, &format!("stays-{batch}"));
        let begun = Instant::now();
        while begun.elapsed() < run_time() {
            use_batch(&mut store, batch);
        }
        let used = store.status().used;
        rate("one owner that stays", 1, batch, used, begun.elapsed())
    };
    BATCHES.into_iter().map(row).collect()
}

fn hands_over(place: &Path) -> Vec<Value> {
    let mut rows = Vec::new();
    for processes in [1, 2, 8] {
        for batch in BATCHES {
            let (dir, store) = make(place, &format!("hands-{processes}-{batch}"));
            drop(store);
            rows.push(pack(
                "processes that hand one store to each other",
                &vec![dir; processes],
                batch,
            ));
        }
    }
    rows
}

fn shards(place: &Path) -> Vec<Value> {
    let mut rows = Vec::new();
    for processes in [2, 8] {
        for batch in BATCHES {
            let (_, mut store) = make(place, &format!("root-{processes}-{batch}"));
            let dirs: Vec<PathBuf> = (0..processes)
                .map(|i| shard(place, &mut store, &format!("{processes}-{batch}-{i}")))
                .collect();
            rows.push(pack("processes with a shard each", &dirs, batch));
        }
    }
    rows
}

fn shard(place: &Path, store: &mut Store, name: &str) -> PathBuf {
    let grant = store.give(1 << 30).expect("given");
    let dir = place.join(format!("shard-{name}"));
    let made =
        Options::new().guard(place.join(format!("shard-{name}.guard"))).create_shard(&dir, grant);
    drop(made.expect("a shard"));
    dir
}

fn pack(what: &str, dirs: &[PathBuf], batch: u64) -> Value {
    let run = |dir: &PathBuf| {
        let mut run = Command::new(std::env::current_exe().expect("this program"));
        run.arg("--worker").arg(dir).args([
            "--batch",
            &batch.to_string(),
            "--ms",
            &run_time().as_millis().to_string(),
        ]);
        run.spawn().expect("a process")
    };
    let begun = Instant::now();
    let children: Vec<_> = dirs.iter().map(run).collect();
    for mut child in children {
        assert!(child.wait().expect("ended").success(), "a worker failed");
    }
    let elapsed = begun.elapsed();
    let mut places = dirs.to_vec();
    places.dedup();
    let used = places.iter().map(|d| Options::new().peek(d).expect("a status").used).sum();
    rate(what, dirs.len(), batch, used, elapsed)
}

fn rate(what: &str, processes: usize, batch: u64, used: u64, elapsed: Duration) -> Value {
    json!({ "measured": "rate", "what": what, "processes": processes, "indices_per_commit": batch, "indices_per_second": used as f64 / elapsed.as_secs_f64() })
}

/// Opens the store, uses one batch and closes it, again and again, as separate commands would. With
/// a shard of its own a worker never waits for a lock.
fn worker(dir: &Path) {
    let batch = number("--batch", 1);
    let end = Instant::now() + run_time();
    while Instant::now() < end {
        let mut store = Options::new().wait(Duration::from_secs(60)).open(dir).expect("opened");
        use_batch(&mut store, batch);
        store.close().expect("closed");
    }
}
