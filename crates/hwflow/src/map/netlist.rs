//! A flat netlist as yosys writes it (`write_json`), with the parts that the flow needs.

use hasten_chore::failure::{Failure, read};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

#[derive(Debug, Deserialize)]
struct File {
    modules: BTreeMap<String, Module>,
}

/// A module without hierarchy.
#[derive(Debug, Clone, Deserialize)]
pub struct Module {
    /// Cells by name.
    pub cells: BTreeMap<String, Cell>,
    /// Ports by name.
    #[serde(default)]
    pub ports: BTreeMap<String, Wire>,
    /// Nets by name.
    #[serde(default)]
    pub netnames: BTreeMap<String, Wire>,
}

/// A port or a net.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Wire {
    /// For a port: `input` or `output`.
    #[serde(default)]
    pub direction: String,
    /// Numbers of the nets, lowest bit first.
    pub bits: Vec<Value>,
    /// Index of the lowest bit.
    #[serde(default)]
    pub offset: usize,
}

/// A cell.
#[derive(Debug, Clone, Deserialize)]
pub struct Cell {
    /// Type of the cell.
    #[serde(rename = "type")]
    pub kind: String,
    /// Parameters of an instance, in binary digits.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    /// Port directions.
    #[serde(default)]
    pub port_directions: BTreeMap<String, String>,
    /// Bits on each port: numbers of nets, or strings for constants.
    pub connections: BTreeMap<String, Vec<Value>>,
}

/// A LUT with the nets that it reads, sorted and without duplicates.
#[derive(Debug, Clone)]
pub struct Lut {
    /// Input nets.
    pub inputs: Vec<u64>,
}

impl Module {
    /// Reads the module `top` of a file.
    pub fn load(path: &Path, top: &str) -> Result<Self, Failure> {
        let mut file: File = serde_json::from_str(&read(path)?)
            .map_err(|fault| Failure::Form(path.into(), fault.to_string()))?;
        file.modules
            .remove(top)
            .ok_or_else(|| Failure::Form(path.into(), format!("no module {top}")))
    }

    /// Joins the ports `a[0]`, `a[1]` and so on into one port `a`.
    pub fn join_ports(&mut self) {
        let mut joined: BTreeMap<String, (String, BTreeMap<usize, Value>)> = BTreeMap::new();
        for (name, wire) in std::mem::take(&mut self.ports) {
            let single = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
            let single = single.and_then(|(name, bit)| Some((name.to_owned(), bit.parse().ok()?)));
            let (name, first): (String, usize) = single.unwrap_or((name, 0));
            let (direction, bits) = joined.entry(name).or_default();
            *direction = wire.direction;
            bits.extend(wire.bits.into_iter().enumerate().map(|(bit, net)| (first + bit, net)));
        }
        let whole = |(name, (direction, bits)): (String, (String, BTreeMap<usize, Value>))| {
            (name, Wire { direction, bits: bits.into_values().collect(), offset: 0 })
        };
        self.ports = joined.into_iter().map(whole).collect();
    }

    /// Returns the number of cells whose type `wanted` accepts.
    pub fn count(&self, wanted: impl Fn(&str) -> bool) -> u64 {
        self.cells.values().filter(|cell| wanted(&cell.kind)).count() as u64
    }

    /// Returns all `$lut` cells.
    pub fn luts(&self) -> Vec<Lut> {
        self.cells.values().filter(|cell| cell.kind == "$lut").map(Lut::of).collect()
    }

    /// Returns the maximum number of LUTs on a path between registers or ports. Paths go through
    /// carry chains and wide multiplexers, which are not counted.
    pub fn lut_levels(&self) -> u64 {
        let driver = self.combinational_drivers();
        let mut level = HashMap::new();
        driver.keys().map(|&net| depth(net, &driver, &mut level)).max().unwrap_or(0)
    }

