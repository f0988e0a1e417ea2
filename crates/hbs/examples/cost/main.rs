//! Measures the cost of keys by their size, on all cores:
//! `cargo run --release -p hasten-hbs --example cost`.
//!
//! The program measures key generation by height, interrupted halfway and resumed from the saved
//! progress; loading a key from its cache, including the tallest keys; verification by layers and
//! levels; and signing by message length, with streamed messages. `peak_bytes` is the peak memory
//! of the process up to then.

mod tallest;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::slhdsa::{Context, SigningKey};
use hasten_hbs::{self as hbs, Error, KeyGeneration, Set, Signer, SignerLevel, Verifier};
use hasten_kernels::Kernels;
use hasten_report::{Machine, Summary, micros};
use serde_json::{Value, json};

/// Sets by height.
const HEIGHTS: [&str; 7] = [
    "LMS_SHA256_M32_H5_W4",
    "LMS_SHA256_M32_H10_W4",
    "LMS_SHA256_M32_H15_W4",
    "LMS_SHA256_M32_H20_W4",
    "XMSS-SHA2_10_256",
    "XMSS-SHA2_16_256",
    "XMSS-SHA2_20_256",
];

/// Sets by number of layers or levels.
const LAYERS: [&str; 10] = [
    "XMSS-SHA2_10_256",
    "XMSSMT-SHA2_20/2_256",
    "XMSSMT-SHA2_20/4_256",
    "XMSSMT-SHA2_40/8_256",
    "XMSSMT-SHA2_60/12_256",
    "LMS_SHA256_M32_H5_W4",
    "L2_H5_W4",
    "L4_H5_W4",
    "L6_H5_W4",
    "L8_H5_W4",
];

/// Number of message bytes in memory at a time.
const CHUNK: usize = 1 << 20;

/// Message lengths in bytes. Messages longer than [`CHUNK`] are streamed in chunks.
const LENGTHS: [usize; 5] = [64, 1 << 12, 1 << 20, 1 << 26, 1 << 30];

fn main() {
    let most: u32 = std::env::args().nth(1).map_or(20, |h| h.parse().expect("the tallest tree"));
    let mut rows = Vec::new();
    for set in HEIGHTS.into_iter().map(named).filter(|set| set.h <= most) {
        eprintln!("{}", set.name);
        rows.extend(generate(set));
    }
    rows.extend(tallest::rows());
    rows.extend(LAYERS.into_iter().map(named).map(verify));
    rows.extend(LENGTHS.map(sign));
    rows.extend(LENGTHS.map(sign_stateless));
    let backend = Kernels::available().last().map_or("portable", |(name, _)| name);
    let program = "cargo run --release -p hasten-hbs --example cost --";
    hasten_report::publish("hasten.cost/1", program, Machine::with(backend), &rows)
        .expect("the report is written");
}

fn named(name: &str) -> &'static Set {
    Set::named(name).expect("a set of the table")
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn seed(set: &Set) -> Vec<u8> {
    (0..set.seed_bytes()).map(|i| i as u8).collect()
}

/// Returns the peak memory of the process, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|k| k.parse().ok()).map_or(0, |k: u64| k << 10)
}

/// Returns the summary of the times of several runs, in microseconds.
fn least(runs: usize, mut work: impl FnMut()) -> Summary {
    let time = |_| {
        let began = Instant::now();
        work();
        micros(began.elapsed())
    };
    Summary::of(&(0..runs).map(time).collect::<Vec<_>>())
}

