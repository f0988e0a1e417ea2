//! Adds buffers behind cells, in front of many readers and on long wires, so that nothing drives
//! too much load.

use super::branch::{Limits, Segment, Spot, cut};
use super::circuit::{Cell, Circuit, Pin};
use super::files::FEMTOFARADS;
use super::groups::{groups, middle};
use super::spread::Place;
use super::tree::{self, Wire};
use crate::energy::gates::Net;
use crate::map::liberty::{Group, Liberty};
use std::collections::{BTreeMap, HashMap};

/// Maximum load in femtofarads that a cell of the netlist drives, and that a buffer drives.
const DRIVER: f64 = 40.0;
const MOST: f64 = 200.0;
/// Maximum number of readers of a net. If there are more, they are grouped, and each group gets a
/// buffer.
const READERS: usize = 20;
/// The buffer cell, and its input and output.
const BUFFER: &str = "sg13g2_buf_8";
const PINS: [&str; 2] = ["A", "X"];

/// A circuit, the places of its cells, and the wires of each net.
pub struct Layout {
    pub circuit: Circuit,
    pub places: Vec<Place>,
    pub trees: BTreeMap<Net, Vec<Wire>>,
}

impl Layout {
    /// Adds the necessary buffers to a circuit whose cells have places. Returns `None` if the
    /// library lacks the buffer.
    pub fn new(circuit: Circuit, places: Vec<Place>, library: &Liberty) -> Option<Self> {
        let cells = library.cells();
        let area = cells.get(BUFFER)?.number("area")?;
        let input = load(&cells, BUFFER, PINS[0]);
        let limits = Limits { buffer: MOST, driver: DRIVER, wire: FEMTOFARADS, input };
        let mut layout = Self { circuit, places, trees: BTreeMap::new() };
        let buffer = Buffer { cells, area, limits };
        for (net, pins) in std::mem::take(&mut layout.circuit.nets) {
            layout.add_net(net, pins, &buffer);
        }
        Some(layout)
    }

    /// Adds a net with its wires and buffers. A net that no cell drives gets only wires.
    fn add_net(&mut self, net: Net, pins: Vec<Pin>, buffer: &Buffer) {
        if !pins[0].drives {
            let places: Vec<Place> = pins.iter().map(|pin| self.places[pin.cell]).collect();
            self.trees.insert(net, tree::of(&places));
            self.circuit.nets.insert(net, pins);
            return;
        }
        let mut readers = pins[1..].to_vec();
        while readers.len() > READERS {
            let at: Vec<Place> = readers.iter().map(|pin| self.places[pin.cell]).collect();
            let group = |group: Vec<usize>| {
                let [input, output] = self.add_buffer(middle(&group, &at), buffer.area);
                let pins = group.iter().map(|at| readers[*at]);
                self.add_wires(None, [output].into_iter().chain(pins).collect(), buffer);
                input
            };
            readers = groups(&at, READERS).into_iter().map(group).collect();
        }
        self.add_wires(Some(net), [pins[0]].into_iter().chain(readers).collect(), buffer);
    }

    /// Adds a net of few pins, with buffers on long wires. A net without a number gets one.
    fn add_wires(&mut self, net: Option<Net>, pins: Vec<Pin>, buffer: &Buffer) {
        let spots: Vec<Spot> = pins.iter().map(|pin| self.spot(*pin, &buffer.cells)).collect();
        let places: Vec<Place> = spots.iter().map(|spot| spot.place).collect();
        let new = |place| self.add_buffer(place, buffer.area);
        let segments = cut(&spots, &tree::of(&places), &buffer.limits, new);
        for (count, Segment { pins, wires }) in segments.into_iter().enumerate() {
            let net = net.filter(|_| count == 0).unwrap_or_else(|| self.new_net());
            for pin in &pins {
                self.circuit.cells[pin.cell].pins[pin.pin].1 = net;
            }
            self.circuit.nets.insert(net, pins);
            self.trees.insert(net, wires);
        }
    }

    fn spot(&self, pin: Pin, cells: &HashMap<&str, &Group>) -> Spot {
        let cell = &self.circuit.cells[pin.cell];
        let load = if pin.drives { 0.0 } else { load(cells, &cell.kind, &cell.pins[pin.pin].0) };
        Spot { pin, place: self.places[pin.cell], load }
    }

