//! A unit as it is written and its mapped netlist, in one network. Registers of the same name are
//! assumed to hold the same value, and each output and each next state is compared.
//!
//! Registers of the RTL that hold the same as others are missing from the netlist (`twins.rs`). Two
//! kinds of registers in the netlist have no equal register in the RTL. The first kind holds a
//! state in another code. Each of its bits is assumed to be 1 if the RTL is in the state of that
//! bit, and the RTL is assumed to be in one of these states, which is also proven of the next
//! state. The second kind has the name of an RTL net that is not a register, such as the word of a
//! table whose address the RTL keeps. It is assumed to hold the value of that net, and its next
//! state is compared with the value of the net after the next states of the RTL.

use super::blif::{CARE, Text};
use super::recoded::Machine;
use super::twins::{self, Twin};
use crate::energy::gates::{Flop, Net, Netlist, net};
use crate::map::netlist::Module;
use std::collections::{BTreeMap, HashMap};

/// One side: a netlist and the names of its nets.
pub struct Side<'s> {
    /// Gates and registers.
    pub gates: &'s Netlist,
    /// Nets of input and output bits, by name.
    inputs: BTreeMap<String, Net>,
    outputs: BTreeMap<String, Net>,
    names: HashMap<Net, Vec<String>>,
}

/// Returns the name of each bit of a port or a net: `a_i[3]`, or `go_i` if there is only one bit. A
/// net that is split into its bits already has such names.
pub fn bits(name: &str, from: usize, count: usize) -> impl Iterator<Item = String> + '_ {
    let one = count == 1;
    let bit = move |bit| if one { name.to_owned() } else { format!("{name}[{bit}]") };
    (from..from + count).map(bit)
}

/// Returns the name of a net of one bit: `a` for `a[0]`.
pub fn plain(name: &str) -> &str {
    name.strip_suffix("[0]").unwrap_or(name)
}

/// Returns a name for a bit of a memory word that counts the bits of all words, because the mapper
/// joins several words into one. This name takes precedence over the name of the bit in its word.
fn of_word(name: &str, at: usize, width: usize) -> Option<String> {
    let (memory, word) = name.strip_suffix(']')?.rsplit_once('[')?;
    let word: usize = word.parse().ok()?;
    (width > 1).then(|| format!("{memory}@{}", word * width + at))
}

impl<'s> Side<'s> {
    /// Reads the names of the nets of a module.
    pub fn new(module: &Module, gates: &'s Netlist, clock: &str) -> Self {
        let mut side = Self {
            gates,
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            names: HashMap::new(),
        };
        for (name, port) in module.ports.iter().filter(|(name, _)| *name != clock) {
            let ports =
                if port.direction == "input" { &mut side.inputs } else { &mut side.outputs };
            for (name, bit) in bits(name, port.offset, port.bits.len()).zip(&port.bits) {
                ports.insert(plain(&name).into(), net(bit));
            }
        }
        for (name, wire) in module.netnames.iter().filter(|(name, _)| !name.starts_with('$')) {
            for (at, bit) in wire.bits.iter().enumerate() {
                let names = side.names.entry(net(bit)).or_default();
                names.extend(of_word(name, at, wire.bits.len()));
            }
            for (name, bit) in bits(name, wire.offset, wire.bits.len()).zip(&wire.bits) {
                side.names.entry(net(bit)).or_default().push(plain(&name).into());
            }
        }
        side
    }

    /// Returns the names of a register, each with true if it is the name of the inverse.
    fn names_of(&self, flop: &Flop) -> Vec<(&str, bool)> {
        let named = |(net, inverted): &(Net, bool)| {
            let inverted = *inverted;
            self.names.get(net).into_iter().flatten().map(move |name| (name.as_str(), inverted))
        };
        flop.outputs.iter().flat_map(named).collect()
    }
}

/// Counterpart in the RTL of a register of the netlist.
#[derive(Clone, Copy)]
enum Role {
    /// A register of the same name: its index, and whether the netlist holds the inverse.
    Same(usize, bool),
    /// A state of a recoded register: the indexes of the register and of the state.
    State(usize, usize),
    /// A net that is not a register, and whether the netlist holds the inverse.
    Net(Net, bool),
    /// No known counterpart.
    Alone,
}

/// Two sides, and the correspondence between their registers.
pub struct Pair<'p> {
    rtl: Side<'p>,
    mapped: Side<'p>,
    /// Role of each register of the netlist.
    roles: Vec<Role>,
    /// For each register of the RTL, its counterpart in the netlist, and whether that holds the
    /// inverse.
    same: Vec<Option<(usize, bool)>>,
    /// Recoded registers, each with the registers of the RTL that hold the code, lowest bit first.
    machines: Vec<(Machine, Vec<usize>)>,
    /// For each register of the RTL without a counterpart, the value that it is assumed to hold.
    twins: Vec<Option<Twin>>,
}

