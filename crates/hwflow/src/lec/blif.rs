//! Writes a network in BLIF.

use crate::energy::gates::{Flop, Function, Netlist};
use std::fmt::Write;

/// A network in BLIF.
#[derive(Default)]
pub struct Text {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Text of the gates.
    pub body: String,
}

impl Text {
    /// Adds an input.
    pub fn input(&mut self, name: &str) {
        self.inputs.push(name.into());
    }

    /// Writes a net that equals another net or its inverse.
    pub fn wire(&mut self, to: &str, from: &str, inverted: bool) {
        let row = if inverted { "0 1" } else { "1 1" };
        let _ = writeln!(self.body, ".names {from} {to}\n{row}");
    }

    /// Writes the gates of a netlist, and inverts those of `faults`. The names of its nets begin
    /// with `side`.
    pub fn side(&mut self, side: char, netlist: &Netlist, faults: &[usize]) {
        let _ = writeln!(self.body, ".names {side}0\n.names {side}1\n1");
        for (at, gate) in netlist.gates.iter().enumerate() {
            let to = format!("{side}{}", gate.output);
            self.function(&to, side, &gate.value, faults.contains(&at));
        }
    }

    /// Writes a function as the rows of its truth table that are 1.
    fn function(&mut self, to: &str, side: char, function: &Function, inverted: bool) {
        let inputs: String = function.inputs.iter().map(|net| format!("{side}{net} ")).collect();
        let _ = writeln!(self.body, ".names {inputs}{to}");
        for row in (0..1_u64 << function.inputs.len()).filter(|row| function.bits >> row & 1 == 1) {
            let digit = |at: usize| if row >> at & 1 == 1 { '1' } else { '0' };
            let digits: String = (0..function.inputs.len()).map(digit).collect();
            let _ = writeln!(self.body, "{digits} 1");
        }
        if inverted {
            // The inverter takes this name, so the driver is renamed.
            self.invert(to);
        }
    }

    /// Renames the last driver of a net, and drives the net with its inverse.
    fn invert(&mut self, to: &str) {
        if let Some(at) = self.body.rfind(&format!(" {to}\n")) {
            self.body.insert_str(at + 1, "faulty_");
            self.wire(to, &format!("faulty_{to}"), true);
        }
    }

    /// Writes the next state of a register.
    pub fn next(&mut self, to: &str, side: char, flop: &Flop) {
        for (name, part) in ["d", "c", "p"].iter().zip(&flop.parts) {
            self.function(&format!("{to}{name}"), side, part, false);
        }
        let _ = writeln!(self.body, ".names {to}d {to}p {to}c {to}\n1-0 1\n-10 1");
    }

    /// Writes a net that is 1 if each of `nets` has the value given with it.
    pub fn all(&mut self, to: &str, nets: &[(String, bool)]) {
        if nets.len() > INPUTS {
            let parts = self.parts(to, nets, Self::all);
            let parts: Vec<_> = parts.into_iter().map(|part| (part, true)).collect();
            return self.all(to, &parts);
        }
        let names: String = nets.iter().map(|(net, _)| format!("{net} ")).collect();
        let row: String = nets.iter().map(|(_, value)| if *value { '1' } else { '0' }).collect();
        let _ = writeln!(self.body, ".names {names}{to}\n{row} 1");
    }

    /// Writes a net that is 1 if any of `nets` is 1.
    pub fn any(&mut self, to: &str, nets: &[String]) {
        if nets.len() > INPUTS {
            let parts = self.parts(to, nets, Self::any);
            return self.any(to, &parts);
        }
        let _ = writeln!(self.body, ".names {} {to}", nets.join(" "));
        for at in 0..nets.len() {
            let digit = |k: usize| if k == at { '1' } else { '-' };
            let row: String = (0..nets.len()).map(digit).collect();
            let _ = writeln!(self.body, "{row} 1");
        }
    }

    /// Writes a net for each group of up to `INPUTS` nets, and returns the names of the new nets.
    fn parts<T>(&mut self, to: &str, nets: &[T], write: fn(&mut Self, &str, &[T])) -> Vec<String> {
        let name = |at| format!("{to}_{at}of");
        for (at, part) in nets.chunks(INPUTS).enumerate() {
            write(self, &name(at), part);
        }
        (0..nets.len().div_ceil(INPUTS)).map(name).collect()
    }

    /// Writes a net that is 1 if `CARE` is 1 and two other nets differ, or agree if `not` is true.
    pub fn differs(&mut self, to: &str, one: &str, other: &str, not: bool) {
        let rows = if not { "001 1\n111 1" } else { "011 1\n101 1" };
        let _ = writeln!(self.body, ".names {one} {other} {CARE} {to}\n{rows}");
    }
}

/// Maximum number of inputs of a gate in yosys.
const INPUTS: usize = 12;

/// Name of the net that is 1 if every recoded register of the RTL is in one of its states.
pub const CARE: &str = "care";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_gate_has_more_inputs_than_yosys_takes() {
        let nets: Vec<String> = (0..18).map(|at| format!("n{at}")).collect();
        let mut text = Text::default();
        text.any("one", &nets);
        text.all("every", &nets.iter().map(|net| (net.clone(), false)).collect::<Vec<_>>());
        let gates: Vec<Vec<&str>> = text
            .body
            .lines()
            .filter(|line| line.starts_with('.'))
            .map(|line| line.split(' ').collect())
            .collect();
        assert!(gates.iter().all(|gate| gate.len() <= INPUTS + 2));
        assert_eq!(gates[2], [".names", "one_0of", "one_1of", "one"]);
        assert_eq!(gates[5], [".names", "every_0of", "every_1of", "every"]);
    }
}
