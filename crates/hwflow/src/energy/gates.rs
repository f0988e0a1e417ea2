//! A mapped netlist as a list of gates in the order of evaluation, and its simulation, cycle by
//! cycle with zero delay.

use super::expr::{self, Table};
use super::memory::Memory;
use crate::map::liberty::{Group, Liberty};
use crate::map::netlist::{Cell, Module};
use serde_json::Value;
use std::collections::HashMap;

/// A net's number; the first two are constants.
pub type Net = usize;

/// One output of a cell.
pub struct Gate {
    /// The nets that it reads.
    pub inputs: Vec<Net>,
    /// Its truth table, as `Table` has it.
    pub bits: u64,
    /// The net that it drives.
    pub output: Net,
}

/// A flip-flop: what it takes over at the clock's edge, and where its state is seen.
pub struct Flop {
    /// The next state.
    pub next: Gate,
    /// Where it is 1, the next state is 0.
    pub clear: Option<Gate>,
    /// Where it is 1, and nothing clears, the next state is 1.
    pub preset: Option<Gate>,
    /// Nets that show the state, and which of them show its inverse.
    pub outputs: Vec<(Net, bool)>,
    state: bool,
}

/// A netlist that runs.
pub struct Gates {
    /// Gates in the order of evaluation.
    pub gates: Vec<Gate>,
    /// Flip-flops.
    pub flops: Vec<Flop>,
    /// Memories.
    pub memories: Vec<Memory>,
    values: Vec<bool>,
    /// How often each net rose and fell while counting.
    pub rises: Vec<u64>,
    /// See `rises`.
    pub falls: Vec<u64>,
}

/// Returns the number of a bit as yosys writes it.
pub fn net(bit: &Value) -> Net {
    match bit.as_u64() {
        Some(number) => number as Net,
        None => Net::from(bit.as_str() == Some("1")),
    }
}

fn pin(cell: &Cell, name: &str) -> Option<Net> {
    cell.connections.get(name)?.first().map(net)
}

fn gate(cell: &Cell, table: &Table, output: Net) -> Option<Gate> {
    let inputs = table.pins.iter().map(|name| pin(cell, name)).collect::<Option<Vec<Net>>>()?;
    Some(Gate { inputs, bits: table.bits, output })
}

impl Gate {
    fn value(&self, values: &[bool]) -> bool {
        let index = self
            .inputs
            .iter()
            .enumerate()
            .fold(0, |i, (k, &net)| i | usize::from(values[net]) << k);
        self.bits >> index & 1 == 1
    }
}

impl Gates {
    /// Builds the netlist; the fault is a cell that the library does not explain, or a memory.
    pub fn new(module: &Module, library: &Liberty) -> Result<Self, String> {
        let netlist = Self::with_memories(module, library)?;
        if netlist.memories.is_empty() {
            return Ok(netlist);
        }
        Err("the netlist has memories".into())
    }

    /// Builds a netlist that may have memories.
    pub fn with_memories(module: &Module, library: &Liberty) -> Result<Self, String> {
        let kinds = library.cells();
        let (mut gates, mut flops, mut memories) = (Vec::new(), Vec::new(), Vec::new());
        for (name, cell) in &module.cells {
            let kind =
                kinds.get(cell.kind.as_str()).ok_or(format!("{name}: no cell {}", cell.kind))?;
            let built = match kind.all("ff").next() {
                Some(ff) => flop(cell, kind, ff).map(|flop| flops.push(flop)),
                None => match Memory::of(cell) {
                    Some(memory) => {
                        memories.push(memory);
                        Some(())
                    }
                    None => outputs(cell, kind).map(|built| gates.extend(built)),
                },
            };
            built.ok_or(format!("{name}: {} is not understood", cell.kind))?;
        }
        let nets = 1 + module
            .cells
            .values()
            .flat_map(|cell| cell.connections.values().flatten())
            .map(net)
            .max()
            .unwrap_or(1);
        let nets = nets
            .max(1 + module.ports.values().flat_map(|port| &port.bits).map(net).max().unwrap_or(1));
        let mut values = vec![false; nets];
        values[1] = true;
        let gates = ordered(gates, nets)?;
        Ok(Self { gates, flops, memories, values, rises: vec![0; nets], falls: vec![0; nets] })
    }

    /// Drives an input.
    pub fn set(&mut self, net: Net, value: bool, counts: bool) {
        let old = std::mem::replace(&mut self.values[net], value);
        if counts {
            self.rises[net] += u64::from(!old && value);
            self.falls[net] += u64::from(old && !value);
        }
    }

    /// Returns the value of a net.
    pub fn get(&self, net: Net) -> bool {
        self.values[net]
    }

    /// Lets everything settle.
    pub fn settle(&mut self, counts: bool) {
        for at in 0..self.gates.len() {
            let value = self.gates[at].value(&self.values);
            self.set(self.gates[at].output, value, counts);
        }
    }

    /// Makes the clock's rising edge.
    pub fn clock(&mut self, counts: bool) {
        let holds = |gate: &Option<Gate>, values: &[bool]| {
            gate.as_ref().is_some_and(|gate| gate.value(values))
        };
        for flop in &mut self.flops {
            flop.state = !holds(&flop.clear, &self.values)
                && (flop.next.value(&self.values) || holds(&flop.preset, &self.values));
        }
        for at in 0..self.flops.len() {
            let state = self.flops[at].state;
            for k in 0..self.flops[at].outputs.len() {
                let (net, inverted) = self.flops[at].outputs[k];
                self.set(net, state != inverted, counts);
            }
        }
    }
}

/// Returns the gates of a cell without state.
fn outputs(cell: &Cell, kind: &Group) -> Option<Vec<Gate>> {
    let mut gates = Vec::new();
    for port in kind.all("pin").filter(|port| port.attributes.contains_key("function")) {
        let Some(output) = pin(cell, &port.args) else { continue };
        gates.push(gate(cell, &expr::parse(&port.attributes["function"])?, output)?);
    }
    (!gates.is_empty()).then_some(gates)
}

fn flop(cell: &Cell, kind: &Group, ff: &Group) -> Option<Flop> {
    let function = |name: &str| ff.attributes.get(name).and_then(|text| expr::parse(text));
    let part = |name: &str| function(name).and_then(|table| gate(cell, &table, 0));
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
    Some(Flop {
        next: part("next_state")?,
        clear: part("clear"),
        preset: part("preset"),
        outputs,
        state: false,
    })
}

/// Returns every gate after those that drive it.
fn ordered(gates: Vec<Gate>, nets: usize) -> Result<Vec<Gate>, String> {
    let mut driver: HashMap<Net, usize> = HashMap::new();
    for (at, gate) in gates.iter().enumerate() {
        driver.insert(gate.output, at);
    }
    let mut waits: Vec<usize> = vec![0; gates.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); nets];
    for (at, gate) in gates.iter().enumerate() {
        for net in gate.inputs.iter().filter(|net| driver.contains_key(net)) {
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
