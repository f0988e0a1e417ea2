//! `hw coverage`: each bench with counters at every line, branch and bit of the RTL, and what it
//! never reached in `results/rtl-coverage.json`.

mod counts;

use self::counts::{Counts, Kind};
use crate::core::cores::{Core, Param, Point, Unit};
use crate::core::options::Options;
use crate::core::results;
use crate::core::tool;
use crate::run::sim;
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_report::Unneeded;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A row: the counters of one kind in the RTL of a unit, and those that its bench left at zero.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    core: String,
    params: BTreeMap<String, Param>,
    kind: Kind,
    reached: usize,
    of: usize,
    percent: f64,
    /// The places of lines and branches that were never reached, as FILE:LINE.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missed: Vec<String>,
    tools: String,
    command: String,
}

/// Runs the bench of each unit at its first point, or at those that are named, and keeps the rows
/// in place of earlier ones.
pub fn run(options: &Options) -> Result<(), Failure> {
    for core in Core::chosen(options)? {
        for unit in core.unit.iter().filter(|unit| unit.bench.is_some() && !unit.foreign) {
            let named = if options.point.is_empty() { 1 } else { unit.points.len() };
            for point in unit.points.iter().take(named) {
                let rows = measure(&core, unit, point)?;
                for Row { kind, reached, of, percent, .. } in &rows {
                    let name = kind.name();
                    println!(
                        "{} {} {name}: {reached} of {of}, {percent} %",
                        unit.top,
                        point.slug()
                    );
                }
                keep(rows)?;
            }
        }
    }
    Ok(())
}

fn measure(core: &Core, unit: &Unit, point: &Point) -> Result<Vec<Row>, Failure> {
    let program = sim::counting_program(core, unit, point)?;
    let folder = program.with_file_name("counts");
    let io = |error| Failure::Io(folder.clone(), error);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(io)?;
    }
    std::fs::create_dir_all(&folder).map_err(io)?;
    tool::output(Command::new(&program).env("HASTEN_COVERAGE", &folder))?;
    let counts = Counts::of_folder(&folder, &core.root)?;
    let tools = tool::versions()?;
    let of_kind = |kind| {
        let (reached, of, missed) = counts.of(kind);
        let percent = (1000.0 * reached as f64 / of.max(1) as f64).round() / 10.0;
        Row {
            core: unit.top.clone(),
            params: point.params.clone(),
            kind,
            reached,
            of,
            percent,
            missed,
            tools: tools.clone(),
            command: format!("cargo xtask hw coverage {} --unit {}", core.name, unit.top),
        }
    };
    Ok(Kind::ALL.map(of_kind).into())
}

/// Writes the rows over those of the same units and points.
fn keep(fresh: Vec<Row>) -> Result<(), Failure> {
    let path = checkout::root()?.join("results/rtl-coverage.json");
    tool::write(&path, &document(&path, fresh)?)
}

fn document(path: &Path, fresh: Vec<Row>) -> Result<String, Failure> {
    let subject = |row: &Row| (row.core.clone(), row.params.clone());
    let key = |row: &Row| (row.core.clone(), format!("{:?}", row.params), row.kind);
    let rows = results::beside(path, fresh, subject, key)?;
    let machine = Unneeded::because("what a bench reaches does not depend on one");
    Ok(results::document("hasten.rtl-coverage/1", machine, "cargo xtask hw coverage", &rows))
}
