//! A flat netlist of library cells. It is joined from pieces (`flatten.rs`), gets buffers
//! (`fanout.rs`), and is written as Verilog.

use crate::map::netlist::{Cell, Module, Wire};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Number of a net. `ZERO` and `ONE` are the constants.
pub type Net = u32;
/// Constant 0.
pub const ZERO: Net = 0;
/// Constant 1.
pub const ONE: Net = 1;

/// A cell of the library.
#[derive(Debug)]
pub struct Gate {
    /// Type of the cell.
    pub kind: String,
    /// Name of the cell without the number that makes it unique.
    pub name: String,
    /// Piece that the cell comes from, as an index of `Flat::parts`.
    pub part: usize,
    /// Pins and their nets.
    pub pins: Vec<(String, Net)>,
}

/// A flat netlist.
#[derive(Debug, Default)]
pub struct Flat {
    /// Cells. The index of a cell is part of its name.
    pub gates: Vec<Gate>,
    /// Names of the pieces.
    pub parts: Vec<String>,
    /// Input bits and their nets.
    pub inputs: Vec<(String, Net)>,
    /// Output bits and their nets.
    pub outputs: Vec<(String, Net)>,
    same: Vec<Net>,
}

impl Flat {
    /// Returns a netlist with only the two constants.
    pub fn new() -> Self {
        Self { same: vec![ZERO, ONE], ..Self::default() }
    }

    /// Adds a net and returns it.
    pub fn net(&mut self) -> Net {
        let net = self.same.len() as Net;
        self.same.push(net);
        net
    }

    /// Returns the net that represents all nets joined with `net`.
    pub fn root(&self, mut net: Net) -> Net {
        while self.same[net as usize] != net {
            net = self.same[net as usize];
        }
        net
    }

    /// Joins two nets. The lower number represents both, so a constant takes precedence over other
    /// nets.
    pub fn unite(&mut self, a: Net, b: Net) {
        let (a, b) = (self.root(a), self.root(b));
        self.same[a.max(b) as usize] = a.min(b);
    }

    /// Returns the index of a part, which is added if it is new.
    pub fn part(&mut self, name: &str) -> usize {
        let known = self.parts.iter().position(|part| part == name);
        known.unwrap_or_else(|| {
            self.parts.push(name.into());
            self.parts.len() - 1
        })
    }

    /// Returns the netlist as a module with these ports, connected to the bits of the netlist.
    pub fn module(&self, ports: &BTreeMap<String, Wire>) -> Module {
        let bit = |net: Net| match self.root(net) {
            ZERO => Value::from("0"),
            ONE => Value::from("1"),
            root => Value::from(root),
        };
        let nets: HashMap<&str, Net> = self
            .inputs
            .iter()
            .chain(&self.outputs)
            .map(|(name, net)| (name.as_str(), *net))
            .collect();
        let port = |(name, wire): (&String, &Wire)| {
            let bits =
                (0..wire.bits.len()).filter_map(|at| nets.get(bit_of(name, wire, at).as_str()));
            let bits = bits.map(|net| bit(*net)).collect();
            (name.clone(), Wire { direction: wire.direction.clone(), bits, ..Wire::default() })
        };
        let cell = |(number, gate): (usize, &Gate)| {
            let mut connections: BTreeMap<String, Vec<Value>> = BTreeMap::new();
            for (pin, net) in &gate.pins {
                let bus = pin.split_once('[').map_or(pin.as_str(), |(bus, _)| bus);
                connections.entry(bus.into()).or_default().push(bit(*net));
            }
            (format!("{}_c{number}", gate.name), Cell::new(&gate.kind, connections))
        };
        Module {
            cells: self.gates.iter().enumerate().map(cell).collect(),
            ports: ports.iter().map(port).collect(),
            netnames: BTreeMap::new(),
        }
    }

    /// Returns the part of the cell that has the name `instance` in the Verilog text.
    pub fn part_of(&self, instance: &str) -> Option<&str> {
        let number: usize = instance.rsplit_once("_c")?.1.parse().ok()?;
        Some(&self.parts[self.gates.get(number)?.part])
    }

