//! Places of cells: nets pull their cells together like springs, the cells are spread evenly, and
//! the next springs pull each cell to where it was spread to, harder from round to round.

use super::circuit::{Circuit, Pin};
use super::solve::Springs;
use super::spread::{Place, even};

/// Rounds of pulling and spreading.
const ROUNDS: usize = 100;
/// The pull to the spread place in the first round, and what it grows by.
const PULL: f64 = 0.01;
/// A net of more pins pulls nothing: it is everywhere.
const MOST: usize = 500;
/// Lengths below this, in micrometres, are taken for it.
const SHORT: f64 = 1.0;

/// Returns the place of each cell on a square die of this side.
pub fn place(circuit: &Circuit, side: f64) -> Vec<Place> {
    let areas: Vec<f64> = circuit.cells.iter().map(|cell| cell.area).collect();
    let ports = ports(circuit, side);
    let mut places = vec![[side / 2.0; 2]; circuit.cells.len()];
    pull(circuit, &ports, &mut places, None);
    let mut spread = even(&places, &areas, side);
    for round in 1..=ROUNDS {
        pull(circuit, &ports, &mut places, Some((&spread, PULL * round as f64)));
        spread = even(&places, &areas, side);
    }
    spread
}

/// Returns the nets of ports, spread over the edge of the die in their order.
fn ports(circuit: &Circuit, side: f64) -> Vec<(usize, Place)> {
    let all: Vec<usize> = circuit.inputs.iter().chain(&circuit.outputs).copied().collect();
    let place = |at: usize| {
        let along = 4.0 * at as f64 / all.len() as f64;
        let part = along.fract() * side;
        match along as usize {
            0 => [part, 0.0],
            1 => [side, part],
            2 => [side - part, side],
            _ => [0.0, side - part],
        }
    };
    all.iter().enumerate().map(|(at, net)| (*net, place(at))).collect()
}

/// Moves all cells to where the springs are at rest.
fn pull(
    circuit: &Circuit,
    ports: &[(usize, Place)],
    places: &mut [Place],
    spread: Option<(&[Place], f64)>,
) {
    let before: Vec<Place> = places.to_vec();
    for axis in 0..2 {
        let mut x: Vec<f64> = before.iter().map(|place| place[axis]).collect();
        let mut springs = Springs::new(x.len());
        for pins in circuit.nets.values().filter(|pins| (2..=MOST).contains(&pins.len())) {
            match spread {
                None => from_driver(pins, &mut springs),
                Some(_) => between_ends(pins, &x, &mut springs),
            }
        }
        for (net, place) in ports {
            for pin in circuit.nets.get(net).into_iter().flatten().take(MOST) {
                springs.hold(pin.cell, place[axis], 1e-3 / SHORT);
            }
        }
        for (cell, x) in x.iter().enumerate() {
            let (to, pull) = spread.map_or((*x, 1e-6), |(spread, pull)| {
                let to = spread[cell][axis];
                (to, pull / (x - to).abs().max(SHORT))
            });
            springs.hold(cell, to, pull);
        }
        springs.rest(&mut x);
        places.iter_mut().zip(&x).for_each(|(place, x)| place[axis] = *x);
    }
}

/// Ties each pin of a net to its driver.
fn from_driver(pins: &[Pin], springs: &mut Springs) {
    let stiffness = 1.0 / (pins.len() - 1) as f64;
    pins[1..].iter().for_each(|pin| springs.between(pins[0].cell, pin.cell, stiffness));
}

/// Ties the two outermost pins of a net to each other and to all between. With these weights the
/// energy of the springs is the extent of the net.
fn between_ends(pins: &[Pin], x: &[f64], springs: &mut Springs) {
    let at = |pin: &Pin| x[pin.cell];
    let cells = |pin: &Pin| pin.cell;
    let low = pins.iter().min_by(|a, b| at(a).total_cmp(&at(b))).map_or(0, cells);
    let high = pins.iter().rev().max_by(|a, b| at(a).total_cmp(&at(b))).map_or(0, cells);
    let share = 1.0 / (pins.len() - 1) as f64;
    let mut tie = |a: usize, b: usize| {
        springs.between(a, b, share / (x[a] - x[b]).abs().max(SHORT));
    };
    tie(low, high);
    for cell in pins.iter().map(cells).filter(|cell| *cell != low && *cell != high) {
        tie(low, cell);
        tie(high, cell);
    }
}

#[cfg(test)]
mod tests {
    use super::super::circuit::Cell;
    use super::super::tree;
    use super::*;
    use std::collections::BTreeMap;

    /// Returns a mesh: each cell drives a net to its right and lower neighbour.
    fn mesh(width: usize) -> Circuit {
        let cell = || Cell { kind: "x".into(), area: 16.0, pins: Vec::new() };
        let mut nets = BTreeMap::new();
        for at in 0..width * width {
            let mut pins = vec![Pin { cell: at, pin: 0, drives: true }];
            let next = [(at % width < width - 1).then_some(at + 1), Some(at + width)];
            let next = next.into_iter().flatten().filter(|next| *next < width * width);
            pins.extend(next.map(|cell| Pin { cell, pin: 1, drives: false }));
            nets.insert(at + 3, pins);
        }
        let cells = (0..width * width).map(|_| cell()).collect();
        Circuit { cells, nets, inputs: vec![3], outputs: vec![width * width + 2], clock: 2 }
    }

    #[test]
    fn a_mesh_is_laid_out_near_its_shortest() {
        let circuit = mesh(24);
        let places = place(&circuit, 24.0 * 4.0);
        let wires = tree::of_nets(&circuit, &places);
        let length: f64 = wires.iter().flatten().map(|wire| wire.length).sum();
        let shortest = 2.0 * 23.0 * 24.0 * 4.0;
        assert!(length < 1.5 * shortest, "{length} of {shortest}");
        assert!(length > 0.9 * shortest, "{length} of {shortest}");
    }
}
