//! `hw energy`: the mapped netlist runs what the core's bench runs, its toggles are counted, and
//! the library says what they cost.
//!
//! The bench is built once more with its ports recorded. The netlist gets the same inputs in every
//! cycle and must show the same outputs. The method and its limits are in `flow/README.md`.

mod expr;
pub mod gates;
pub mod memory;
pub mod ports;
mod power;
mod saif;

use crate::core::cores::{Core, Point, Unit};
use crate::core::kept;
use crate::core::options::Options;
use crate::core::tool;
use crate::map::asic;
use crate::map::liberty;
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use crate::run::sim;
use gates::{Gates, Net, net};
use hasten_chore::failure::{Failure, read};
use ports::{Mark, Ports};
use power::Power;
use std::collections::HashMap;
use std::path::Path;

/// Measures every chosen point with a bench, in every library, and puts the energy into the rows of
/// the report.
pub fn run(options: &Options) -> Result<(), Failure> {
    for core in Core::chosen(options)? {
        for unit in core.unit.iter().filter(|unit| unit.bench.is_some()) {
            for point in &unit.points {
                let (ports, marks) = record(&core, unit, point)?;
                for (library, file) in liberty::libraries(options)? {
                    let mapped = asic::map(&core, unit, point, &library, &file)?;
                    for mark in &marks {
                        let energy = measure(&mapped.stem, unit, &library, &ports, mark)?;
                        println!("{} {} {}: {energy}", unit.top, point.slug(), library.name());
                        kept::set_energy(
                            &core,
                            unit,
                            point,
                            &library.sha256,
                            &mark.op,
                            energy.per_op(),
                        )?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Runs the bench with its ports recorded.
fn record(core: &Core, unit: &Unit, point: &Point) -> Result<(Ports, Vec<Mark>), Failure> {
    let file = tool::work("energy")?.join(format!("{}_{}.vcd", unit.top, point.slug()));
    let marks = sim::record(core, unit, point, &file)?;
    let form = |fault: String| Failure::Form(file.clone(), fault);
    let ports = Ports::parse(&read(&file)?).ok_or_else(|| form("no ports".into()))?;
    let marks: Result<Vec<Mark>, _> = marks.lines().map(serde_json::from_str).collect();
    let marks = marks.map_err(|fault| form(fault.to_string()))?;
    if marks.is_empty() {
        return Err(form("the bench marks no operation: it needs measure() and measured()".into()));
    }
    Ok((ports, marks))
}

/// Where the energy of an operation goes, picojoules in all cycles of the mark.
#[derive(Debug, Default, Clone, Copy)]
struct Energy {
    internal: f64,
    nets: f64,
    clock: f64,
    leakage_uw: f64,
    toggles: f64,
    cycles: u64,
    count: u64,
}

impl Energy {
    fn per_op(&self) -> f64 {
        (self.internal + self.nets + self.clock) / self.count as f64
    }
}

impl std::fmt::Display for Energy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |part: f64| 100.0 * part / (self.internal + self.nets + self.clock);
        write!(
            f,
            "{:.1} pJ per operation ({:.1} per cycle; {:.0} % in cells, {:.0} % in nets, {:.0} % in the clock; {:.3} toggles per net and cycle; leakage {:.1} uW)",
            self.per_op(),
            self.per_op() * self.count as f64 / self.cycles as f64,
            share(self.internal),
            share(self.nets),
            share(self.clock),
            self.toggles,
            self.leakage_uw
        )
    }
}

fn measure(
    stem: &Path,
    unit: &Unit,
    library: &Liberty,
    ports: &Ports,
    mark: &Mark,
) -> Result<Energy, Failure> {
    let module = Module::load(&stem.with_extension("json"), &unit.top)?;
    let fault = |words: String| Failure::Form(stem.with_extension("json"), words);
    let mut gates = Gates::new(&module, library).map_err(fault)?;
    play(&mut gates, &module, &unit.clock, ports, mark).map_err(fault)?;
    tool::write(
        &stem.with_extension("saif"),
        &saif::text(&unit.top, &module, &gates, mark.to - mark.from),
    )?;
    let power = Power::new(library).ok_or_else(|| fault("the library has no units".into()))?;
    Ok(count(&module, &gates, &power, mark))
}

/// A port of the netlist: its bits, and where they stand in a sample.
pub struct Wire {
    /// The net of the bit.
    pub net: Net,
    /// The place of the port in a sample.
    pub port: usize,
    /// The bit of the port.
    pub bit: usize,
    /// The bit goes into the netlist.
    pub input: bool,
}

/// Returns every bit of the ports but the clock. `a_i[3]` is bit 3 of `a_i`.
pub fn wires(module: &Module, ports: &Ports, clock: &str) -> Result<Vec<Wire>, String> {
    let mut wires = Vec::new();
    for (name, port) in module.ports.iter().filter(|(name, _)| *name != clock) {
        let (base, first) = match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
            Some((base, bit)) => (base, bit.parse().map_err(|_| format!("port {name}"))?),
            None => (name.as_str(), 0),
        };
        let at = *ports.places.get(base).ok_or(format!("the bench has no port {base}"))?;
        for (k, bit) in port.bits.iter().enumerate() {
            wires.push(Wire {
                net: net(bit),
                port: at,
                bit: first + k,
                input: port.direction == "input",
            });
        }
    }
    Ok(wires)
}

/// Gives the netlist every recorded cycle, and compares its outputs while the mark lasts.
fn play(
    gates: &mut Gates,
    module: &Module,
    clock: &str,
    ports: &Ports,
    mark: &Mark,
) -> Result<(), String> {
    let wires = wires(module, ports, clock)?;
    for (cycle, sample) in ports.samples.iter().enumerate().take(mark.to as usize) {
        let counts = (mark.from..mark.to).contains(&(cycle as u64));
        for wire in wires.iter().filter(|wire| wire.input) {
            gates.set(wire.net, sample[wire.port][wire.bit], counts);
        }
        gates.settle(counts);
        let wrong =
            |wire: &&Wire| !wire.input && gates.get(wire.net) != sample[wire.port][wire.bit];
        if let Some(wire) = wires.iter().find(wrong).filter(|_| counts) {
            let name = ports.name(wire.port);
            return Err(format!("cycle {cycle}: {name} is not what the model shows"));
        }
        gates.clock(counts);
    }
    Ok(())
}

fn count(module: &Module, gates: &Gates, power: &Power, mark: &Mark) -> Energy {
    let cycles = mark.to - mark.from;
    let mut load: HashMap<Net, f64> = HashMap::new();
    let pins = || {
        module
            .cells
            .values()
            .flat_map(|cell| cell.connections.iter().map(move |(pin, bits)| (cell, pin, bits)))
    };
    for (cell, pin, bits) in pins() {
        let Some(data) = power.pin(&cell.kind, pin) else { continue };
        bits.iter().for_each(|bit| *load.entry(net(bit)).or_default() += data.capacitance);
    }
    let mut energy = Energy { cycles, count: mark.count, ..Energy::default() };
    for (cell, pin, bits) in pins() {
        let (Some(data), Some(wire)) = (power.pin(&cell.kind, pin), bits.first().map(net)) else {
            continue;
        };
        if data.clock {
            energy.clock += data.internal(cycles, cycles, 0.0)
                + cycles as f64 * data.capacitance * power.voltage.powi(2);
            continue;
        }
        let capacitance = load.get(&wire).copied().unwrap_or(0.0);
        energy.internal += data.internal(gates.rises[wire], gates.falls[wire], capacitance);
    }
    for (&wire, capacitance) in &load {
        let toggles = (gates.rises[wire] + gates.falls[wire]) as f64;
        energy.nets += 0.5 * toggles * capacitance * power.voltage.powi(2);
        energy.toggles += toggles;
    }
    energy.toggles /= cycles as f64 * load.len() as f64;
    energy.leakage_uw = module.cells.values().map(|cell| power.leakage(&cell.kind)).sum();
    energy
}
