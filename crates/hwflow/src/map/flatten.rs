//! A unit with `boxes`. Each of these modules below it is mapped separately, once for every set of
//! parameters, and all are joined to the whole netlist again. In this way, a unit that is too large
//! to be mapped flat can be timed as a whole.

use crate::core::cores::{Param, Point, Unit};
use crate::map::flat::{Flat, Gate, Net, ONE, ZERO, bit_of, plain};
use crate::map::netlist::{Cell, Module, Wire};
use hasten_chore::failure::Failure;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// Mapped pieces by name and parameters, and the name of the top piece.
#[derive(Default)]
pub struct Pieces {
    by_slug: BTreeMap<String, Module>,
    top: String,
}

impl Pieces {
    /// Maps the unit, and every box below it with the parameters of its instances.
    pub fn map(
        unit: &Unit,
        point: &Point,
        mut map: impl FnMut(&Unit, &Point) -> Result<PathBuf, Failure>,
    ) -> Result<Self, Failure> {
        let mut pieces = Self { top: slug(&unit.top, point), ..Self::default() };
        let mut open = vec![(unit.clone(), point.clone())];
        while let Some((unit, point)) = open.pop() {
            let name = slug(&unit.top, &point);
            if pieces.by_slug.contains_key(&name) {
                continue;
            }
            let mut module = Module::load(&map(&unit, &point)?, &unit.top)?;
            module.join_ports();
            for cell in module.cells.values().filter(|cell| unit.boxes.contains_key(&cell.kind)) {
                open.push((unit.boxed(&cell.kind), parameters(cell)));
            }
            pieces.by_slug.insert(name, module);
        }
        Ok(pieces)
    }

    /// Returns each piece with the number of its instances in the whole, and its module.
    pub fn counted(&self) -> Vec<(&str, u64, &Module)> {
        let mut counts = BTreeMap::new();
        self.count(&self.top, &mut counts);
        counts.into_iter().map(|(name, count)| (name, count, &self.by_slug[name])).collect()
    }

    fn count<'p>(&'p self, name: &'p str, counts: &mut BTreeMap<&'p str, u64>) {
        *counts.entry(name).or_default() += 1;
        for cell in self.by_slug[name].cells.values() {
            if let Some((below, _)) = self.below(cell) {
                self.count(below, counts);
            }
        }
    }

    /// Returns the piece that a cell is an instance of.
    fn below(&self, cell: &Cell) -> Option<(&str, &Module)> {
        let name = slug(&cell.kind, &parameters(cell));
        self.by_slug.get_key_value(&name).map(|(name, module)| (name.as_str(), module))
    }

    /// Returns the piece that contains a register, and the name of the register in that piece.
    pub fn holder<'n>(&self, name: &'n str) -> (&str, &Module, &'n str) {
        let mut found = (self.top.as_str(), &self.by_slug[&self.top], name);
        while let Some(deeper) = self.deeper(found.1, found.2) {
            found = deeper;
        }
        found
    }

    /// Returns the box in a piece that a hierarchical name leads into, and the rest of the name.
    fn deeper<'n>(&self, module: &Module, name: &'n str) -> Option<(&str, &Module, &'n str)> {
        module.cells.iter().find_map(|(cell_name, cell)| {
            let inside = name.strip_prefix(cell_name.as_str())?.strip_prefix('.')?;
            let (slug, below) = self.below(cell)?;
            Some((slug, below, inside))
        })
    }

    /// Returns the ports of the whole unit.
    pub fn ports(&self) -> BTreeMap<String, Wire> {
        self.by_slug[&self.top].ports.clone()
    }

    /// Returns the whole unit as one netlist.
    pub fn flat(&self) -> Flat {
        let mut flat = Flat::new();
        let module = &self.by_slug[&self.top];
        let mut nets = HashMap::new();
        for (port, wire) in &module.ports {
            for (bit, value) in wire.bits.iter().enumerate() {
                let name = bit_of(port, wire, bit);
                let net = local(&mut flat, &mut nets, value);
                let ports =
                    if wire.direction == "input" { &mut flat.inputs } else { &mut flat.outputs };
                ports.push((name, net));
            }
        }
        self.place(&mut flat, &self.top, module, "", nets);
        flat
    }

    /// Adds the cells of a piece. `nets` contains the nets of its ports.
    fn place(
        &self,
        flat: &mut Flat,
        name: &str,
        module: &Module,
        prefix: &str,
        mut nets: HashMap<u64, Net>,
    ) {
        let part = flat.part(name);
        let names = net_names(module);
        for (cell_name, cell) in &module.cells {
            match self.below(cell) {
                Some((below, inner)) => {
                    let bound = bind(flat, &mut nets, cell, inner);
                    self.place(
                        flat,
                        below,
                        inner,
                        &format!("{prefix}{}_", plain(cell_name)),
                        bound,
                    );
                }
                None if cell.kind == "$scopeinfo" => {}
                None => {
                    let name = cell.nets("output").iter().find_map(|net| names.get(net));
                    let name = format!("{prefix}{}", name.map_or("g".into(), |name| plain(name)));
                    let pins = pins(flat, &mut nets, cell);
                    flat.gates.push(Gate { kind: cell.kind.clone(), name, part, pins });
                }
            }
        }
    }
}

