//! Simulates 64 copies of a mapped netlist at once, cycle by cycle with zero delay. Each copy is
//! one bit of a word. The copies differ in the initial content of their registers, in a fault, or
//! in their inputs.

use super::welch::Counters;
use super::words::Words;
use crate::energy::gates::{Flop, Function, Gate, Net, Netlist};

/// One bit of each copy.
pub type Word = u64;

/// Copies of a netlist.
pub struct Lanes {
    gates: Vec<Gate>,
    flops: Vec<Flop>,
    values: Vec<Word>,
    states: Vec<Word>,
    memories: Vec<Words>,
    /// For each gate, the copies in which its output is inverted.
    faults: Vec<Word>,
}

impl Lanes {
    /// Makes copies with registers that hold zeros.
    pub fn new(netlist: Netlist) -> Self {
        let Netlist { gates, flops, memories, nets } = netlist;
        let (states, faults) = (vec![0; flops.len()], vec![0; gates.len()]);
        let mut values = vec![0; nets];
        values[1] = Word::MAX;
        let memories = memories.into_iter().map(Words::new).collect();
        Self { gates, flops, values, states, memories, faults }
    }

    /// Returns the number of gates and the number of registers.
    pub fn size(&self) -> (usize, usize) {
        (self.gates.len(), self.flops.len())
    }

    /// Sets all registers and memories to values from `state`.
    pub fn hold(&mut self, mut state: impl FnMut() -> Word) {
        self.states.iter_mut().for_each(|held| *held = state());
        self.memories.iter_mut().for_each(|memory| memory.hold(&mut state));
        self.show();
    }

    /// Inverts the outputs of these gates in the given copies, and of no other gates.
    pub fn fault(&mut self, faults: &[(usize, Word)]) {
        self.faults.fill(0);
        faults.iter().for_each(|(gate, copies)| self.faults[*gate] |= copies);
    }

    /// Drives an input.
    pub fn set(&mut self, net: Net, value: Word) {
        self.values[net] = value;
    }

    /// Returns the value of a net.
    pub fn get(&self, net: Net) -> Word {
        self.values[net]
    }

    /// Returns the content of the registers.
    pub fn states(&self) -> &[Word] {
        &self.states
    }

    /// Counts, for each copy, the outputs of gates and registers that differ from `before`. Then
    /// stores the current values in `before`.
    pub fn toggles(&self, before: &mut Vec<Word>) -> Counters {
        let mut counters = Counters::default();
        if !before.is_empty() {
            let gates = self.gates.iter().map(|gate| gate.output);
            let shown = self.flops.iter().flat_map(|flop| flop.outputs.iter().map(|(net, _)| *net));
            gates.chain(shown).for_each(|net| counters.add(before[net] ^ self.values[net]));
        }
        before.clone_from(&self.values);
        counters
    }

    /// Evaluates all gates.
    pub fn settle(&mut self) {
        for (gate, fault) in self.gates.iter().zip(&self.faults) {
            self.values[gate.output] = value(&gate.value, &self.values) ^ fault;
        }
    }

    /// Applies the rising edge of the clock.
    pub fn clock(&mut self) {
        for (flop, state) in self.flops.iter().zip(&mut self.states) {
            let [next, clear, preset] = &flop.parts;
            let held = value(next, &self.values) | value(preset, &self.values);
            *state = held & !value(clear, &self.values);
        }
        self.memories.iter_mut().for_each(|memory| memory.clock(&self.values));
        self.show();
    }

    fn show(&mut self) {
        for (flop, state) in self.flops.iter().zip(&self.states) {
            for (net, inverted) in &flop.outputs {
                self.values[*net] = if *inverted { !state } else { *state };
            }
        }
        for (net, value) in self.memories.iter().flat_map(Words::outputs) {
            self.values[net] = value;
        }
    }
}

/// Returns the value of a function. Its truth table is halved by one input after the other.
fn value(function: &Function, values: &[Word]) -> Word {
    let Some((&first, others)) = function.inputs.split_first() else {
        return if function.bits & 1 == 1 { Word::MAX } else { 0 };
    };
    let mut layer = [0; 32];
    let mut width = 1 << others.len();
    let input = values[first];
    for (at, half) in layer.iter_mut().enumerate().take(width) {
        *half = match function.bits >> (2 * at) & 3 {
            0 => 0,
            1 => !input,
            2 => input,
            _ => Word::MAX,
        };
    }
    for &net in others {
        width /= 2;
        for at in 0..width {
            let (low, high) = (layer[2 * at], layer[2 * at + 1]);
            layer[at] = low ^ ((low ^ high) & values[net]);
        }
    }
    layer[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_gives_what_its_table_says_in_every_copy() {
        let inputs: Vec<Net> = (0..6).collect();
        let words = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
        let more = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
        let values: Vec<Word> = words.into_iter().chain(more).collect();
        for bits in [0x0123_4567_89ab_cdef, 0, u64::MAX, 1] {
            // Copy i has the inputs of row i.
            assert_eq!(value(&Function { inputs: inputs.clone(), bits }, &values), bits);
        }
        let two = Function { inputs: vec![1, 2], bits: 0b0110 };
        assert_eq!(value(&two, &values), words[1] ^ words[2]);
        let none = Function { inputs: Vec::new(), bits: 1 };
        assert_eq!(value(&none, &values), Word::MAX);
    }
}
