//! Cuts the wires of a net into nets of less load, each with its own buffer. From the outermost
//! pins towards the driver, a buffer is inserted wherever the load would become too large.

use super::circuit::Pin;
use super::spread::Place;
use super::tree::Wire;

/// Limits on driven loads, and the loads of wires and buffers, in femtofarads.
pub struct Limits {
    /// Maximum load that a buffer drives.
    pub buffer: f64,
    /// Maximum load that the driver of the net drives.
    pub driver: f64,
    /// Load of a micrometre of wire.
    pub wire: f64,
    /// Load of a buffer's input.
    pub input: f64,
}

/// Pins of a net, the driver first, and the wires between them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Segment {
    pub pins: Vec<Pin>,
    pub wires: Vec<Wire>,
}

/// A pin of a net before the net is cut, with its place and its load.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub pin: Pin,
    pub place: Place,
    pub load: f64,
}

/// Returns the net of the driver and the nets driven by buffers. `new` makes a buffer at a place
/// and returns its input and its output.
pub fn cut(
    spots: &[Spot],
    wires: &[Wire],
    limits: &Limits,
    new: impl FnMut(Place) -> [Pin; 2],
) -> Vec<Segment> {
    let mut cutter = Cutter { limits, new, segments: vec![Segment::default()] };
    let mut nodes: Vec<Node> =
        spots.iter().map(|spot| Node { branches: Vec::new(), load: spot.load }).collect();
    // A wire comes after the wire that leads to its first pin, so the reverse order begins at the
    // outermost pins.
    for wire in wires.iter().rev() {
        let (from, to) = (spots[wire.from], spots[wire.to]);
        let node = std::mem::take(&mut nodes[wire.to]);
        let branch = Branch { part: joined(to.pin, node.branches), up: 0.0, load: node.load };
        let branch = cutter.up(branch, wire.length, (from.place, to.place));
        cutter.attach(&mut nodes[wire.from], branch, from);
    }
    let mut root = nodes.swap_remove(0);
    if root.load > limits.driver {
        root.branches = vec![cutter.buffered(root.branches, spots[0].place)];
    }
    cutter.segments[0] = joined(spots[0].pin, root.branches);
    cutter.segments
}

/// The branches that begin at a pin, and their total load, including the load of the pin itself.
#[derive(Default)]
struct Node {
    branches: Vec<Branch>,
    load: f64,
}

/// A part of a net that has no driver yet. A wire of `up` micrometres leads to its first pin.
struct Branch {
    part: Segment,
    up: f64,
    load: f64,
}

struct Cutter<'l, F> {
    limits: &'l Limits,
    new: F,
    segments: Vec<Segment>,
}

impl<F: FnMut(Place) -> [Pin; 2]> Cutter<'_, F> {
    /// Extends a branch along a wire to the wire's first end, with buffers where necessary.
    fn up(&mut self, mut branch: Branch, length: f64, (from, to): (Place, Place)) -> Branch {
        let mut left = length;
        loop {
            let room = ((self.limits.buffer - branch.load) / self.limits.wire).max(0.0);
            branch.lengthen(room.min(left), self.limits);
            if room >= left {
                return branch;
            }
            left -= room;
            branch = self.buffered(vec![branch], between(from, to, left / length));
        }
    }

    /// Adds a branch to those of a pin. If the total load is too large, the earlier branches get a
    /// buffer; if it still is, the new branch gets one too.
    fn attach(&mut self, node: &mut Node, mut branch: Branch, at: Spot) {
        let most = self.limits.buffer;
        if node.load + branch.load > most && !node.branches.is_empty() {
            node.branches = vec![self.buffered(std::mem::take(&mut node.branches), at.place)];
            node.load = at.load + self.limits.input;
        }
        if node.load + branch.load > most {
            branch = self.buffered(vec![branch], at.place);
        }
        node.load += branch.load;
        node.branches.push(branch);
    }

    /// Puts a buffer in front of branches, and returns the buffer's input as a branch.
    fn buffered(&mut self, branches: Vec<Branch>, place: Place) -> Branch {
        let [input, output] = (self.new)(place);
        self.segments.push(joined(output, branches));
        let part = Segment { pins: vec![input], wires: Vec::new() };
        Branch { part, up: 0.0, load: self.limits.input }
    }
}

