//! Compares a module as it is written with its mapped netlist, and counts what is proven.

use super::cut::cut;
use super::pair::{Pair, Side};
use super::{recoded, simple};
use crate::core::cores::Unit;
use crate::core::tool;
use crate::energy::gates::Netlist;
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use hasten_chore::failure::{Failure, read};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Maximum number of conflicts of the solver for each candidate.
const CONFLICTS: u64 = 100_000;

/// Number of gates that are inverted to check that the comparison detects a wrong netlist. A single
/// gate might be one that no output depends on.
pub const FAULTS: usize = 4;

/// Maximum number of names that are kept of outputs and next states that were not proven.
const NAMED: usize = 8;

/// Result of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Registers of the RTL (`registers`) and of the netlist (`mapped_registers`), and how many of
    /// each have no counterpart on the other side.
    pub registers: usize,
    pub alone: usize,
    pub mapped_registers: usize,
    pub mapped_alone: usize,
    /// Registers of the RTL that hold the same as another register, or a constant.
    pub merged: usize,
    /// Registers of the netlist that hold a state in another code, or the value of a net of the
    /// RTL.
    pub mapped_others: usize,
    /// Words driven by adders of the RTL, each proven to be the same sum after sums were joined.
    #[serde(default)]
    pub sums: usize,
    /// Comparisons of outputs and next states.
    pub compared: usize,
    pub proven: usize,
    /// Names of some comparisons that were not proven.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unproven: Vec<String>,
    /// Number of comparisons that are not proven if a few gates of the netlist are inverted.
    pub unproven_with_faults: usize,
}

impl Counts {
    /// Adds the counts of the piece `name`.
    pub fn add(&mut self, other: Self, name: &str) {
        self.registers += other.registers;
        self.alone += other.alone;
        self.mapped_registers += other.mapped_registers;
        self.mapped_alone += other.mapped_alone;
        self.merged += other.merged;
        self.mapped_others += other.mapped_others;
        self.sums += other.sums;
        self.compared += other.compared;
        self.proven += other.proven;
        self.unproven_with_faults += other.unproven_with_faults;
        let named = other.unproven.into_iter().map(|one| format!("{name}: {one}"));
        self.unproven.extend(named);
        self.unproven.truncate(NAMED);
    }
}

/// Compares a module with its netlist. Separately mapped modules below them are left out of both.
/// It is a failure if inverted gates change nothing.
pub fn compare(
    written: &Module,
    netlist: &Path,
    unit: &Unit,
    library: &Liberty,
    place: &Path,
) -> Result<Counts, Failure> {
    let form = |fault: String| Failure::Form(netlist.into(), fault);
    let (mut written, mut mapped) = (written.clone(), Module::load(netlist, &unit.top)?);
    let below = |kind: &str| unit.boxes.contains_key(kind) || unit.macros.iter().any(|m| m == kind);
    if cut(&mut written, below) != cut(&mut mapped, below) {
        return Err(form("the modules below are others than in the source".into()));
    }
    let simple = simple::library().ok_or_else(|| form("yosys' gates are not read".into()))?;
    let rtl = Netlist::without_memories(&written, &simple).map_err(form)?;
    let gates = Netlist::without_memories(&mapped, library).map_err(form)?;
    let machines = recoded::of_log(&read(&netlist.with_extension("log"))?);
    let (source, other) =
        (Side::new(&written, &rtl, &unit.clock), Side::new(&mapped, &gates, &unit.clock));
    let again = Netlist::without_memories(&written, &simple).map_err(form)?;
    let pair = Pair::new(source, other, machines).with_twins(again);
    let (alone, mapped_alone) = pair.alone();
    let (compared, named) = unproven(&pair, &[], place)?;
    let faulty = PathBuf::from(format!("{}.fault", place.display()));
    let some: Vec<usize> = (1..=FAULTS).map(|k| gates.gates.len() * k / (FAULTS + 1)).collect();
    let fault = self::unproven(&pair, &some, &faulty)?.1.len();
    if compared == 0 || (fault <= named.len() && !gates.gates.is_empty()) {
        return Err(form("inverted gates change nothing".into()));
    }
    Ok(Counts {
        registers: rtl.flops.len(),
        alone,
        mapped_registers: gates.flops.len(),
        mapped_alone,
        merged: pair.merged(),
        mapped_others: pair.others(),
        sums: 0,
        compared,
        proven: compared - named.len(),
        unproven: named.into_iter().take(NAMED).collect(),
        unproven_with_faults: fault,
    })
}

