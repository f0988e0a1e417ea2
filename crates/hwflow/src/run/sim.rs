//! `hw sim`: builds the model of a point with the core's bench, and runs it.

use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::row::Op;
use crate::core::tool;
use crate::run::runtime;
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the benches of the chosen cores.
pub fn run(options: &Options) -> Result<(), Failure> {
    for core in Core::chosen(options)? {
        for unit in &core.unit {
            for point in &unit.points {
                for op in operations(&core, unit, point)? {
                    println!("{} {} {}", unit.top, point.slug(), op.line());
                }
            }
        }
    }
    Ok(())
}

/// Returns the operations that the bench measured, or those of the description if there is no
/// bench.
pub fn operations(core: &Core, unit: &Unit, point: &Point) -> Result<Vec<Op>, Failure> {
    operations_with(core, unit, point, &[])
}

/// Like [`operations`], but sets variables in the environment of the bench.
pub fn operations_with(
    core: &Core,
    unit: &Unit,
    point: &Point,
    variables: &[(&str, String)],
) -> Result<Vec<Op>, Failure> {
    let Some(bench) = &unit.bench else { return Ok(unit.ops.clone()) };
    let variables = variables.iter().map(|(name, value)| (name, value));
    let text = tool::output(Command::new(program(core, unit, point, "sim")?).envs(variables))?;
    text.lines()
        .map(|line| {
            serde_json::from_str(line)
                .map_err(|fault| Failure::Form(bench.into(), format!("{line}: {fault}")))
        })
        .collect()
}

/// Builds the bench of a point in the work folder `kind`, and returns the path of the program.
pub fn program(core: &Core, unit: &Unit, point: &Point, kind: &str) -> Result<PathBuf, Failure> {
    build(unit, point, &core.root, unit.bench.as_deref().unwrap_or_default(), kind, &[])
}

/// Like [`program`], but compiled without optimisation, for a bench that runs once.
pub fn rough_program(
    core: &Core,
    unit: &Unit,
    point: &Point,
    kind: &str,
) -> Result<PathBuf, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    build(unit, point, &core.root, bench, kind, &["-MAKEFLAGS", "OPT_FAST=-O0"])
}

/// Like [`program`], but compiled with more optimisation, for a bench that runs millions of cycles.
pub fn fast_program(core: &Core, unit: &Unit, point: &Point) -> Result<PathBuf, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    build(unit, point, &core.root, bench, "fast", &["-MAKEFLAGS", "OPT_FAST=-O3"])
}

/// Builds a bench that flips register bits and returns its model to an earlier state
/// (rtl/common/bench/held.h). The flags choose the registers that Verilator makes accessible to the
/// bench. Assertions are left out, because they assume that no register was changed.
pub fn open_program(
    core: &Core,
    unit: &Unit,
    point: &Point,
    bench: &str,
    flags: &[&str],
) -> Result<PathBuf, Failure> {
    let unit = Unit { asserts: Vec::new(), ..unit.clone() };
    build(&unit, point, &core.root, bench, OPEN, flags)
}

/// Like [`open_program`], but nothing in the model is accessible, which makes it faster.
pub fn closed_program(
    core: &Core,
    unit: &Unit,
    point: &Point,
    bench: &str,
    flags: &[&str],
) -> Result<PathBuf, Failure> {
    build(unit, point, &core.root, bench, "closed", flags)
}

/// Builds the bench with a netlist of the point as its model. The parameters of a netlist are
/// fixed.
pub fn netlist_program(
    core: &Core,
    unit: &Unit,
    point: &Point,
    netlist: &Path,
) -> Result<PathBuf, Failure> {
    let files = vec![netlist.display().to_string()];
    let unit = Unit { files, others: Vec::new(), asserts: Vec::new(), ..unit.clone() };
    let bench = unit.bench.as_deref().unwrap_or_default();
    build(&unit, point, &core.root, bench, NETLIST, &[])
}

/// Work folder of benches that flip register bits. Parameters are names in an accessible model, so
/// they must not be defined as macros.
const OPEN: &str = "open";

/// Work folder of benches on netlists.
const NETLIST: &str = "netlist";

