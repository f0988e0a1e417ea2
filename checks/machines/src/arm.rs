//! `cargo xtask arm [--json]`: instructions of one compression, permutation or step of a chain on
//! 64-bit ARM.
//!
//! Builds the example `calls` of the kernels and runs it in QEMU, which writes a line for each
//! instruction that it runs. A run with more calls less one with fewer is the calls alone. No time
//! is measured: a CPU runs some of these instructions several at a time, and others slowly.

use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_chore::program;
use hasten_report::{Origin, Report, published_command};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const QEMU: &str = "qemu-aarch64";

/// The backends, as `Kernels::named` takes them.
const BACKENDS: [&str; 4] = ["portable", "neon", "arm-sha2", "arm-sha3"];

/// The kernels.
const KERNELS: [&str; 3] = ["SHA-256", "SHA-512", "Keccak"];

/// The work of a call, as the program takes it, and in how many parts it does it for each item.
const OPS: [(&str, u64); 2] = [("compress", 1), ("step", 15)];

/// Sizes of batches: a state alone, and states that fill the lanes of every backend.
const BATCHES: [u64; 2] = [1, 16];

/// Calls of the two runs.
const CALLS: [u64; 2] = [2, 4];

/// Builds, runs and prints.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let as_json = match args {
        [] => false,
        [flag] if flag == "--json" => true,
        _ => return Err(Failure::Usage("Usage: cargo xtask arm [--json]".into())),
    };
    let root = checkout::root()?;
    let rows = rows(&build(&root)?)?;
    if as_json {
        println!("{}", document(&rows)?);
    } else {
        print!("{}", table(&rows));
    }
    Ok(())
}

/// Builds the program and says where it lies.
fn build(root: &Path) -> Result<PathBuf, Failure> {
    let place = root.join("target/arm");
    let linker = format!("target.{TARGET}.linker=\"{LINKER}\"");
    let target_dir = place.display().to_string();
    let args = ["build", "--quiet", "--release", "--locked", "-p", "hasten-kernels"];
    let rest = [
        "--example",
        "calls",
        "--target",
        TARGET,
        "--target-dir",
        &target_dir,
        "--config",
        &linker,
    ];
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    program::run(cargo, &[&args[..], &rest].concat())?;
    Ok(place.join(TARGET).join("release/examples/calls"))
}

/// Returns a row for each kernel, operation, backend and batch.
fn rows(program: &Path) -> Result<Vec<Value>, Failure> {
    let mut rows = Vec::new();
    for alg in KERNELS {
        for (op, parts) in OPS {
            for backend in BACKENDS {
                for batch in BATCHES {
                    rows.push(row(program, [backend, alg, op], batch, parts)?);
                }
            }
        }
    }
    Ok(rows)
}

fn row(program: &Path, names: [&str; 3], batch: u64, parts: u64) -> Result<Value, Failure> {
    let [few, many] = CALLS.map(|calls| count(program, names, batch, calls));
    let [backend, alg, op] = names;
    let each = each(few?, many?, batch * parts);
    Ok(json!({ "alg": alg, "op": op, "backend": backend, "batch": batch, "instructions": each }))
}

/// Returns the instructions of one of the `parts` of a call, to a tenth.
fn each(few: u64, many: u64, parts: u64) -> f64 {
    let parts = (CALLS[1] - CALLS[0]) * parts;
    (many.saturating_sub(few) as f64 / parts as f64 * 10.0).round() / 10.0
}

/// Returns the instructions that the program runs.
fn count(program: &Path, names: [&str; 3], batch: u64, calls: u64) -> Result<u64, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Tool(format!("{QEMU}: {error}"));
    // One instruction in a block, and a line for each block that runs. The variable has another
    // name from QEMU 8.1 on.
    let mut child = Command::new(QEMU)
        .env("QEMU_SINGLESTEP", "1")
        .env("QEMU_ONE_INSN_PER_TB", "1")
        .args(["-cpu", "max", "-L", "/usr/aarch64-linux-gnu", "-d", "exec,nochain"])
        .arg(program)
        .args(names)
        .args([batch, calls].map(|number| number.to_string()))
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error))?;
    let lines = child.stderr.take().map_or(0, |log| lines_of(BufReader::new(log)));
    let status = child.wait().map_err(|error| failed(&error))?;
    if status.success() { Ok(lines) } else { Err(failed(&status)) }
}

/// Returns how many lines of the log are instructions that ran.
fn lines_of(log: impl BufRead) -> u64 {
    log.split(b'\n').map_while(Result::ok).filter(|line| line.starts_with(b"Trace ")).count() as u64
}

fn document(rows: &[Value]) -> Result<String, Failure> {
    let machine = json!({ "cpu": TARGET, "emulator": version(QEMU)?, "rustc": version("rustc")? });
    let command = published_command("cargo xtask");
    Ok(Report::new("hasten.arm/1", command, Origin::checked_out(), machine, rows).json())
}

/// Returns the first line of what a program says of its version.
fn version(program: &str) -> Result<String, Failure> {
    let printed = program::run(program, &["--version"])?;
    Ok(String::from_utf8_lossy(&printed).lines().next().unwrap_or_default().to_owned())
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
    fn only_what_ran_is_counted() {
        let log = "Linking TBs 0x7f\nTrace 0: 0x7f [00/40/00/01]\nTrace 0: 0x7f [00/44/00/01]\n";
        assert_eq!(lines_of(log.as_bytes()), 2);
    }

    #[test]
    fn calls_are_what_the_longer_run_adds() {
        assert!((each(1000, 1000 + 2 * 16 * 25, 16) - 25.0).abs() < 0.01);
    }

    #[test]
    fn an_unknown_flag_is_a_usage_error() {
        assert_eq!(run(&["--jsn".to_string()]).unwrap_err().status(), 2);
    }
}
