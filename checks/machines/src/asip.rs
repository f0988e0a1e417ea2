//! `cargo xtask hw asip [STAGE] [--check] [--json]`: signing and verification on the processor of
//! `rtl/asip`, in cycles of its simulation.
//!
//! Builds the programs of `checks/asip/`, runs each on the machine that it is for, and keeps what
//! they say in `results/asip.json`. A program ends with an error if a verdict, a signature or a
//! hash is wrong. With a stage the rows of the others stay. `--check` runs the short programs,
//! compares their rows with those that are kept, and changes nothing.
//!
//! Area and path of a machine come from its rows in `results/hardware.json`, where it has any.

use hasten_chore::checkout;
use hasten_chore::failure::{self, Failure, read};
use hasten_report::{Origin, Report, Unneeded};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "riscv32imac-unknown-none-elf";

/// Loads and stores of words may lie anywhere, and nothing needs to be atomic: the processor has no
/// such instructions, and one thread runs.
const FLAGS: &str = "-C passes=lower-atomic -C target-feature=+unaligned-scalar-mem";

/// The extensions of a machine with `bits`.
const BITS: &str = ",+zba,+zbb,+zbs";

/// The library that a machine's area and path are of.
const LIBRARY: &str = "sg13g2_stdcell_typ_1p20V_25C";

/// A program on a machine.
struct Rung {
    stage: &'static str,
    program: &'static str,
    /// Parameters of the machine.
    params: &'static [(&'static str, i64)],
    /// Seconds, so that a test runs it.
    short: bool,
}

const PLAIN: [(&str, i64); 1] = [("stage", 0)];
const WITH_BITS: [(&str, i64); 2] = [("stage", 0), ("bits", 1)];
const GENERIC: [(&str, i64); 3] = unit(1, 1, 1);

const RUNGS: [Rung; 14] = [
    Rung { stage: "software", program: "short", params: &PLAIN, short: true },
    Rung { stage: "software", program: "software", params: &PLAIN, short: false },
    Rung { stage: "software", program: "software", params: &WITH_BITS, short: false },
    Rung { stage: "generic", program: "generic_compared", params: &GENERIC, short: true },
    Rung { stage: "generic", program: "generic", params: &GENERIC, short: true },
    Rung { stage: "refined", program: "refined", params: &unit(2, 1, 1), short: true },
    Rung { stage: "refined", program: "refined", params: &unit(2, 1, 2), short: false },
    Rung { stage: "refined", program: "refined_sets", params: &unit(2, 1, 1), short: false },
    Rung { stage: "refined", program: "refined_compared", params: &unit(2, 2, 1), short: false },
    Rung { stage: "refined", program: "refined_lanes", params: &unit(2, 2, 1), short: false },
    Rung { stage: "refined", program: "refined_lanes", params: &unit(2, 4, 1), short: false },
    Rung { stage: "refined", program: "refined_compared", params: &unit(2, 4, 2), short: true },
    Rung { stage: "refined", program: "refined_lanes", params: &unit(2, 4, 2), short: false },
    Rung { stage: "refined", program: "refined_sets", params: &unit(2, 4, 2), short: false },
];

/// Returns the parameters of a machine with a unit.
const fn unit(stage: i64, lanes: i64, unroll: i64) -> [(&'static str, i64); 3] {
    [("stage", stage), ("lanes", lanes), ("unroll", unroll)]
}

/// Holds what a program says of an operation: cycles in all; of loads and stores, with one of each
/// instruction of the unit; of those that wait for the unit; of all others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Said {
    alg: String,
    level: String,
    op: String,
    cycles: u64,
    moving: u64,
    hashing: u64,
    control: u64,
    heap_bytes: u64,
}

/// A row of the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Row {
    stage: String,
    lanes: i64,
    unroll: i64,
    bits: i64,
    #[serde(flatten)]
    said: Said,
    /// The processor, the unit and the port of their RAM, without memories.
    kge: Option<f64>,
    critical_path_ns: Option<f64>,
    us: Option<f64>,
}

