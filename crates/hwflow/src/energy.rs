//! `hw energy`: runs the mapped netlist on the cycles of the core's bench, counts its toggles, and
//! computes their energy from the library.
//!
//! The bench is built once more with its ports recorded. The netlist gets the same inputs in every
//! cycle and must show the same outputs. `flow/README.md` describes the method and its limits.

mod count;
mod events;
mod expr;
pub mod gates;
pub mod memory;
mod meter;
pub mod ports;
mod power;
mod programs;
mod saif;
pub mod wires;

pub use meter::Class;
pub use programs::{Drawn, Job, access, drawn};

use crate::core::cores::{Core, Point, Unit};
use crate::core::kept;
use crate::core::options::Options;
use crate::core::tool;
use crate::map::asic;
use crate::map::liberty;
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use crate::run::sim;
use count::Energy;
use events::Events;
use hasten_chore::failure::{Failure, read};
use ports::{Mark, Ports};
use power::Power;
use std::path::Path;
use wires::{Wire, wires};

/// Measures every chosen point with a bench in every library, and stores the energy in the rows of
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

/// Runs the bench with its ports recorded, and returns the recording and its marks.
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

fn measure(
    stem: &Path,
    unit: &Unit,
    library: &Liberty,
    ports: &Ports,
    mark: &Mark,
) -> Result<Energy, Failure> {
    let module = Module::load(&stem.with_extension("json"), &unit.top)?;
    let fault = |words: String| Failure::Form(stem.with_extension("json"), words);
    let mut gates = gates::build(&module, library).map_err(fault)?;
    play(&mut gates, &module, &unit.clock, ports, mark).map_err(fault)?;
    tool::write(
        &stem.with_extension("saif"),
        &saif::text(&unit.top, &module, &gates, mark.to - mark.from),
    )?;
    let power = Power::new(library).ok_or_else(|| fault("the library has no units".into()))?;
    Ok(Energy::of(&module, &gates, &power, (mark.to - mark.from, mark.count)))
}

/// Replays every recorded cycle on the netlist, and compares its outputs in the marked cycles.
fn play(
    gates: &mut Events,
    module: &Module,
    clock: &str,
    ports: &Ports,
    mark: &Mark,
) -> Result<(), String> {
    let wires = wires(module, &ports.places, clock)?;
    for (cycle, sample) in ports.samples.iter().enumerate().take(mark.to as usize) {
        if cycle as u64 == mark.from {
            gates.forget();
        }
        for wire in wires.iter().filter(|wire| wire.input) {
            gates.set(wire.net, sample[wire.port][wire.bit]);
        }
        gates.settle();
        let wrong =
            |wire: &&Wire| !wire.input && gates.get(wire.net) != sample[wire.port][wire.bit];
        if let Some(wire) = wires.iter().find(wrong).filter(|_| cycle as u64 >= mark.from) {
            let name = wires::name(&ports.places, wire.port);
            return Err(format!("cycle {cycle}: {name} is not what the model shows"));
        }
        gates.clock();
    }
    Ok(())
}