    /// Adds a buffer at a place without connecting it, and returns its input and output.
    fn add_buffer(&mut self, place: Place, area: f64) -> [Pin; 2] {
        let cell = self.circuit.cells.len();
        let pins = PINS.map(|pin| (pin.to_owned(), 0)).to_vec();
        self.circuit.cells.push(Cell { kind: BUFFER.into(), area, pins });
        self.places.push(place);
        [(0, false), (1, true)].map(|(pin, drives)| Pin { cell, pin, drives })
    }

    /// Returns an unused number for a net.
    fn new_net(&mut self) -> Net {
        self.circuit.most += 1;
        self.circuit.most
    }
}

/// The cells of the library, the area of the buffer, and the limits on loads.
struct Buffer<'l> {
    cells: HashMap<&'l str, &'l Group>,
    area: f64,
    limits: Limits,
}

/// Returns the load of a pin, femtofarads.
fn load(cells: &HashMap<&str, &Group>, kind: &str, pin: &str) -> f64 {
    let pin = cells.get(kind).and_then(|cell| cell.pin(pin));
    pin.and_then(|pin| pin.number("capacitance")).unwrap_or(0.0) * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str =
        "library (x) { cell (sg13g2_buf_8) { area : 20; pin (A) { capacitance : 0.01; } } }";

    /// Lays out a net whose readers are at these distances from its driver.
    fn layout(lengths: &[f64]) -> Layout {
        let cell = |pin: &str| Cell { kind: "x".into(), area: 1.0, pins: vec![(pin.into(), 5)] };
        let pin = |cell| Pin { cell, pin: 0, drives: cell == 0 };
        let circuit = Circuit {
            cells: std::iter::once(cell("Y")).chain(lengths.iter().map(|_| cell("A"))).collect(),
            nets: BTreeMap::from([(5, (0..=lengths.len()).map(pin).collect())]),
            inputs: vec![],
            outputs: vec![],
            clock: 9,
            most: 9,
        };
        let places = std::iter::once(&0.0).chain(lengths).map(|x| [*x, 0.0]).collect();
        Layout::new(circuit, places, &Liberty::of_text(LIBRARY).unwrap()).unwrap()
    }

    #[test]
    fn a_long_wire_begins_at_a_buffer() {
        assert_eq!(layout(&[150.0]).circuit.cells.len(), 2);
        let long = layout(&[250.0]);
        assert_eq!(long.circuit.cells[2].pins, [("A".to_owned(), 5), ("X".to_owned(), 10)]);
        assert_eq!(long.circuit.cells[1].pins[0].1, 10);
        let lengths: Vec<f64> = long.trees.values().map(|wires| wires[0].length).collect();
        assert_eq!(lengths, [0.0, 250.0]);
        assert_eq!(long.circuit.nets[&10][0], Pin { cell: 2, pin: 1, drives: true });
    }

    #[test]
    fn a_very_long_wire_has_buffers_on_it() {
        let long = layout(&[2_000.0]);
        let lengths: Vec<f64> = long.trees.values().map(|wires| wires[0].length).collect();
        assert_eq!(lengths.len(), 3);
        assert!((lengths.iter().sum::<f64>() - 2_000.0).abs() < 1e-6, "{lengths:?}");
        assert_eq!(long.places.len(), long.circuit.cells.len());
        assert!(long.trees.keys().eq(long.circuit.nets.keys()));
    }

    #[test]
    fn many_readers_hang_on_a_tree_of_buffers() {
        let layout = layout(&[1.0; 640]);
        assert!(layout.circuit.nets.values().all(|pins| pins.len() <= READERS + 1));
        let mut depth: HashMap<usize, usize> = HashMap::from([(0, 0)]);
        let mut open = vec![0];
        while let Some(cell) = open.pop() {
            for pins in layout.circuit.nets.values().filter(|pins| pins[0].cell == cell) {
                for pin in &pins[1..] {
                    depth.insert(pin.cell, depth[&cell] + 1);
                    open.push(pin.cell);
                }
            }
        }
        assert_eq!(depth.len(), layout.circuit.cells.len());
        assert!(depth.values().all(|depth| *depth <= 5), "{:?}", depth.values().max());
    }
}
