//! `hw mutants`: faults that yosys makes by itself, drawn over all cells of a unit, and how many of
//! them its bench finds, in `results/rtl-mutants.json`.

use crate::core::cores::{Core, Param, Point, Unit};
use crate::core::options::Options;
use crate::core::results;
use crate::core::row::round;
use crate::core::tool;
use crate::run::mutate;
use crate::run::sim;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use hasten_report::Unneeded;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Mutants of a unit where the command line says no number.
const COUNT: u64 = 32;

/// A row: the mutants of a unit, and those that its bench passes with.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    core: String,
    params: BTreeMap<String, Param>,
    mutants: usize,
    killed: usize,
    percent: f64,
    /// The kind of each that lives, and where it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lives: Vec<String>,
    tools: String,
    command: String,
}

/// Tries the mutants of each unit that says how many, or of those that are named, at the first
/// point, and keeps the rows in place of earlier ones.
pub fn run(options: &Options) -> Result<(), Failure> {
    let named = options.core.is_some() || options.core_file.is_some();
    for core in Core::chosen(options)? {
        let chosen = |unit: &&Unit| unit.mutants.is_some() || (named && unit.bench.is_some());
        for unit in core.unit.iter().filter(chosen) {
            let count = options.count.or(unit.mutants).unwrap_or(COUNT);
            let Some(point) = unit.points.first() else { continue };
            let lives = lives(&core, unit, point, count)?;
            let row = row(unit, point, lives, command(options, &core, unit, count))?;
            println!("{} {}: {} of {} killed", unit.top, point.slug(), row.killed, row.mutants);
            keep(row)?;
        }
    }
    Ok(())
}

/// Returns what makes the row again.
fn command(options: &Options, core: &Core, unit: &Unit, count: u64) -> String {
    format!("{} --count {count}", options.command("mutants", &core.name, &unit.top))
}

/// Returns each mutant with the answer whether the bench passes with it.
fn lives(
    core: &Core,
    unit: &Unit,
    point: &Point,
    count: u64,
) -> Result<Vec<(String, bool)>, Failure> {
    let stem = netlist(core, unit, point, count)?;
    let program = sim::netlist_program(core, unit, point, &stem.with_extension("v"))?;
    let passes = |number: usize| {
        let mut bench = Command::new(&program);
        bench.current_dir(checkout::root()?).env("HASTEN_MUTANT", number.to_string());
        Ok::<_, Failure>(mutate::bench(&mut bench)?.is_none())
    };
    if !passes(0)? {
        return Err(Failure::Tool(format!("{} does not pass without a mutant", unit.top)));
    }
    let list = read(&stem.with_extension("list"))?;
    let mut all = Vec::new();
    for (number, line) in list.lines().enumerate() {
        let lives = passes(number + 1)?;
        let name = place(line, &core.root);
        println!("{} {}: {name} {}", unit.top, number + 1, if lives { "LIVES" } else { "killed" });
        all.push((name, lives));
    }
    Ok(all)
}

/// Makes the netlist that holds all mutants; the stem of its files.
fn netlist(core: &Core, unit: &Unit, point: &Point, count: u64) -> Result<PathBuf, Failure> {
    let stem = tool::work("mutants")?.join(format!("{}_{}", unit.top, point.slug()));
    let names = [
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("COUNT", count.to_string()),
        ("OUT", stem.display().to_string()),
    ];
    tool::yosys("mutants.ys", &names, &stem.with_extension("log"))?;
    Ok(stem)
}

/// Returns a mutant's kind and its first place in the sources, from its line of the list.
fn place(line: &str, root: &Path) -> String {
    let after = |option: &str| {
        let mut words = line.split_whitespace().skip_while(|word| *word != option);
        words.nth(1).unwrap_or_default().to_owned()
    };
    // Some versions leave out the first slash.
    let root = root.to_string_lossy();
    let (source, root) = (after("-src"), root.trim_start_matches('/'));
    let file = source.trim_start_matches('/').trim_start_matches(root).trim_start_matches('/');
    format!("{} at {file}", after("-mode"))
}

fn row(
    unit: &Unit,
    point: &Point,
    mutants: Vec<(String, bool)>,
    command: String,
) -> Result<Row, Failure> {
    let total = mutants.len();
    let mut lives: Vec<String> =
        mutants.into_iter().filter(|(_, lives)| *lives).map(|(name, _)| name).collect();
    lives.sort();
    let killed = total - lives.len();
    Ok(Row {
        core: unit.top.clone(),
        params: point.params.clone(),
        mutants: total,
        killed,
        percent: round(100.0 * killed as f64 / total.max(1) as f64, 1),
        lives,
        tools: tool::versions()?,
        command,
    })
}

/// Writes the row over that of the same unit and point.
fn keep(fresh: Row) -> Result<(), Failure> {
    let path = checkout::root()?.join("results/rtl-mutants.json");
    let subject = |row: &Row| (row.core.clone(), row.params.clone());
    let key = |row: &Row| (row.core.clone(), format!("{:?}", row.params));
    let rows = results::beside(&path, vec![fresh], subject, key)?;
    let machine = Unneeded::because("what a simulation gives does not depend on one");
    let document =
        results::document("hasten.rtl-mutants/1", machine, "cargo xtask hw mutants", &rows);
    tool::write(&path, &document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_list_says_kind_and_place() {
        let line = "mutate -ctrl mutant_i 16 3 -mode cnot0 -module \\top -cell $a -port \\Y \
                    -portbit 1 -ctrlbit 7 -src /here/rtl/a/a.sv:12.3-14.4 -src /here/rtl/b.sv:1.1";
        assert_eq!(place(line, Path::new("/here")), "cnot0 at rtl/a/a.sv:12.3-14.4");
        let short = "mutate -mode inv -src here/rtl/a/a.sv:1.1";
        assert_eq!(place(short, Path::new("/here")), "inv at rtl/a/a.sv:1.1");
        assert_eq!(place("mutate", Path::new("/here")), " at ");
    }

    #[test]
    fn a_row_counts_what_was_killed() {
        let unit =
            &toml::from_str::<Core>("name='t'\n[[unit]]\ntop='t'\nfiles=[]").unwrap().unit[0];
        let mutants =
            [("b", true), ("a", true), ("c", false)].map(|(name, lives)| (name.into(), lives));
        let row = row(unit, &Point::default(), mutants.into(), String::new()).unwrap();
        assert_eq!((row.mutants, row.killed, row.percent), (3, 1, 33.3));
        assert_eq!(row.lives, ["a", "b"]);
    }
}
