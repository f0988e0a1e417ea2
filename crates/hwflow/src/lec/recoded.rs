//! Registers with a few states that the synthesizer recoded to one bit per state, as its log
//! reports.

use super::blif::Text;
use super::pair::{bits, plain};

/// A recoded register.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// Name of the register, before and after recoding.
    pub register: String,
    /// Each state: its code in the RTL, lowest bit first, and the bit that stands for it.
    states: Vec<(Vec<bool>, usize)>,
}

/// Reads the recoded registers of a log. Registers with any other new code are left out.
pub fn of_log(log: &str) -> Vec<Machine> {
    let mut machines: Vec<Machine> = Vec::new();
    let mut open = false;
    for line in log.lines() {
        if let Some(found) = line.strip_prefix("Recoding FSM `$fsm$\\") {
            let register = found.split('\'').next().unwrap_or_default();
            let register = register.rsplit_once('$').map_or(register, |(name, _)| name);
            machines.push(Machine { register: register.into(), states: Vec::new() });
            open = true;
        } else if let (true, Some((old, new))) = (open, line.split_once(" -> ")) {
            let state = state(old.trim(), new.trim());
            machines.iter_mut().last().into_iter().for_each(|one| one.states.extend(state.clone()));
        } else if !line.trim_start().starts_with("mapping ") {
            open = false;
        }
    }
    machines.retain(|machine| !machine.states.is_empty());
    machines
}

/// Parses a state such as `01 -> -1--`.
fn state(old: &str, new: &str) -> Option<(Vec<bool>, usize)> {
    let bit = new.chars().rev().position(|digit| digit == '1')?;
    let one = new.chars().all(|digit| digit == '-' || digit == '1');
    (one && new.matches('1').count() == 1)
        .then(|| (old.chars().rev().map(|digit| digit == '1').collect(), bit))
}

impl Machine {
    /// Returns the number of bits of the code in the RTL.
    pub fn width(&self) -> usize {
        self.states.first().map_or(0, |(code, _)| code.len())
    }

    /// Returns the state that a bit of the new code stands for.
    pub fn state_of(&self, name: &str) -> Option<usize> {
        let most = self.states.iter().map(|(_, bit)| bit + 1).max()?;
        let bit = bits(&self.register, 0, most).position(|bit| plain(&bit) == name)?;
        self.states.iter().position(|(_, of)| *of == bit)
    }

    /// Writes `to_0`, `to_1` and so on, each of which is 1 in one state, and `to`, which is 1 in
    /// any state.
    pub fn write(&self, text: &mut Text, to: &str, code: &[String]) {
        let names: Vec<String> = (0..self.states.len()).map(|at| format!("{to}_{at}")).collect();
        for ((values, _), name) in self.states.iter().zip(&names) {
            let nets: Vec<(String, bool)> =
                code.iter().cloned().zip(values.iter().copied()).collect();
            text.all(name, &nets);
        }
        text.any(to, &names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_says_which_bit_stands_for_which_state() {
        let log = "Recoding FSM `$fsm$\\u.state_q$425' from module `\\t' using `auto' encoding:\n  \
            mapping auto encoding to `one-hot` for this FSM.\n  00 -> -1-\n  10 -> 1--\n  11 -> --1\n\n  \
            01 -> 1--\n";
        let found = of_log(log);
        let [machine] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((machine.register.as_str(), machine.width()), ("u.state_q", 2));
        assert_eq!(machine.states[1], (vec![false, true], 2));
        assert_eq!(machine.state_of("u.state_q"), Some(2));
        assert_eq!(machine.state_of("u.state_q[2]"), Some(1));
        assert_eq!(machine.state_of("u.other"), None);
        assert!(
            of_log("Recoding FSM `$fsm$\\s$1' from\n  00 -> 01\n  01 -> 10\n 10 -> 11").is_empty()
        );
    }
}
