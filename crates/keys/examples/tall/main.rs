//! Tall trees, killed in the middle:
//! `cargo run --release -p hasten-keys --example tall -- --json FILE`.
//!
//! For each set a process generates a key on all cores; after `--kill-after MS` it gets SIGKILL, as
//! soon as something has been kept, and another goes on. Whatever was lost is the time since
//! something was kept last. A third process opens the key, signs and verifies. Fails if more than
//! `--lost MS` was lost, if a process took more memory than key generation states, or if loading
//! took more than `--load MS`. `--alg NAME` measures one set, and `--into FILE` replaces its row in
//! a report; `--place DIR` is the disk.

mod process;
mod worker;

use hasten_hbs::{KeyGeneration, Set};
use hasten_report::{Machine, argument, number};
use process::{Ended, Running};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const SETS: [&str; 3] = ["LMS_SHA256_M32_H25_W2", "XMSS-SHA2_20_256", "LMS_SHA256_M32_H20_W4"];
/// Holds what the program takes besides its heap: code, stacks, the standard library.
const PROGRAM: u64 = 16 << 20;

fn main() {
    if let Some(dir) = argument("--generate") {
        return worker::generate(Path::new(&dir));
    }
    if let Some(dir) = argument("--open") {
        return worker::open(Path::new(&dir));
    }
    let place = argument("--place").map_or_else(std::env::temp_dir, PathBuf::from);
    let place = place.join(format!("tall-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a place");
    let sets = argument("--alg").map_or_else(|| SETS.map(str::to_owned).to_vec(), |alg| vec![alg]);
    let mut rows = argument("--into").map_or_else(Vec::new, |file| others(&file, &sets));
    rows.extend(sets.iter().map(|name| row(&place, name)));
    let program = "cargo run --release -p hasten-keys --example tall --";
    hasten_report::publish("hasten.tall/1", program, Machine::this(), &rows)
        .expect("the report is written");
    drop(std::fs::remove_dir_all(&place));
}

/// Returns the rows of a report that are of none of these sets; none if there is no report.
fn others(file: &str, sets: &[String]) -> Vec<Value> {
    let sets: Vec<_> = sets.iter().map(|name| Set::named(name).expect("a set").name).collect();
    let report: Value = std::fs::read(file)
        .map_or(Value::Null, |text| serde_json::from_slice(&text).expect("a report"));
    let rows = report["rows"].as_array().cloned().unwrap_or_default();
    rows.into_iter().filter(|row| sets.iter().all(|set| row["alg"] != *set)).collect()
}

fn row(place: &Path, name: &str) -> Value {
    let set = Set::named(name).expect("a set");
    let dir = place.join(name.replace('/', "_"));
    let (killed, lost) = begin_and_kill(&dir, name);
    let (ended, rest) = Running::start("--generate", &dir, name).wait();
    let key: Value = Running::start("--open", &dir, name).wait().1;
    let bound = KeyGeneration::most_bytes(set, worker::threads()) as u64 + PROGRAM;
    let peak = killed.peak_bytes.max(rest["peak_bytes"].as_u64().expect("a number"));
    assert!(peak <= bound, "{name}: {peak} bytes, {bound} stated");
    let (kept, leaves) = (rest["resumed_at_leaf"].as_u64().expect("a number"), 1u64 << set.h);
    assert!(kept > 0 && kept < leaves, "{name}: went on at leaf {kept}");
    hold(name, &lost, &key);
    json!({
        "alg": set.name, "commit": hasten_report::commit(), "threads": worker::threads(), "leaves": leaves,
        "seconds": killed.seconds + ended.seconds, "cpu_seconds": killed.cpu_seconds + ended.cpu_seconds,
        "killed_after_seconds": killed.seconds, "resumed_at_leaf": kept, "lost_seconds": lost.as_secs_f64(),
        "peak_bytes": peak, "bound_bytes": bound, "cache_bytes": key["cache_bytes"],
        "load_us": key["load_us"], "first_sign_us": key["first_sign_us"], "sign_us": key["sign_us"],
        "verify_us": key["verify_us"], "load_peak_bytes": key["peak_bytes"],
    })
}

/// Starts a generation and kills it when the time has come and something has been kept; how long
/// ago that was.
fn begin_and_kill(dir: &Path, name: &str) -> (Ended, Duration) {
    let after = Duration::from_millis(number("--kill-after", 7500));
    let kept = || std::fs::metadata(dir.join("progress")).and_then(|file| file.modified()).ok();
    let mut running = Running::start("--generate", dir, name);
    while running.elapsed() < after || kept().is_none() {
        assert!(running.goes_on(), "{name} was whole before it was killed");
    }
    let ended = running.kill();
    let at = kept().expect("it was there");
    (ended, SystemTime::now().duration_since(at).unwrap_or_default())
}

/// Holds a row to what was promised.
fn hold(name: &str, lost: &Duration, key: &Value) {
    let most = Duration::from_millis(number("--lost", 4000));
    assert!(*lost <= most, "{name}: {lost:?} were lost");
    let (load, most) = (key["load_us"]["p50"].as_f64(), number("--load", 50) as f64 * 1e3);
    assert!(load.is_some_and(|load| load <= most), "{name}: loading took {load:?} us");
}
