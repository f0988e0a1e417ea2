//! `hw coverage`: runs each bench with counters at every line, branch and bit of the RTL, and keeps
//! what it never reached in `results/rtl-coverage.json`.

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

/// A row: the number of counters of one kind in the RTL of a unit, and how many of them its bench
/// reached.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    core: String,
    params: BTreeMap<String, Param>,
    kind: Kind,
    reached: usize,
    of: usize,
    percent: f64,
    /// Lines and branches that were never reached, as FILE:LINE.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missed: Vec<String>,
    tools: String,
    command: String,
}

/// Runs the bench of each unit at its first point, or at the points that are named. The rows
/// replace earlier ones. Rows of points that the unit no longer has are removed.
pub fn run(options: &Options) -> Result<(), Failure> {
    for core in Core::chosen(options)? {
        for unit in core.unit.iter().filter(|unit| unit.bench.is_some() && !unit.foreign) {
            let named = if options.point.is_empty() { 1 } else { unit.points.len() };
            for point in unit.points.iter().take(named) {
                let rows = measure(&core, unit, point, options)?;
                for Row { kind, reached, of, percent, .. } in &rows {
                    let name = kind.name();
                    println!(
                        "{} {} {name}: {reached} of {of}, {percent} %",
                        unit.top,
                        point.slug()
                    );
                }
                keep(rows, |row| options.point.is_empty() && gone(row, unit, options, &core))?;
            }
        }
    }
    Ok(())
}

/// Returns true if a row is of this unit and description, but of a point that no longer exists.
fn gone(row: &Row, unit: &Unit, options: &Options, core: &Core) -> bool {
    let of_unit = row.core == unit.top && row.command.starts_with(&command(core, unit, options));
    of_unit && !unit.points.iter().any(|point| point.params == row.params)
}

/// Returns the command that reproduces the rows of a unit.
fn command(core: &Core, unit: &Unit, options: &Options) -> String {
    options.command("coverage", &core.name, &unit.top)
}

fn measure(
    core: &Core,
    unit: &Unit,
    point: &Point,
    options: &Options,
) -> Result<Vec<Row>, Failure> {
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
            command: command(core, unit, options),
        }
    };
    Ok(Kind::ALL.map(of_kind).into())
}

/// Writes the rows in place of those of the same units and points, without the rows that are gone.
fn keep(fresh: Vec<Row>, gone: impl Fn(&Row) -> bool) -> Result<(), Failure> {
    let path = checkout::root()?.join("results/rtl-coverage.json");
    tool::write(&path, &document(&path, fresh, gone)?)
}

fn document(path: &Path, fresh: Vec<Row>, gone: impl Fn(&Row) -> bool) -> Result<String, Failure> {
    let subject = |row: &Row| (row.core.clone(), row.params.clone());
    let key = |row: &Row| (row.core.clone(), format!("{:?}", row.params), row.kind);
    let mut rows = results::beside(path, fresh, subject, key)?;
    rows.retain(|row| !gone(row));
    let machine = Unneeded::because("what a bench reaches does not depend on one");
    Ok(results::document("hasten.rtl-coverage/1", machine, "cargo xtask hw coverage", &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_points_that_are_no_longer_there_go() {
        let text = "name='c'\n[[unit]]\ntop='t'\nfiles=[]\npoints=[{a=1}, {a=2}]";
        let (core, options) = (toml::from_str::<Core>(text).unwrap(), Options::default());
        let unit = &core.unit[0];
        let row = |params: &str, command: &str| Row {
            core: "t".into(),
            params: toml::from_str(params).unwrap(),
            kind: Kind::ALL[0],
            reached: 1,
            of: 1,
            percent: 100.0,
            missed: Vec::new(),
            tools: String::new(),
            command: command.into(),
        };
        let own = command(&core, unit, &options);
        assert!(gone(&row("", &own), unit, &options, &core));
        assert!(!gone(&row("a = 2", &own), unit, &options, &core));
        let other = "cargo xtask hw coverage --core-file f --dir . --unit t";
        assert!(!gone(&row("", other), unit, &options, &core), "of another description");
        let longer = Row { core: "t_axi".into(), ..row("", &(own + "_axi")) };
        assert!(!gone(&longer, unit, &options, &core));
    }
}
