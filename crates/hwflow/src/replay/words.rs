//! The words of a memory in each copy of a netlist.

use super::lanes::Word;
use super::played::Random;
use crate::energy::gates::Net;
use crate::energy::memory::{Memory, Port};

/// Words of a memory, and the outputs of its ports.
pub struct Words {
    memory: Memory,
    bits: usize,
    /// Content by address and bit.
    held: Vec<Word>,
    shown: Vec<Vec<Word>>,
    random: Random,
}

impl Words {
    /// Makes a memory that is filled with zeros.
    pub fn new(memory: Memory) -> Self {
        let (words, bits) = memory.size();
        let shown = vec![vec![0; bits]; memory.ports.len()];
        Self { memory, bits, held: vec![0; words * bits], shown, random: Random(11) }
    }

    /// Sets the content and the outputs to values from `state`.
    pub fn hold(&mut self, state: &mut impl FnMut() -> Word) {
        let shown = self.shown.iter_mut().flatten();
        self.held.iter_mut().chain(shown).for_each(|held| *held = state());
    }

    /// Returns the nets that the ports drive, with their values.
    pub fn outputs(&self) -> impl Iterator<Item = (Net, Word)> + '_ {
        let ports = self.memory.ports.iter().zip(&self.shown);
        ports.flat_map(|(port, shown)| port.output.iter().copied().zip(shown.iter().copied()))
    }

    /// Applies the rising edge of the clock: all ports read the old content, and then they write. A
    /// port that reads and writes at once shows random bits, because nothing may depend on them.
    pub fn clock(&mut self, values: &[Word]) {
        for at in 0..self.memory.ports.len() {
            self.read(at, values);
        }
        for port in &self.memory.ports {
            let writes = values[port.enable] & values[port.write];
            for copy in copies(writes) {
                let from = address(port, values, copy) * self.bits;
                for (bit, (data, mask)) in port.data.iter().zip(&port.mask).enumerate() {
                    let taken = values[*mask] & 1 << copy;
                    let held = &mut self.held[from + bit];
                    *held = (*held & !taken) | (values[*data] & taken);
                }
            }
        }
    }

    fn read(&mut self, at: usize, values: &[Word]) {
        let port = &self.memory.ports[at];
        let reads = values[port.enable] & values[port.read];
        let writes = reads & values[port.write];
        for copy in copies(reads) {
            let from = address(port, values, copy) * self.bits;
            for (bit, shown) in self.shown[at].iter_mut().enumerate() {
                let one = 1 << copy;
                *shown = (*shown & !one) | (self.held[from + bit] & one);
            }
        }
        if writes != 0 {
            for shown in &mut self.shown[at] {
                *shown = (*shown & !writes) | (self.random.next() & writes);
            }
        }
    }
}

/// Returns the copies that are set in a word.
fn copies(word: Word) -> impl Iterator<Item = u32> {
    (0..Word::BITS).filter(move |copy| word >> copy & 1 == 1)
}

fn address(port: &Port, values: &[Word], copy: u32) -> usize {
    let bit = |(k, net): (usize, &Net)| ((values[*net] >> copy & 1) as usize) << k;
    port.address.iter().enumerate().map(bit).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_write_and_read_words_of_their_own() {
        let port = Port {
            enable: 1,
            write: 2,
            read: 3,
            address: vec![4],
            data: vec![5, 6],
            mask: vec![1, 7],
            output: vec![8, 9],
        };
        let mut words = Words::new(Memory { ports: vec![port] });
        // Copy 0 writes 3 to word 0. Copy 1 writes 3 to word 1, with the second bit masked.
        let mut values = vec![0, Word::MAX, 0b11, 0, 0b10, 0b11, 0b11, 0b01, 0, 0];
        words.clock(&values);
        (values[2], values[3], values[4]) = (0, 0b11, 0b10);
        words.clock(&values);
        assert_eq!(words.outputs().collect::<Vec<_>>(), [(8, 0b11), (9, 0b01)]);
        values[4] = 0b01;
        words.clock(&values);
        assert_eq!(words.outputs().collect::<Vec<_>>(), [(8, 0), (9, 0)]);
    }
}
