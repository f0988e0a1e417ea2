//! Replays a recorded run of a bench on 64 copies of the mapped netlist.
//!
//! The copies begin with different values in their registers, and so do three runs of the model. If
//! all copies agree on an output bit, and all runs do too, the bit does not depend on the initial
//! values, and must be the same on both sides. Any other bit depends on a register that has not
//! been written yet.

use super::lanes::{Lanes, Word};
use crate::energy::ports::Ports;
use crate::energy::wires::{self, Wire};

/// A repeatable random source (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// Returns the next word.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Result of comparing a run.
#[derive(Debug, Default, PartialEq)]
pub struct Played {
    /// Number of cycles from the beginning.
    pub cycles: u64,
    /// Number of output bits that were compared, over all cycles.
    pub compared: u64,
    /// Number of output bits that depend on the initial content of registers.
    pub open: u64,
    /// Number of compared bits that differ from the model.
    pub differing: u64,
    /// Position of the first difference.
    pub first: Option<String>,
    /// For each cycle and output bit, whether it was compared.
    pub settled: Vec<Vec<bool>>,
}

/// Returns a word that has this bit in all copies.
pub fn all(bit: bool) -> Word {
    if bit { Word::MAX } else { 0 }
}

/// Three recordings of a run whose registers initially held random bits, zeros and ones.
pub struct Run {
    /// The recording that is replayed: random bits.
    pub ports: Ports,
    /// The other two recordings.
    pub others: [Ports; 2],
}

impl Run {
    /// Returns true if the model shows the same bit for every initial content of its registers.
    fn agrees(&self, cycle: usize, wire: &Wire) -> bool {
        let bit =
            |ports: &Ports| ports.samples.get(cycle).map(|sample| sample[wire.port][wire.bit]);
        self.others.iter().all(|other| bit(other) == bit(&self.ports))
    }
}

/// Replays a run on copies with different initial values in their registers: zeros, ones, and
/// random bits.
pub fn compare(lanes: &mut Lanes, wires: &[Wire], run: &Run, random: &mut Random) -> Played {
    let ports = &run.ports;
    let mut played = Played::default();
    lanes.fault(&[]);
    lanes.hold(|| random.next() & !1 | 2);
    each_cycle(lanes, wires, ports, |lanes, sample| {
        let mut settled = Vec::new();
        for wire in wires.iter().filter(|wire| !wire.input) {
            let (value, wanted) = (lanes.get(wire.net), sample[wire.port][wire.bit]);
            let copies = value == 0 || value == Word::MAX;
            let agree = copies && run.agrees(played.cycles as usize, wire);
            settled.push(agree);
            played.open += u64::from(!agree);
            if agree && value != all(wanted) {
                played.differing += 1;
                let place = || {
                    format!(
                        "{}[{}] in cycle {}",
                        wires::name(&run.ports.places, wire.port),
                        wire.bit,
                        played.cycles
                    )
                };
                played.first.get_or_insert_with(place);
            }
        }
        played.compared += settled.iter().filter(|agree| **agree).count() as u64;
        played.settled.push(settled);
        played.cycles += 1;
    });
    played
}

/// Replays the run on copies with faults, and returns the copies in which a compared bit is wrong.
pub fn found(
    lanes: &mut Lanes,
    wires: &[Wire],
    ports: &Ports,
    faults: &[(usize, Word)],
    settled: &[Vec<bool>],
) -> Word {
    let mut wrong = 0;
    let mut cycles = settled.iter();
    lanes.fault(faults);
    lanes.hold(|| 0);
    each_cycle(lanes, wires, ports, |lanes, sample| {
        let outputs = wires.iter().filter(|wire| !wire.input);
        for (wire, compared) in outputs.zip(cycles.next().into_iter().flatten()) {
            if *compared {
                wrong |= lanes.get(wire.net) ^ all(sample[wire.port][wire.bit]);
            }
        }
    });
    lanes.fault(&[]);
    wrong
}

fn each_cycle(
    lanes: &mut Lanes,
    wires: &[Wire],
    ports: &Ports,
    mut look: impl FnMut(&Lanes, &[Vec<bool>]),
) {
    for sample in &ports.samples {
        for wire in wires.iter().filter(|wire| wire.input) {
            lanes.set(wire.net, all(sample[wire.port][wire.bit]));
        }
        lanes.settle();
        look(lanes, sample);
        lanes.clock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::gates::Netlist;
    use crate::energy::wires;
    use crate::map::liberty::Liberty;
    use crate::map::netlist::Module;

    const LIBRARY: &str = "library (l) {
        cell (nand) { pin(A) { direction : input; } pin(B) { direction : input; } pin(Y) { direction : output; function : \"!(A*B)\"; } }
        cell (nor) { pin(A) { direction : input; } pin(B) { direction : input; } pin(Y) { direction : output; function : \"!(A+B)\"; } }
        cell (dff) { ff (IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; }
            pin(C) { clock : true; } pin(D) { direction : input; } pin(Q) { direction : output; function : \"IQ\"; } } }";

    /// Returns a module in which q is a gate of this kind on a and b, one cycle later.
    fn module(kind: &str) -> Module {
        let text = r#"{"ports":{"c":{"direction":"input","bits":[2]},"a":{"direction":"input","bits":[3]},
            "b":{"direction":"input","bits":[4]},"q":{"direction":"output","bits":[6]}},
            "cells":{"g":{"type":"KIND","connections":{"A":[3],"B":[4],"Y":[5]}},
            "f":{"type":"dff","connections":{"C":[2],"D":[5],"Q":[6]}}}}"#;
        serde_json::from_str(&text.replace("KIND", kind)).unwrap()
    }

    /// Recording of a model: a and b count, and q was 1 at the beginning.
    const RUN: &str = "$scope module TOP $end\n$var wire 1 a a $end\n$var wire 1 b b $end\n$var wire 1 q q $end\n\
        $enddefinitions $end\n#0\n0a\n0b\n1q\n#1\n1a\n#2\n1b\n0a\n#3\n1a\n#4\n0q\n0a\n0b\n";

    fn played(kind: &str) -> (Played, Word) {
        let library = Liberty::of_text(LIBRARY).unwrap();
        let module = module(kind);
        let run = || Ports::parse(RUN).unwrap();
        let run = Run { ports: run(), others: [run(), run()] };
        let wires = wires::wires(&module, &run.ports.places, "c").unwrap();
        let mut lanes = Lanes::new(Netlist::new(&module, &library).unwrap());
        let played = compare(&mut lanes, &wires, &run, &mut Random(1));
        let found = found(&mut lanes, &wires, &run.ports, &[(0, 0b100)], &played.settled);
        (played, found)
    }

    #[test]
    fn a_netlist_agrees_and_one_with_another_cell_does_not() {
        let (good, found) = played("nand");
        assert_eq!((good.cycles, good.compared, good.open, good.differing), (5, 4, 1, 0));
        assert_eq!(found, 0b100, "the copy with the inverted gate, and no other");
        let (wrong, _) = played("nor");
        assert_eq!((wrong.compared, wrong.differing), (4, 2));
        assert_eq!(wrong.first.as_deref(), Some("q[0] in cycle 2"));
    }
}
