//! `hw lec`: proves that each output and each next state of a mapped netlist equals that of the
//! unit as it is written, and keeps the counts in `results/rtl-lec.json`. Registers are matched by
//! name, so that only combinational functions remain to be compared. abc compares them.

mod adder;
mod blif;
mod compare;
mod cut;
mod pair;
mod recoded;
mod simple;
mod sum;
mod sums;
mod twins;

use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::tool;
use crate::map::asic;
use crate::map::liberty::Liberty;
use crate::map::map_hierarchy;
use crate::map::map_module::Mapper;
use crate::map::netlist::Module;
use crate::map::subject::{self, Mapping, Subject, keep};
use compare::{Counts, FAULTS, compare};
use hasten_chore::failure::Failure;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A row: the comparison of a unit with its netlist.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    subject: Subject,
    /// Number of separately mapped modules. Each is compared once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pieces: Option<usize>,
    #[serde(flatten)]
    counts: Counts,
    tools: String,
    command: String,
}

/// Compares the first chosen point of each unit. The rows replace earlier ones. With `--check`
/// nothing is kept, and it is a failure if anything is not proven.
pub fn run(options: &Options) -> Result<(), Failure> {
    subject::each(
        options,
        |unit| !unit.foreign,
        1,
        |mapping| {
            let row = row(mapping, options)?;
            println!("{} {}: {}", mapping.unit.top, mapping.point.slug(), said(&row.counts));
            match (options.check, row.counts.proven == row.counts.compared) {
                (true, false) => Err(Failure::Tool("not all is proven".into())),
                (true, true) => Ok(()),
                (false, _) => {
                    keep("lec", "a proof does not depend on one", row, |row| &row.subject)
                }
            }
        },
    )
}

fn said(counts: &Counts) -> String {
    let Counts { registers, alone, mapped_registers, mapped_alone, compared, proven, .. } = counts;
    format!(
        "{proven} of {compared} outputs and next states proven; {registers} registers, {alone} \
         alone, mapped {mapped_registers}, {mapped_alone} alone; with {FAULTS} gates inverted {} are not",
        counts.unproven_with_faults
    )
}

fn row(mapping: &Mapping, options: &Options) -> Result<Row, Failure> {
    let Mapping { core, unit, point, library, file } = *mapping;
    let (pieces, counts) = match &unit.whole {
        Some(description) => {
            let (core, unit, point) = map_hierarchy::described(description, unit, point)?;
            let (pieces, counts) = by_pieces(&core, &unit, &point, (library, file))?;
            (Some(pieces), counts)
        }
        None => (None, flat(core, unit, point, (library, file))?),
    };
    Ok(Row {
        subject: Subject::new(unit, point, library),
        pieces,
        counts,
        tools: tool::versions()?,
        command: options.command("lec", &core.name, &unit.top),
    })
}

/// Compares a unit that is mapped flat.
fn flat(
    core: &Core,
    unit: &Unit,
    point: &Point,
    (library, file): (&Liberty, &Path),
) -> Result<Counts, Failure> {
    let stem = asic::kept(core, unit, point, library, file)?.stem;
    let place = tool::work("lec")?.join(format!("{}_{}", unit.top, point.slug()));
    let (written, sums) = written(core, unit, point, &place)?;
    Ok(Counts { sums, ..compare(&written, &stem.with_extension("json"), unit, library, &place)? })
}

/// Returns the unit as it is written, in simple gates, and the number of words whose sums were
/// joined.
fn written(
    core: &Core,
    unit: &Unit,
    point: &Point,
    place: &Path,
) -> Result<(Module, usize), Failure> {
    let names = [
        ("BLACK", String::new()),
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("OUT", place.display().to_string()),
    ];
    tool::yosys("rtl-gates.ys", &names, &place.with_extension("log"))?;
    proven_sums(unit, place)
}

/// Returns the netlist that `rtl-gates.ys` wrote to `place`, and the number of words whose sums
/// were joined, each proven to be unchanged.
fn proven_sums(unit: &Unit, place: &Path) -> Result<(Module, usize), Failure> {
    let kept = |end: &str| Module::load(&compare::beside(place, end), &unit.top);
    let sums = sums::prove(&kept("written.json")?, &kept("joined.json")?)
        .map_err(|fault| Failure::Form(place.into(), format!("sums were joined: {fault}")))?;
    Ok((Module::load(&place.with_extension("json"), &unit.top)?, sums))
}

/// Compares each separately mapped module. Returns the number of modules and the sum of their
/// counts.
fn by_pieces(
    core: &Core,
    unit: &Unit,
    point: &Point,
    (library, file): (&Liberty, &Path),
) -> Result<(usize, Counts), Failure> {
    let folder = tool::work("lec/pieces")?;
    let mut sum = Counts::default();
    let pieces = map_hierarchy::pieces(core, unit, point, library, file)?;
    for piece in &pieces {
        let mapper = Mapper { folder: &folder, script: "rtl-gates.ys", more: Vec::new() };
        let written = mapper.piece(core, &piece.unit, &piece.point)?;
        let place = written.with_extension("");
        let (rtl, sums) = proven_sums(&piece.unit, &place)?;
        let counts = compare(&rtl, &piece.netlist, &piece.unit, library, &place)?;
        let counts = Counts { sums, ..counts };
        let name = format!("{} {}", piece.unit.top, piece.point.slug());
        println!("  {name}: {}", said(&counts));
        sum.add(counts, &name);
    }
    Ok((pieces.len(), sum))
}
