use super::*;

/// Reference simulation that evaluates every function in every cycle.
struct Plain {
    gates: Vec<Gate>,
    flops: Vec<Flop>,
    states: Vec<bool>,
    values: Vec<bool>,
    changes: Vec<u64>,
}

impl Plain {
    fn value(&self, function: &Function) -> bool {
        let bits = function.inputs.iter().enumerate();
        let index = bits.fold(0, |index, (k, &net)| index | u8::from(self.values[net]) << k);
        function.bits >> index & 1 == 1
    }

    fn set(&mut self, net: Net, value: bool) {
        self.changes[net] += u64::from(self.values[net] != value);
        self.values[net] = value;
    }

    fn settle(&mut self) {
        for at in 0..self.gates.len() {
            let value = self.value(&self.gates[at].value);
            self.set(self.gates[at].output, value);
        }
    }

    fn clock(&mut self) {
        let next = |flop: &Flop| {
            let [next, clear, preset] = [0, 1, 2].map(|part| self.value(&flop.parts[part]));
            !clear && (next || preset)
        };
        self.states = self.flops.iter().map(next).collect();
        for at in 0..self.flops.len() {
            for (net, inverted) in self.flops[at].outputs.clone() {
                self.set(net, self.states[at] != inverted);
            }
        }
    }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    fn function(&mut self, inputs: usize, nets: usize) -> Function {
        let bits = (0..4).fold(0, |bits, _| bits << 16 | self.below(1 << 16) as u64);
        Function { inputs: (0..inputs).map(|_| self.below(nets)).collect(), bits }
    }
}

const INPUTS: usize = 6;
const FLOPS: usize = 50;
const GATES: usize = 200;

/// Returns random gates and flip-flops. The nets are in this order: constants, inputs, flip-flops,
/// gates.
fn netlist(seed: u64) -> (Vec<Gate>, Vec<Flop>) {
    let mut dice = Dice(seed);
    let gates_at = 2 + INPUTS + 2 * FLOPS;
    let gates = (0..GATES).map(|gate| {
        let inputs = 1 + dice.below(6);
        Gate { value: dice.function(inputs, gates_at + gate), output: gates_at + gate }
    });
    let gates: Vec<Gate> = gates.collect();
    let nets = gates_at + GATES;
    let flops = (0..FLOPS).map(|flop| {
        let outputs = vec![(2 + INPUTS + 2 * flop, false), (3 + INPUTS + 2 * flop, true)];
        let rare = |function: Function| Function { bits: function.bits & 1, ..function };
        let [clear, preset] = [3, 4].map(|inputs| rare(dice.function(inputs, nets)));
        Flop { parts: [dice.function(2, nets), clear, preset], outputs }
    });
    (gates, flops.collect())
}

#[test]
fn every_net_changes_as_if_every_gate_were_evaluated() {
    for seed in 0..20 {
        let nets = 2 + INPUTS + 2 * FLOPS + GATES;
        let (gates, flops) = netlist(seed);
        let mut events = Events::new(gates, flops, nets);
        let (gates, flops) = netlist(seed);
        let mut values = vec![false; nets];
        values[1] = true;
        flops.iter().flat_map(|flop| &flop.outputs).for_each(|&(net, high)| values[net] = high);
        let (states, changes) = (vec![false; FLOPS], vec![0; nets]);
        let mut plain = Plain { gates, flops, states, values, changes };
        let mut dice = Dice(seed + 1000);
        for cycle in 0..100 {
            for input in 2..2 + INPUTS {
                let value = dice.below(3) == 0;
                events.set(input, value);
                plain.set(input, value);
            }
            events.settle();
            plain.settle();
            let seen: Vec<bool> = (0..nets).map(|net| events.get(net)).collect();
            assert_eq!(seen, plain.values, "seed {seed}, cycle {cycle}");
            events.clock();
            plain.clock();
        }
        let counts: Vec<u64> = (0..nets).map(|net| events.rises(net) + events.falls(net)).collect();
        assert_eq!(counts, plain.changes, "seed {seed}");
        assert!((0..nets).all(|net| events.rises(net).abs_diff(events.falls(net)) <= 1));
        assert!(counts.iter().sum::<u64>() > 1000);
        events.forget();
        assert!((0..nets).all(|net| events.rises(net) + events.falls(net) == 0));
    }
}
