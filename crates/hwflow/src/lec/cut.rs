//! Removes separately mapped modules from a netlist. The inputs of a removed module become outputs
//! of the rest, and its outputs become inputs.

use crate::map::netlist::{Module, Wire};
use std::collections::BTreeSet;

/// Removes the cells whose kinds are `below`. Returns the name, width and direction of each port
/// that replaces their pins.
pub fn cut(module: &mut Module, below: impl Fn(&str) -> bool) -> BTreeSet<(String, usize, String)> {
    let mut ports = BTreeSet::new();
    let taken: Vec<String> =
        module.cells.iter().filter(|(_, c)| below(&c.kind)).map(|(name, _)| name.clone()).collect();
    for (name, cell) in taken.iter().filter_map(|name| module.cells.remove_entry(name)) {
        for (pin, bits) in cell.connections {
            let inside = cell.port_directions.get(&pin).map_or("input", String::as_str);
            let direction = if inside == "input" { "output" } else { "input" };
            let port = format!("{name}.{pin}");
            ports.insert((port.clone(), bits.len(), direction.to_owned()));
            let wire = Wire { direction: direction.into(), bits, offset: 0 };
            module.ports.insert(port, wire);
        }
    }
    ports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_taken_out_and_its_pins_are_ports() {
        let text = r#"{"ports":{"i":{"direction":"input","bits":[2]}},
            "cells":{"u":{"type":"b","port_directions":{"a":"input","y":"output"},"connections":{"a":[2,"1"],"y":[3]}},
            "g":{"type":"$_NOT_","connections":{"A":[3],"Y":[4]}}}}"#;
        let mut module: Module = serde_json::from_str(text).unwrap();
        let ports = cut(&mut module, |kind| kind == "b");
        let port = |name: &str, width, direction: &str| (name.into(), width, direction.into());
        assert_eq!(ports, [port("u.a", 2, "output"), port("u.y", 1, "input")].into());
        assert_eq!((module.cells.len(), module.ports.len()), (1, 3));
        assert_eq!(module.ports["u.y"].bits, [3]);
        assert_eq!(module.ports["u.a"].direction, "output");
        assert!(cut(&mut module, |kind| kind == "b").is_empty());
    }
}
