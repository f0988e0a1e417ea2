//! Simulates a netlist cycle by cycle with zero delay. A function is evaluated in a cycle only if
//! one of the nets it reads has changed, and in the order of the gates. So each net changes at most
//! once per cycle, and the number of changes is the same as if every gate were evaluated.

use super::gates::{Flop, Function, Gate, Net};

/// Number of functions of a flip-flop.
const PARTS: usize = 3;

/// A simulated netlist. Functions are numbered: first those of the gates in their order, then those
/// of the flip-flops.
pub struct Events {
    bits: Vec<u64>,
    /// For each function, the values of the nets that it reads, as an index into its truth table.
    index: Vec<u8>,
    /// One bit per function, set if a net that the function reads has changed.
    changed: Vec<u64>,
    /// Output nets of the gates.
    output: Vec<u32>,
    flops: Vec<(bool, Vec<(Net, bool)>)>,
    /// Functions that read each net, each with the index bit that the net sets. Those of net n are
    /// from `first[n]` to `first[n + 1]`.
    readers: Vec<(u32, u8)>,
    first: Vec<u32>,
    values: Vec<bool>,
    /// Number of falls and number of rises of each net.
    counts: [Vec<u64>; 2],
    /// Cost of a fall and of a rise of each net.
    costs: [Vec<f64>; 2],
    spent: f64,
}

impl Events {
    /// Builds the simulation. Each gate must come after the gates that drive it. The flip-flops
    /// start with the state 0.
    pub fn new(gates: Vec<Gate>, flops: Vec<Flop>, nets: usize) -> Self {
        let output: Vec<u32> = gates.iter().map(|gate| gate.output as u32).collect();
        let of_flops = flops.iter().flat_map(|flop| &flop.parts);
        let functions: Vec<&Function> =
            gates.iter().map(|gate| &gate.value).chain(of_flops).collect();
        let (first, readers) = readers(&functions, nets);
        let mut values = vec![false; nets];
        values[1] = true;
        flops.iter().flat_map(|flop| &flop.outputs).for_each(|&(net, high)| values[net] = high);
        let index = |function: &&Function| {
            let bits = function.inputs.iter().enumerate();
            bits.fold(0, |index, (k, &net)| index | u8::from(values[net]) << k)
        };
        let mut events = Self {
            bits: functions.iter().map(|function| function.bits).collect(),
            index: functions.iter().map(index).collect(),
            changed: vec![0; functions.len().div_ceil(64)],
            output,
            flops: Vec::new(),
            readers,
            first,
            values,
            counts: [vec![0; nets], vec![0; nets]],
            costs: [vec![0.0; nets], vec![0.0; nets]],
            spent: 0.0,
        };
        (0..events.bits.len()).for_each(|at| events.changed[at / 64] |= 1 << (at % 64));
        events.flops = flops.into_iter().map(|flop| (false, flop.outputs)).collect();
        events
    }

    /// Sets the value of a net, such as an input.
    pub fn set(&mut self, net: Net, value: bool) {
        if self.values[net] == value {
            return;
        }
        self.values[net] = value;
        self.counts[usize::from(value)][net] += 1;
        self.spent += self.costs[usize::from(value)][net];
        for &(reader, bit) in &self.readers[self.first[net] as usize..self.first[net + 1] as usize]
        {
            self.index[reader as usize] ^= bit;
            self.changed[reader as usize / 64] |= 1 << (reader % 64);
        }
    }

    /// Returns the value of a net.
    pub fn get(&self, net: Net) -> bool {
        self.values[net]
    }

    /// Returns the number of rises of a net.
    pub fn rises(&self, net: Net) -> u64 {
        self.counts[1][net]
    }

    /// Returns the number of falls of a net.
    pub fn falls(&self, net: Net) -> u64 {
        self.counts[0][net]
    }

    /// Sets the cost of a fall and of a rise of each net.
    pub fn price(&mut self, costs: [Vec<f64>; 2]) {
        self.costs = costs;
    }

    /// Returns the number of nets.
    pub fn nets(&self) -> usize {
        self.values.len()
    }

    /// Returns the cost of the toggles since the last call.
    pub fn spent(&mut self) -> f64 {
        std::mem::take(&mut self.spent)
    }

    /// Resets the counts of toggles.
    pub fn forget(&mut self) {
        self.counts.iter_mut().for_each(|counts| counts.fill(0));
    }

    /// Evaluates gates until the netlist has settled.
    pub fn settle(&mut self) {
        for word in 0..self.output.len().div_ceil(64) {
            while let Some(at) = self.take(word, self.output.len()) {
                self.set(self.output[at] as Net, self.value(at));
            }
        }
    }

    /// Settles the netlist, and then applies the rising edge of the clock.
    pub fn clock(&mut self) {
        self.settle();
        let mut turned = Vec::new();
        for word in self.output.len() / 64..self.changed.len() {
            while let Some(at) = self.take(word, self.bits.len()) {
                let flop = (at - self.output.len()) / PARTS;
                let next = self.next(flop);
                if next != self.flops[flop].0 {
                    self.flops[flop].0 = next;
                    turned.push(flop);
                }
            }
        }
        for flop in turned {
            let (state, outputs) = std::mem::take(&mut self.flops[flop]);
            outputs.iter().for_each(|&(net, inverted)| self.set(net, state != inverted));
            self.flops[flop] = (state, outputs);
        }
    }

    /// Returns a changed function below `end` from a word of `changed`, and clears its bit.
    fn take(&mut self, word: usize, end: usize) -> Option<usize> {
        let at = 64 * word + self.changed[word].trailing_zeros() as usize;
        (at < end.min(64 * word + 64)).then(|| {
            self.changed[word] &= self.changed[word] - 1;
            at
        })
    }

    fn value(&self, function: usize) -> bool {
        self.bits[function] >> self.index[function] & 1 == 1
    }

    fn next(&self, flop: usize) -> bool {
        let [next, clear, preset] =
            [0, 1, 2].map(|part| self.value(self.output.len() + PARTS * flop + part));
        !clear && (next || preset)
    }
}

/// Returns the position of each net's first reader, and the functions that read each net.
fn readers(functions: &[&Function], nets: usize) -> (Vec<u32>, Vec<(u32, u8)>) {
    let mut of_nets: Vec<Vec<(u32, u8)>> = vec![Vec::new(); nets];
    for (at, function) in functions.iter().enumerate() {
        for (k, &net) in function.inputs.iter().enumerate() {
            of_nets[net].push((at as u32, 1 << k));
        }
    }
    let mut first = vec![0];
    first.extend(of_nets.iter().scan(0, |sum, readers| {
        *sum += readers.len() as u32;
        Some(*sum)
    }));
    (first, of_nets.concat())
}

#[cfg(test)]
mod tests;
