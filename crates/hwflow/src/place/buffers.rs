//! A buffer behind each cell that drives more than a cell of the smallest size should.

use super::circuit::{Cell, Circuit, Pin};
use super::files::FEMTOFARADS;
use super::spread::Place;
use super::tree::Wire;
use crate::energy::gates::Net;
use crate::map::liberty::Liberty;

/// Femtofarads that a cell drives by itself.
const MOST: f64 = 40.0;
/// The buffer.
const BUFFER: &str = "sg13g2_buf_8";

/// A circuit, where its cells lie, and the wires of each net.
pub struct Layout {
    pub circuit: Circuit,
    pub places: Vec<Place>,
    pub trees: Vec<Vec<Wire>>,
}

impl Layout {
    /// Adds the buffers, each where its driver lies, and returns how many.
    pub fn add_buffers(&mut self, library: &Liberty) -> Option<usize> {
        let cells = library.cells();
        let area = cells.get(BUFFER)?.number("area")?;
        let load = |kind: &str, pin: &str| {
            let pins = cells.get(kind).into_iter().flat_map(|cell| cell.all("pin"));
            let mut pins = pins.filter(|group| group.args == pin);
            pins.next().and_then(|pin| pin.number("capacitance")).unwrap_or(0.0) * 1000.0
        };
        let nets: Vec<Net> = self.circuit.nets.keys().copied().collect();
        let mut next = nets.last().map_or(2, |last| last + 1).max(self.circuit.clock + 1);
        let before = self.circuit.cells.len();
        for (at, net) in nets.iter().enumerate() {
            let pins = &self.circuit.nets[net];
            let wires: f64 = self.trees[at].iter().map(|wire| wire.length).sum();
            let read: f64 = pins
                .iter()
                .map(|pin| {
                    let cell = &self.circuit.cells[pin.cell];
                    load(&cell.kind, &cell.pins[pin.pin].0)
                })
                .sum();
            if pins[0].drives && pins.len() > 1 && wires * FEMTOFARADS + read > MOST {
                self.add_buffer(*net, at, next, area);
                next += 1;
            }
        }
        Some(self.circuit.cells.len() - before)
    }

    /// Puts a buffer between the driver of a net and all that read it, which `new` reaches then.
    fn add_buffer(&mut self, net: Net, at: usize, new: Net, area: f64) {
        let buffer = self.circuit.cells.len();
        let pins = vec![("A".to_owned(), net), ("X".to_owned(), new)];
        self.circuit.cells.push(Cell { kind: BUFFER.into(), area, pins });
        let [reads, drives] =
            [(0, false), (1, true)].map(|(pin, drives)| Pin { cell: buffer, pin, drives });
        let all = self.circuit.nets.get_mut(&net).expect("a net of the circuit");
        let driver = all[0];
        let mut readers = std::mem::replace(all, vec![driver, reads]);
        for pin in &readers[1..] {
            self.circuit.cells[pin.cell].pins[pin.pin].1 = new;
        }
        readers[0] = drives;
        self.circuit.nets.insert(new, readers);
        self.places.push(self.places[driver.cell]);
        let behind = vec![Wire { from: 0, to: 1, length: 0.0 }];
        let tree = std::mem::replace(&mut self.trees[at], behind);
        self.trees.push(tree);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const LIBRARY: &str =
        "library (x) { cell (sg13g2_buf_8) { area : 20; pin (A) { capacitance : 0.01; } } }";

    fn layout(length: f64) -> Layout {
        let cell = |pin: &str| Cell { kind: "x".into(), area: 1.0, pins: vec![(pin.into(), 5)] };
        let pins = [(0, true), (1, false)].map(|(cell, drives)| Pin { cell, pin: 0, drives });
        let circuit = Circuit {
            cells: vec![cell("Y"), cell("A")],
            nets: BTreeMap::from([(5, pins.to_vec())]),
            inputs: vec![],
            outputs: vec![],
            clock: 9,
        };
        let trees = vec![vec![Wire { from: 0, to: 1, length }]];
        Layout { circuit, places: vec![[0.0; 2], [length, 0.0]], trees }
    }

    #[test]
    fn a_long_wire_begins_at_a_buffer() {
        let library = Liberty::of_text(LIBRARY).unwrap();
        assert_eq!(layout(150.0).add_buffers(&library), Some(0));
        let mut long = layout(250.0);
        assert_eq!(long.add_buffers(&library), Some(1));
        assert_eq!(long.circuit.cells[2].pins, [("A".to_owned(), 5), ("X".to_owned(), 10)]);
        assert_eq!(long.circuit.cells[1].pins[0].1, 10);
        let lengths: Vec<f64> = long.trees.iter().map(|wires| wires[0].length).collect();
        assert_eq!(lengths, [0.0, 250.0]);
        assert_eq!(long.circuit.nets[&10][0], Pin { cell: 2, pin: 1, drives: true });
    }
}
