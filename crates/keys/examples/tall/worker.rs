//! The processes: one that generates, one that opens the key and uses it.

use crate::process::{cpu, peak};
use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::stateful::{Generation, NewStateful, Note, Sealed, Stateful, read_public_of};
use hasten_keys::verify::verify;
use hasten_report::argument;
use hasten_store::Options;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

const LOADS: usize = 15;
const SIGNATURES: usize = 200;
const MESSAGE: &[u8] = b"the first of many";

/// Threads of key generation: one for each core.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn options(dir: &Path) -> Options {
    Options::new().guard(dir.with_extension("guard"))
}

/// Generates the key in `dir`, from the beginning or from where it was broken off.
pub fn generate(dir: &Path) {
    let set = Set::named(&argument("--alg").expect("a name")).expect("a set");
    let new = NewStateful { set, reserve: 1, sectors: 1 };
    let generation = Generation::begin(dir, options(dir), new, None).expect("begun");
    let (mut first, mut said) = (None, Instant::now());
    let watch = &mut |progress: hasten_hbs::Progress| {
        first.get_or_insert(progress.done);
        if said.elapsed().as_secs() >= 5 {
            eprintln!("{}: {} of {} leaves", set.name, progress.done, progress.total);
            said = Instant::now();
        }
        ControlFlow::Continue(())
    };
    generation.run(Kernels::best(), threads(), watch).expect("generated");
    let (cpu_seconds, peak_bytes) = (cpu(std::process::id()), peak("self"));
    println!(
        "{}",
        json!({ "resumed_at_leaf": first, "cpu_seconds": cpu_seconds, "peak_bytes": peak_bytes })
    );
}

/// Opens the key in `dir` some times, then signs with it and verifies.
pub fn open(dir: &Path) {
    let kept = Sealed::of_store(dir).and_then(|sealed| sealed.open(None)).expect("a seed");
    let load = || Stateful::open(dir, options(dir), &kept, Kernels::best()).expect("opened");
    let loads = timed(LOADS, |_| drop(load().close().expect("closed")));
    let mut key = load();
    let mut signatures = Vec::new();
    let signs = timed(SIGNATURES, |_| signatures.push(sign(&mut key)));
    let public = read_public_of(dir).expect("a public key");
    let verifies = timed(SIGNATURES, |at| {
        verify(&public, &mut &MESSAGE[..], &signatures[at], Kernels::best()).expect("good");
    });
    let cache = std::fs::metadata(dir.join("cache")).expect("a cache").len();
    println!(
        "{}",
        json!({
            "load_us": spread(&loads), "first_sign_us": signs[0], "sign_us": spread(&signs),
            "verify_us": spread(&verifies), "cache_bytes": cache, "peak_bytes": peak("self"),
            "cpu_seconds": cpu(std::process::id()),
        })
    );
}

/// Reserves an index durably, signs with it and records that: what one signature takes in all.
fn sign(key: &mut Stateful<'_>) -> Vec<u8> {
    let ready = key.prepare_next(SignerLevel::None).expect("prepared");
    ready.finish(MESSAGE, Note::message()).expect("signed")
}

fn timed(runs: usize, mut work: impl FnMut(usize)) -> Vec<f64> {
    let one = |at| {
        let begun = Instant::now();
        work(at);
        begun.elapsed().as_secs_f64() * 1e6
    };
    (0..runs).map(one).collect()
}

/// Returns minimum, median, 99th percentile, maximum.
fn spread(times: &[f64]) -> Value {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    json!({ "min": at(0.0), "p50": at(0.5), "p99": at(0.99), "max": at(1.0) })
}
