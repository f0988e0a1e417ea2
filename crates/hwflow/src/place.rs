//! `hw place`: places the cells of a mapped netlist, and computes its longest path including the
//! wires between the cells, in `results/rtl-place.json`. The placement is an estimate: cells have
//! areas but no shapes, and nothing is routed. Buffers are added where a net has many readers or a
//! long wire. No cell is exchanged for a stronger one.

mod branch;
mod buffers;
mod circuit;
mod files;
mod groups;
mod quadratic;
mod solve;
mod spread;
mod tree;

use crate::core::cores::Unit;
use crate::core::options::Options;
use crate::core::row::round;
use crate::core::tool;
use crate::map::subject::{self, Mapping, Subject, keep};
use buffers::Layout;
use circuit::Circuit;
use hasten_chore::failure::Failure;
use serde::{Deserialize, Serialize};
use tree::Wire;

/// Fraction of the die that cells cover.
const DENSITY: f64 = 0.7;

/// Libraries that the wire constants (`files.rs`) apply to.
const PROCESS: &str = "sg13g2";

/// A row: the longest path of a unit without wires and with them.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    subject: Subject,
    /// Number of cells without buffers between modules, and number of buffers that were added.
    cells: usize,
    buffers: usize,
    /// Area of cells and buffers without macros, in thousands of NAND2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kge_placed: Option<f64>,
    /// Side of the die.
    side_um: f64,
    /// Length of all wires except those of the clock.
    wires_mm: f64,
    /// Mean length of a net's wires.
    mean_um: f64,
    /// Longest path with ideal wires.
    ideal_ns: f64,
    /// Longest path with the wires of the placement.
    placed_ns: f64,
    tools: String,
    command: String,
}

/// Places the chosen points of each unit that is mapped flat, and the first chosen point of each
/// unit that is mapped module by module. The rows replace earlier ones; with `--check` nothing is
/// kept.
pub fn run(options: &Options) -> Result<(), Failure> {
    let own = |unit: &Unit| !unit.foreign && unit.boxes.is_empty();
    let place = |mapping: &Mapping| place(mapping, options);
    subject::each(options, |unit| own(unit) && unit.whole.is_none(), usize::MAX, place)?;
    subject::each(options, |unit| own(unit) && unit.whole.is_some(), 1, place)
}

fn place(mapping: &Mapping, options: &Options) -> Result<(), Failure> {
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
}

fn said(row: &Row) -> String {
    let kge = row.kge_placed.unwrap_or_default();
    format!(
        "{} cells and {} buffers, {} kGE, on {} um square, {} mm of wires, {} ns without them, {} ns with",
        row.cells, row.buffers, kge, row.side_um, row.wires_mm, row.ideal_ns, row.placed_ns
    )
}

fn row(mapping: &Mapping, options: &Options) -> Result<Row, Failure> {
    let Mapping { core, unit, point, library, file } = *mapping;
    if !library.name().starts_with(PROCESS) {
        let text = format!("{}: the wires' constants are of {PROCESS} alone", library.name());
        return Err(Failure::Tool(text));
    }
    let (stem, module) = subject::netlist(core, unit, point, (library, file))?;
    let form = |fault: String| Failure::Form(stem.with_extension("json"), fault);
    let read = |module| Circuit::new(module, library, &unit.clock).map_err(form);
    let mapped = read(&module)?;
    let side = (mapped.area() / DENSITY).sqrt();
    let out = tool::work("place")?.join(format!("{}_{}", unit.top, point.slug()));
    let ideal = files::longest(&mapped, &[], (unit, library, file), &out)?;
    let bare = subject::without_buffers(mapping)?;
    let circuit = bare.as_ref().map_or(Ok(mapped), read)?;
    let (cells, places) = (circuit.cells.len(), quadratic::place(&circuit, side));
    let trees = tree::of_nets(&circuit, &places);
    let length: f64 = trees.iter().flatten().map(|wire| wire.length).sum();
    let wired = trees.iter().filter(|wires| !wires.is_empty()).count().max(1);
    let none = || Failure::Tool("the library does not have the buffer".into());
    let Layout { circuit, trees, .. } = Layout::new(circuit, places, library).ok_or_else(none)?;
    let trees: Vec<Vec<Wire>> = trees.into_values().collect();
    let gates = circuit.cells.iter().filter(|cell| !cell.is_block());
    let area = library.area(gates.map(|cell| cell.kind.as_str()))?;
    let placed = files::longest(&circuit, &trees, (unit, library, file), &out)?;
    Ok(Row {
        subject: Subject::new(unit, point, library),
        cells,
        buffers: circuit.cells.len() - cells,
        kge_placed: Some(round(area.kge, 1)),
        side_um: round(side, 0),
        wires_mm: round(length / 1000.0, 1),
        mean_um: round(length / wired as f64, 1),
        ideal_ns: round(ideal, 3),
        placed_ns: round(placed, 3),
        tools: tool::versions()?,
        command: options.command("place", &core.name, &unit.top),
    })
}
