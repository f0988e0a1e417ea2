//! `cargo xtask hw asip [STAGE] [--check] [--json]`: signing and verification on the processor of
//! `rtl/asip`, in cycles of its simulation.
//!
//! Builds the programs of `checks/asip/`, runs each on the machine that it is for, and keeps what
//! they say in `results/asip.json`. A program ends with an error if a verdict or a signature is
//! wrong. With a stage the rows of the others stay. `--check` runs the short programs, compares
//! their rows with those that are kept, and changes nothing.

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

/// A program on a machine.
struct Rung {
    stage: &'static str,
    program: &'static str,
    /// Parameters of the machine.
    params: &'static [(&'static str, i64)],
    /// Seconds, so that a test runs it.
    short: bool,
}

const RUNGS: [Rung; 7] = [
    Rung { stage: "software", program: "short", params: &[("stage", 0)], short: true },
    Rung { stage: "software", program: "software", params: &[("stage", 0)], short: false },
    Rung { stage: "refined", program: "refined", params: &refined(1, 1), short: true },
    Rung { stage: "refined", program: "refined", params: &refined(1, 2), short: false },
    Rung { stage: "refined", program: "refined_lanes", params: &refined(2, 1), short: false },
    Rung { stage: "refined", program: "refined_lanes", params: &refined(4, 1), short: false },
    Rung { stage: "refined", program: "refined_lanes", params: &refined(4, 2), short: false },
];

/// Returns the parameters of the refined machine.
const fn refined(lanes: i64, unroll: i64) -> [(&'static str, i64); 3] {
    [("stage", 2), ("lanes", lanes), ("unroll", unroll)]
}

/// Holds what a program says of an operation.
#[derive(Debug, Deserialize)]
struct Said {
    alg: String,
    level: String,
    op: String,
    cycles: u64,
    heap_bytes: u64,
}

/// A row of the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Row {
    stage: String,
    lanes: i64,
    unroll: i64,
    alg: String,
    level: String,
    op: String,
    cycles: u64,
    heap_bytes: u64,
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
    let programs = build(&checkout::root()?)?;
    let mut rows = Vec::new();
    for rung in RUNGS.iter().filter(chosen) {
        rows.extend(measured(rung, &programs)?);
    }
    if has("--check") {
        let good = format!("{} rows, as kept", rows.len());
        return failure::report("hw asip", good, stale(&path, &rows)?);
    }
    let text = document(&beside_kept(&path, rows)?);
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
    rows.sort_by_key(|row| RUNGS.iter().position(|rung| rung.stage == row.stage));
    Ok(rows)
}

/// Builds the programs and says where they lie.
fn build(root: &Path) -> Result<PathBuf, Failure> {
    let place = root.join("target/asip");
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
    command
        .env(format!("CARGO_TARGET_{}_RUSTFLAGS", TARGET.to_uppercase().replace('-', "_")), FLAGS);
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
    /// Returns the row of a line that the program prints.
    fn row(&self, line: &str) -> Result<Row, Failure> {
        let form = |fault| Failure::Tool(format!("{}: {line}: {fault}", self.program));
        let Said { alg, level, op, cycles, heap_bytes } =
            serde_json::from_str(line).map_err(form)?;
        let stage = self.stage.to_owned();
        let (lanes, unroll) = (self.param("lanes"), self.param("unroll"));
        Ok(Row { stage, lanes, unroll, alg, level, op, cycles, heap_bytes })
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
    fn is_near(&self, old: &Self) -> bool {
        let is_same = Self { cycles: old.cycles, ..self.clone() } == *old;
        is_same && 1000 * self.cycles.abs_diff(old.cycles) <= DRIFT * old.cycles
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
mod tests {
    use super::*;

    const LINE: &str = r#"{"alg":"A","level":"none","op":"sign","cycles":7,"heap_bytes":8}"#;

    #[test]
    fn a_line_becomes_a_row_and_a_changed_row_is_found() {
        let row = RUNGS[0].row(LINE).unwrap();
        assert_eq!((row.cycles, row.lanes, row.stage.as_str()), (7, 0, "software"));
        let file = std::env::temp_dir().join(format!("hasten-asip-{}", std::process::id()));
        std::fs::write(&file, document(std::slice::from_ref(&row))).unwrap();
        assert!(stale(&file, std::slice::from_ref(&row)).unwrap().is_empty());
        assert_eq!(stale(&file, &[Row { cycles: 8, ..row }]).unwrap().len(), 1);
        let other = Row { stage: "refined".into(), ..RUNGS[0].row(LINE).unwrap() };
        let both = beside_kept(&file, vec![other]).unwrap();
        assert_eq!(both.iter().map(|row| &*row.stage).collect::<Vec<_>>(), ["software", "refined"]);
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn a_line_without_cycles_and_an_unknown_flag_are_refused() {
        assert!(RUNGS[0].row(&LINE.replace("cycles", "clocks")).is_err());
        for wrong in ["--jsn", "refind"] {
            assert_eq!(run(&[wrong.to_string()]).unwrap_err().status(), 2);
        }
    }

    #[test]
    fn a_row_is_near_by_its_cycles_alone() {
        let text = r#"{"stage": "refined", "lanes": 1, "unroll": 1, "alg": "a", "level": "none",
            "op": "sign", "cycles": 1000, "heap_bytes": 8}"#;
        let old: Row = serde_json::from_str(text).unwrap();
        let with = |cycles| Row { cycles, ..old.clone() };
        assert!(old.is_near(&old) && with(1020).is_near(&old) && with(980).is_near(&old));
        assert!(!with(1021).is_near(&old) && !with(979).is_near(&old));
        assert!(!Row { heap_bytes: 9, ..old.clone() }.is_near(&old));
    }
}
