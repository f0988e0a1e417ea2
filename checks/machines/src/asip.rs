//! `cargo xtask hw asip [STAGE] [--check] [--areas] [--json]`: signing and verification on the
//! processor of `rtl/asip`, in cycles of its simulation.
//!
//! Builds the programs of `checks/asip/`, runs each on its machine, and stores their output in
//! `results/asip.json`. A program ends with an error if a verdict, a signature or a hash is wrong.
//! With a stage or `--point`, the rows of other machines stay. `--check` runs the short programs,
//! compares their rows with the stored ones, and changes nothing.
//!
//! The area and the critical path of a machine come from its rows in `results/hardware.json`, if it
//! has any. `--areas` reads them again and runs nothing. `--energy` runs the programs on the mapped
//! netlists (`energy.rs`). Rows keep their energy until their cycles change by more than `--check`
//! tolerates.

mod energy;
mod layout;
mod options;
mod rows;

use self::Processor::{Bits, Plain, Small};
use self::options::Options;
use self::rows::{Figures, Row, mapped};
use hasten_chore::checkout;
use hasten_chore::failure::{self, Failure, read};
use hasten_report::{Origin, Report, Unneeded};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "riscv32imac-unknown-none-elf";

/// A processor, which determines how programs for it are compiled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Processor {
    /// cv32e40x, RV32IMC.
    Plain,
    /// cv32e40x with Zba, Zbb and Zbs in addition.
    Bits,
    /// picorv32, RV32IMC.
    Small,
}

impl Processor {
    /// Returns the name of the core.
    pub fn name(self) -> &'static str {
        if self == Self::Small { "picorv32" } else { "cv32e40x" }
    }

    /// Returns the module with the processor and its unit.
    pub fn top(self) -> &'static str {
        if self == Self::Small { "asip_small" } else { "asip" }
    }

    /// Returns the folder of its programs, the compiler flags, and the cargo flags. Atomic
    /// operations are lowered: the processors have no such instructions, and there is only one
    /// thread. cv32e40x supports unaligned loads and stores. It has a loaded word one cycle late,
    /// like the processor whose instruction scheduling the compiler uses.
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
    processor: Processor,
    stage: &'static str,
    program: &'static str,
    /// Parameters of the machine.
    params: &'static [(&'static str, i64)],
    /// Whether it takes only seconds, so that a test runs it.
    short: bool,
}

impl Rung {
    /// Returns its parameters in the form of `--point`.
    fn slug(&self) -> String {
        let small = self.processor == Processor::Small;
        let small = small.then(|| format!("processor={}", self.processor.name()));
        let params = self.params.iter().map(|(name, value)| format!("{name}={value}"));
        small.into_iter().chain(params).collect::<Vec<_>>().join(",")
    }
}

const NONE: [(&str, i64); 1] = [("stage", 0)];
const WITH_BITS: [(&str, i64); 2] = [("stage", 0), ("bits", 1)];
const GENERIC: [(&str, i64); 3] = unit(1, 1, 1);

const RUNGS: [Rung; 27] = [
    Rung::on(Plain, &NONE, "short").in_tests(),
    Rung::on(Plain, &NONE, "software"),
    Rung::on(Bits, &WITH_BITS, "software"),
    Rung::on(Plain, &GENERIC, "generic_compared").in_tests(),
    Rung::on(Plain, &GENERIC, "generic"),
    Rung::on(Plain, &unit(2, 1, 1), "refined"),
    Rung::on(Plain, &unit(2, 1, 1), "refined_single_compared"),
    Rung::on(Plain, &unit(2, 1, 2), "refined"),
    Rung::on(Plain, &unit(2, 1, 1), "refined_sets"),
    Rung::on(Plain, &unit(2, 2, 1), "refined_compared"),
    Rung::on(Plain, &unit(2, 2, 1), "refined_lanes"),
    Rung::on(Plain, &unit(2, 4, 1), "refined_lanes"),
    Rung::on(Plain, &unit(2, 4, 2), "refined_compared"),
    Rung::on(Plain, &unit(2, 4, 2), "refined_lanes"),
    Rung::on(Plain, &unit(2, 4, 2), "refined_sets"),
    Rung::on(Plain, &NONE, "shake_software"),
    Rung::on(Plain, &shake(1), "shake_compared"),
    Rung::on(Plain, &shake(1), "shake").in_tests(),
    Rung::on(Plain, &shake(2), "shake_compared"),
    Rung::on(Plain, &shake(2), "shake"),
    Rung::on(Small, &NONE, "short"),
    Rung::on(Small, &NONE, "software"),
    Rung::on(Small, &GENERIC, "generic"),
    Rung::on(Small, &unit(2, 1, 1), "refined_single_compared"),
    Rung::on(Small, &unit(2, 1, 1), "refined").in_tests(),
    Rung::on(Small, &unit(2, 1, 2), "refined"),
    Rung::on(Small, &unit(2, 2, 1), "refined_lanes"),
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
    if !RUNGS.iter().any(|rung| options.takes(rung)) {
        return Err(Failure::Usage("no program of these stages has such a machine".into()));
    }
    let rungs: Vec<&Rung> = RUNGS.iter().filter(runs).collect();
    let fresh = all_measured(&rungs)?;
    if options.check {
        let good = format!("{} rows, as kept", fresh.len());
        return failure::report("hw asip", good, stale(&path, &fresh)?);
    }
    let mut rows = beside_kept(&path, &rungs, fresh)?;
    for rung in RUNGS.iter().filter(|rung| options.energy && options.takes(rung)) {
        energy::measure(rung, &options, &mut rows)?;
        write(&path, &rows)?;
    }
    let mapped = mapped(&checkout::root()?.join("results/hardware.json"))?;
    for row in &mut rows {
        if let Some(rung) = RUNGS.iter().find(|rung| rung.is_of(row)) {
            row.take(rung, &mapped);
        }
    }
    if options.json {
        print!("{}", document(&rows));
    }
    write(&path, &rows)
}

