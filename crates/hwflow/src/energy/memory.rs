//! Memory macros of a netlist, with one port (`A_`) or two (`A_`, `B_`), as in SG13G2.

use super::gates::{Net, net};
use crate::map::netlist::Cell;

/// A port of a memory.
pub struct Port {
    /// Enables the port.
    pub enable: Net,
    /// Enables writing.
    pub write: Net,
    /// Enables reading.
    pub read: Net,
    /// Address, lowest bit first.
    pub address: Vec<Net>,
    /// Word to write.
    pub data: Vec<Net>,
    /// Write mask: the bits of the word to write.
    pub mask: Vec<Net>,
    /// Word that was read.
    pub output: Vec<Net>,
}

/// A memory.
pub struct Memory {
    /// Ports of the memory.
    pub ports: Vec<Port>,
}

impl Memory {
    /// Returns the memory of a cell, or `None` if the cell is not a memory.
    pub fn of(cell: &Cell) -> Option<Self> {
        let ports: Vec<Port> = ["A", "B"].iter().filter_map(|name| port(cell, name)).collect();
        (!ports.is_empty()).then_some(Self { ports })
    }

    /// Returns the number of words and the number of bits per word.
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
