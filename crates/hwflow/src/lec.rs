//! `hw lec`: each output and each next state of a mapped netlist proven to be that of the unit as
//! it is written, in `results/rtl-lec.json`. Registers belong together by their names, so what is
//! left is a comparison of functions, which abc makes.

mod blif;
mod pair;
mod recoded;
mod simple;
mod twins;

use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::tool;
use crate::energy::gates::Netlist;
use crate::map::asic;
use crate::map::liberty::{self, Liberty};
use crate::map::netlist::Module;
use crate::map::subject::{Subject, keep};
use hasten_chore::failure::{Failure, read};
use pair::{Pair, Side};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Conflicts of the solver for each candidate.
const CONFLICTS: u64 = 100_000;

/// So many gates are inverted, to see that something is then not proven. One alone may be one that
/// no output depends on.
const FAULTS: usize = 4;

/// So many names of what is not proven are kept.
const NAMED: usize = 8;

/// A row: a unit beside its netlist.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    subject: Subject,
    /// Registers of both sides, and those that have no other of the same name.
    registers: usize,
    alone: usize,
    mapped_registers: usize,
    mapped_alone: usize,
    /// Registers of the RTL that hold what another holds, or a constant.
    merged: usize,
    /// Registers of the netlist that hold a state in another code, or what is a net in the RTL.
    mapped_others: usize,
    /// Outputs and next states.
    compared: usize,
    proven: usize,
    /// Some of those that are not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unproven: Vec<String>,
    /// Counts what is not proven where a few gates of the netlist are inverted.
    unproven_with_faults: usize,
    tools: String,
    command: String,
}

/// Compares the first chosen point of each unit, and keeps the rows in place of earlier ones, but
/// with `--check`, where anything that is not proven is a failure.
pub fn run(options: &Options) -> Result<(), Failure> {
    for core in Core::chosen(&Options { check: false, ..options.clone() })? {
        for unit in core.unit.iter().filter(|unit| !unit.foreign) {
            let Some(point) = unit.points.first() else { continue };
            for (library, file) in liberty::libraries(options)? {
                let row = row(&core, unit, point, (&library, &file), options)?;
                println!("{} {}: {}", unit.top, point.slug(), said(&row));
                match (options.check, row.proven == row.compared) {
                    (true, false) => return Err(Failure::Tool("not all is proven".into())),
                    (true, true) => {}
                    (false, _) => {
                        keep("lec", "a proof does not depend on one", row, |row| &row.subject)?
                    }
                }
            }
        }
    }
    Ok(())
}

fn said(row: &Row) -> String {
    let Row { registers, alone, mapped_registers, mapped_alone, compared, proven, .. } = row;
    format!(
        "{proven} of {compared} outputs and next states proven; {registers} registers, {alone} \
         alone, mapped {mapped_registers}, {mapped_alone} alone; with {FAULTS} gates inverted {} are not",
        row.unproven_with_faults
    )
}

fn row(
    core: &Core,
    unit: &Unit,
    point: &Point,
    (library, file): (&Liberty, &Path),
    options: &Options,
) -> Result<Row, Failure> {
    let stem = asic::kept(core, unit, point, library, file)?.stem;
    let place = tool::work("lec")?.join(format!("{}_{}", unit.top, point.slug()));
    let written = written(core, unit, point, &place)?;
    let mapped = Module::load(&stem.with_extension("json"), &unit.top)?;
    let form = |fault: String| Failure::Form(stem.with_extension("json"), fault);
    let simple = simple::library().ok_or_else(|| form("yosys' gates are not read".into()))?;
    let rtl = Netlist::without_memories(&written, &simple).map_err(form)?;
    let gates = Netlist::without_memories(&mapped, library).map_err(form)?;
    let machines = recoded::of_log(&read(&stem.with_extension("log"))?);
    let (source, netlist) =
        (Side::new(&written, &rtl, &unit.clock), Side::new(&mapped, &gates, &unit.clock));
    let again = Netlist::without_memories(&written, &simple).map_err(form)?;
    let pair = Pair::new(source, netlist, machines).with_twins(again);
    let (alone, mapped_alone) = pair.alone();
    let unproven = unproven(&pair, &[], &place)?;
    let (compared, named) = (unproven.0, unproven.1.len());
    let faulty = place.with_extension("fault");
    let some: Vec<usize> = (1..=FAULTS).map(|k| gates.gates.len() * k / (FAULTS + 1)).collect();
    let fault = self::unproven(&pair, &some, &faulty)?.1.len();
    if compared == 0 || fault <= named {
        return Err(form("inverted gates change nothing".into()));
    }
    let chosen = options.chosen();
    Ok(Row {
        subject: Subject::new(unit, point, library),
        registers: rtl.flops.len(),
        alone,
        mapped_registers: gates.flops.len(),
        mapped_alone,
        merged: pair.merged(),
        mapped_others: pair.others(),
        compared,
        proven: compared - named,
        unproven: unproven.1.into_iter().take(NAMED).collect(),
        unproven_with_faults: fault,
        tools: tool::versions()?,
        command: format!("cargo xtask hw lec {} --unit {}{chosen}", core.name, unit.top),
    })
}

/// Returns the unit as it is written, in simple gates.
fn written(core: &Core, unit: &Unit, point: &Point, place: &Path) -> Result<Module, Failure> {
    let names = [
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("OUT", place.display().to_string()),
    ];
    tool::yosys("rtl-gates.ys", &names, &place.with_extension("log"))?;
    Module::load(&place.with_extension("json"), &unit.top)
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
