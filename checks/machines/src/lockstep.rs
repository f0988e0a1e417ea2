//! `cargo xtask hw lockstep [--check] [--json]`: compares the processor of `rtl/asip` with Spike, a
//! model of its instructions.
//!
//! Runs the programs of `checks/asip/` and random ones on a machine in simulation and on Spike. The
//! pc, all registers and the stored bytes are compared after each instruction, and the whole RAM at
//! the end. The first difference ends a run with an error. In some of the runs the memories grant
//! nothing in random cycles. Faults seeded into the machine's output must be found. Stores the rows
//! in `results/asip-lockstep.json`. `--check` runs a few random programs and changes nothing.

mod encode;
mod random;

use self::random::Extensions;
use crate::asip::{self, Processor};
use hasten_chore::checkout;
use hasten_chore::failure::{self, Failure};
use hasten_report::{Origin, Report, Unneeded};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const USAGE: &str = "Usage: cargo xtask hw lockstep [--check] [--json]";

/// The parameter of the machines in these runs.
const STALLS: [(&str, i64); 1] = [("stalls", 1)];

/// The program that steps Spike.
const MODEL: &str = "rtl/asip/bench/lockstep.cpp";

/// A machine: its processor, and its unit's stage, lanes, unroll and hash.
#[derive(Clone, Copy, PartialEq)]
struct Machine {
    processor: Processor,
    stage: i64,
    lanes: i64,
    unroll: i64,
    shake: i64,
}

const GENERIC: Machine =
    Machine { processor: Processor::Plain, stage: 1, lanes: 1, unroll: 1, shake: 0 };
const BITS: Machine = Machine { processor: Processor::Bits, ..GENERIC };
const ALONE: Machine = Machine { stage: 0, lanes: 0, unroll: 0, ..GENERIC };
const REFINED: Machine = Machine { stage: 2, ..GENERIC };
const TWO_LANES: Machine = Machine { lanes: 2, ..REFINED };
const UNROLLED: Machine = Machine { unroll: 2, ..REFINED };
const FOUR_LANES: Machine = Machine { lanes: 4, ..UNROLLED };
const SMALL_ALONE: Machine = Machine { processor: Processor::Small, ..ALONE };
const SMALL_GENERIC: Machine = Machine { processor: Processor::Small, ..GENERIC };
const SMALL_REFINED: Machine = Machine { processor: Processor::Small, ..REFINED };
const SMALL_TWO_LANES: Machine = Machine { processor: Processor::Small, ..TWO_LANES };
const SHAKE: Machine = Machine { shake: 1, ..TWO_LANES };
const SHAKE_UNROLLED: Machine = Machine { shake: 1, ..FOUR_LANES };

/// The work of a run: a program of `checks/asip`, or random programs of `len` instructions each.
#[derive(Clone, Copy)]
enum Work {
    Program(&'static str),
    Random { programs: u64, len: usize },
}

struct Run {
    work: Work,
    machine: Machine,
    /// Whether the memories grant nothing in random cycles. With the refined stage only the code
    /// memory does this.
    stalls: bool,
}

const RANDOM: Work = Work::Random { programs: 20, len: 10_000 };

const RUNS: [Run; 24] = [
    Run { work: RANDOM, machine: GENERIC, stalls: false },
    Run { work: RANDOM, machine: GENERIC, stalls: true },
    Run { work: RANDOM, machine: BITS, stalls: false },
    Run { work: RANDOM, machine: BITS, stalls: true },
    Run { work: RANDOM, machine: SMALL_GENERIC, stalls: false },
    Run { work: RANDOM, machine: SMALL_GENERIC, stalls: true },
    Run { work: Work::Program("short"), machine: SMALL_ALONE, stalls: false },
    Run { work: Work::Program("generic"), machine: SMALL_GENERIC, stalls: false },
    Run { work: Work::Program("refined_single_compared"), machine: SMALL_REFINED, stalls: true },
    Run { work: Work::Program("refined"), machine: SMALL_REFINED, stalls: false },
    Run { work: Work::Program("refined_lanes"), machine: SMALL_TWO_LANES, stalls: false },
    Run { work: Work::Program("short"), machine: ALONE, stalls: false },
    Run { work: Work::Program("generic_compared"), machine: GENERIC, stalls: true },
    Run { work: Work::Program("generic"), machine: GENERIC, stalls: false },
    Run { work: Work::Program("refined_single_compared"), machine: REFINED, stalls: true },
    Run { work: Work::Program("refined"), machine: REFINED, stalls: false },
    Run { work: Work::Program("refined_sets"), machine: REFINED, stalls: false },
    Run { work: Work::Program("refined"), machine: UNROLLED, stalls: false },
    Run { work: Work::Program("refined_lanes"), machine: TWO_LANES, stalls: false },
    Run { work: Work::Program("refined_compared"), machine: FOUR_LANES, stalls: true },
    Run { work: Work::Program("refined_lanes"), machine: FOUR_LANES, stalls: false },
    Run { work: Work::Program("shake_compared"), machine: SHAKE, stalls: true },
    Run { work: Work::Program("shake"), machine: SHAKE, stalls: false },
    Run { work: Work::Program("shake"), machine: SHAKE_UNROLLED, stalls: true },
];

/// The runs that are short enough for a test.
const SHORT: [Run; 2] = [
    Run { work: Work::Random { programs: 4, len: 5_000 }, machine: BITS, stalls: false },
    Run { work: Work::Random { programs: 4, len: 5_000 }, machine: BITS, stalls: true },
];

/// Faults in a machine's output, each of which a run must find: the event's kind (retired.h of the
/// bench) and number.
const FAULTS: [(&str, &str); 4] = [
    ("a register", "0,1000"),
    ("a byte stored", "1,100"),
    ("a word of the RAM", "2,1500"),
    ("the last register", "0,4000"),
];

/// Cycles of 4,096 in which the RAM grants the refined stage nothing: more than a result may wait
/// (`rtl/xmss/formal/chain_asserts.sv`, `rtl/asip/bench/chain_unit_asserts.sv`), and few.
const TOO_LONG: &str = "128";
const NOT_LONG: &str = "8";
const WITHHELD: [(&str, Machine); 2] = [("refined_single_compared", REFINED), ("shake", SHAKE)];
const LOST: &str = "a result that is not taken";

/// A row of the results.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Row {
    program: &'static str,
    programs: u64,
    processor: &'static str,
    stage: i64,
    hash: &'static str,
    lanes: i64,
    unroll: i64,
    bits: bool,
    stalls: bool,
    #[serde(flatten)]
    counts: Counts,
    mismatches: u64,
}