/// Builds the bench with counters at every line, branch and bit of the RTL. Its models write them
/// into the folder `HASTEN_COVERAGE` (rtl/common/bench/clocked.h).
pub fn counting_program(core: &Core, unit: &Unit, point: &Point) -> Result<PathBuf, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    build(unit, point, &core.root, bench, "coverage", &COUNTING)
}

/// Flags for counters at lines and branches, and at bits. Verilator cannot save a model that has
/// them.
const COUNTING: [&str; 2] = ["--coverage-line", "--coverage-toggle"];

/// Runs the bench with its ports recorded to a file, and returns its output: one line per
/// operation.
pub fn record(core: &Core, unit: &Unit, point: &Point, file: &Path) -> Result<String, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    let flags = ["--trace-vcd", "--trace-depth", "1", "-CFLAGS", "-DRECORD"];
    let program = build(unit, point, &core.root, bench, "record", &flags)?;
    tool::output(Command::new(program).arg(file))
}

/// Builds the bench so that it records the ports of its models.
pub fn recording(core: &Core, unit: &Unit, point: &Point) -> Result<PathBuf, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    let flags = ["--trace-vcd", "--trace-depth", "1", "-CFLAGS", "-DPORTS"];
    build(unit, point, &core.root, bench, "ports", &flags)
}

/// Runs the program until this number of cycles is recorded, and returns the files: FILE.1, FILE.2
/// and so on, one per model. `held` chooses the initial content of registers: zeros, ones or random
/// bits.
pub fn record_ports(
    program: &Path,
    arguments: &[&str],
    file: &Path,
    cycles: u64,
    held: usize,
) -> Result<Vec<PathBuf>, Failure> {
    let numbered = |number: usize| PathBuf::from(format!("{}.{number}", file.display()));
    let there = |number: &usize| numbered(*number).is_file();
    for old in (1..).take_while(there) {
        std::fs::remove_file(numbered(old)).map_err(|fault| Failure::Io(numbered(old), fault))?;
    }
    let given = [("HASTEN_CYCLES", cycles.to_string()), ("HASTEN_HELD", held.to_string())];
    let mut bench = Command::new(program);
    tool::output(bench.args(arguments).env("HASTEN_PORTS", file).envs(given))?;
    Ok((1..).take_while(there).map(numbered).collect())
}

fn build(
    unit: &Unit,
    point: &Point,
    root: &Path,
    bench: &str,
    kind: &str,
    more: &[&str],
) -> Result<PathBuf, Failure> {
    let folder = tool::work(&format!("{kind}/{}_{}", unit.top, point.slug()))?;
    let headers = checkout::root()?.join("rtl/common/bench");
    let mut flags = vec![format!("-I{}", headers.display())];
    if kind != OPEN {
        flags.extend(point.flags("-D"));
    }
    let mut command = Command::new(tool::pinned("verilator")?);
    command.args([
        "--cc",
        "--exe",
        "--build",
        "-O3",
        "--quiet",
        "-Wno-fatal",
        "--x-initial",
        "unique", // registers hold anything before a reset (rtl/common/bench/clocked.h)
        "-j",
        "0",
        "-MAKEFLAGS",
        "OPT_FAST=-O1", // code that runs once stays unoptimised: it is half of the code
        "--prefix",
        "Vtop",
        "--top-module",
        &unit.top,
    ]);
    if !more.contains(&COUNTING[0]) {
        command.arg("--savable"); // benches compare what models hold (rtl/common/bench/held.h)
    }
    command.args(more).arg("-Mdir").arg(&folder).arg("-CFLAGS").arg(flags.join(" "));
    if kind != NETLIST {
        command.args(point.flags("-G"));
    }
    command.args(unit.sources(root));
    if !unit.asserts.is_empty() {
        command.arg("--assert").args(unit.asserts.iter().map(|file| root.join(file)));
    }
    command.arg(root.join(bench));
    let kept = runtime::kept(more)?;
    for flag in runtime::lend(&kept, &folder)? {
        command.args(["-MAKEFLAGS", &flag]);
    }
    tool::output(&mut command)?;
    runtime::keep(&folder, &kept)?;
    Ok(folder.join("Vtop"))
}