impl<'p> Pair<'p> {
    /// Matches the registers of both sides.
    pub fn new(rtl: Side<'p>, mapped: Side<'p>, machines: Vec<Machine>) -> Self {
        let registers = by_name(&rtl);
        let with_bits = |machine: Machine| {
            let names = bits(&machine.register, 0, machine.width());
            let found = names.map(|name| registers.get(plain(&name)).map(|(at, _)| *at));
            Some((found.collect::<Option<Vec<usize>>>()?, machine))
        };
        let machines: Vec<(Machine, Vec<usize>)> =
            machines.into_iter().filter_map(with_bits).map(|(bits, one)| (one, bits)).collect();
        let nets: HashMap<&str, Net> = rtl
            .names
            .iter()
            .flat_map(|(net, all)| all.iter().map(|n| (n.as_str(), *net)))
            .collect();
        let role = |flop: &Flop| {
            let names = mapped.names_of(flop);
            let state = names.iter().find_map(|(name, _)| state_of(&machines, name));
            let same = || {
                let same = |(name, not): &(&str, bool)| {
                    registers.get(name).map(|(at, inverse)| Role::Same(*at, inverse != not))
                };
                names.iter().find_map(same)
            };
            let net =
                || names.iter().find_map(|(name, not)| Some(Role::Net(*nets.get(name)?, *not)));
            state.or_else(same).or_else(net).unwrap_or(Role::Alone)
        };
        let roles: Vec<Role> = mapped.gates.flops.iter().map(role).collect();
        let mut same = vec![None; rtl.gates.flops.len()];
        for (at, role) in roles.iter().enumerate() {
            if let Role::Same(register, not) = role {
                same[*register] = Some((at, *not));
            }
        }
        let twins = vec![None; same.len()];
        Self { rtl, mapped, roles, same, machines, twins }
    }

    /// Looks for registers of the RTL that the netlist lacks because they hold the same as others.
    /// `rtl` is a second copy of the gates of the RTL.
    pub fn with_twins(mut self, rtl: Netlist) -> Self {
        let inputs: Vec<(&str, Net)> =
            self.rtl.inputs.iter().map(|(name, net)| (name.as_str(), *net)).collect();
        let alone: Vec<bool> = (0..self.same.len()).map(|at| self.is_alone(at)).collect();
        self.twins = twins::of(rtl, &inputs, &alone);
        self
    }

    fn is_alone(&self, register: usize) -> bool {
        let coded = self.machines.iter().any(|(_, bits)| bits.contains(&register));
        self.same[register].is_none() && !coded
    }

    /// Returns the numbers of registers of the RTL and of the netlist that have no counterpart on
    /// the other side.
    pub fn alone(&self) -> (usize, usize) {
        let alone = |at: &usize| self.is_alone(*at) && self.twins[*at].is_none();
        (
            (0..self.same.len()).filter(alone).count(),
            self.roles.iter().filter(|role| matches!(role, Role::Alone)).count(),
        )
    }

    /// Returns the number of registers of the RTL that hold the same as another register, or a
    /// constant.
    pub fn merged(&self) -> usize {
        self.twins.iter().flatten().count()
    }

    /// Returns the number of registers of the netlist that hold a state in another code, or the
    /// value of a net.
    pub fn others(&self) -> usize {
        let other = |role: &&Role| matches!(role, Role::State(..) | Role::Net(..));
        self.roles.iter().filter(other).count()
    }

    /// Writes the network whose outputs `o0`, `o1` and so on are 1 if a pair differs, and returns
    /// the name of each pair. `faults` are gates of the netlist that are inverted.
    pub fn blif(&self, faults: &[usize]) -> (String, Vec<String>) {
        let mut text = Text::default();
        for (name, net) in &self.rtl.inputs {
            text.input(&format!("i{net}"));
            text.input(&format!("j{net}"));
            text.wire(&format!("r{net}"), &format!("i{net}"), false);
            text.wire(&format!("q{net}"), &format!("j{net}"), false);
            if let Some(other) = self.mapped.inputs.get(name) {
                text.wire(&format!("m{other}"), &format!("i{net}"), false);
            }
        }
        self.states(&mut text);
        text.side('r', self.rtl.gates, &[]);
        text.side('q', self.rtl.gates, &[]);
        text.side('m', self.mapped.gates, faults);
        let names = self.compared(&mut text);
        let outputs: Vec<String> = (0..names.len()).map(|at| format!("o{at}")).collect();
        let (inputs, outputs) = (text.inputs.join(" "), outputs.join(" "));
        let head = format!(".model both\n.inputs {inputs}\n.outputs {outputs}\n");
        (head + &text.body + ".end\n", names)
    }