/// Counts of the model in a run: instructions, words stored, and instructions of the unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Counts {
    instructions: u64,
    stores: u64,
    of_unit: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.stores += other.stores;
        self.of_unit += other.of_unit;
    }
}

/// Runs the programs.
pub fn run(args: &[String]) -> Result<(), Failure> {
    if args.iter().any(|arg| !["--check", "--json"].contains(&arg.as_str())) {
        return Err(Failure::Usage(USAGE.into()));
    }
    let has = |wanted: &str| args.iter().any(|arg| arg == wanted);
    let model = hasten_hwflow::on_spike(MODEL)?;
    let runs = if has("--check") { &SHORT[..] } else { &RUNS[..] };
    let rows: Vec<Row> = runs.iter().map(|run| run.row(&model)).collect::<Result<_, _>>()?;
    let mut faults = seeded(&model, &runs[0])?;
    if !has("--check") {
        for (program, machine) in WITHHELD {
            faults += withheld(&model, program, machine)?;
        }
    }
    let sum: u64 = rows.iter().map(|row| row.counts.instructions).sum();
    let path = checkout::root()?.join("results/asip-lockstep.json");
    let text = document(&rows);
    if has("--json") {
        print!("{text}");
    }
    if !has("--check") {
        std::fs::write(&path, text).map_err(|error| Failure::Io(path, error))?;
    }
    let good = format!("{sum} instructions, none differs; {faults} seeded faults, each found");
    failure::report("hw lockstep", good, Vec::new())
}

/// Runs a random program with each fault and returns the number of faults.
fn seeded(model: &Path, run: &Run) -> Result<usize, Failure> {
    let (machine, program) = (run.machine.bench()?, run.written(0, 5_000)?);
    for (name, fault) in FAULTS {
        if run.compare(model, &machine, &program, 0, Some(("HASTEN_FAULT", fault))).is_ok() {
            return Err(Failure::Found("hw lockstep", vec![format!("a fault in {name} passes")]));
        }
    }
    Ok(FAULTS.len())
}

/// Runs a program whose unit waits for the RAM, and returns the number of faults. The bench must
/// stop if and only if a result waits too long.
fn withheld(model: &Path, name: &'static str, machine: Machine) -> Result<usize, Failure> {
    let run = Run { work: Work::Program(name), machine, stalls: true };
    let (machine, program) = (run.machine.bench()?, run.built(name)?);
    let waits =
        |cycles| run.compare(model, &machine, &program, 1, Some(("HASTEN_WITHHELD", cycles)));
    waits(NOT_LONG)?;
    match waits(TOO_LONG) {
        Err(Failure::Found(_, words)) if words.iter().any(|words| words.contains(LOST)) => Ok(1),
        Err(other) => Err(other),
        Ok(_) => Err(Failure::Found("hw lockstep", vec!["a result that is lost passes".into()])),
    }
}

impl Machine {
    /// Returns the bench, whose memories may stall.
    fn bench(self) -> Result<PathBuf, Failure> {
        let Self { stage, lanes, unroll, shake, .. } = self;
        let unit = [("stage", stage), ("lanes", lanes), ("unroll", unroll), ("shake", shake)];
        let unit = &unit[..if stage == 0 { 1 } else { 3 + shake as usize }];
        let bits = i64::from(self.processor == Processor::Bits);
        let more = [STALLS[0], ("bits", bits)];
        let more = &more[..if self.processor == Processor::Small { 1 } else { 2 }];
        hasten_hwflow::bench_with("asip", self.processor.top(), unit, more)
    }