fn write(path: &Path, rows: &[Row]) -> Result<(), Failure> {
    std::fs::write(path, document(rows)).map_err(|error| Failure::Io(path.into(), error))
}

/// Builds the selected programs, runs them, and returns their rows.
fn all_measured(rungs: &[&Rung]) -> Result<Vec<Row>, Failure> {
    let root = checkout::root()?;
    let mut rows = Vec::new();
    for processor in [Processor::Plain, Processor::Bits, Processor::Small] {
        let rungs = rungs.iter().filter(|rung| rung.processor == processor);
        if rungs.clone().next().is_some() {
            let programs = build(&root, processor, rungs.clone().map(|rung| rung.program))?;
            for rung in rungs {
                rows.extend(measured(rung, &programs)?);
            }
        }
    }
    Ok(rows)
}

/// Returns the fresh rows, with the stored energy, and the stored rows of all other machines, in
/// the order of the ladder.
fn beside_kept(path: &Path, rungs: &[&Rung], fresh: Vec<Row>) -> Result<Vec<Row>, Failure> {
    let mut rows = if path.exists() { kept(path)? } else { Vec::new() };
    let mut fresh = fresh;
    fresh.iter_mut().for_each(|row| row.take_energy(&rows));
    let place = |row: &Row| RUNGS.iter().position(|rung| rung.is_of(row));
    rows.retain(|row| place(row).is_some() && !rungs.iter().any(|rung| rung.is_of(row)));
    rows.extend(fresh);
    rows.sort_by_key(place);
    Ok(rows)
}

/// The place where a program is built, and the file with the order of its functions.
struct Order<'o> {
    place: &'o Path,
    file: Option<&'o Path>,
}

/// Builds programs for a processor and returns their folder.
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
    let machine = hasten_hwflow::bench("asip", rung.processor.top(), rung.params)?;
    let program = layout::ordered(rung, &machine, programs)?;
    eprintln!("hw asip: {} on the machine {}", rung.program, rung.slug());
    let text = said(rung, Command::new(&machine).env("HASTEN_PROGRAM", program))?;
    text.lines().map(|line| rung.row(line)).collect()
}

/// Runs a bench with a rung's program and returns the program's output.
fn said(rung: &Rung, bench: &mut Command) -> Result<String, Failure> {
    let output = bench.output().map_err(|error| Failure::Io(bench.get_program().into(), error))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Tool(format!("{}: {words}", rung.program)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Rung {
    /// Describes a program for a machine. The machine's parameters determine the stage.
    const fn on(
        processor: Processor,
        params: &'static [(&'static str, i64)],
        program: &'static str,
    ) -> Self {
        let stage = ["software", "generic", "refined"][params[0].1 as usize];
        Self { processor, stage, program, params, short: false }
    }

    /// Marks it as one that a test runs.
    const fn in_tests(self) -> Self {
        Self { short: true, ..self }
    }

    /// Returns true if a row is of this stage and machine.
    fn is_of(&self, row: &Row) -> bool {
        let machine = ["lanes", "unroll", "bits"].map(|name| self.param(name));
        let processor = self.processor.name();
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
        let (processor, hash) = (self.processor.name().to_owned(), self.hash().to_owned());
        let figures = Figures::default();
        Ok(Row { processor, stage, hash, lanes, unroll, bits, said, figures })
    }

    /// Returns the hash function that the program uses.
    fn hash(&self) -> &'static str {
        if self.program.starts_with("shake") { "shake" } else { "sha256" }
    }

    /// Returns true if the first part of the machine's code memory answers sooner than the rest
    /// (`FAST` of `rtl/asip/asip.sv`).
    fn has_fast_code(&self) -> bool {
        self.param("lanes") == 4
    }

    /// Returns a parameter of the machine, or 0 if it has none of that name.
    fn param(&self, wanted: &str) -> i64 {
        self.params.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, value)| *value)
    }
}

/// Returns a line for each row that differs from the stored one by more than some cycles.
fn stale(path: &Path, rows: &[Row]) -> Result<Vec<String>, Failure> {
    let kept = kept(path)?;
    let is_new = |row: &&Row| !kept.iter().any(|old| row.is_kept_as(old));
    Ok(rows.iter().filter(is_new).map(|row| format!("not kept so: {row:?}")).collect())
}

/// Returns the stored rows.
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
