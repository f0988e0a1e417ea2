//! Replays the calls of ML-KEM-768 and ML-DSA-65 (`vectors/pqc-calls`) on the unit, with four
//! contexts and with one.
//!
//! `HASTEN_RESULT=results/rtl-pqc.json` keeps the cycles.

use crate::sponge::sponge;
use crate::{keep, unit};
use hasten_rtlsim::sha3::Sha3Unit;
use hasten_rtlsim::sha3_job::{Eager, Job, run};
use std::collections::BTreeSet;
use std::path::Path;

/// A call: name, rate in lanes, suffix, message, number of output bytes, and beginning of the
/// output.
struct Call {
    function: String,
    rate: u8,
    suffix: u8,
    message: Vec<u8>,
    length: usize,
    begins: Vec<u8>,
}

/// An operation: waves of calls.
struct Operation {
    name: String,
    waves: Vec<Vec<Call>>,
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks_exact(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn call(words: &[&str]) -> Call {
    let (rate, suffix) = match words[1] {
        "sha3-256" => (17, 0x06),
        "sha3-512" => (9, 0x06),
        "shake128" => (21, 0x1f),
        "shake256" => (17, 0x1f),
        other => panic!("{other}"),
    };
    let (message, begins) = (bytes(words[2].trim_matches('-')), bytes(words[4]));
    let length = words[3].parse().unwrap();
    Call { function: words[1].into(), rate, suffix, message, length, begins }
}

fn operations() -> Vec<Operation> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/pqc-calls/calls.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut operations: Vec<Operation> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("op ") {
            operations.push(Operation { name: name.into(), waves: Vec::new() });
            continue;
        }
        let words: Vec<&str> = line.split(' ').collect();
        let waves = &mut operations.last_mut().unwrap().waves;
        waves.resize_with(words[0].parse::<usize>().unwrap() + 1, Vec::new);
        waves.last_mut().unwrap().push(call(&words));
    }
    operations
}

/// Runs the waves one after another, and returns the cycles of all.
fn replay(unit: &Sha3Unit, operation: &Operation, tag: Option<u8>) -> u64 {
    let mut cycles = 0;
    for wave in &operation.waves {
        let job = |call: &Call| Job {
            tag,
            ..Job::hash(call.rate, call.suffix, &call.message, call.length)
        };
        let mut jobs: Vec<Job> = wave.iter().map(job).collect();
        cycles += run(unit, &mut jobs, &mut Eager);
        for (job, call) in jobs.iter().zip(wave) {
            assert!(job.output.starts_with(&call.begins), "{}", operation.name);
            let wanted = sponge(call.rate, call.suffix, &call.message, call.length);
            assert_eq!(job.output, wanted, "{}", operation.name);
        }
    }
    cycles
}

fn permutations(call: &Call) -> usize {
    let rate = 8 * usize::from(call.rate);
    call.message.len() / rate + call.length.div_ceil(rate)
}

#[test]
fn the_calls_of_ml_kem_and_ml_dsa() {
    let Some(unit) = unit() else { return };
    let mut rows = Vec::new();
    for operation in operations() {
        let calls: Vec<&Call> = operation.waves.iter().flatten().collect();
        let blocks: usize = calls.iter().map(|call| permutations(call)).sum();
        let (four, one) = (replay(&unit, &operation, None), replay(&unit, &operation, Some(0)));
        assert!(four < one && one > 48 * blocks as u64, "{}: {four}, {one}", operation.name);
        assert!(four > 12 * blocks as u64, "{}: {four} cycles, {blocks} blocks", operation.name);
        let functions: BTreeSet<&str> = calls.iter().map(|call| call.function.as_str()).collect();
        let functions = functions.into_iter().collect::<Vec<_>>().join(", ").to_uppercase();
        rows.push(format!(
            r#"{{"op":"{}","functions":"{functions}","calls":{},"permutations":{blocks},"cycles":{four},"cycles_one_context":{one}}}"#,
            operation.name,
            calls.len()
        ));
    }
    assert_eq!(rows.len(), 6);
    println!("{}", rows.join("\n"));
    keep("pqc", &[], "replay", &rows);
}
