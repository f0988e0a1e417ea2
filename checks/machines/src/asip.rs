//! `cargo xtask hw asip [STAGE] [--check] [--areas] [--json]`: signing and verification on the
//! processor of `rtl/asip`, in cycles of its simulation.
//!
//! Builds the programs of `checks/asip/`, runs each on the machine that it is for, and keeps what
//! they say in `results/asip.json`. A program ends with an error if a verdict, a signature or a
//! hash is wrong. With a stage the rows of the others stay. `--check` runs the short programs,
//! compares their rows with those that are kept, and changes nothing.
//!
//! Area and path of a machine come from its rows in `results/hardware.json`, where it has any.
//! `--areas` takes them anew and runs nothing. `--energy` runs the programs on the mapped netlists
//! (`energy.rs`); rows keep their energy until their cycles move by more than `--check` lets pass.

mod energy;
mod layout;
mod options;
mod rows;

use self::options::Options;
use self::rows::{Figures, Row, mapped};
use hasten_chore::checkout;
use hasten_chore::failure::{self, Failure, read};
use hasten_report::{Origin, Report, Unneeded};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "riscv32imac-unknown-none-elf";

/// A processor, and what programs for it may hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Processor {
    /// cv32e40x, RV32IMC.
    Plain,
    /// The same with Zba, Zbb and Zbs.
    Bits,
    /// picorv32, RV32IMC.
    Small,
}

impl Processor {
    /// Returns the name of the core.
    pub fn name(self) -> &'static str {
        if self == Self::Small { "picorv32" } else { "cv32e40x" }
    }

    /// Returns the folder of its programs, the flags of the compiler, and those of cargo. Nothing
    /// needs to be atomic: the processors have no such instructions, and one thread runs. Loads and
    /// stores of cv32e40x may lie anywhere, and a word that is loaded is there a cycle late, as in
    /// the processor whose order of instructions the compiler takes.
    fn made(self) -> (&'static str, String, &'static [&'static str]) {
        let lowered = "-C passes=lower-atomic";
        let scheduled = format!("{lowered} -C target-cpu=syntacore-scr3-rv32");
        let unaligned = format!("{scheduled} -C target-feature=+unaligned-scalar-mem");
        match self {
            Self::Plain => ("target/asip", unaligned, &[]),
            Self::Bits => ("target/asip-bits", unaligned + ",+zba,+zbb,+zbs", &[]),
            Self::Small => ("target/asip-small", lowered.into(), &["--features", "small"]),
        }
    }
}

/// A program on a machine.
struct Rung {
    stage: &'static str,
    program: &'static str,
    /// Parameters of the machine.
    params: &'static [(&'static str, i64)],
    /// Seconds, so that a test runs it.
    short: bool,
}

impl Rung {
    /// Returns its parameters as `--point` names them.
    fn slug(&self) -> String {
        let params = self.params.iter().map(|(name, value)| format!("{name}={value}"));
        params.collect::<Vec<_>>().join(",")
    }
}

const PLAIN: [(&str, i64); 1] = [("stage", 0)];
/// The small processor.
const SMALL: [(&str, i64); 1] = [("small", 1)];
const WITH_BITS: [(&str, i64); 2] = [("stage", 0), ("bits", 1)];
const GENERIC: [(&str, i64); 3] = unit(1, 1, 1);

const RUNGS: [Rung; 21] = [
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
        short: false,
    },
    Rung { stage: "refined", program: "refined", params: &unit(2, 1, 2), short: false },
    Rung { stage: "refined", program: "refined_sets", params: &unit(2, 1, 1), short: false },
    Rung { stage: "refined", program: "refined_compared", params: &unit(2, 2, 1), short: false },
    Rung { stage: "refined", program: "refined_lanes", params: &unit(2, 2, 1), short: false },
    Rung { stage: "refined", program: "refined_lanes", params: &unit(2, 4, 1), short: false },
    Rung { stage: "refined", program: "refined_compared", params: &unit(2, 4, 2), short: true },
    Rung { stage: "refined", program: "refined_lanes", params: &unit(2, 4, 2), short: false },
    Rung { stage: "refined", program: "refined_sets", params: &unit(2, 4, 2), short: false },
    Rung { stage: "software", program: "shake_software", params: &PLAIN, short: false },
    Rung { stage: "refined", program: "shake_compared", params: &shake(1), short: false },
    Rung { stage: "refined", program: "shake", params: &shake(1), short: true },
    Rung { stage: "refined", program: "shake_compared", params: &shake(2), short: false },
    Rung { stage: "refined", program: "shake", params: &shake(2), short: false },
    Rung { stage: "software", program: "short", params: &SMALL, short: false },
];