/// Returns the number of comparisons, and the names of those that are not proven to be equal.
fn unproven(pair: &Pair, faults: &[usize], place: &Path) -> Result<(usize, Vec<String>), Failure> {
    let (text, names) = pair.blif(faults);
    let (blif, out) = (beside(place, "both.blif"), beside(place, "proven"));
    tool::write(&blif, &text)?;
    let given = [("CONFLICTS", CONFLICTS.to_string())];
    let module = solved("lec.ys", (&blif, &out), &given)?;
    let left: Vec<usize> = (0..names.len()).filter(|at| !zero(&module, &output(*at))).collect();
    // Some outputs of a faulty netlist do differ, so proving all together would fail.
    if faults.is_empty() && !left.is_empty() && together(&left, place)? {
        return Ok((names.len(), Vec::new()));
    }
    Ok((names.len(), left.into_iter().map(|at| names[at].clone()).collect()))
}

/// Returns true if all outputs that the first step left are proven together, as one output.
fn together(left: &[usize], place: &Path) -> Result<bool, Failure> {
    let (blif, out) = (beside(place, "rest.blif"), beside(place, "rest"));
    let text = read(&beside(place, "proven.blif"))?;
    let names: Vec<String> = left.iter().map(|at| output(*at)).collect();
    tool::write(&blif, &as_one(&text, &names))?;
    Ok(zero(&solved("lec-rest.ys", (&blif, &out), &[])?, ANY))
}

/// Name of the output that is 1 if any of several outputs is 1.
const ANY: &str = "any";

/// Returns the network with a single output, which is 1 if any of `names` is 1.
fn as_one(blif: &str, names: &[String]) -> String {
    let line = |line: &str| match line.split_whitespace().next() {
        Some(".outputs") => format!(".outputs {ANY}\n"),
        Some(".end") => either(names) + ".end\n",
        _ => format!("{line}\n"),
    };
    blif.lines().map(line).collect()
}

/// Writes the output that is 1 if any of `names` is 1, as a chain of gates with two inputs.
fn either(names: &[String]) -> String {
    let of = |at: usize| if at == names.len() { ANY.into() } else { format!("{ANY}{at}") };
    let first = format!(".names {} {}\n1 1\n", names[0], of(1));
    let next = |at: usize| format!(".names {} {} {}\n1- 1\n-1 1\n", of(at), names[at], of(at + 1));
    first + &(1..names.len()).map(next).collect::<String>()
}

/// Returns the path of a file of a comparison: `place`, an underscore and `end`.
pub fn beside(place: &Path, end: &str) -> PathBuf {
    PathBuf::from(format!("{}_{end}", place.display()))
}

fn output(at: usize) -> String {
    format!("o{at}")
}

/// Runs a script on a network, and returns the resulting module.
fn solved(
    script: &str,
    (blif, out): (&Path, &Path),
    more: &[(&str, String)],
) -> Result<Module, Failure> {
    let mut given = vec![("BLIF", blif.display().to_string()), ("OUT", out.display().to_string())];
    given.extend_from_slice(more);
    tool::yosys(script, &given, &PathBuf::from(format!("{}.log", out.display())))?;
    Module::load(&PathBuf::from(format!("{}.json", out.display())), "both")
}

fn zero(module: &Module, name: &str) -> bool {
    let bits = module.ports.get(name).map(|port| port.bits.as_slice());
    bits.is_some_and(|bits| bits.iter().all(|bit| bit == "0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_added_up_and_some_of_what_is_not_proven_is_named() {
        let piece = |proven: usize| Counts {
            registers: 2,
            compared: 10,
            proven,
            unproven: (proven..10).map(|at| format!("o{at}")).collect(),
            unproven_with_faults: 3,
            ..Counts::default()
        };
        let mut sum = Counts::default();
        sum.add(piece(10), "a");
        sum.add(piece(9), "b");
        assert_eq!((sum.registers, sum.compared, sum.proven), (4, 20, 19));
        assert_eq!((sum.unproven_with_faults, sum.unproven.len()), (6, 1));
        assert_eq!(sum.unproven, ["b: o9"]);
        sum.add(piece(0), "c");
        assert_eq!(sum.unproven.len(), NAMED);
    }

    #[test]
    fn several_outputs_are_joined() {
        let blif = ".model both\n.inputs a b\n.outputs o0 o1 o2\n.names a o0\n1 1\n.end\n";
        let one = as_one(blif, &["o0".into(), "o2".into()]);
        let wanted = ".model both\n.inputs a b\n.outputs any\n.names a o0\n1 1\n\
                      .names o0 any1\n1 1\n.names any1 o2 any\n1- 1\n-1 1\n.end\n";
        assert_eq!(one, wanted);
    }
}