/// Runs the programs.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let usage = || Failure::Usage("Usage: cargo xtask hw asip [STAGE] [--check] [--json]".into());
    let (flags, stages): (Vec<&String>, Vec<&String>) =
        args.iter().partition(|arg| arg.starts_with("--"));
    let is_stage = |name: &String| RUNGS.iter().any(|rung| rung.stage == name);
    if flags.iter().any(|flag| !["--check", "--json"].contains(&flag.as_str()))
        || !stages.iter().all(|name| is_stage(name))
    {
        return Err(usage());
    }
    let has = |wanted: &str| flags.iter().any(|flag| *flag == wanted);
    let chosen = |rung: &&Rung| {
        (stages.is_empty() || stages.iter().any(|name| *name == rung.stage))
            && (rung.short || !has("--check"))
    };
    let path = checkout::root()?.join("results/asip.json");
    let (plain, with_bits) = (build(&checkout::root()?, false)?, build(&checkout::root()?, true)?);
    let mut rows = Vec::new();
    for rung in RUNGS.iter().filter(chosen) {
        rows.extend(measured(rung, if rung.param("bits") == 1 { &with_bits } else { &plain })?);
    }
    if has("--check") {
        let good = format!("{} rows, as kept", rows.len());
        return failure::report("hw asip", good, stale(&path, &rows)?);
    }
    let mut rows = beside_kept(&path, rows)?;
    let mapped = mapped(&checkout::root()?.join("results/hardware.json"))?;
    rows.iter_mut().for_each(|row| row.take(&mapped));
    let text = document(&rows);
    if has("--json") {
        print!("{text}");
    }
    std::fs::write(&path, text).map_err(|error| Failure::Io(path, error))
}

/// Returns the rows, and those that are kept of other stages, in the order of the ladder.
fn beside_kept(path: &Path, fresh: Vec<Row>) -> Result<Vec<Row>, Failure> {
    let mut rows = if path.exists() { kept(path)? } else { Vec::new() };
    rows.retain(|row| !fresh.iter().any(|new| new.stage == row.stage));
    rows.extend(fresh);
    let place = |row: &Row| RUNGS.iter().position(|rung| rung.is_of(row));
    rows.sort_by_key(place);
    Ok(rows)
}

/// Builds the programs for the processor with or without Zba, Zbb and Zbs, and says where they lie.
fn build(root: &Path, bits: bool) -> Result<PathBuf, Failure> {
    let (place, more) = if bits { ("target/asip-bits", BITS) } else { ("target/asip", "") };
    let place = root.join(place);
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "build",
        "--quiet",
        "--release",
        "--locked",
        "--target",
        TARGET,
        "--manifest-path",
    ]);
    command.arg(root.join("checks/asip/Cargo.toml")).arg("--target-dir").arg(&place);
    command.env(variable("RUSTFLAGS"), format!("{FLAGS}{more}"));
    let output = command.output().map_err(|error| Failure::Tool(format!("cargo: {error}")))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Tool(format!("checks/asip: {words}")));
    }
    Ok(place.join(TARGET).join("release"))
}

/// Returns the name of cargo's variable for the target.
fn variable(what: &str) -> String {
    format!("CARGO_TARGET_{}_{what}", TARGET.to_uppercase().replace('-', "_"))
}

/// Returns the rows of the machines in standard cells.
fn mapped(path: &Path) -> Result<Vec<Value>, Failure> {
    let form = |fault: serde_json::Error| Failure::Form(path.into(), fault.to_string());
    let kept: Value = serde_json::from_str(&read(path)?).map_err(form)?;
    let is_one = |row: &&Value| row["core"] == "asip" && row["liberty"] == LIBRARY;
    let rows = kept["rows"].as_array().into_iter().flatten();
    Ok(rows.filter(is_one).cloned().collect())
}

/// Runs a program on its machine and returns its rows.
fn measured(rung: &Rung, programs: &Path) -> Result<Vec<Row>, Failure> {
    let machine = hasten_hwflow::bench("asip", "asip", rung.params)?;
    eprintln!("hw asip: {} on the machine {:?}", rung.program, rung.params);
    let mut command = Command::new(&machine);
    command.env("HASTEN_PROGRAM", programs.join(rung.program));
    let output = command.output().map_err(|error| Failure::Io(machine, error))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Tool(format!("{}: {words}", rung.program)));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| rung.row(line)).collect()
}

