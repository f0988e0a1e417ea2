//! `cargo xtask x86 [--json]`: instructions of a full vector of AVX-512, by kind.
//!
//! Builds the example `calls` of the kernels and runs it one instruction at a time (`step.c`). The
//! difference between a run with more calls and one with fewer gives the calls alone. The program's
//! listing gives the kind of each instruction. The plain operations of a compression or permutation
//! are the limit that `hasten bench kernels` measures on the ports. Arranging states and blocks in
//! lanes adds to them.

use crate::listing::{KINDS, Listing};
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_chore::program;
use hasten_report::{Origin, Report, published_command};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A kernel, its lanes, and the minimum operations of one compression or permutation
/// (docs/kernels.md, "Counting operations").
const KERNELS: [(&str, u64, u64); 3] =
    [("SHA-256", 16, 1624), ("SHA-512", 8, 2072), ("Keccak", 8, 24 * 90)];

/// The work of a call, by the program's name for it, and its number of parts.
const OPS: [(&str, u64); 2] = [("compress", 1), ("step", 15)];

/// Number of calls in the two runs.
const CALLS: [u64; 2] = [2, 6];

/// Number of times that the instruction at each address ran.
type Runs = BTreeMap<u64, u64>;

/// Paths of the built programs.
struct Programs {
    stepper: PathBuf,
    calls: PathBuf,
}

/// Builds and runs the programs, and prints the results.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let as_json = match args {
        [] => false,
        [flag] if flag == "--json" => true,
        _ => return Err(Failure::Usage("Usage: cargo xtask x86 [--json]".into())),
    };
    let rows = rows(&build(&checkout::root()?)?)?;
    if as_json {
        println!("{}", document(&rows)?);
    } else {
        print!("{}", table(&rows));
    }
    Ok(())
}

fn build(root: &Path) -> Result<Programs, Failure> {
    let place = root.join("target/x86");
    let target_dir = place.display().to_string();
    let args = ["build", "--quiet", "--release", "--locked", "-p", "hasten-kernels"];
    let rest = ["--example", "calls", "--target-dir", &target_dir];
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    program::run(cargo, &[&args[..], &rest].concat())?;
    let stepper = place.join("step");
    let source = root.join("checks/machines/step.c").display().to_string();
    program::run("cc", &["-O2", "-Wall", "-o", &stepper.display().to_string(), &source])?;
    Ok(Programs { stepper, calls: place.join("release/examples/calls") })
}

/// Returns a row for each kernel and operation.
fn rows(programs: &Programs) -> Result<Vec<Value>, Failure> {
    let printed = program::run("objdump", &["-d", "--no-show-raw-insn", &text(&programs.calls)])?;
    let listing = Listing::read(&String::from_utf8_lossy(&printed));
    let mut rows = Vec::new();
    for (alg, lanes, limit) in KERNELS {
        for (op, parts) in OPS {
            let [few, many] = CALLS.map(|calls| step(programs, [alg, op], lanes, calls));
            let counts = counts(&listing, &few?, &many?, parts);
            rows.push(row([alg, op], lanes, limit, &counts));
        }
    }
    Ok(rows)
}

/// Returns the instructions of each kind in one part of a call, to a tenth.
fn counts(listing: &Listing, few: &Runs, many: &Runs, parts: u64) -> BTreeMap<&'static str, f64> {
    let mut sums = BTreeMap::from(KINDS.map(|kind| (kind, 0)));
    for (address, times) in many {
        let times = times.saturating_sub(few.get(address).copied().unwrap_or(0));
        *sums.entry(listing.kind(*address)).or_insert(0) += times;
    }
    let parts = ((CALLS[1] - CALLS[0]) * parts) as f64;
    sums.into_iter().map(|(kind, sum)| (kind, (sum as f64 / parts * 10.0).round() / 10.0)).collect()
}

fn row(
    [alg, op]: [&str; 2],
    lanes: u64,
    limit: u64,
    counts: &BTreeMap<&'static str, f64>,
) -> Value {
    let least = (counts["arithmetic"] + counts["shuffles"]) / limit as f64;
    let mut row = json!({
        "alg": alg, "op": op, "backend": "avx512", "batch": lanes, "limit": limit,
        "least_over_limit": (least * 100.0).round() / 100.0,
    });
    for (kind, count) in counts {
        row[*kind] = json!(count);
    }
    row
}

/// Runs the program step by step, and counts how often each instruction ran.
fn step(
    programs: &Programs,
    [alg, op]: [&str; 2],
    lanes: u64,
    calls: u64,
) -> Result<Runs, Failure> {
    let (calls, lanes) = (calls.to_string(), lanes.to_string());
    let args = [&text(&programs.calls), "avx512", alg, op, &lanes, &calls];
    let printed = program::run(&programs.stepper, &args)?;
    String::from_utf8_lossy(&printed)
        .lines()
        .map(|line| {
            let (address, times) = line.split_once(' ')?;
            Some((u64::from_str_radix(address, 16).ok()?, times.parse().ok()?))
        })
        .collect::<Option<Runs>>()
        .ok_or_else(|| Failure::Tool("step.c: no line of an address and a number".into()))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn document(rows: &[Value]) -> Result<String, Failure> {
    let printed = program::run("rustc", &["--version"])?;
    let rustc = String::from_utf8_lossy(&printed).trim().to_owned();
    let machine = json!({ "cpu": "any with AVX-512, stepped", "rustc": rustc });
    let command = published_command("cargo xtask");
    Ok(Report::new("hasten.x86/1", command, Origin::checked_out(), machine, rows).json())
}

fn table(rows: &[Value]) -> String {
    let keys = ["alg", "op", "limit", "arithmetic", "shuffles", "least_over_limit"];
    let rest = ["moves", "loads", "stores", "plain"];
    let line = |cells: Vec<String>| {
        cells.iter().map(|cell| format!("{cell:>17}")).collect::<String>() + "\n"
    };
    let keys: Vec<&str> = keys.into_iter().chain(rest).collect();
    let mut text = line(keys.iter().map(|key| (*key).to_owned()).collect());
    for row in rows {
        text += &line(keys.iter().map(|key| row[*key].to_string().replace('"', "")).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_longer_run_adds_is_counted_by_kind() {
        let listing =
            Listing::read("  10:\tvpaddd %zmm0,%zmm1,%zmm2\n  16:\tvmovdqu64 %zmm0,(%rdi)\n");
        let few = Runs::from([(0x10, 5), (0x16, 1)]);
        let many = Runs::from([(0x10, 5 + 8), (0x16, 1 + 4)]);
        let counts = counts(&listing, &few, &many, 1);
        assert!((counts["arithmetic"] - 2.0).abs() < 0.01);
        assert!((counts["stores"] - 1.0).abs() < 0.01);
        assert!(counts["plain"].abs() < 0.01);
    }

    #[test]
    fn an_unknown_flag_is_a_usage_error() {
        assert_eq!(run(&["--jsn".to_string()]).unwrap_err().status(), 2);
    }
}
