//! Finds places for cells. In each round, nets pull their cells together like springs, and then the
//! cells are spread evenly. In the next round, additional springs pull each cell to its spread
//! place, with a force that grows from round to round.

use super::circuit::{Cell, Circuit, Pin};
use super::solve::Springs;
use super::spread::{Place, even};
use crate::energy::gates::Net;
use std::f64::consts::PI;

/// Number of rounds of pulling and spreading.
const ROUNDS: usize = 100;
/// Stiffness of the pull to the spread place in the first round, and its growth per round.
const PULL: f64 = 0.01;
/// Maximum number of pins of a net that pulls. A larger net extends everywhere anyway.
const MOST: usize = 500;
/// Stiffness of the spring that holds a block.
const STIFF: f64 = 1e3;
/// Minimum length in micrometres. Shorter lengths count as this length.
const SHORT: f64 = 1.0;

/// Returns the place of each cell on a square die with this side. Blocks are around the die, and
/// their pins are at its edge.
pub fn place(circuit: &Circuit, side: f64) -> Vec<Place> {
    let area = |cell: &Cell| if cell.is_block() { 0.0 } else { cell.area };
    let areas: Vec<f64> = circuit.cells.iter().map(area).collect();
    let mut held = ports(circuit, side);
    let mut places = vec![[side / 2.0; 2]; circuit.cells.len()];
    pull(circuit, &held, &mut places, None);
    held.blocks = around(circuit, &places, side);
    let mut spread = even(&places, &areas, side);
    for round in 1..=ROUNDS {
        pull(circuit, &held, &mut places, Some((&spread, PULL * round as f64)));
        spread = even(&places, &areas, side);
    }
    held.blocks.iter().for_each(|(cell, place)| spread[*cell] = *place);
    spread
}

/// Things with a fixed place: the nets of ports, and cells that are blocks.
struct Held {
    ports: Vec<(Net, Place)>,
    blocks: Vec<(usize, Place)>,
}

/// Returns a place at the edge for each block, in the order of their directions from the middle of
/// the die.
fn around(circuit: &Circuit, places: &[Place], side: f64) -> Vec<(usize, Place)> {
    let angle = |cell: usize| {
        let [x, y] = places[cell].map(|at| at - side / 2.0);
        (y.atan2(x) + 0.75 * PI).rem_euclid(2.0 * PI)
    };
    let length = |cell: usize| circuit.cells[cell].area.sqrt();
    let mut blocks: Vec<usize> =
        (0..circuit.cells.len()).filter(|cell| circuit.cells[*cell].is_block()).collect();
    blocks.sort_by(|a, b| angle(*a).total_cmp(&angle(*b)).then(a.cmp(b)));
    let all: f64 = blocks.iter().map(|cell| length(*cell)).sum();
    let mut before = 0.0;
    let place = |cell: usize| {
        let middle = (before + length(cell) / 2.0) / all;
        before += length(cell);
        (cell, on_edge(4.0 * middle, side))
    };
    blocks.into_iter().map(place).collect()
}

/// Returns a place on the edge of the die. `along` goes from 0 to 4 once around the die, beginning
/// at the origin.
fn on_edge(along: f64, side: f64) -> Place {
    let part = along.fract() * side;
    match along as usize {
        0 => [part, 0.0],
        1 => [side, part],
        2 => [side - part, side],
        _ => [0.0, side - part],
    }
}

/// Returns the nets of ports, distributed along the edge of the die in their order.
fn ports(circuit: &Circuit, side: f64) -> Held {
    let all: Vec<Net> = circuit.inputs.iter().chain(&circuit.outputs).copied().collect();
    let place = |at: usize| on_edge(4.0 * at as f64 / all.len() as f64, side);
    let ports = all.iter().enumerate().map(|(at, net)| (*net, place(at))).collect();
    Held { ports, blocks: Vec::new() }
}

/// Moves all cells to the places where the springs are at rest.
fn pull(circuit: &Circuit, held: &Held, places: &mut [Place], spread: Option<(&[Place], f64)>) {
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
        for (cell, place) in &held.blocks {
            springs.hold(*cell, place[axis], STIFF);
        }
        for (net, place) in &held.ports {
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

/// Connects each pin of a net to its driver.
fn from_driver(pins: &[Pin], springs: &mut Springs) {
    let stiffness = 1.0 / (pins.len() - 1) as f64;
    pins[1..].iter().for_each(|pin| springs.between(pins[0].cell, pin.cell, stiffness));
}

/// Connects the two outermost pins of a net with each other and with all pins between them. With
/// these weights the energy of the springs is the extent of the net.
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
    use super::super::tree;
    use super::*;
    use std::collections::BTreeMap;

    /// Returns a mesh in which each cell drives a net to its right and its lower neighbour.
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
        Circuit {
            cells,
            nets,
            inputs: vec![3],
            outputs: vec![width * width + 2],
            clock: 2,
            most: 2,
        }
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
    #[test]
    fn blocks_stand_at_the_edge_and_apart() {
        let mut circuit = mesh(16);
        let blocks = [3, 120, 200, 250];
        blocks.iter().for_each(|cell| circuit.cells[*cell].area = 90_000.0);
        let places = place(&circuit, 64.0);
        let on_edge = |place: &Place| place.iter().any(|x| [0.0, 64.0].contains(x));
        for (at, block) in blocks.iter().enumerate() {
            assert!(on_edge(&places[*block]), "{:?}", places[*block]);
            assert!(blocks[..at].iter().all(|other| places[*other] != places[*block]));
        }
        assert_eq!(places.iter().filter(|place| on_edge(place)).count(), blocks.len());
    }
}
