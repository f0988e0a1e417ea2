//! `hw gates`: replays the inputs that the core's bench gave its model on the mapped netlist, cycle
//! by cycle. The netlist must show the same outputs, and copies of it with one fault each must not.
//! The results are in `results/rtl-gates.json`.

pub mod lanes;
pub mod played;
pub mod tvla;
mod welch;
mod words;

use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::tool;
use crate::energy::gates::Netlist;
use crate::energy::ports::Ports;
use crate::energy::wires::wires;
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use crate::map::subject::{self, Mapping, Subject, keep};
use crate::run::sim;
use hasten_chore::failure::{Failure, read};
use lanes::{Lanes, Word};
use played::{Played, Random, Run, compare, found};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Number of cycles of a bench if the command line gives none.
const CYCLES: u64 = 2_000;

/// Number of faults that are tried at once: one in each copy except the last.
const FAULTS: usize = Word::BITS as usize - 1;

/// A row: a netlist, and the result of its comparison with the model.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    subject: Subject,
    gates: usize,
    registers: usize,
    /// Number of register bits that `wide` of the description requires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wide: Option<usize>,
    /// Number of models of the bench. Each is replayed from its beginning.
    runs: usize,
    cycles: u64,
    outputs: usize,
    /// Bits of outputs over all cycles: compared (`compared`), not compared because their registers
    /// were not written yet (`open`), and different from the model (`differing`).
    compared: u64,
    open: u64,
    differing: u64,
    /// Number of gates that were inverted, each in its own copy, and number of these faults that
    /// were found.
    faults: usize,
    found: usize,
    tools: String,
    command: String,
}

/// Replays the first chosen point of each unit with a bench. The rows replace earlier ones; with
/// `--check` nothing is kept. A difference is a failure, and so is a run that finds none of the
/// faults.
pub fn run(options: &Options) -> Result<(), Failure> {
    subject::each(
        options,
        |unit| unit.bench.is_some() && !unit.foreign,
        1,
        |mapping| {
            let row = row(mapping, options)?;
            println!("{} {}: {}", mapping.unit.top, mapping.point.slug(), said(&row));
            if options.check {
                return Ok(());
            }
            keep("gates", "what a simulation gives does not depend on one", row, |row| &row.subject)
        },
    )
}

fn said(row: &Row) -> String {
    let Row { gates, registers, runs, cycles, compared, open, found, faults, .. } = row;
    format!(
        "{gates} gates and {registers} registers, {runs} runs, {cycles} cycles: {compared} bits as \
         the model shows them, {open} not settled; {found} of {faults} faults found"
    )
}

fn row(mapping: &Mapping, options: &Options) -> Result<Row, Failure> {
    let Mapping { core, unit, point, library, file } = *mapping;
    let cycles = options.count.unwrap_or(CYCLES);
    let runs = recorded(core, unit, point, cycles)?;
    let (stem, module, mut lanes) = netlist(core, unit, point, (library, file))?;
    let form = |fault| form(&stem, fault);
    let (gates, registers) = lanes.size();
    let faults = faults(gates);
    let mut row = Row {
        subject: Subject::new(unit, point, library),
        gates,
        registers,
        wide: (!unit.wide.is_empty()).then(|| unit.wide.values().sum()),
        runs: runs.len(),
        cycles: 0,
        outputs: 0,
        compared: 0,
        open: 0,
        differing: 0,
        faults: faults.len(),
        found: 0,
        tools: tool::versions()?,
        command: command(core, unit, options, cycles),
    };
    let mut seen = 0;
    let mut random = Random(1);
    for run in &runs {
        let wires = wires(&module, &run.ports.places, &unit.clock).map_err(form)?;
        let played = compare(&mut lanes, &wires, run, &mut random);
        row.outputs = wires.iter().filter(|wire| !wire.input).count();
        row.add(&played).map_err(form)?;
        seen |= found(&mut lanes, &wires, &run.ports, &faults, &played.settled);
    }
    row.found = seen.count_ones() as usize;
    if row.compared == 0 || (row.found == 0 && row.faults > 0) {
        return Err(form("the run shows nothing of the netlist".into()));
    }
    Ok(row)
}

/// Returns the netlist of a point: the stem of its files, its module, and simulated copies of it.
fn netlist(
    core: &Core,
    unit: &Unit,
    point: &Point,
    (library, file): (&Liberty, &Path),
) -> Result<(PathBuf, Module, Lanes), Failure> {
    let (stem, module) = subject::netlist(core, unit, point, (library, file))?;
    let gates = Netlist::new(&module, library).map_err(|fault| form(&stem, fault))?;
    Ok((stem, module, Lanes::new(gates)))
}

fn form(stem: &Path, fault: String) -> Failure {
    Failure::Form(stem.with_extension("json"), fault)
}

/// Runs the bench three times, with registers that initially hold zeros, ones and random bits.
fn recorded(core: &Core, unit: &Unit, point: &Point, cycles: u64) -> Result<Vec<Run>, Failure> {
    let program = sim::recording(core, unit, point)?;
    let name = tool::work("gates")?.join(format!("{}_{}.vcd", unit.top, point.slug()));
    let load = |held| {
        let files = sim::record_ports(&program, &[], &name, cycles, held)?;
        let ports = files.iter().map(|file| {
            let none = || Failure::Form(file.clone(), "no ports".into());
            Ports::parse(&read(file)?).ok_or_else(none)
        });
        ports.collect::<Result<Vec<Ports>, Failure>>()
    };
    let (zeros, ones, random) = (load(0)?, load(1)?, load(2)?);
    let others = zeros.into_iter().zip(ones);
    let runs = random.into_iter().zip(others);
    Ok(runs.map(|(ports, (zeros, ones))| Run { ports, others: [zeros, ones] }).collect())
}

impl Row {
    fn add(&mut self, played: &Played) -> Result<(), String> {
        self.cycles += played.cycles;
        self.compared += played.compared;
        self.open += played.open;
        self.differing += played.differing;
        match &played.first {
            Some(first) => Err(format!("{first} is not what the model shows")),
            None => Ok(()),
        }
    }
}

/// Returns randomly chosen gates, each with the copy in which it is inverted. One copy has no
/// inverted gate.
fn faults(gates: usize) -> Vec<(usize, Word)> {
    let mut random = Random(2);
    let mut chosen = BTreeSet::new();
    while chosen.len() < FAULTS.min(gates) {
        chosen.insert((random.next() % gates as u64) as usize);
    }
    chosen.into_iter().enumerate().map(|(copy, gate)| (gate, 1 << copy)).collect()
}

/// Returns the command that reproduces the row.
fn command(core: &Core, unit: &Unit, options: &Options, cycles: u64) -> String {
    format!("{} --count {cycles}", options.command("gates", &core.name, &unit.top))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_of_other_gates_in_other_copies_and_one_copy_has_none() {
        let all = faults(1000);
        let copies = all.iter().fold(0, |copies, (_, copy)| copies | copy);
        assert_eq!((all.len(), copies), (FAULTS, Word::MAX >> 1));
        assert_eq!(faults(3).len(), 3);
        assert!(faults(0).is_empty());
    }
}