/// Generates a key, interrupted halfway, and then loads it.
fn generate(set: &'static Set) -> [Value; 2] {
    let (seed, kernels) = (seed(set), Kernels::best());
    let began = Instant::now();
    let mut first = KeyGeneration::new(set, &seed, kernels).expect("a seed");
    let half = first.run(threads(), &mut |progress| match progress.done * 2 < progress.total {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    assert!(matches!(half, Err(Error::Stopped)));
    let kept = first.partial();
    drop(first);
    let mut second = KeyGeneration::new(set, &seed, kernels).expect("a seed");
    second.resume(&kept).expect("what was kept");
    let signer = second.run(threads(), &mut |_| ControlFlow::Continue(())).expect("the rest");
    let seconds = began.elapsed().as_secs_f64();
    let cache = signer.to_cache();
    let row = json!({
        "alg": set.name, "op": "keygen", "size": set.h, "threads": threads(),
        "seconds": (seconds * 1e3).round() / 1e3, "kept_bytes": kept.len(),
        "cache_bytes": cache.len(), "signer_bytes": signer.bytes(), "peak_bytes": peak(),
    });
    [row, load(set, &seed, &signer, &cache)]
}

fn load(set: &'static Set, seed: &[u8], signer: &Signer<'_>, cache: &[u8]) -> Value {
    let key = signer.public_key();
    let time_us = least(9, || {
        let next = set.capacity() / 3;
        black_box(
            hbs::load(key, seed, cache, &Throwaway::starting_at(next), Kernels::best())
                .expect("its own cache"),
        );
    });
    json!({
        "alg": set.name, "op": "load", "size": set.h, "threads": 1, "time_us": time_us,
        "cache_bytes": cache.len(), "peak_bytes": peak(),
    })
}

fn verify(set: &'static Set) -> Value {
    let mut signer = hbs::generate(set, &seed(set), Kernels::best()).expect("a seed");
    let permit = Throwaway::new().permit();
    let prepared = signer.prepare(permit, SignerLevel::Secrets).expect("the first index");
    let signature = prepared.finish(&[7; 64]).expect("a permit that holds");
    let verifier = Verifier::new(signer.public_key(), Kernels::best());
    let time_us = least(200, || {
        verifier.verify(&[7; 64], signature.as_bytes()).expect("its own signature");
    });
    json!({
        "alg": set.name, "op": "verify", "size": set.d, "threads": 1, "time_us": time_us,
        "bytes": signature.as_bytes().len(), "peak_bytes": peak(),
    })
}

/// Signs a message of `length` bytes that is streamed in chunks.
fn sign(length: usize) -> Value {
    let set = named("XMSS-SHA2_10_256");
    let chunk = vec![0x5a; CHUNK.min(length)];
    let mut signer = hbs::generate(set, &seed(set), Kernels::best()).expect("a seed");
    let mut permits = Throwaway::new();
    let time_us = least(if length > CHUNK { 3 } else { 99 }, || {
        let prepared = signer.prepare(permits.permit(), SignerLevel::Secrets);
        let mut prepared = prepared.expect("an index is left");
        (0..length / chunk.len()).for_each(|_| prepared.update(&chunk));
        black_box(prepared.finish(&[]).expect("a permit that holds"));
    });
    json!({
        "alg": set.name, "op": "sign", "size": length, "threads": 1, "time_us": time_us,
        "peak_bytes": peak(),
    })
}

/// Signs with SLH-DSA, which reads the message twice, as [`sign`] does with XMSS.
fn sign_stateless(length: usize) -> Value {
    let set = named("SLH-DSA-SHA2-128f");
    let chunk = vec![0x5a; CHUNK.min(length)];
    let key = SigningKey::from_seed(&Kernels::best(), set, &seed(set)).expect("a seed");
    key.sign(Context::EMPTY, &[], None).expect("a message");
    let parts: Vec<&[u8]> = (0..length / chunk.len()).map(|_| &chunk[..]).collect();
    let time_us = least(if length > CHUNK { 3 } else { 49 }, || {
        black_box(key.sign_internal(&parts, None).expect("a message"));
    });
    json!({
        "alg": set.name, "op": "sign", "size": length, "threads": 1, "time_us": time_us,
        "peak_bytes": peak(),
    })
}
