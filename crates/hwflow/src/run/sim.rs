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

/// Returns what the bench measured, or what the description states where there is no bench.
pub fn operations(core: &Core, unit: &Unit, point: &Point) -> Result<Vec<Op>, Failure> {
    operations_with(core, unit, point, &[])
}

/// Does the same with variables in the bench's environment.
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

/// Returns the bench of a point, built in a folder of this kind.
pub fn program(core: &Core, unit: &Unit, point: &Point, kind: &str) -> Result<PathBuf, Failure> {
    build(unit, point, &core.root, unit.bench.as_deref().unwrap_or_default(), kind, &[])
}

/// Returns the same compiled in a hurry: for a bench that runs once.
pub fn rough_program(
    core: &Core,
    unit: &Unit,
    point: &Point,
    kind: &str,
) -> Result<PathBuf, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    build(unit, point, &core.root, bench, kind, &["-MAKEFLAGS", "OPT_FAST=-O0"])
}

/// Returns the same compiled with care: for a bench that runs millions of cycles.
pub fn fast_program(core: &Core, unit: &Unit, point: &Point) -> Result<PathBuf, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    build(unit, point, &core.root, bench, "fast", &["-MAKEFLAGS", "OPT_FAST=-O3"])
}

/// Returns a bench that turns registers and takes the model back to where it was
/// (rtl/common/bench/held.h). The flags say which registers Verilator leaves open to it. Assertions
/// are left out: they speak of registers that nothing has turned.
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

/// Returns such a bench whose model has nothing open, and is faster.
pub fn closed_program(
    core: &Core,
    unit: &Unit,
    point: &Point,
    bench: &str,
    flags: &[&str],
) -> Result<PathBuf, Failure> {
    build(unit, point, &core.root, bench, "closed", flags)
}

/// Returns the bench on a netlist of the point, in which its parameters are settled.
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

/// The folder of benches that turn registers. A model that is open has its parameters as names,
/// which macros would replace.
const OPEN: &str = "open";

/// The folder of benches on netlists.
const NETLIST: &str = "netlist";

/// Returns the bench with counters at every line, branch and bit of the RTL; its models write them
/// into the folder `HASTEN_COVERAGE` (rtl/common/bench/clocked.h).
pub fn counting_program(core: &Core, unit: &Unit, point: &Point) -> Result<PathBuf, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    build(unit, point, &core.root, bench, "coverage", &COUNTING)
}

/// Flags for counters at lines and branches, and at bits. Verilator saves no model that has them.
const COUNTING: [&str; 2] = ["--coverage-line", "--coverage-toggle"];

/// Runs the bench with its ports recorded into a file; what it says of its operations, a line each.
pub fn record(core: &Core, unit: &Unit, point: &Point, file: &Path) -> Result<String, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    let flags = ["--trace-vcd", "--trace-depth", "1", "-CFLAGS", "-DRECORD"];
    let program = build(unit, point, &core.root, bench, "record", &flags)?;
    tool::output(Command::new(program).arg(file))
}

/// Returns the bench with the ports of its models recorded.
pub fn recording(core: &Core, unit: &Unit, point: &Point) -> Result<PathBuf, Failure> {
    let bench = unit.bench.as_deref().unwrap_or_default();
    let flags = ["--trace-vcd", "--trace-depth", "1", "-CFLAGS", "-DPORTS"];
    build(unit, point, &core.root, bench, "ports", &flags)
}

/// Runs it with some arguments until so many cycles are written, and returns the files: FILE.1,
/// FILE.2 and on, one for each model. Registers hold zeros, ones or random bits at the beginning.
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
        "OPT_FAST=-O1", // what runs once stays unoptimised: it is half of the text
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