/// Returns the parameters of a machine with a unit.
const fn unit(stage: i64, lanes: i64, unroll: i64) -> [(&'static str, i64); 3] {
    [("stage", stage), ("lanes", lanes), ("unroll", unroll)]
}

/// Returns the parameters of a machine whose unit has SHAKE.
const fn shake(unroll: i64) -> [(&'static str, i64); 4] {
    [("stage", 2), ("lanes", 2 * unroll), ("unroll", unroll), ("shake", 1)]
}

/// Runs the programs.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let options = Options::parse(args)?;
    let path = checkout::root()?.join("results/asip.json");
    let runs = |rung: &&Rung| !options.areas && !options.energy && options.takes(rung);
    let rungs: Vec<&Rung> = RUNGS.iter().filter(runs).collect();
    let fresh = all_measured(&rungs)?;
    if options.check {
        let good = format!("{} rows, as kept", fresh.len());
        return failure::report("hw asip", good, stale(&path, &fresh)?);
    }
    let mut rows = beside_kept(&path, fresh)?;
    for rung in RUNGS.iter().filter(|rung| options.energy && options.takes(rung)) {
        energy::measure(rung, &options, &mut rows)?;
        write(&path, &rows)?;
    }
    let mapped = mapped(&checkout::root()?.join("results/hardware.json"))?;
    for row in &mut rows {
        let rung = RUNGS.iter().find(|rung| rung.is_of(row));
        row.take(rung.map_or(&[], |rung| rung.params), &mapped);
    }
    if options.json {
        print!("{}", document(&rows));
    }
    write(&path, &rows)
}

fn write(path: &Path, rows: &[Row]) -> Result<(), Failure> {
    std::fs::write(path, document(rows)).map_err(|error| Failure::Io(path.into(), error))
}

/// Builds the programs that are asked for and returns what they say.
fn all_measured(rungs: &[&Rung]) -> Result<Vec<Row>, Failure> {
    let root = checkout::root()?;
    let mut rows = Vec::new();
    for processor in [Processor::Plain, Processor::Bits, Processor::Small] {
        let rungs = rungs.iter().filter(|rung| rung.processor() == processor);
        if rungs.clone().next().is_some() {
            let programs = build(&root, processor, rungs.clone().map(|rung| rung.program))?;
            for rung in rungs {
                rows.extend(measured(rung, &programs)?);
            }
        }
    }
    Ok(rows)
}

/// Returns the rows, with the energy that is kept of them, and those that are kept of other stages,
/// in the order of the ladder.
fn beside_kept(path: &Path, fresh: Vec<Row>) -> Result<Vec<Row>, Failure> {
    let kept = if path.exists() { kept(path)? } else { Vec::new() };
    let mut fresh = fresh;
    fresh.iter_mut().for_each(|row| row.take_energy(&kept));
    let mut rows = kept;
    rows.retain(|row| !fresh.iter().any(|new| new.stage == row.stage));
    rows.extend(fresh);
    let place = |row: &Row| RUNGS.iter().position(|rung| rung.is_of(row));
    rows.sort_by_key(place);
    Ok(rows)
}

/// Where a program is built, and the file with the order of its functions.
struct Order<'o> {
    place: &'o Path,
    file: Option<&'o Path>,
}

/// Builds programs for a processor, and says where they lie.
pub(crate) fn build<'a>(
    root: &Path,
    processor: Processor,
    programs: impl Iterator<Item = &'a str>,
) -> Result<PathBuf, Failure> {
    let place = root.join(processor.made().0);
    build_in(&Order { place: &place, file: None }, processor, programs)
}

