//! A module mapped to gates with two inputs, for claims about its paths and nets.

use super::description::Netlist;
use crate::core::tool;
use crate::map::netlist::{Cell, Module};
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The mapped module.
pub struct Gates(Module);

impl Gates {
    /// Maps the module. `balance` is a command of abc, or empty.
    pub fn map(netlist: &Netlist, balance: &str) -> Result<Self, Failure> {
        let root = checkout::root()?;
        let files: Vec<String> =
            netlist.files.iter().map(|file| root.join(file).display().to_string()).collect();
        let params: Vec<String> =
            netlist.params.iter().map(|(name, value)| format!("-G {name}={value}")).collect();
        let kind = if balance.is_empty() { "written" } else { "balanced" };
        let name = format!("{}_{}_{kind}", netlist.top, params.join("_").replace("-G ", ""));
        let out = tool::work("claims")?.join(name);
        let names = [
            ("FILES", files.join(" ")),
            ("TOP", netlist.top.clone()),
            ("PARAMS", params.join(" ")),
            ("BALANCE", balance.into()),
            ("OUT", out.display().to_string()),
        ];
        tool::yosys("gates.ys", &names, &out.with_extension("log"))?;
        Module::load(&out.with_extension("json"), &netlist.top).map(Self)
    }

    /// Returns the figures that a claim's formulas may use.
    pub fn figures(&self, netlist: &Netlist) -> Value {
        let count = self.readers(&netlist.net, &netlist.readers);
        json!({ "depth": self.depth(&netlist.from), "count": count })
    }

    /// Returns the number of gates on the longest path that begins at this input or at a register.
    /// An inverter counts as a gate.
    pub fn depth(&self, from: &str) -> u64 {
        let mut level = self.starts(from);
        let mut left: Vec<&Cell> =
            self.0.cells.values().filter(|cell| !is_register(cell)).collect();
        loop {
            let before = left.len();
            left.retain(|cell| !place(cell, &mut level));
            if left.len() == before {
                return level.into_values().max().unwrap_or(0);
            }
        }
    }

    /// Returns the nets at which paths begin.
    fn starts(&self, from: &str) -> HashMap<u64, u64> {
        let port = self.0.ports.get(from).into_iter().flat_map(|port| &port.bits);
        let registers = self.0.cells.values().filter(|cell| is_register(cell));
        let registers = registers.flat_map(|cell| cell.nets("output"));
        port.filter_map(Value::as_u64).chain(registers).map(|net| (net, 0)).collect()
    }

    /// Returns the number of gates of these kinds that read the net.
    fn readers(&self, net: &str, kinds: &[String]) -> usize {
        let bits = self.0.netnames.get(net).map(|net| net.bits.as_slice()).unwrap_or_default();
        let bits: Vec<u64> = bits.iter().filter_map(Value::as_u64).collect();
        let gates = self.0.cells.values().filter(|cell| kinds.contains(&cell.kind));
        gates.filter(|cell| cell.nets("input").iter().any(|net| bits.contains(net))).count()
    }
}

fn is_register(cell: &Cell) -> bool {
    cell.kind.contains("DFF")
}

/// Sets the level of the cell's outputs. Returns false while the level of an input is unknown.
fn place(cell: &Cell, level: &mut HashMap<u64, u64>) -> bool {
    let inputs = cell.nets("input");
    let known: Option<Vec<u64>> = inputs.iter().map(|net| level.get(net).copied()).collect();
    let Some(known) = known else { return false };
    let depth = 1 + known.into_iter().max().unwrap_or(0);
    level.extend(cell.nets("output").into_iter().map(|net| (net, depth)));
    true
}