    /// Writes the values of the registers: those of the RTL, those of the RTL after the next state
    /// (`q`), and those of the netlist by their role.
    fn states(&self, text: &mut Text) {
        for (at, flop) in self.rtl.gates.flops.iter().enumerate() {
            let state = format!("a{at}");
            match self.twins[at] {
                Some(Twin::Of(other)) => text.wire(&state, &format!("a{other}"), false),
                Some(Twin::Always(value)) => {
                    text.wire(&state, &format!("r{}", Net::from(value)), false);
                }
                None => text.input(&state),
            }
            text.next(&format!("rn{at}"), 'r', flop);
            for (net, inverted) in &flop.outputs {
                text.wire(&format!("r{net}"), &state, *inverted);
                text.wire(&format!("q{net}"), &format!("rn{at}"), *inverted);
            }
        }
        for (number, (machine, bits)) in self.machines.iter().enumerate() {
            machine.write(text, &format!("f{number}"), &named(bits, "a"));
            machine.write(text, &format!("g{number}"), &named(bits, "rn"));
        }
        let care: Vec<(String, bool)> =
            (0..self.machines.len()).map(|number| (format!("f{number}"), true)).collect();
        text.all(CARE, &care);
        for (at, (flop, role)) in self.mapped.gates.flops.iter().zip(&self.roles).enumerate() {
            let state = format!("s{at}");
            match *role {
                Role::Same(register, not) => text.wire(&state, &format!("a{register}"), not),
                Role::State(number, of) => text.wire(&state, &format!("f{number}_{of}"), false),
                Role::Net(net, not) => text.wire(&state, &format!("r{net}"), not),
                Role::Alone => text.input(&state),
            }
            for (net, inverted) in &flop.outputs {
                text.wire(&format!("m{net}"), &state, *inverted);
            }
        }
    }

    /// Writes the comparisons, and returns their names.
    fn compared(&self, text: &mut Text) -> Vec<String> {
        let mut names = Vec::new();
        for (name, net) in &self.rtl.outputs {
            let Some(other) = self.mapped.outputs.get(name) else { continue };
            text.differs(
                &format!("o{}", names.len()),
                &format!("r{net}"),
                &format!("m{other}"),
                false,
            );
            names.push(name.clone());
        }
        for (at, (flop, role)) in self.mapped.gates.flops.iter().zip(&self.roles).enumerate() {
            let (wanted, not) = match *role {
                Role::Same(register, not) => (format!("rn{register}"), not),
                Role::State(number, of) => (format!("g{number}_{of}"), false),
                Role::Net(net, not) => (format!("q{net}"), not),
                Role::Alone => continue,
            };
            text.next(&format!("mn{at}"), 'm', flop);
            text.differs(&format!("o{}", names.len()), &wanted, &format!("mn{at}"), not);
            let name = self.mapped.names_of(flop).first().map_or("a register", |(name, _)| *name);
            names.push(format!("next {name}"));
        }
        for (at, twin) in self.twins.iter().enumerate() {
            let wanted = match twin {
                Some(Twin::Of(other)) => format!("rn{other}"),
                Some(Twin::Always(value)) => format!("r{}", Net::from(*value)),
                None => continue,
            };
            text.differs(&format!("o{}", names.len()), &wanted, &format!("rn{at}"), false);
            names.push(format!("merged {at}"));
        }
        for (number, (machine, _)) in self.machines.iter().enumerate() {
            // The machine stays in its known states.
            text.differs(&format!("o{}", names.len()), &format!("g{number}"), CARE, false);
            names.push(format!("states of {}", machine.register));
        }
        names
    }
}

/// Returns the state of a recoded register that a bit of its new code stands for.
fn state_of(machines: &[(Machine, Vec<usize>)], name: &str) -> Option<Role> {
    let of = |(number, (machine, _)): (usize, &(Machine, Vec<usize>))| {
        Some(Role::State(number, machine.state_of(name)?))
    };
    machines.iter().enumerate().find_map(of)
}

/// Returns the registers by name, each with true if the name is that of the inverse.
fn by_name<'n>(side: &'n Side) -> HashMap<&'n str, (usize, bool)> {
    let flops = side.gates.flops.iter().enumerate();
    flops
        .flat_map(|(at, flop)| side.names_of(flop).into_iter().map(move |(n, not)| (n, (at, not))))
        .collect()
}

fn named(bits: &[usize], kind: &str) -> Vec<String> {
    bits.iter().map(|at| format!("{kind}{at}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_of_joined_words_has_the_name_of_the_bit_in_its_own() {
        assert_eq!(of_word("a.regs_q[17]", 5, 257), of_word("a.regs_q[1]", 257 + 5, 16 * 257));
        assert_eq!(of_word("a.regs_q[1]", 5, 257).unwrap(), "a.regs_q@262");
        assert_eq!(of_word("regs_q", 5, 257), None);
        assert_eq!(of_word("gen_reg[3].hit", 0, 3), None);
        assert_eq!(of_word("valid[3]", 0, 1), None);
    }
}