    /// Returns the instruction set for Spike. cv32e40x supports unaligned loads and stores
    /// (Zicclsm).
    fn isa(self) -> &'static str {
        match self.processor {
            Processor::Plain => "rv32imc_zicsr_zicntr_zicclsm",
            Processor::Bits => "rv32imc_zicsr_zicntr_zicclsm_zba_zbb_zbs",
            Processor::Small => "rv32imc_zicsr_zicntr",
        }
    }
}

impl Run {
    /// Runs all programs, compared with the model.
    fn row(&self, model: &Path) -> Result<Row, Failure> {
        let (machine, mut counts) = (self.machine.bench()?, Counts::default());
        let (program, programs) = match self.work {
            Work::Program(name) => {
                eprintln!("hw lockstep: {name}");
                counts += self.compare(model, &machine, &self.built(name)?, 1, None)?;
                (name, 1)
            }
            Work::Random { programs, len } => {
                eprintln!("hw lockstep: {programs} random programs");
                for seed in 1..=programs {
                    let program = self.written(seed, len)?;
                    counts += self.compare(model, &machine, &program, seed, None)?;
                }
                ("random", programs)
            }
        };
        let Machine { processor, stage, lanes, unroll, shake } = self.machine;
        let hash = if shake == 1 { "shake" } else { "sha256" };
        let (bits, processor) = (processor == Processor::Bits, processor.name());
        let (stalls, mismatches) = (self.stalls, 0);
        Ok(Row {
            program,
            programs,
            processor,
            stage,
            hash,
            lanes,
            unroll,
            bits,
            stalls,
            counts,
            mismatches,
        })
    }

    /// Builds a program of `checks/asip` and returns its path.
    fn built(&self, name: &str) -> Result<PathBuf, Failure> {
        let processor = self.machine.processor;
        Ok(asip::build(&checkout::root()?, processor, [name].into_iter())?.join(name))
    }

    /// Writes the random program of a seed and returns its path.
    fn written(&self, seed: u64, len: usize) -> Result<PathBuf, Failure> {
        let processor = self.machine.processor;
        let with = Extensions {
            bits: processor == Processor::Bits,
            unit: self.machine.stage == 1,
            small: processor == Processor::Small,
        };
        let folder = checkout::root()?.join("target/lockstep");
        let file = folder.join(format!("random-{seed}"));
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&file, random::program(seed, len, with)))
            .map_err(|error| Failure::Io(file.clone(), error))?;
        Ok(file)
    }

    /// Runs a program on the machine and on the model, and returns the model's counts. A fault is
    /// an environment variable for both.
    fn compare(
        &self,
        model: &Path,
        machine: &Path,
        program: &Path,
        seed: u64,
        fault: Option<(&str, &str)>,
    ) -> Result<Counts, Failure> {
        let failed = |error| Failure::Io(program.to_path_buf(), error);
        let mut command = Command::new(machine);
        command.env("HASTEN_PROGRAM", program).env("HASTEN_EVENTS", "/dev/stdout");
        if self.stalls {
            command.env("HASTEN_STALLS", seed.to_string());
        }
        command.envs(fault);
        let mut machine =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
        let events = machine.stdout.take().map_or_else(Stdio::null, Stdio::from);
        let mut command = Command::new(model);
        command.arg(program).arg(self.machine.isa()).stdin(events);
        command.args((self.machine.shake == 1).then_some("shake"));
        command.envs(fault);
        let said = command.output().map_err(failed)?;
        drop(command); // a machine whose events are no longer read ends
        let end = machine.wait_with_output().map_err(failed)?;
        if !said.status.success() || !end.status.success() {
            let words =
                String::from_utf8_lossy(&said.stderr) + String::from_utf8_lossy(&end.stderr);
            return Err(Failure::Found("hw lockstep", vec![named(program, &words)]));
        }
        counts(program, &String::from_utf8_lossy(&said.stdout))
    }
}

fn named(program: &Path, words: &str) -> String {
    format!("{}: {}", program.file_name().unwrap_or_default().to_string_lossy(), words.trim())
}

/// Returns the counts in the last line. The lines before it are the program's output.
fn counts(program: &Path, printed: &str) -> Result<Counts, Failure> {
    let last = printed.lines().last().unwrap_or_default();
    serde_json::from_str(last)
        .map_err(|fault| Failure::Tool(named(program, &format!("{last}: {fault}"))))
}

fn document(rows: &[Row]) -> String {
    let machine = Unneeded::because("instructions of a simulation do not depend on one");
    let command = "cargo xtask hw lockstep".to_owned();
    Report::new("hasten.asip-lockstep/1", command, Origin::checked_out(), machine, rows).by_line()
}

#[cfg(test)]
mod tests;
