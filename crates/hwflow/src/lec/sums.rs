//! Proves that joining the sums of several words did not change a netlist. Everything else is the
//! same cell by cell, and each word that an adder drives is the same sum of the same bits. So each
//! net that both netlists have holds the same value in both.

use super::adder::{self, Net};
use super::sum::{Adders, Sum};
use crate::map::netlist::{Cell, Module, Wire};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Returns the number of words that were proven to be the same sum, or a message about a
/// difference.
pub fn prove(written: &Module, joined: &Module) -> Result<usize, String> {
    let both = Both::new(written, joined)?;
    both.ports()?;
    let mut known = both.kept_cells()?;
    known.extend(joined.ports.values().filter(|port| port.direction == "input").flat_map(nets));
    both.words(&known)
}

/// Two netlists, and the correspondence of nets with the same name: from joined to written
/// (`image`), and back (`origin`).
struct Both<'m> {
    written: &'m Module,
    joined: &'m Module,
    image: HashMap<Net, Net>,
    origin: HashMap<Net, Net>,
}

impl<'m> Both<'m> {
    fn new(written: &'m Module, joined: &'m Module) -> Result<Self, String> {
        let mut both = Self { written, joined, image: HashMap::new(), origin: HashMap::new() };
        for (name, wire) in &joined.netnames {
            let Some(other) = written.netnames.get(name) else { continue };
            for (now, before) in wire.bits.iter().zip(&other.bits) {
                if let (Some(now), Some(before)) = (now.as_u64(), before.as_u64()) {
                    both.pair(now, before).ok_or_else(|| format!("{name} names another net"))?;
                }
            }
        }
        Ok(both)
    }

    fn pair(&mut self, now: Net, before: Net) -> Option<()> {
        let there = *self.image.entry(now).or_insert(before) == before;
        let back = *self.origin.entry(before).or_insert(now) == now;
        (there && back).then_some(())
    }

    /// Returns true if a bit is the same in both netlists.
    fn same(&self, now: &Value, before: &Value) -> bool {
        match (now.as_u64(), before.as_u64()) {
            (Some(now), Some(before)) => self.image.get(&now) == Some(&before),
            _ => now == before,
        }
    }

    fn all_same(&self, now: &[Value], before: &[Value]) -> bool {
        now.len() == before.len()
            && now.iter().zip(before).all(|(now, before)| self.same(now, before))
    }

    fn ports(&self) -> Result<(), String> {
        let same = |(name, port): (&String, &Wire)| {
            self.joined.ports.get(name).is_some_and(|now| {
                now.direction == port.direction && self.all_same(&now.bits, &port.bits)
            })
        };
        let all = self.written.ports.iter().all(same);
        let count = self.written.ports.len() == self.joined.ports.len();
        (all && count).then_some(()).ok_or_else(|| "the ports are others".into())
    }

    /// Checks that the cells in both netlists are equal, and returns the nets that these cells
    /// drive.
    fn kept_cells(&self) -> Result<HashSet<Net>, String> {
        let mut known = HashSet::new();
        for (name, cell) in &self.joined.cells {
            let Some(other) = self.written.cells.get(name) else { continue };
            if !self.same_cell(cell, other) {
                return Err(format!("{name} is another cell"));
            }
            known.extend(cell.nets("output"));
        }
        Ok(known)
    }

    fn same_cell(&self, now: &Cell, before: &Cell) -> bool {
        let pin = |(pin, bits): (&String, &Vec<Value>)| {
            before.connections.get(pin).is_some_and(|before| self.all_same(bits, before))
        };
        now.kind == before.kind
            && now.parameters == before.parameters
            && now.connections.len() == before.connections.len()
            && now.connections.iter().all(pin)
    }

    /// Proves each word of the written netlist whose bits another cell drives in the joined one.
    /// Returns the number of these words.
    fn words(&self, known: &HashSet<Net>) -> Result<usize, String> {
        let drivers = (drivers(self.written), drivers(self.joined));
        let open: BTreeSet<Net> =
            self.image.keys().copied().filter(|n| !known.contains(n)).collect();
        let mut cells: BTreeMap<&str, &Cell> = BTreeMap::new();
        for net in &open {
            match (drivers.0.get(&self.image[net]), drivers.1.contains_key(net)) {
                (Some(driver), true) => cells.extend([*driver]),
                (None, false) => {}
                _ => return Err(format!("net {net} has a driver in one of both")),
            }
        }
        let before = Adders::new(self.written.cells.values().flat_map(adders).collect());
        let now = Adders::new(self.joined.cells.iter().flat_map(|one| self.adders(one)).collect());
        let mut proven = BTreeSet::new();
        for (name, cell) in &cells {
            let word = cell.nets("output");
            let origins: Option<Vec<Net>> =
                word.iter().map(|n| self.origin.get(n).copied()).collect();
            let other = |net: Net| self.image.get(&net).copied();
            let is = origins.as_ref().and_then(|nets| Sum::of(nets, &now).renamed(other));
            if is.as_ref() != Some(&Sum::of(&word, &before)) {
                return Err(format!("{name} is not shown to be the same sum"));
            }
            proven.extend(origins.into_iter().flatten());
        }
        let left = open.iter().find(|net| drivers.1.contains_key(net) && !proven.contains(net));
        left.map_or(Ok(cells.len()), |net| Err(format!("net {net} is of no sum")))
    }

