//! A module as it is written beside its mapped netlist, and what is proven of the pair.

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

/// Conflicts of the solver for each candidate.
const CONFLICTS: u64 = 100_000;

/// So many gates are inverted, to see that something is then not proven. One alone may be one that
/// no output depends on.
pub const FAULTS: usize = 4;

/// So many names of what is not proven are kept.
const NAMED: usize = 8;

/// Counts what a comparison says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Registers of both sides, and those that have no other of the same name.
    pub registers: usize,
    pub alone: usize,
    pub mapped_registers: usize,
    pub mapped_alone: usize,
    /// Registers of the RTL that hold what another holds, or a constant.
    pub merged: usize,
    /// Registers of the netlist that hold a state in another code, or what is a net in the RTL.
    pub mapped_others: usize,
    /// Outputs and next states.
    pub compared: usize,
    pub proven: usize,
    /// Some of those that are not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unproven: Vec<String>,
    /// Counts what is not proven where a few gates of the netlist are inverted.
    pub unproven_with_faults: usize,
}

impl Counts {
    /// Adds what was found of a piece.
    pub fn add(&mut self, other: Self, name: &str) {
        self.registers += other.registers;
        self.alone += other.alone;
        self.mapped_registers += other.mapped_registers;
        self.mapped_alone += other.mapped_alone;
        self.merged += other.merged;
        self.mapped_others += other.mapped_others;
        self.compared += other.compared;
        self.proven += other.proven;
        self.unproven_with_faults += other.unproven_with_faults;
        let named = other.unproven.into_iter().map(|one| format!("{name}: {one}"));
        self.unproven.extend(named);
        self.unproven.truncate(NAMED);
    }
}

/// Compares a module with its netlist, both without what is mapped by itself below them. Inverted
/// gates that change nothing are a failure.
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
        compared,
        proven: compared - named.len(),
        unproven: named.into_iter().take(NAMED).collect(),
        unproven_with_faults: fault,
    })
}

/// Returns how many pairs there are, and the names of those that are not proven to be equal.
fn unproven(pair: &Pair, faults: &[usize], place: &Path) -> Result<(usize, Vec<String>), Failure> {
    let (text, names) = pair.blif(faults);
    let file = |end: &str| PathBuf::from(format!("{}_{end}", place.display()));
    let (blif, out) = (file("both.blif"), file("proven"));
    tool::write(&blif, &text)?;
    let given = [
        ("BLIF", blif.display().to_string()),
        ("CONFLICTS", CONFLICTS.to_string()),
        ("OUT", out.display().to_string()),
    ];
    tool::yosys("lec.ys", &given, &file("proven.log"))?;
    let module = Module::load(&PathBuf::from(format!("{}.json", out.display())), "both")?;
    let zero = |name: &str| {
        let bits = module.ports.get(name).map(|port| port.bits.as_slice());
        bits.is_some_and(|bits| bits.iter().all(|bit| bit == "0"))
    };
    let left = names.iter().enumerate().filter(|(at, _)| !zero(&format!("o{at}")));
    Ok((names.len(), left.map(|(_, name)| name.clone()).collect()))
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
}
