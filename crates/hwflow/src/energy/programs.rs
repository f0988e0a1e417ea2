//! Energy of the parts of a program that a bench runs on a processor. The bench records the ports
//! of the whole run, and the recording is replayed on the mapped netlist.
//!
//! A recording is a line with the names of its columns, followed by a row of 64-bit words for each
//! cycle, lowest byte first. A port of more than 64 bits has one column per 64 bits; the second
//! column of `a_i` is `a_i+64`. A name that begins with a dot is not a port: `.part` is the number
//! of the current part of the program, and only parts with an odd number are measured. All other
//! columns with a dot are added up. A name that begins with a number sign is a counter of the
//! cycles that were spent on something.

use super::count::{Energy, costs};
use super::events::Events;
use super::gates;
use super::meter::{Class, Meter};
use super::power::{self, Power};
use super::wires::{self, Wire, wires};
use crate::core::cores::Unit;
use crate::map::asic;
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use crate::run::sim;
use hasten_chore::failure::Failure;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// Name of the column with the number of the part.
const PART: &str = ".part";

/// A measured part of a program.
#[derive(Debug)]
pub struct Drawn {
    /// Line that the program printed for the part.
    pub line: String,
    /// Energy and accesses of the part.
    pub all: Class,
    /// Energy and accesses by kind of cycle, without the cycles of the last instruction.
    pub classes: BTreeMap<String, Class>,
}

/// A program on a machine. If `window` is set, its cycles are measured instead of the program's
/// parts.
#[derive(Debug)]
pub struct Job<'j> {
    /// Core, unit with a bench, and parameters of the unit.
    pub machine: (&'j str, &'j str, &'j [(&'j str, i64)]),
    /// ELF file of the program.
    pub program: &'j Path,
    /// Cycles at which the measurement begins and ends. The run stops at the end.
    pub window: Option<(u64, u64)>,
}

/// Runs a program on the bench of a machine and on its netlist in a library. A kept netlist is
/// reused if it was mapped from the same texts.
///
/// # Errors
/// If the program fails, or if an output of the netlist in a measured part differs from the bench.
pub fn drawn(job: &Job<'_>, file: &Path) -> Result<Vec<Drawn>, Failure> {
    let (core, unit, params) = job.machine;
    let (core, unit, point) = crate::chosen(core, unit, params)?;
    let bench = sim::program(&core, &unit, &point, "sim")?;
    let library = Liberty::load(file)?;
    let mapped = asic::kept(&core, &unit, &point, &library, file)?;
    let netlist = mapped.stem.with_extension("json");
    let fault = |words: String| Failure::Form(netlist.clone(), words);
    let module = Module::load(&netlist, &unit.top)?;
    let mut run = Run::new(&module, &unit, &library).map_err(fault)?;
    let mut command = Command::new(&bench);
    command.env("HASTEN_PROGRAM", job.program).env("HASTEN_PORTS", "1");
    if let Some((from, to)) = job.window {
        command.env("HASTEN_FROM", from.to_string()).env("HASTEN_TO", to.to_string());
    }
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::Io(bench.clone(), error))?;
    let ports = child.stdout.take().map(|ports| BufReader::with_capacity(1 << 20, ports));
    let played = ports.map_or(Ok(()), |ports| run.play(ports));
    let said = child.wait_with_output().map_err(|error| Failure::Io(bench, error))?;
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    played.map_err(fault)?;
    if !said.status.success() {
        return Err(Failure::Tool(format!("{}: {text}", job.program.display())));
    }
    if job.window.is_some() { Ok(run.drawn) } else { run.lines(&text).map_err(fault) }
}

/// Returns the energy in picojoules of reading and of writing a word of a memory, from its Liberty
/// file.
///
/// # Errors
/// If the file does not describe a macro with the pins of IHP's memories.
pub fn access(file: &Path) -> Result<(f64, f64), Failure> {
    let none = || Failure::Form(file.into(), "no energy of an access".into());
    power::access(&Liberty::load(file)?).ok_or_else(none)
}

/// A netlist that runs a program.
struct Run<'m> {
    module: &'m Module,
    gates: Events,
    power: Power,
    /// Energy of the clock in a cycle, picojoules.
    tick: f64,
    clock: &'m str,
    drawn: Vec<Drawn>,
}

impl<'m> Run<'m> {
    fn new(module: &'m Module, unit: &'m Unit, library: &Liberty) -> Result<Self, String> {
        let mut gates = gates::build(module, library)?;
        let power = Power::new(library).ok_or("the library has no units")?;
        let (costs, tick) = costs(module, &power, gates.nets());
        gates.price(costs);
        Ok(Self { module, gates, power, tick, clock: &unit.clock, drawn: Vec::new() })
    }