    /// Returns the equations of a cell. Those of a gate are returned only if the joining created
    /// the gate.
    fn adders(&self, (name, cell): (&String, &'m Cell)) -> Vec<adder::Adder> {
        if self.written.cells.contains_key(name) { adders(cell) } else { adder::of(cell) }
    }
}

/// Returns the equations of a cell, or none if it is a gate.
fn adders(cell: &Cell) -> Vec<adder::Adder> {
    if matches!(cell.kind.as_str(), "$and" | "$not") { Vec::new() } else { adder::of(cell) }
}

fn drivers(module: &Module) -> HashMap<Net, (&str, &Cell)> {
    let mut drivers = HashMap::new();
    for (name, cell) in &module.cells {
        drivers.extend(cell.nets("output").into_iter().map(|net| (net, (name.as_str(), cell))));
    }
    drivers
}

fn nets(port: &Wire) -> impl Iterator<Item = Net> {
    port.bits.iter().filter_map(Value::as_u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a module with the inputs a, b and c, the output y and the register x, of two bits
    /// each. `more` names further nets.
    fn module(cells: &str, more: &str) -> Module {
        let ports = r#"{"a":{"direction":"input","bits":[2,3]},"b":{"direction":"input","bits":[4,5]},
            "c":{"direction":"input","bits":[6,7]},"y":{"direction":"output","bits":[8,9]}}"#;
        let nets = r#""a":{"bits":[2,3]},"b":{"bits":[4,5]},"c":{"bits":[6,7]},"y":{"bits":[8,9]}"#;
        let register = r#""r":{"type":"$dff","port_directions":{"D":"input","Q":"output"},
            "connections":{"D":[8,9],"Q":[20,21]}}"#;
        let nets = format!(r#"{{{nets},"x":{{"bits":[20,21]}}{more}}}"#);
        let text =
            format!(r#"{{"ports":{ports},"netnames":{nets},"cells":{{{register},{cells}}}}}"#);
        serde_json::from_str(&text).unwrap()
    }

    fn cell(name: &str, kind: &str, pins: &[(&str, &str)]) -> String {
        let direction = |pin| if matches!(pin, "X" | "Y") { "output" } else { "input" };
        let directions: Vec<String> =
            pins.iter().map(|(pin, _)| format!(r#""{pin}":"{}""#, direction(*pin))).collect();
        let connections: Vec<String> =
            pins.iter().map(|(pin, bits)| format!(r#""{pin}":[{bits}]"#)).collect();
        format!(
            r#""{name}":{{"type":"{kind}","port_directions":{{{}}},"connections":{{{}}}}}"#,
            directions.join(","),
            connections.join(",")
        )
    }

    /// Returns a + b + c as two adders.
    fn written() -> Module {
        let first = cell("first", "$add", &[("A", "2,3"), ("B", "4,5"), ("Y", "10,11")]);
        let second = cell("second", "$add", &[("A", "10,11"), ("B", "6,7"), ("Y", "8,9")]);
        module(&format!("{first},{second}"), r#","t":{"bits":[10,11]}"#)
    }

    /// Returns a + b + c as a full adder and an adder that reads the carries as `carries`.
    fn joined(carries: &str) -> Module {
        let full = [("A", "2,3"), ("B", "4,5"), ("C", "6,7"), ("X", "30,31"), ("Y", "32,33")];
        let last =
            [("A", "32,33"), ("B", carries), ("BI", r#""0""#), ("CI", r#""0""#), ("Y", "8,9")];
        module(&format!("{},{}", cell("f", "$fa", &full), cell("l", "$alu", &last)), "")
    }

    #[test]
    fn a_sum_of_three_words_is_the_same_in_two_steps_and_as_a_tree() {
        assert_eq!(prove(&written(), &joined(r#""0",30"#)), Ok(1));
        let shown = |carries| prove(&written(), &joined(carries)).unwrap_err();
        for wrong in ["30,31", r#""0",31"#, r#""0","0""#, r#""1",30"#] {
            assert_eq!(shown(wrong), "second is not shown to be the same sum", "{wrong}");
        }
    }

    #[test]
    fn all_else_has_to_be_the_same() {
        let mut other = joined(r#""0",30"#);
        let swapped = vec![9.into(), 8.into()];
        other.cells.get_mut("r").unwrap().connections.insert("D".into(), swapped);
        assert_eq!(prove(&written(), &other).unwrap_err(), "r is another cell");
        let mut other = joined(r#""0",30"#);
        other.ports.get_mut("y").unwrap().bits.reverse();
        assert_eq!(prove(&written(), &other).unwrap_err(), "the ports are others");
        let mut other = joined(r#""0",30"#);
        other.cells.remove("l");
        assert!(prove(&written(), &other).unwrap_err().contains("a driver in one of both"));
    }
}
