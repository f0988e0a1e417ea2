//! `cargo xtask arm [--operations] [--json]`: instructions of one compression, permutation or chain
//! step on 64-bit ARM, or of whole XMSS operations.
//!
//! Builds the example `calls` of the kernels and runs it in QEMU, where a plugin counts the
//! instructions. The difference between a run with more calls and one with fewer gives the calls
//! alone. No time is measured: a CPU runs some of these instructions several at a time, and others
//! slowly.

mod emulator;
mod operations;

use emulator::{Emulator, TARGET, build, machine};
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_report::{Origin, Report, published_command};
use serde_json::{Value, json};
use std::path::Path;

/// The backends, by the names that `Kernels::named` accepts.
const BACKENDS: [&str; 4] = ["portable", "neon", "arm-sha2", "arm-sha3"];

/// The kernels.
const KERNELS: [&str; 3] = ["SHA-256", "SHA-512", "Keccak"];

/// The work of a call, by the program's name for it, and its number of parts per item.
const OPS: [(&str, u64); 2] = [("compress", 1), ("step", 15)];

/// Batch sizes: a single state, and enough states to fill the lanes of every backend.
const BATCHES: [u64; 2] = [1, 16];

/// Number of calls in the two runs.
const CALLS: [u64; 2] = [2, 4];

/// Builds and runs the program, and prints the results.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let is = |flag: &str| args.iter().any(|arg| arg == flag);
    if args.iter().any(|arg| !["--operations", "--json"].contains(&arg.as_str())) {
        return Err(Failure::Usage("Usage: cargo xtask arm [--operations] [--json]".into()));
    }
    let root = checkout::root()?;
    let (schema, rows, table) = match is("--operations") {
        true => {
            let rows = operations::rows(&root)?;
            ("hasten.arm-operations/1", rows, operations::table as fn(&[Value]) -> String)
        }
        false => ("hasten.arm/1", rows(&root)?, table as fn(&[Value]) -> String),
    };
    if is("--json") {
        let command = published_command("cargo xtask");
        let origin = Origin::checked_out();
        println!("{}", Report::new(schema, command, origin, machine()?, &rows).json());
    } else {
        print!("{}", table(&rows));
    }
    Ok(())
}

/// Returns a row for each kernel, operation, backend and batch.
fn rows(root: &Path) -> Result<Vec<Value>, Failure> {
    let program = build(root, ["hasten-kernels", "calls"], Some(TARGET))?;
    let emulator = Emulator::new(root)?;
    let mut rows = Vec::new();
    for alg in KERNELS {
        for (op, parts) in OPS {
            for backend in BACKENDS {
                for batch in BATCHES {
                    let count =
                        |calls| count(&emulator, &program, [backend, alg, op], [batch, calls]);
                    let [few, many] = CALLS.map(count);
                    let each = each(few?, many?, (CALLS[1] - CALLS[0]) * batch * parts);
                    rows.push(json!({
                        "alg": alg, "op": op, "backend": backend, "batch": batch,
                        "instructions": each,
                    }));
                }
            }
        }
    }
    Ok(rows)
}

/// Returns the number of instructions of the program with this batch size and number of calls.
fn count(
    emulator: &Emulator,
    program: &Path,
    [backend, alg, op]: [&str; 3],
    numbers: [u64; 2],
) -> Result<u64, Failure> {
    let [batch, calls] = numbers.map(|number| number.to_string());
    emulator.count(program, &[backend, alg, op, &batch, &calls])
}

/// Returns the instructions per part, rounded to a tenth. The longer run has `parts` parts more.
fn each(few: u64, many: u64, parts: u64) -> f64 {
    (many.saturating_sub(few) as f64 / parts as f64 * 10.0).round() / 10.0
}

fn table(rows: &[Value]) -> String {
    let cell = |row: &Value, key: &str| row[key].to_string().replace('"', "");
    let mut text = format!(
        "{:<10} {:<10} {:<10} {:>6} {:>14}\n",
        "kernel", "work", "backend", "batch", "each"
    );
    for row in rows {
        let [alg, op, backend] = ["alg", "op", "backend"].map(|key| cell(row, key));
        let [batch, each] = ["batch", "instructions"].map(|key| cell(row, key));
        text += &format!("{alg:<10} {op:<10} {backend:<10} {batch:>6} {each:>14}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_what_the_longer_run_adds() {
        assert!((each(1000, 1000 + 2 * 16 * 25, 2 * 16) - 25.0).abs() < 0.01);
    }

    #[test]
    fn an_unknown_flag_is_a_usage_error() {
        assert_eq!(run(&["--jsn".to_string()]).unwrap_err().status(), 2);
    }
}