    /// Replays every recorded cycle on the netlist.
    fn play(&mut self, mut ports: impl BufRead) -> Result<(), String> {
        let mut names = String::new();
        ports.read_line(&mut names).map_err(|error| error.to_string())?;
        let names: Vec<&str> = names.split_whitespace().collect();
        let places: HashMap<String, usize> =
            names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), at)).collect();
        let part_at = *places.get(PART).ok_or("the recording has no parts")?;
        let wires = in_columns(wires(self.module, &places, self.clock)?, &places)?;
        let mut meter = Meter::new(&names, PART);
        let mut all = Class::default();
        let (mut old, mut part) = (vec![0; names.len()], 0);
        while let Some(row) = row(&mut ports, names.len())? {
            if row[part_at] != part {
                if part % 2 == 1 {
                    self.end(std::mem::take(&mut all), meter.classes())?;
                }
                part = row[part_at];
                (all, _) = (Class::default(), meter.begin());
                self.gates.forget();
                self.gates.spent();
            }
            self.step(&wires, &row, &old);
            if part % 2 == 1 {
                self.compare(&wires, &row, &places)?;
            }
            self.gates.clock();
            let energy = self.gates.spent() + self.tick;
            meter.take(&row, energy);
            all.add(&meter.cycle(&row, energy), 1.0, 1.0);
            old = row;
        }
        Ok(())
    }

    /// Sets the inputs that have changed, and lets the netlist settle.
    fn step(&mut self, wires: &[Wire], row: &[u64], old: &[u64]) {
        for wire in wires.iter().filter(|wire| wire.input && row[wire.port] != old[wire.port]) {
            self.gates.set(wire.net, bit(row, wire));
        }
        self.gates.settle();
    }

    /// Returns an error if an output differs from the recording.
    fn compare(
        &self,
        wires: &[Wire],
        row: &[u64],
        places: &HashMap<String, usize>,
    ) -> Result<(), String> {
        let wrong = |wire: &&Wire| !wire.input && self.gates.get(wire.net) != bit(row, wire);
        match wires.iter().find(wrong) {
            None => Ok(()),
            Some(wire) => {
                let name = wires::name(places, wire.port);
                Err(format!("part {}: {name} is not what the model shows", self.drawn.len()))
            }
        }
    }

    /// Stores the energy of a part. The sum over its cycles must equal the cost of all its toggles.
    fn end(&mut self, all: Class, classes: BTreeMap<String, Class>) -> Result<(), String> {
        let cycles = all.cycles as u64;
        let energy = Energy::of(self.module, &self.gates, &self.power, (cycles, 1));
        println!("  part of {cycles} cycles: {energy}");
        if (all.picojoules / energy.per_op() - 1.0).abs() > 1e-6 {
            return Err(format!("the cycles of a part took {} pJ", all.picojoules));
        }
        self.drawn.push(Drawn { line: String::new(), all, classes });
        Ok(())
    }

    /// Assigns to each part the line that the program printed.
    fn lines(mut self, said: &str) -> Result<Vec<Drawn>, String> {
        let count = said.lines().count();
        if count != self.drawn.len() {
            return Err(format!("{count} lines of {} parts", self.drawn.len()));
        }
        for (drawn, line) in self.drawn.iter_mut().zip(said.lines()) {
            drawn.line = line.into();
        }
        Ok(self.drawn)
    }
}

/// Assigns the bits of a port from bit 64 on to their columns.
fn in_columns(mut wires: Vec<Wire>, places: &HashMap<String, usize>) -> Result<Vec<Wire>, String> {
    for wire in wires.iter_mut().filter(|wire| wire.bit >= 64) {
        let column = format!("{}+{}", wires::name(places, wire.port), wire.bit / 64 * 64);
        wire.port = *places.get(&column).ok_or(format!("the bench has no port {column}"))?;
        wire.bit %= 64;
    }
    Ok(wires)
}

fn bit(row: &[u64], wire: &Wire) -> bool {
    row[wire.port] >> wire.bit & 1 == 1
}

/// Reads the words of a cycle. Returns `None` at the end of the recording.
fn row(ports: &mut impl Read, words: usize) -> Result<Option<Vec<u64>>, String> {
    let mut bytes = vec![0; 8 * words];
    let mut got = 0;
    while got < bytes.len() {
        match ports.read(&mut bytes[got..]).map_err(|error| error.to_string())? {
            0 if got == 0 => return Ok(None),
            0 => return Err("the recording ends within a cycle".into()),
            more => got += more,
        }
    }
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    Ok(Some(bytes.chunks(8).map(word).collect()))
}

#[cfg(test)]
mod tests;
