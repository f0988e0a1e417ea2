//! `hw place`: the cells of a mapped netlist placed, and its longest path with wires between them,
//! in `results/rtl-place.json`. The placement is an estimate: cells have their areas and no shapes,
//! and nothing is routed. A buffer is added behind each cell that drives much, and no cell is
//! exchanged for a stronger one.

mod buffers;
mod circuit;
mod files;
mod quadratic;
mod solve;
mod spread;
mod tree;

use crate::core::cores::Unit;
use crate::core::options::Options;
use crate::core::row::round;
use crate::core::tool;
use crate::map::asic;
use crate::map::netlist::Module;
use crate::map::subject::{self, Mapping, Subject, keep};
use buffers::Layout;
use circuit::Circuit;
use hasten_chore::failure::Failure;
use serde::{Deserialize, Serialize};

/// The part of the die that cells cover.
const DENSITY: f64 = 0.7;

/// The libraries that the constants of a wire (`files.rs`) are of.
const PROCESS: &str = "sg13g2";

/// A row: a unit's longest path without wires and with them.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    subject: Subject,
    /// Counts the cells, and the buffers that were added to them.
    cells: usize,
    buffers: usize,
    /// Holds the side of the die.
    side_um: f64,
    /// Holds the length of all wires but the clock's.
    wires_mm: f64,
    /// Holds the mean length of a net's wires.
    mean_um: f64,
    /// Holds the longest path with ideal wires.
    ideal_ns: f64,
    /// Holds the same with the wires of the placement.
    placed_ns: f64,
    tools: String,
    command: String,
}

/// Places the chosen points of each unit that is mapped flat, and keeps the rows over those of
/// earlier runs, but with `--check`.
pub fn run(options: &Options) -> Result<(), Failure> {
    let flat = |unit: &Unit| !unit.foreign && unit.whole.is_none() && unit.boxes.is_empty();
    subject::each(options, flat, usize::MAX, |mapping| {
        let row = row(mapping, options)?;
        if options.json {
            println!("{}", serde_json::json!(row));
        } else {
            println!("{} {}: {}", mapping.unit.top, mapping.point.slug(), said(&row));
        }
        if options.check {
            return Ok(());
        }
        keep("place", "a placement does not depend on one", row, |row| &row.subject)
    })
}

fn said(row: &Row) -> String {
    format!(
        "{} cells and {} buffers on {} um square, {} mm of wires, {} ns without them, {} ns with",
        row.cells, row.buffers, row.side_um, row.wires_mm, row.ideal_ns, row.placed_ns
    )
}

fn row(mapping: &Mapping, options: &Options) -> Result<Row, Failure> {
    let Mapping { core, unit, point, library, file } = *mapping;
    if !library.name().starts_with(PROCESS) {
        let text = format!("{}: the wires' constants are of {PROCESS} alone", library.name());
        return Err(Failure::Tool(text));
    }
    let stem = asic::kept(core, unit, point, library, file)?.stem;
    let module = Module::load(&stem.with_extension("json"), &unit.top)?;
    let form = |fault: String| Failure::Form(stem.with_extension("json"), fault);
    let circuit = Circuit::new(&module, library, &unit.clock).map_err(form)?;
    let (cells, side) = (circuit.cells.len(), (circuit.area() / DENSITY).sqrt());
    let out = tool::work("place")?.join(format!("{}_{}", unit.top, point.slug()));
    let ideal = files::longest(&circuit, &[], (unit, file), &out)?;
    let places = quadratic::place(&circuit, side);
    let trees = tree::of_nets(&circuit, &places);
    let length: f64 = trees.iter().flatten().map(|wire| wire.length).sum();
    let wired = trees.iter().filter(|wires| !wires.is_empty()).count().max(1);
    let mut layout = Layout { circuit, places, trees };
    let none = || Failure::Tool("the library does not have the buffer".into());
    let buffers = layout.add_buffers(library).ok_or_else(none)?;
    let placed = files::longest(&layout.circuit, &layout.trees, (unit, file), &out)?;
    Ok(Row {
        subject: Subject::new(unit, point, library),
        cells,
        buffers,
        side_um: round(side, 0),
        wires_mm: round(length / 1000.0, 1),
        mean_um: round(length / wired as f64, 1),
        ideal_ns: round(ideal, 3),
        placed_ns: round(placed, 3),
        tools: tool::versions()?,
        command: options.command("place", &core.name, &unit.top),
    })
}
