//! A mapped netlist as cells and nets.

use crate::energy::gates::{Net, net};
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A cell.
pub struct Cell {
    pub kind: String,
    /// Area in square micrometres.
    pub area: f64,
    /// Pins and the net on each. The first two nets are the constants 0 and 1.
    pub pins: Vec<(String, Net)>,
}

impl Cell {
    /// Returns true if the cell is a block, such as a memory. A block is far larger than any gate.
    pub fn is_block(&self) -> bool {
        self.area > 5_000.0
    }
}

/// A pin of a net.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pin {
    pub cell: usize,
    /// Index of the pin in its cell.
    pub pin: usize,
    pub drives: bool,
}

/// The cells and nets of a netlist.
pub struct Circuit {
    pub cells: Vec<Cell>,
    /// Pins of each net, the driver first. The constants and the clock are left out.
    pub nets: BTreeMap<Net, Vec<Pin>>,
    /// Nets of the inputs, in the order of the ports' names. `outputs` has the nets of the outputs
    /// in the order of their numbers, without constants and without nets of inputs.
    pub inputs: Vec<Net>,
    pub outputs: Vec<Net>,
    pub clock: Net,
    /// Highest number of a net.
    pub most: Net,
}

impl Circuit {
    /// Reads a module. Fails if the library lacks a cell or if there is no clock.
    pub fn new(module: &Module, library: &Liberty, clock: &str) -> Result<Self, String> {
        let kinds = library.cells();
        let ports = |direction: &str| -> Vec<Net> {
            let of = module.ports.values().filter(|port| port.direction == direction);
            of.flat_map(|port| port.bits.iter().map(net)).collect()
        };
        let clock = module.ports.get(clock).and_then(|port| port.bits.first()).map(net);
        let clock = clock.ok_or("there is no clock")?;
        let inputs = ports("input");
        let driven: BTreeSet<Net> = inputs.iter().copied().collect();
        let outputs = ports("output").into_iter().filter(|net| *net > 1 && !driven.contains(net));
        let mut circuit = Self {
            cells: Vec::new(),
            nets: BTreeMap::new(),
            outputs: outputs.collect::<BTreeSet<Net>>().into_iter().collect(),
            inputs,
            clock,
            most: clock,
        };
        circuit.most = circuit.outputs.iter().chain(&circuit.inputs).fold(clock, |a, b| a.max(*b));
        for (name, cell) in &module.cells {
            let fault = || format!("{name}: no cell {} with an area", cell.kind);
            let kind = kinds.get(cell.kind.as_str()).ok_or_else(fault)?;
            let area = kind.number("area").ok_or_else(fault)?;
            let pins: Vec<(String, Net)> =
                cell.connections.iter().flat_map(|(pin, bits)| of_pin(pin, bits)).collect();
            for (pin, (name, net)) in pins.iter().enumerate() {
                let drives = kind.is(name, "output");
                circuit.add(*net, Pin { cell: circuit.cells.len(), pin, drives });
            }
            circuit.cells.push(Cell { kind: cell.kind.clone(), area, pins });
        }
        Ok(circuit)
    }

    fn add(&mut self, net: Net, pin: Pin) {
        self.most = self.most.max(net);
        if net < 2 || net == self.clock {
            return;
        }
        let pins = self.nets.entry(net).or_default();
        pins.push(pin);
        if pin.drives {
            let last = pins.len() - 1;
            pins.swap(0, last);
        }
    }

    /// Returns the area of all cells that are not blocks.
    pub fn area(&self) -> f64 {
        self.cells.iter().filter(|cell| !cell.is_block()).map(|cell| cell.area).sum()
    }
}

/// Returns the pins of a connection, which are several for a bus.
fn of_pin(pin: &str, bits: &[Value]) -> Vec<(String, Net)> {
    let one = bits.len() == 1;
    let name = |at: usize| if one { pin.to_owned() } else { format!("{pin}[{at}]") };
    bits.iter().enumerate().map(|(at, bit)| (name(at), net(bit))).collect()
}