impl Branch {
    fn lengthen(&mut self, by: f64, limits: &Limits) {
        self.up += by;
        self.load += by * limits.wire;
    }
}

/// Joins branches to one segment, with wires from a pin to each of them.
fn joined(pin: Pin, branches: Vec<Branch>) -> Segment {
    let mut all = Segment { pins: vec![pin], wires: Vec::new() };
    for Branch { part, up, .. } in branches {
        let first = all.pins.len();
        all.wires.push(Wire { from: 0, to: first, length: up });
        let moved = |wire: &Wire| Wire { from: wire.from + first, to: wire.to + first, ..*wire };
        all.wires.extend(part.wires.iter().map(moved));
        all.pins.extend(part.pins);
    }
    all
}

fn between(from: Place, to: Place, part: f64) -> Place {
    [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { buffer: 100.0, driver: 40.0, wire: 0.1, input: 5.0 };

    fn spot(cell: usize, x: f64, load: f64) -> Spot {
        Spot { pin: Pin { cell, pin: 0, drives: cell == 0 }, place: [x, 0.0], load }
    }

    /// Cuts a net whose pins are all wired to the driver. Returns the segments and the places of
    /// buffers.
    fn star(lengths: &[f64]) -> (Vec<Segment>, Vec<f64>) {
        let pins = lengths.iter().enumerate().map(|(at, x)| spot(at + 1, *x, 10.0));
        let spots: Vec<Spot> = [spot(0, 0.0, 0.0)].into_iter().chain(pins).collect();
        let wire = |(at, length): (usize, &f64)| Wire { from: 0, to: at + 1, length: *length };
        let wires: Vec<Wire> = lengths.iter().enumerate().map(wire).collect();
        let mut places = Vec::new();
        let segments = cut(&spots, &wires, &LIMITS, |place| {
            places.push(place[0]);
            let cell = 100 + places.len();
            [(0, false), (1, true)].map(|(pin, drives)| Pin { cell, pin, drives })
        });
        (segments, places)
    }

    fn loads(segment: &Segment) -> f64 {
        let pins = segment.pins.iter().filter(|pin| !pin.drives);
        let pins: f64 = pins.map(|pin| if pin.cell > 100 { 5.0 } else { 10.0 }).sum();
        pins + segment.wires.iter().map(|wire| wire.length * 0.1).sum::<f64>()
    }

    #[test]
    fn a_short_net_stays_as_it_is() {
        let (segments, places) = star(&[100.0, 50.0]);
        assert_eq!((segments.len(), places.len()), (1, 0));
        assert_eq!(segments[0].wires.iter().map(|wire| wire.length).sum::<f64>(), 150.0);
        assert_eq!(segments[0].pins.len(), 3);
    }

    #[test]
    fn a_long_wire_gets_a_buffer_wherever_the_load_is_full() {
        let (segments, places) = star(&[2_000.0]);
        // Loads from the far end: 10 of the pin and 90 of wire; 5 of a buffer and 95 of wire; 5 of
        // a buffer and 15 of wire, which the driver of the net drives.
        assert_eq!(places, [1_100.0, 150.0]);
        let all: Vec<f64> = segments.iter().map(loads).collect();
        assert_eq!(all, [20.0, 100.0, 100.0]);
        assert_eq!(segments[0].pins[0], spot(0, 0.0, 0.0).pin);
        assert!(segments.iter().skip(1).all(|segment| segment.pins[0].drives));
    }

    #[test]
    fn no_net_of_many_pins_has_more_load_than_a_buffer_drives() {
        let (segments, places) = star(&[200.0; 30]);
        assert!(segments[1..].iter().all(|segment| loads(segment) <= 100.0));
        assert!(loads(&segments[0]) <= 40.0);
        assert!(places.len() >= 9, "{places:?}");
        let readers = segments.iter().flat_map(|segment| &segment.pins);
        assert_eq!(readers.filter(|pin| pin.cell <= 30 && !pin.drives).count(), 30);
        let length: f64 = segments.iter().flat_map(|s| &s.wires).map(|wire| wire.length).sum();
        assert!((length - 6_000.0).abs() < 1e-6);
    }
}