    /// Returns structural Verilog in which every port is a single bit. Nets are declared by their
    /// use.
    pub fn verilog(&self, top: &str) -> String {
        let bits = |ports: &[(String, Net)]| ports.iter().map(|port| port.0.clone()).collect();
        let (inputs, outputs): (Vec<String>, Vec<String>) =
            (bits(&self.inputs), bits(&self.outputs));
        let all = [inputs.clone(), outputs.clone()].concat().join(", ");
        let mut text = format!("module {top} ({all});\n");
        self.declare(&mut text, &inputs, &outputs);
        for (number, gate) in self.gates.iter().enumerate() {
            let pins = self.pins(gate);
            let _ = writeln!(text, "{} {}_c{number} ({pins});", gate.kind, gate.name);
        }
        text + "endmodule\n"
    }

    /// Returns the connections of a cell. The bits of a bus, lowest first, become one connection.
    fn pins(&self, gate: &Gate) -> String {
        let mut pins: Vec<(&str, String)> = Vec::new();
        for (pin, net) in &gate.pins {
            let name = pin.split_once('[').map_or(pin.as_str(), |(bus, _)| bus);
            match pins.last_mut() {
                Some((last, bits)) if *last == name => {
                    *bits = format!("{}, {bits}", self.text(*net));
                }
                _ => pins.push((name, self.text(*net))),
            }
        }
        let text = |(pin, bits): (&str, String)| {
            if bits.contains(',') {
                format!(".{pin}({{{bits}}})")
            } else {
                format!(".{pin}({bits})")
            }
        };
        pins.into_iter().map(text).collect::<Vec<_>>().join(", ")
    }

    fn declare(&self, text: &mut String, inputs: &[String], outputs: &[String]) {
        for name in inputs {
            let _ = writeln!(text, "input {name};");
        }
        for name in outputs {
            let _ = writeln!(text, "output {name};");
        }
        for (name, net) in &self.inputs {
            let _ = writeln!(text, "assign n{} = {name};", self.root(*net));
        }
        for (name, net) in &self.outputs {
            let _ = writeln!(text, "assign {name} = {};", self.text(*net));
        }
    }

    fn text(&self, net: Net) -> String {
        match self.root(net) {
            ZERO => "1'b0".into(),
            ONE => "1'b1".into(),
            root => format!("n{root}"),
        }
    }
}

/// Returns the name that a bit of a port has in the netlist.
pub fn bit_of(port: &str, wire: &Wire, bit: usize) -> String {
    plain(&if wire.bits.len() == 1 { port.into() } else { format!("{port}_{bit}") })
}

/// Returns a name in which underscores replace the characters that Verilog would have to escape.
pub fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_nets_are_one_and_constants_stay_constants() {
        let mut flat = Flat::new();
        let (a, b, c) = (flat.net(), flat.net(), flat.net());
        flat.unite(b, a);
        flat.unite(c, ONE);
        let part = flat.part("p");
        let pins = vec![("A".into(), b), ("B".into(), c), ("Y".into(), ZERO)];
        flat.gates.push(Gate { kind: "NAND".into(), name: plain("u.x[1]"), part, pins });
        let pins = vec![("D[0]".into(), a), ("D[1]".into(), ZERO), ("E".into(), ONE)];
        flat.gates.push(Gate { kind: "RAM".into(), name: "r".into(), part, pins });
        flat.inputs.push(("i".into(), b));
        let text = flat.verilog("t");
        assert!(text.contains("NAND u_x_1__c0 (.A(n2), .B(1'b1), .Y(1'b0));"), "{text}");
        assert!(text.contains("assign n2 = i;"), "{text}");
        assert!(text.contains("RAM r_c1 (.D({1'b0, n2}), .E(1'b1));"), "{text}");
        let ports = BTreeMap::from([(
            "i".to_owned(),
            Wire { direction: "input".into(), bits: vec![Value::from(9)], ..Wire::default() },
        )]);
        let module = flat.module(&ports);
        assert_eq!(module.ports["i"].bits, [2]);
        assert_eq!(module.cells["r_c1"].connections["D"], [Value::from(2), Value::from("0")]);
        assert_eq!(module.cells["u_x_1__c0"].connections["B"], ["1"]);
        assert_eq!(flat.part_of("u_x_1__c0"), Some("p"));
        assert_eq!(flat.part_of("c0"), None);
    }
}
