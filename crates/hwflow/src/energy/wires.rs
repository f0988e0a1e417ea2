//! Matches the ports of a mapped netlist with the ports of a recording.

use super::gates::{Net, net};
use crate::map::netlist::Module;
use std::collections::HashMap;

/// A bit of a port of the netlist.
pub struct Wire {
    /// Net of the bit.
    pub net: Net,
    /// Position of the port in a sample.
    pub port: usize,
    /// Number of the bit in the port.
    pub bit: usize,
    /// Whether the bit is an input of the netlist.
    pub input: bool,
}

/// Returns the bits of all ports of the netlist except the clock. A port `a_i[3]` is bit 3 of
/// `a_i`.
pub fn wires(
    module: &Module,
    places: &HashMap<String, usize>,
    clock: &str,
) -> Result<Vec<Wire>, String> {
    let mut wires = Vec::new();
    for (name, port) in module.ports.iter().filter(|(name, _)| *name != clock) {
        let (base, first) = match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
            Some((base, bit)) => (base, bit.parse().map_err(|_| format!("port {name}"))?),
            None => (name.as_str(), 0),
        };
        let at = *places.get(base).ok_or(format!("the bench has no port {base}"))?;
        for (k, bit) in port.bits.iter().enumerate() {
            wires.push(Wire {
                net: net(bit),
                port: at,
                bit: first + k,
                input: port.direction == "input",
            });
        }
    }
    Ok(wires)
}

/// Returns the name of the port at this position of a sample.
pub fn name(places: &HashMap<String, usize>, port: usize) -> &str {
    places.iter().find(|(_, place)| **place == port).map_or("a port", |(name, _)| name)
}