impl Rung {
    /// Returns whether a row is of this stage and machine.
    fn is_of(&self, row: &Row) -> bool {
        let machine = ["lanes", "unroll", "bits"].map(|name| self.param(name));
        self.stage == row.stage && machine == [row.lanes, row.unroll, row.bits]
    }

    /// Returns the row of a line that the program prints.
    fn row(&self, line: &str) -> Result<Row, Failure> {
        let form = |fault| Failure::Tool(format!("{}: {line}: {fault}", self.program));
        let said = serde_json::from_str(line).map_err(form)?;
        let stage = self.stage.to_owned();
        let [lanes, unroll, bits] = ["lanes", "unroll", "bits"].map(|name| self.param(name));
        let (kge, critical_path_ns, us) = (None, None, None);
        Ok(Row { stage, lanes, unroll, bits, said, kge, critical_path_ns, us })
    }

    /// Returns a parameter of the machine; without the unit there is none.
    fn param(&self, wanted: &str) -> i64 {
        self.params.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, value)| *value)
    }
}

/// Cycles of a program move with every change of the code that it is compiled from: so many parts
/// of a thousand are let pass.
const DRIFT: u64 = 20;

/// Returns a line for each row that is not kept as it is, but for some cycles.
fn stale(path: &Path, rows: &[Row]) -> Result<Vec<String>, Failure> {
    let kept = kept(path)?;
    let is_new = |row: &&Row| !kept.iter().any(|old| row.is_near(old));
    Ok(rows.iter().filter(is_new).map(|row| format!("not kept so: {row:?}")).collect())
}

impl Row {
    /// Takes area and path of the machine, where it was mapped.
    fn take(&mut self, mapped: &[Value]) {
        let stage = match &*self.stage {
            "software" => 0,
            "generic" => 1,
            _ => 2,
        };
        let wanted = [("lanes", self.lanes), ("unroll", self.unroll), ("bits", self.bits)];
        let is_it = |row: &&Value| {
            let param = |name: &str| row["params"][name].as_i64().unwrap_or(0);
            param("stage") == stage && wanted.iter().all(|(name, value)| param(name) == *value)
        };
        let row = mapped.iter().find(is_it);
        let number = |name: &str| row.and_then(|row| row[name].as_f64());
        (self.kge, self.critical_path_ns) = (number("kge"), number("critical_path_ns"));
        let micros = |ns: f64| (self.said.cycles as f64 * ns / 100.0).round() / 10.0;
        self.us = self.critical_path_ns.map(micros);
    }

    /// Returns whether the rows are the same but for what moves with the compiler.
    fn is_near(&self, old: &Self) -> bool {
        let (new, kept) = (&self.said, &old.said);
        let is_same = (&self.stage, self.lanes, self.unroll, self.bits)
            == (&old.stage, old.lanes, old.unroll, old.bits)
            && (&new.alg, &new.level, &new.op) == (&kept.alg, &kept.level, &kept.op);
        is_same
            && new.heap_bytes == kept.heap_bytes
            && 1000 * new.cycles.abs_diff(kept.cycles) <= DRIFT * kept.cycles
    }
}

/// Returns the rows that are kept.
fn kept(path: &Path) -> Result<Vec<Row>, Failure> {
    let form = |fault: serde_json::Error| Failure::Form(path.into(), fault.to_string());
    let kept: Value = serde_json::from_str(&read(path)?).map_err(form)?;
    serde_json::from_value(kept["rows"].clone()).map_err(form)
}

fn document(rows: &[Row]) -> String {
    let machine = Unneeded::because("cycles of a simulation do not depend on one");
    let command = "cargo xtask hw asip".to_owned();
    Report::new("hasten.asip/1", command, Origin::checked_out(), machine, rows).by_line()
}

#[cfg(test)]
mod tests;