fn build_in<'a>(
    order: &Order<'_>,
    processor: Processor,
    programs: impl Iterator<Item = &'a str>,
) -> Result<PathBuf, Failure> {
    let (_, flags, more) = processor.made();
    let root = checkout::root()?;
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
    command.arg(root.join("checks/asip/Cargo.toml")).arg("--target-dir").arg(order.place);
    command.args(more).args(programs.flat_map(|program| ["--bin", program]));
    let variable = format!("CARGO_TARGET_{}_RUSTFLAGS", TARGET.to_uppercase().replace('-', "_"));
    command.env(variable, flags);
    if let Some(file) = order.file {
        command.env("HASTEN_ORDER", file);
    }
    let output = command.output().map_err(|error| Failure::Tool(format!("cargo: {error}")))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Tool(format!("checks/asip: {words}")));
    }
    Ok(order.place.join(TARGET).join("release"))
}

/// Runs a program on its machine and returns its rows.
fn measured(rung: &Rung, programs: &Path) -> Result<Vec<Row>, Failure> {
    let machine = match rung.processor() {
        Processor::Small => hasten_hwflow::bench("asip", "asip_small", &[])?,
        _ => hasten_hwflow::bench("asip", "asip", rung.params)?,
    };
    let program = layout::ordered(rung, &machine, programs)?;
    eprintln!("hw asip: {} on the machine {:?}", rung.program, rung.params);
    let text = said(rung, Command::new(&machine).env("HASTEN_PROGRAM", program))?;
    text.lines().map(|line| rung.row(line)).collect()
}

/// Runs a bench with a rung's program and returns what the program says.
fn said(rung: &Rung, bench: &mut Command) -> Result<String, Failure> {
    let output = bench.output().map_err(|error| Failure::Io(bench.get_program().into(), error))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Tool(format!("{}: {words}", rung.program)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Rung {
    /// Returns whether a row is of this stage and machine.
    fn is_of(&self, row: &Row) -> bool {
        let machine = ["lanes", "unroll", "bits"].map(|name| self.param(name));
        let processor = self.processor().name();
        self.stage == row.stage
            && processor == row.processor
            && self.hash() == row.hash
            && machine == [row.lanes, row.unroll, row.bits]
    }

    /// Returns the row of a line that the program prints.
    fn row(&self, line: &str) -> Result<Row, Failure> {
        let form = |fault| Failure::Tool(format!("{}: {line}: {fault}", self.program));
        let said = serde_json::from_str(line).map_err(form)?;
        let stage = self.stage.to_owned();
        let [lanes, unroll, bits] = ["lanes", "unroll", "bits"].map(|name| self.param(name));
        let (processor, hash) = (self.processor().name().to_owned(), self.hash().to_owned());
        let figures = Figures::default();
        Ok(Row { processor, stage, hash, lanes, unroll, bits, said, figures })
    }

    /// Returns the function that the program hashes with.
    fn hash(&self) -> &'static str {
        if self.program.starts_with("shake") { "shake" } else { "sha256" }
    }

    fn processor(&self) -> Processor {
        match (self.param("small"), self.param("bits")) {
            (1, _) => Processor::Small,
            (_, 1) => Processor::Bits,
            _ => Processor::Plain,
        }
    }

    /// Returns whether the first code of the machine answers sooner than the rest (`FAST` of
    /// `rtl/asip/asip.sv`).
    fn has_fast_code(&self) -> bool {
        self.param("lanes") == 4
    }

    /// Returns a parameter of the machine; without the unit there is none.
    fn param(&self, wanted: &str) -> i64 {
        self.params.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, value)| *value)
    }
}

/// Returns a line for each row that is not kept as it is, but for some cycles.
fn stale(path: &Path, rows: &[Row]) -> Result<Vec<String>, Failure> {
    let kept = kept(path)?;
    let is_new = |row: &&Row| !kept.iter().any(|old| row.is_kept_as(old));
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
