//! The energy of counted toggles.

use super::events::Events;
use super::gates::{Net, net};
use super::power::Power;
use crate::map::netlist::Module;
use serde_json::Value;
use std::collections::HashMap;

/// Energy of an operation by destination, in picojoules over all cycles of the mark.
#[derive(Debug, Default, Clone, Copy)]
pub struct Energy {
    internal: f64,
    nets: f64,
    clock: f64,
    leakage_uw: f64,
    toggles: f64,
    cycles: u64,
    count: u64,
}

/// Returns the energy in picojoules of a fall and of a rise of each net, and of a clock cycle.
pub fn costs(module: &Module, power: &Power, nets: usize) -> ([Vec<f64>; 2], f64) {
    let mut load = vec![0.0; nets];
    let pins: Vec<(&str, &str, &[Value])> = module
        .cells
        .values()
        .flat_map(|cell| {
            let pins = cell.connections.iter();
            pins.map(|(pin, bits)| (cell.kind.as_str(), pin.as_str(), bits.as_slice()))
        })
        .collect();
    for (kind, pin, bits) in &pins {
        let Some(data) = power.pin(kind, pin) else { continue };
        bits.iter().for_each(|bit| load[net(bit)] += data.capacitance);
    }
    let charge = |capacitance: f64| 0.5 * capacitance * power.voltage.powi(2);
    let each: Vec<f64> = load.iter().map(|capacitance| charge(*capacitance)).collect();
    let (mut costs, mut clock) = ([each.clone(), each], 0.0);
    for (kind, pin, bits) in &pins {
        let (Some(data), Some(wire)) = (power.pin(kind, pin), bits.first().map(net)) else {
            continue;
        };
        if data.clock {
            clock += data.internal(1, 1, 0.0) + 2.0 * charge(data.capacitance);
        } else {
            costs[0][wire] += data.internal(0, 1, load[wire]);
            costs[1][wire] += data.internal(1, 0, load[wire]);
        }
    }
    (costs, clock)
}

impl Energy {
    /// Returns the energy of one operation in picojoules.
    pub fn per_op(&self) -> f64 {
        (self.internal + self.nets + self.clock) / self.count as f64
    }

    /// Returns the energy of the toggles in `cycles` cycles, in which `count` operations ended.
    pub fn of(module: &Module, gates: &Events, power: &Power, (cycles, count): (u64, u64)) -> Self {
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
        let mut energy = Self { cycles, count, ..Self::default() };
        for (cell, pin, bits) in pins() {
            let (Some(data), Some(wire)) = (power.pin(&cell.kind, pin), bits.first().map(net))
            else {
                continue;
            };
            if data.clock {
                energy.clock += data.internal(cycles, cycles, 0.0)
                    + cycles as f64 * data.capacitance * power.voltage.powi(2);
                continue;
            }
            let capacitance = load.get(&wire).copied().unwrap_or(0.0);
            energy.internal += data.internal(gates.rises(wire), gates.falls(wire), capacitance);
        }
        for (&wire, capacitance) in &load {
            let toggles = (gates.rises(wire) + gates.falls(wire)) as f64;
            energy.nets += 0.5 * toggles * capacitance * power.voltage.powi(2);
            energy.toggles += toggles;
        }
        energy.toggles /= cycles as f64 * load.len() as f64;
        energy.leakage_uw = module.cells.values().map(|cell| power.leakage(&cell.kind)).sum();
        energy
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
