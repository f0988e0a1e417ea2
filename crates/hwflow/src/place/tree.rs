//! The wires of a net: the tree over its pins with the smallest sum of rectilinear lengths.

use super::circuit::{Circuit, Pin};
use super::spread::Place;

/// A wire between two pins of a net. Pins are counted from the driver on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wire {
    pub from: usize,
    pub to: usize,
    /// Length in micrometres.
    pub length: f64,
}

/// Returns the wires of each net, in the order of `circuit.nets`.
pub fn of_nets(circuit: &Circuit, places: &[Place]) -> Vec<Vec<Wire>> {
    let pins = |pins: &Vec<Pin>| -> Vec<Place> { pins.iter().map(|p| places[p.cell]).collect() };
    circuit.nets.values().map(|net| of(&pins(net))).collect()
}

/// Returns the tree, which is built from the first pin on (Prim's method).
pub fn of(pins: &[Place]) -> Vec<Wire> {
    // For each pin outside the tree: the nearest pin in the tree, and the distance.
    let mut nearest: Vec<(usize, f64)> = pins.iter().map(|at| (0, apart(&pins[0], at))).collect();
    let mut waits: Vec<usize> = (1..pins.len()).collect();
    let mut wires = Vec::with_capacity(waits.len());
    while let Some(at) = (0..waits.len())
        .min_by(|a, b| nearest[waits[*a]].1.total_cmp(&nearest[waits[*b]].1).then(a.cmp(b)))
    {
        let to = waits.swap_remove(at);
        let (from, length) = nearest[to];
        wires.push(Wire { from, to, length });
        for other in &waits {
            let length = apart(&pins[to], &pins[*other]);
            if length < nearest[*other].1 {
                nearest[*other] = (to, length);
            }
        }
    }
    wires
}

fn apart(a: &Place, b: &Place) -> f64 {
    (a[0] - b[0]).abs() + (a[1] - b[1]).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_takes_the_nearest_pin_first() {
        let wires = of(&[[0.0, 0.0], [10.0, 0.0], [4.0, 1.0]]);
        assert_eq!(wires[0], Wire { from: 0, to: 2, length: 5.0 });
        assert_eq!(wires[1], Wire { from: 2, to: 1, length: 7.0 });
        assert!(of(&[[1.0, 1.0]]).is_empty());
    }
}
