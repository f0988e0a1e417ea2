//! Memory macros of a netlist, with one port (`A_`) or two (`A_`, `B_`), as SG13G2 has them.

use super::gates::{Net, net};
use crate::map::netlist::Cell;

/// A port of a memory.
pub struct Port {
    /// Says that it is used at all; the next two, that it is written and read.
    pub enable: Net,
    /// See `enable`.
    pub write: Net,
    /// See `enable`.
    pub read: Net,
    /// The address, lowest bit first.
    pub address: Vec<Net>,
    /// The word that is written.
    pub data: Vec<Net>,
    /// Which of its bits are.
    pub mask: Vec<Net>,
    /// The word that was read.
    pub output: Vec<Net>,
}

/// A memory.
pub struct Memory {
    /// Its ports.
    pub ports: Vec<Port>,
}

impl Memory {
    /// Reads a cell; nothing if it is no memory.
    pub fn of(cell: &Cell) -> Option<Self> {
        let ports: Vec<Port> = ["A", "B"].iter().filter_map(|name| port(cell, name)).collect();
        (!ports.is_empty()).then_some(Self { ports })
    }

    /// Returns how many words it has, and the bits of one.
    pub fn size(&self) -> (usize, usize) {
        let port = &self.ports[0];
        (1 << port.address.len(), port.data.len())
    }
}

fn port(cell: &Cell, name: &str) -> Option<Port> {
    let nets = |pin: &str| -> Option<Vec<Net>> {
        Some(cell.connections.get(&format!("{name}_{pin}"))?.iter().map(net).collect())
    };
    let one = |pin: &str| nets(pin)?.first().copied();
    Some(Port {
        enable: one("MEN")?,
        write: one("WEN")?,
        read: one("REN")?,
        address: nets("ADDR")?,
        data: nets("DIN")?,
        mask: nets("BM")?,
        output: nets("DOUT")?,
    })
}
