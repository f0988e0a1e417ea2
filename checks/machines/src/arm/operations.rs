//! `cargo xtask arm --operations [--json]`: instructions of whole XMSS and XMSS^MT operations on
//! 64-bit ARM, for the parameter sets of source 003's benchmark.
//!
//! Generates each key on this machine with the example `operations` of hbs. The emulated program
//! loads it. The difference between a run with more operations and one with fewer gives the
//! operations alone.

use super::emulator::{Emulator, TARGET, build};
use hasten_chore::failure::Failure;
use hasten_chore::program;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Parameter sets of the benchmark.
const SETS: [&str; 7] = [
    "XMSS-SHA2_10_256",
    "XMSSMT-SHA2_20/2_256",
    "XMSSMT-SHA2_20/4_256",
    "XMSSMT-SHA2_40/4_256",
    "XMSSMT-SHA2_40/8_256",
    "XMSSMT-SHA2_60/6_256",
    "XMSSMT-SHA2_60/12_256",
];

/// The code to run: the best for this CPU, and the portable one.
const CODES: [&str; 2] = ["best", "portable"];

/// An operation, and how often each of the two runs performs it.
struct Op {
    name: &'static str,
    counts: [u64; 2],
}

const HASH: Op = Op { name: "hash-mib", counts: [1, 3] };

/// The means are over signatures that follow others, as in the benchmark.
const OPS: [Op; 2] =
    [Op { name: "sign", counts: [16, 80] }, Op { name: "verify", counts: [8, 16] }];

/// Returns a row for each set, operation and code.
pub(super) fn rows(root: &Path) -> Result<Vec<Value>, Failure> {
    let here = build(root, ["hasten-hbs", "operations"], None)?;
    let there = build(root, ["hasten-hbs", "operations"], Some(TARGET))?;
    let emulator = Emulator::new(root)?;
    let mut rows = Vec::new();
    for code in CODES {
        rows.push(row(&emulator, &there, &HASH, [code, "SHA-256", ""])?);
    }
    for alg in SETS {
        eprintln!("{alg}");
        let folder = made(root, &here, alg)?;
        let folder = folder.display().to_string();
        for code in CODES {
            for op in &OPS {
                rows.push(row(&emulator, &there, op, [code, alg, &folder])?);
            }
        }
    }
    Ok(rows)
}

/// Generates a key in a folder of its own.
fn made(root: &Path, program: &Path, alg: &str) -> Result<PathBuf, Failure> {
    let folder = root.join("target/arm/keys").join(alg.replace('/', "_"));
    std::fs::create_dir_all(&folder).map_err(|error| Failure::Io(folder.clone(), error))?;
    program::run(program, &["make", "best", alg, &folder.display().to_string(), "16"])?;
    Ok(folder)
}

fn row(
    emulator: &Emulator,
    program: &Path,
    op: &Op,
    [code, alg, folder]: [&str; 3],
) -> Result<Value, Failure> {
    let count = |times: u64| {
        let times = times.to_string();
        emulator.count(program, &[op.name, code, alg, folder, &times])
    };
    let [few, many] = op.counts.map(count);
    let each = super::each(few?, many?, op.counts[1] - op.counts[0]).round();
    let table = "arm-operations";
    Ok(
        json!({ "table": table, "alg": alg, "op": op.name, "code": code, "instructions": each as u64 }),
    )
}

/// Returns the rows as a readable table.
pub(super) fn table(rows: &[Value]) -> String {
    let cell = |row: &Value, key: &str| row[key].to_string().replace('"', "");
    let line = |row: &Value| {
        let [alg, op, code] = ["alg", "op", "code"].map(|key| cell(row, key));
        format!("{alg:<22} {op:<10} {code:<10} {:>14}\n", cell(row, "instructions"))
    };
    let head = format!("{:<22} {:<10} {:<10} {:>14}\n", "set", "operation", "code", "instructions");
    head + &rows.iter().map(line).collect::<String>()
}
