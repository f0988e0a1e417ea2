//! Registers that hold the same as another register, or a constant, in a run with random inputs.
//! The synthesizer has merged or removed such registers. It is proven later that this was right.

use crate::energy::gates::{Net, Netlist};
use crate::replay::lanes::{Lanes, Word};
use crate::replay::played::Random;
use std::collections::HashMap;

/// Number of cycles in a run, of cycles at its beginning that are ignored, and of reset cycles.
const CYCLES: usize = 2_048;
const BEGINNING: usize = 16;
const RESET: usize = 4;

/// Presumed content of a register.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Twin {
    /// The same as this other register.
    Of(usize),
    /// A constant.
    Always(bool),
}

/// Returns the presumed content of each register that is `alone`. `inputs` are driven at random.
/// Some registers hold the same only after a reset, so there is a run without and a run with one.
pub fn of(gates: Netlist, inputs: &[(&str, Net)], alone: &[bool]) -> Vec<Option<Twin>> {
    let mut lanes = Lanes::new(gates);
    let mut random = Random(3);
    let mut run = |reset| twins(&runs(&mut lanes, &mut random, inputs, alone.len(), reset), alone);
    let (anyhow, behind_reset) = (run(0), run(RESET));
    anyhow.into_iter().zip(behind_reset).map(|(first, second)| first.or(second)).collect()
}

fn twins(seen: &[Run], alone: &[bool]) -> Vec<Option<Twin>> {
    let mut leaders = HashMap::new();
    for (at, run) in seen.iter().enumerate().filter(|(at, _)| !alone[*at]) {
        leaders.entry(run.digest).or_insert(at);
    }
    let twin = |(run, alone): (&Run, &bool)| match alone {
        false => None,
        true if run.ones == 0 => Some(Twin::Always(false)),
        true if run.zeros == 0 => Some(Twin::Always(true)),
        true => leaders.get(&run.digest).map(|at| Twin::Of(*at)),
    };
    seen.iter().zip(alone).map(twin).collect()
}

/// What a register held: a digest, and the copies in which it was ever 1 and ever 0.
#[derive(Debug, Default, Clone)]
struct Run {
    digest: u64,
    ones: Word,
    zeros: Word,
}

impl Run {
    fn add(&mut self, held: Word) {
        self.digest = (self.digest ^ held).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        self.ones |= held;
        self.zeros |= !held;
    }
}

/// Simulates 64 copies with random inputs, and returns what each register held after the beginning.
/// The run begins with a reset of `reset` cycles, and later resets are rare. An input of one bit is
/// always 0 in a quarter of the copies, and rarely 1 in another quarter.
fn runs(
    lanes: &mut Lanes,
    random: &mut Random,
    inputs: &[(&str, Net)],
    registers: usize,
    reset: usize,
) -> Vec<Run> {
    let mut seen = vec![Run::default(); registers];
    let live: Vec<[Word; 2]> = inputs.iter().map(|_| [random.next(), random.next()]).collect();
    lanes.hold(|| random.next());
    for cycle in 0..CYCLES {
        for ((name, net), [live, never]) in inputs.iter().zip(&live) {
            let some = random.next();
            let rare = (0..3).fold(some, |rare, _| rare & random.next());
            let input = match *name {
                name if name.starts_with("rst") && cycle < reset => 0,
                name if name.starts_with("rst") => {
                    !(0..7).fold(rare, |rare, _| rare & random.next())
                }
                name if name.contains('[') => some,
                _ => (some & live) | (rare & !live & !never),
            };
            lanes.set(*net, input);
        }
        lanes.settle();
        lanes.clock();
        if cycle >= BEGINNING {
            seen.iter_mut().zip(lanes.states()).for_each(|(run, held)| run.add(*held));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lec::simple;
    use crate::map::netlist::Module;

    #[test]
    fn registers_that_hold_the_same_are_found() {
        let cell = |d: &str, q: u64| {
            format!(r#"{{"type":"$_DFF_P_","connections":{{"C":[2],"D":[{d}],"Q":[{q}]}}}}"#)
        };
        let text = format!(
            r#"{{"ports":{{"a":{{"direction":"input","bits":[3]}}}},"cells":{{"a":{},"b":{},"c":{},"d":{}}}}}"#,
            cell("3", 4),
            cell("3", 5),
            cell("4", 6),
            cell("\"0\"", 7)
        );
        let module: Module = serde_json::from_str(&text).unwrap();
        let gates = Netlist::without_memories(&module, &simple::library().unwrap()).unwrap();
        let found = of(gates, &[("a", 3)], &[false, true, true, true]);
        assert_eq!(found, [None, Some(Twin::Of(0)), None, Some(Twin::Always(false))]);
    }
}