/// Returns the public names of nets.
fn net_names(module: &Module) -> HashMap<u64, String> {
    let mut names = HashMap::new();
    for (name, wire) in module.netnames.iter().filter(|(name, _)| !name.starts_with('$')) {
        for (bit, net) in wire.bits.iter().enumerate() {
            if let Some(net) = net.as_u64() {
                names.entry(net).or_insert_with(|| format!("{name}_{bit}"));
            }
        }
    }
    names
}

fn pins(flat: &mut Flat, nets: &mut HashMap<u64, Net>, cell: &Cell) -> Vec<(String, Net)> {
    let mut pins = Vec::new();
    for (pin, bits) in &cell.connections {
        for (number, bit) in bits.iter().enumerate() {
            let name = if bits.len() == 1 { pin.clone() } else { format!("{pin}[{number}]") };
            pins.push((name, local(flat, nets, bit)));
        }
    }
    pins
}

/// Connects the ports of a piece to the nets of its instance, and returns the nets inside the
/// piece.
fn bind(
    flat: &mut Flat,
    nets: &mut HashMap<u64, Net>,
    cell: &Cell,
    inner: &Module,
) -> HashMap<u64, Net> {
    let mut bound = HashMap::new();
    for (port, wire) in &inner.ports {
        let outside = cell.connections.get(port).map(Vec::as_slice).unwrap_or_default();
        for (bit, value) in wire.bits.iter().zip(outside) {
            let inside = local(flat, &mut bound, bit);
            let outside = local(flat, nets, value);
            flat.unite(inside, outside);
        }
    }
    bound
}

/// Returns the net of a bit in a piece: a number or a constant. An undefined bit is 0.
fn local(flat: &mut Flat, nets: &mut HashMap<u64, Net>, bit: &Value) -> Net {
    match bit.as_u64() {
        Some(number) => *nets.entry(number).or_insert_with(|| flat.net()),
        None if bit == "1" => ONE,
        None => ZERO,
    }
}

/// Returns the parameters of an instance. Names that are not in upper case are those of a
/// `localparam` and are ignored.
fn parameters(cell: &Cell) -> Point {
    let upper = |name: &str| !name.chars().any(|c| c.is_ascii_lowercase());
    let number = |value: &Value| i64::from_str_radix(value.as_str()?, 2).ok().map(Param::Number);
    let params = cell.parameters.iter().filter(|(name, _)| upper(name));
    let params = params.filter_map(|(name, value)| Some((name.to_lowercase(), number(value)?)));
    Point { params: params.collect(), ..Point::default() }
}

fn slug(top: &str, point: &Point) -> String {
    if point.params.is_empty() { top.into() } else { format!("{top}_{}", point.slug()) }
}

impl Unit {
    /// Returns a box of this unit as a unit.
    fn boxed(&self, top: &str) -> Self {
        let abc = self.boxes.get(top).cloned().unwrap_or_default();
        Self { top: top.into(), abc, bench: None, points: Vec::new(), ..self.clone() }
    }

    /// Returns frontend options that make black boxes of the boxes and macros that `seen` accepts.
    pub fn black(&self, seen: impl Fn(&str) -> bool) -> String {
        let all = self.boxes.keys().chain(&self.macros);
        let below = all.filter(|name| **name != self.top && seen(name));
        below.map(|name| format!("--blackboxed-module {name} ")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A top with two instances of a box in a row. The second output bit of the box is constant.
    const TOP: &str = r#"{"modules":{"t":{"ports":{"i":{"direction":"input","bits":[2]},"o":{"direction":"output","bits":[4,5]}},
        "cells":{"u":{"type":"b","parameters":{"N":"0011","Tile":"1"},"connections":{"a":[2],"y":[3,5]}},
                 "v":{"type":"b","parameters":{"N":"0011","Tile":"1"},"connections":{"a":[3],"y":[4,6]}}}}}}"#;
    const BOX: &str = r#"{"modules":{"b":{"ports":{"a":{"direction":"input","bits":[2]},"y":{"direction":"output","bits":[3,"1"]}},
        "cells":{"$1":{"type":"inv","port_directions":{"A":"input","Y":"output"},"connections":{"A":[2],"Y":[3]}}},
        "netnames":{"y":{"bits":[3,"1"]}}}}}"#;

    #[test]
    fn boxes_are_mapped_once_and_joined() {
        let folder = std::env::temp_dir().join(format!("hasten-join-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let unit: Unit = toml::from_str("top = 't'\nfiles = []\nboxes = { b = 'x.abc' }").unwrap();
        let mut mapped = Vec::new();
        let pieces = Pieces::map(&unit, &Point::default(), |unit, point| {
            mapped.push(format!("{} {} {}", unit.top, point.slug(), unit.abc));
            let file = folder.join(&unit.top);
            std::fs::write(&file, if unit.top == "t" { TOP } else { BOX }).unwrap();
            Ok(file)
        })
        .unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        assert_eq!(mapped, ["t default flow/asic.abc", "b n3 x.abc"]);
        assert_eq!(pieces.counted().iter().map(|(_, n, _)| *n).collect::<Vec<_>>(), [2, 1]);
        let flat = pieces.flat();
        assert_eq!(flat.gates.len(), 2);
        let net = |gate: usize, pin: usize| flat.root(flat.gates[gate].pins[pin].1);
        assert_eq!(net(0, 1), net(1, 0));
        assert_eq!(flat.root(flat.inputs[0].1), net(0, 0));
        assert_eq!(flat.root(flat.outputs[0].1), net(1, 1));
        assert_eq!(flat.root(flat.outputs[1].1), ONE);
        assert_eq!(flat.gates[0].name, "u_y_0");
    }
}