    fn combinational_drivers(&self) -> HashMap<u64, (&Cell, u64)> {
        let mut driver = HashMap::new();
        for cell in self.cells.values() {
            let weight = match cell.kind.as_str() {
                "$lut" => 1,
                "CARRY4" | "MUXCY" | "XORCY" | "MUXF7" | "MUXF8" => 0,
                _ => continue,
            };
            for net in cell.nets("output") {
                driver.insert(net, (cell, weight));
            }
        }
        driver
    }
}

impl Cell {
    /// Returns a cell of a library.
    pub fn new(kind: &str, connections: BTreeMap<String, Vec<Value>>) -> Self {
        let (parameters, port_directions) = (BTreeMap::new(), BTreeMap::new());
        Self { kind: kind.into(), parameters, port_directions, connections }
    }

    /// Returns the numbers of the nets on the ports of a direction.
    pub fn nets(&self, direction: &str) -> Vec<u64> {
        self.connections
            .iter()
            .filter(|(port, _)| self.direction(port) == direction)
            .flat_map(|(_, bits)| bits.iter().filter_map(Value::as_u64))
            .collect()
    }

    fn direction(&self, port: &str) -> &str {
        match self.port_directions.get(port) {
            Some(direction) => direction,
            None if port == "Y" => "output",
            None => "input",
        }
    }
}

impl Lut {
    fn of(cell: &Cell) -> Self {
        let mut inputs = cell.nets("input");
        inputs.sort_unstable();
        inputs.dedup();
        Self { inputs }
    }
}

/// Returns the length of the longest path to a net. In a loop, a net counts as 0 when it is reached
/// again.
fn depth(net: u64, driver: &HashMap<u64, (&Cell, u64)>, level: &mut HashMap<u64, u64>) -> u64 {
    let Some((cell, weight)) = driver.get(&net) else { return 0 };
    if let Some(&known) = level.get(&net) {
        return known;
    }
    level.insert(net, 0);
    let below = cell.nets("input").into_iter().map(|input| depth(input, driver, level)).max();
    let here = below.unwrap_or(0) + weight;
    level.insert(net, here);
    here
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two LUTs in a row after a flip-flop. The first one reads a net twice.
    pub const SMALL: &str = r#"{"modules":{"t":{"cells":{
        "a":{"type":"$lut","connections":{"A":[2,3,2],"Y":[4]},"port_directions":{"A":"input","Y":"output"}},
        "b":{"type":"$lut","connections":{"A":[4,"1"],"Y":[5]},"port_directions":{"A":"input","Y":"output"}},
        "f":{"type":"FDRE","connections":{"D":[5],"Q":[2]},"port_directions":{"D":"input","Q":"output"}}}}}}"#;

    #[test]
    fn bits_of_a_port_are_joined_in_their_order() {
        let port = |bits: &[u64]| Wire {
            direction: "input".into(),
            offset: 0,
            bits: bits.iter().map(|&bit| bit.into()).collect(),
        };
        let split = (0..11).map(|bit| (format!("a[{bit}]"), port(&[20 + bit])));
        let ports = split.chain([("b".to_string(), port(&[3, 4]))]).collect();
        let mut module = Module { cells: BTreeMap::new(), ports, netnames: BTreeMap::new() };
        module.join_ports();
        let bits = |name: &str| {
            module.ports[name].bits.iter().filter_map(Value::as_u64).collect::<Vec<_>>()
        };
        assert_eq!(bits("a"), (20..31).collect::<Vec<_>>());
        assert_eq!((bits("b"), module.ports.len()), (vec![3, 4], 2));
    }

    #[test]
    fn luts_levels_and_cells_are_counted() {
        let mut file: File = serde_json::from_str(SMALL).unwrap();
        let module = file.modules.remove("t").unwrap();
        assert_eq!(module.luts().len(), 2);
        assert_eq!(module.luts()[0].inputs, [2, 3]);
        assert_eq!(module.lut_levels(), 2);
        assert_eq!(module.count(|kind| kind.starts_with("FD")), 1);
    }
}
