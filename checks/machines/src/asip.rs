//! `cargo xtask hw asip [STAGE] [--check] [--areas] [--json]`: signing and verification on the
//! processor of `rtl/asip`, in cycles of its simulation.
//!
//! Builds the programs of `checks/asip/`, runs each on the machine that it is for, and keeps what
//! they say in `results/asip.json`. A program ends with an error if a verdict, a signature or a
//! hash is wrong. With a stage the rows of the others stay. `--check` runs the short programs,
//! compares their rows with those that are kept, and changes nothing.
//!
//! Area and path of a machine come from its rows in `results/hardware.json`, where it has any.
//! `--areas` takes them anew and runs nothing.

mod rows;

use self::rows::{Row, mapped};
use hasten_chore::checkout;
use hasten_chore::failure::{self, Failure, read};
use hasten_report::{Origin, Report, Unneeded};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "Usage: cargo xtask hw asip [STAGE] [--check] [--areas] [--json]";

const TARGET: &str = "riscv32imac-unknown-none-elf";

/// Loads and stores of words may lie anywhere, and nothing needs to be atomic: the processor has no
/// such instructions, and one thread runs.
const FLAGS: &str = "-C passes=lower-atomic -C target-feature=+unaligned-scalar-mem";

/// The extensions of a machine with `bits`.
const BITS: &str = ",+zba,+zbb,+zbs";

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

const RUNGS: [Rung; 15] = [
    Rung { stage: "software", program: "short", params: &PLAIN, short: true },
    Rung { stage: "software", program: "software", params: &PLAIN, short: false },
    Rung { stage: "software", program: "software", params: &WITH_BITS, short: false },
    Rung { stage: "generic", program: "generic_compared", params: &GENERIC, short: true },
    Rung { stage: "generic", program: "generic", params: &GENERIC, short: true },
    Rung { stage: "refined", program: "refined", params: &unit(2, 1, 1), short: true },
    Rung {
        stage: "refined",
        program: "refined_single_compared",
        params: &unit(2, 1, 1),
        short: true,
    },
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

/// Runs the programs.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let usage = || Failure::Usage(USAGE.into());
    let (flags, stages): (Vec<&String>, Vec<&String>) =
        args.iter().partition(|arg| arg.starts_with("--"));
    let is_stage = |name: &String| RUNGS.iter().any(|rung| rung.stage == name);
    if flags.iter().any(|flag| !["--check", "--areas", "--json"].contains(&flag.as_str()))
        || !stages.iter().all(|name| is_stage(name))
    {
        return Err(usage());
    }
    let has = |wanted: &str| flags.iter().any(|flag| *flag == wanted);
    let chosen = |rung: &&Rung| {
        (stages.is_empty() || stages.iter().any(|name| *name == rung.stage))
            && (rung.short || !has("--check"))
            && !has("--areas")
    };
    let path = checkout::root()?.join("results/asip.json");
    let rungs: Vec<&Rung> = RUNGS.iter().filter(chosen).collect();
    let rows = all_measured(&rungs)?;
    if has("--check") {
        let good = format!("{} rows, as kept", rows.len());
        return failure::report("hw asip", good, stale(&path, &rows)?);
    }
    let mut rows = beside_kept(&path, rows)?;
    let mapped = mapped(&checkout::root()?.join("results/hardware.json"))?;
    for row in &mut rows {
        let rung = RUNGS.iter().find(|rung| rung.is_of(row));
        row.take(rung.map_or(&[], |rung| rung.params), &mapped);
    }
    let text = document(&rows);
    if has("--json") {
        print!("{text}");
    }
    std::fs::write(&path, text).map_err(|error| Failure::Io(path, error))
}

/// Builds the programs that are asked for and returns what they say.
fn all_measured(rungs: &[&Rung]) -> Result<Vec<Row>, Failure> {
    let root = checkout::root()?;
    let mut rows = Vec::new();
    for bits in [false, true] {
        let mut rungs = rungs.iter().filter(|rung| (rung.param("bits") == 1) == bits).peekable();
        if rungs.peek().is_some() {
            let programs = build(&root, bits)?;
            for rung in rungs {
                rows.extend(measured(rung, &programs)?);
            }
        }
    }
    Ok(rows)
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
    let variable = format!("CARGO_TARGET_{}_RUSTFLAGS", TARGET.to_uppercase().replace('-', "_"));
    command.env(variable, format!("{FLAGS}{more}"));
    let output = command.output().map_err(|error| Failure::Tool(format!("cargo: {error}")))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Tool(format!("checks/asip: {words}")));
    }
    Ok(place.join(TARGET).join("release"))
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

/// Returns a line for each row that is not kept as it is, but for some cycles.
fn stale(path: &Path, rows: &[Row]) -> Result<Vec<String>, Failure> {
    let kept = kept(path)?;
    let is_new = |row: &&Row| !kept.iter().any(|old| row.is_near(old));
    Ok(rows.iter().filter(is_new).map(|row| format!("not kept so: {row:?}")).collect())
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
