//! A mapped netlist as the functions of its cells, in the order of evaluation. `events.rs`
//! simulates it.

use super::events::Events;
use super::expr::{self, Table};
use super::memory::Memory;
use crate::map::liberty::{Group, Liberty};
use crate::map::netlist::{Cell, Module};
use serde_json::Value;
use std::collections::HashMap;

/// Number of a net. The first two nets are the constants 0 and 1.
pub type Net = usize;

/// A function of nets.
#[derive(Default)]
pub struct Function {
    /// Nets that the function reads.
    pub inputs: Vec<Net>,
    /// Truth table: bit i is the value of the function if bit k of i is the value of input k.
    pub bits: u64,
}

/// One output of a combinational cell.
pub struct Gate {
    /// Function of the output.
    pub value: Function,
    /// Net that the output drives.
    pub output: Net,
}

/// A flip-flop: the functions that determine its next state, and the nets that show its state.
pub struct Flop {
    /// Functions for the next state, clear and preset. A missing function is 0.
    pub parts: [Function; 3],
    /// Nets that show the state, each with true if it shows the inverse.
    pub outputs: Vec<(Net, bool)>,
}

/// Returns the net of a bit as yosys writes it.
pub fn net(bit: &Value) -> Net {
    match bit.as_u64() {
        Some(number) => number as Net,
        None => Net::from(bit.as_str() == Some("1")),
    }
}

/// A netlist in which every gate comes after the gates that drive it.
pub struct Netlist {
    /// Outputs of combinational cells.
    pub gates: Vec<Gate>,
    /// Flip-flops.
    pub flops: Vec<Flop>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Number of nets.
    pub nets: usize,
}

impl Netlist {
    /// Builds the netlist. Fails if the library does not describe a cell.
    pub fn new(module: &Module, library: &Liberty) -> Result<Self, String> {
        let kinds = library.cells();
        let (mut gates, mut flops, mut memories) = (Vec::new(), Vec::new(), Vec::new());
        for (name, cell) in &module.cells {
            let kind =
                kinds.get(cell.kind.as_str()).ok_or(format!("{name}: no cell {}", cell.kind))?;
            let built = match (kind.all("ff").next(), Memory::of(cell)) {
                (Some(ff), _) => flop(cell, kind, ff).map(|flop| flops.push(flop)),
                (None, Some(memory)) => {
                    memories.push(memory);
                    Some(())
                }
                (None, None) => outputs(cell, kind).map(|built| gates.extend(built)),
            };
            built.ok_or(format!("{name}: {} is not understood", cell.kind))?;
        }
        let of_cells = module.cells.values().flat_map(|cell| cell.connections.values().flatten());
        let of_ports = module.ports.values().flat_map(|port| &port.bits);
        let nets = 1 + of_cells.chain(of_ports).map(net).max().unwrap_or(1).max(1);
        Ok(Self { gates: ordered(gates, nets)?, flops, memories, nets })
    }

    /// Builds a netlist, and fails if it has memories.
    pub fn without_memories(module: &Module, library: &Liberty) -> Result<Self, String> {
        let netlist = Self::new(module, library)?;
        let fault = || Err("the netlist has memories".into());
        if netlist.memories.is_empty() { Ok(netlist) } else { fault() }
    }
}

/// Builds the simulation of a netlist without memories.
pub fn build(module: &Module, library: &Liberty) -> Result<Events, String> {
    let Netlist { gates, flops, nets, .. } = Netlist::without_memories(module, library)?;
    Ok(Events::new(gates, flops, nets))
}

fn pin(cell: &Cell, name: &str) -> Option<Net> {
    cell.connections.get(name)?.first().map(net)
}

fn function(cell: &Cell, table: &Table) -> Option<Function> {
    let inputs = table.pins.iter().map(|name| pin(cell, name)).collect::<Option<Vec<Net>>>()?;
    Some(Function { inputs, bits: table.bits })
}

/// Returns the gates of a combinational cell.
fn outputs(cell: &Cell, kind: &Group) -> Option<Vec<Gate>> {
    let mut gates = Vec::new();
    for port in kind.all("pin").filter(|port| port.attributes.contains_key("function")) {
        let Some(output) = pin(cell, &port.args) else { continue };
        let value = function(cell, &expr::parse(&port.attributes["function"])?)?;
        gates.push(Gate { value, output });
    }
    (!gates.is_empty()).then_some(gates)
}

fn flop(cell: &Cell, kind: &Group, ff: &Group) -> Option<Flop> {
    let part = |name: &str| match ff.attributes.get(name) {
        Some(text) => function(cell, &expr::parse(text)?),
        None => Some(Function::default()),
    };
    let (positive, negative) = ff.args.split_once(',')?;
    let names = [(positive.trim(), false), (negative.trim(), true)];
    let mut outputs = Vec::new();
    for port in kind.all("pin") {
        let function = port.attributes.get("function").map(|text| text.trim());
        let inverted =
            names.iter().find(|(name, _)| Some(*name) == function).map(|(_, inverted)| *inverted);
        if let (Some(inverted), Some(net)) = (inverted, pin(cell, &port.args)) {
            outputs.push((net, inverted));
        }
    }
    ff.attributes.get("next_state")?;
    Some(Flop { parts: [part("next_state")?, part("clear")?, part("preset")?], outputs })
}

/// Returns the gates ordered so that each comes after those that drive it.
fn ordered(gates: Vec<Gate>, nets: usize) -> Result<Vec<Gate>, String> {
    let mut driver: HashMap<Net, usize> = HashMap::new();
    for (at, gate) in gates.iter().enumerate() {
        driver.insert(gate.output, at);
    }
    let mut waits: Vec<usize> = vec![0; gates.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); nets];
    for (at, gate) in gates.iter().enumerate() {
        for net in gate.value.inputs.iter().filter(|net| driver.contains_key(net)) {
            waits[at] += 1;
            readers[*net].push(at);
        }
    }
    let mut order: Vec<usize> = (0..gates.len()).filter(|at| waits[*at] == 0).collect();
    let mut done = 0;
    while done < order.len() {
        for &reader in &readers[gates[order[done]].output] {
            waits[reader] -= 1;
            if waits[reader] == 0 {
                order.push(reader);
            }
        }
        done += 1;
    }
    if order.len() < gates.len() {
        return Err("the netlist has a loop without a register".into());
    }
    let mut slots: Vec<Option<Gate>> = gates.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|at| slots[at].take()).collect())
}
