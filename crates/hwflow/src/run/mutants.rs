//! `hw mutants`: lets yosys put faults into randomly drawn cells of a unit, and counts how many of
//! these mutants the unit's bench finds, in `results/rtl-mutants.json`.

use crate::core::cores::{Core, Param, Point, Unit};
use crate::core::options::Options;
use crate::core::results;
use crate::core::row::round;
use crate::core::tool;
use crate::run::cpu::Clock;
use crate::run::mutate;
use crate::run::sim;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use hasten_report::Unneeded;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Number of mutants of a unit if neither command line nor description gives one.
const COUNT: u64 = 32;

/// A row: the mutants of a unit, and how many of them its bench finds.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    core: String,
    params: BTreeMap<String, Param>,
    mutants: usize,
    killed: usize,
    /// Killed mutants that only the whole form of the bench finds. Absent if that form did not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    killed_by_whole_bench: Option<usize>,
    percent: f64,
    /// Kind and place of each mutant that survives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lives: Vec<String>,
    tools: String,
    command: String,
}

/// Tries mutants of each unit whose description gives their number, or, if a core is named, of each
/// of its units with a bench. They are tried at the first point. The rows replace earlier ones.
pub fn run(options: &Options) -> Result<(), Failure> {
    let named = options.core.is_some() || options.core_file.is_some();
    for core in Core::chosen(options)? {
        let chosen = |unit: &&Unit| unit.mutants.is_some() || (named && unit.bench.is_some());
        for unit in core.unit.iter().filter(chosen) {
            let count = options.count.or(unit.mutants).unwrap_or(COUNT);
            let Some(point) = unit.points.first() else { continue };
            let mutants = tried(&core, unit, point, count)?;
            let row = row(unit, point, &mutants, command(options, &core, unit, count))?;
            println!("{} {}: {} of {} killed", unit.top, point.slug(), row.killed, row.mutants);
            keep(row)?;
        }
    }
    Ok(())
}

/// Returns the command that reproduces the row.
fn command(options: &Options, core: &Core, unit: &Unit, count: u64) -> String {
    format!("{} --count {count}", options.command("mutants", &core.name, &unit.top))
}

/// A mutant, and the form of the bench that finds it, if any.
struct Mutant {
    name: String,
    found_by: Option<Form>,
}

/// Form of a bench. The whole form runs only with mutants that the short form does not find.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Short,
    Whole,
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Self::Short { "short" } else { "whole" })
    }
}

/// The mutants of a unit.
struct Mutants {
    all: Vec<Mutant>,
    /// Whether the whole form of the bench ran too.
    whole: bool,
}

/// Tries the mutants. A bench that has only one form runs once for each mutant.
fn tried(core: &Core, unit: &Unit, point: &Point, count: u64) -> Result<Mutants, Failure> {
    let stem = netlist(core, unit, point, count)?;
    let program = sim::netlist_program(core, unit, point, &stem.with_extension("v"))?;
    let list = read(&stem.with_extension("list"))?;
    let names: Vec<String> = list.lines().map(|line| place(line, &core.root)).collect();
    let bench = Bench { program: &program, top: &unit.top, names: &names };
    let mut found = vec![None; names.len()];
    bench.find(Form::Short, &mut found)?;
    let whole = found.contains(&None) && has_short_form(core, unit)?;
    if whole {
        bench.find(Form::Whole, &mut found)?;
    }
    let all = names.into_iter().zip(found);
    let all = all.map(|(name, found_by)| Mutant { name, found_by }).collect();
    Ok(Mutants { all, whole })
}

/// Returns true if the bench has a short form.
fn has_short_form(core: &Core, unit: &Unit) -> Result<bool, Failure> {
    let bench = core.root.join(unit.bench.as_deref().unwrap_or_default());
    Ok(read(&bench)?.contains(mutate::SHORT))
}

/// A bench on the netlist that contains all mutants.
struct Bench<'b> {
    program: &'b Path,
    top: &'b str,
    names: &'b [String],
}

impl Bench<'_> {
    /// Runs this form with each mutant that was not found yet, and records the mutants that it
    /// finds.
    fn find(&self, form: Form, found: &mut [Option<Form>]) -> Result<(), Failure> {
        let clock = Clock::start();
        if !self.passes(form, 0, f64::INFINITY)? {
            return Err(Failure::Tool(format!("{} does not pass without a mutant", self.top)));
        }
        let limit = HANGS * clock.of_cpu().unwrap_or(clock.seconds()) + 1.0;
        for (place, by) in found.iter_mut().enumerate().filter(|(_, by)| by.is_none()) {
            let lives = self.passes(form, place + 1, limit)?;
            *by = (!lives).then_some(form);
            let word = if lives { "LIVES" } else { "killed" };
            println!("{} {}: {form} bench: {word}", self.top, self.names[place]);
        }
        Ok(())
    }

    /// Returns true if this form passes with a mutant. Mutant 0 is the netlist without a fault.
    fn passes(&self, form: Form, mutant: usize, limit: f64) -> Result<bool, Failure> {
        let mut bench = Command::new(self.program);
        bench.current_dir(checkout::root()?).env("HASTEN_MUTANT", mutant.to_string());
        if form == Form::Short {
            bench.env(mutate::SHORT, "1");
        }
        Ok(mutate::bench(&mut bench, limit)?.is_none())
    }
}

/// A bench that takes this many times as long as without a mutant counts as hanging.
const HANGS: f64 = 4.0;

/// Makes the netlist that contains all mutants, and returns the stem of its files.
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

/// Returns the kind of a mutant and its first place in the sources, from its line of the list.
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

fn row(unit: &Unit, point: &Point, mutants: &Mutants, command: String) -> Result<Row, Failure> {
    let total = mutants.all.len();
    let of = |form| mutants.all.iter().filter(move |mutant| mutant.found_by == form);
    let mut lives: Vec<String> = of(None).map(|mutant| mutant.name.clone()).collect();
    lives.sort();
    let killed = total - lives.len();
    Ok(Row {
        core: unit.top.clone(),
        params: point.params.clone(),
        mutants: total,
        killed,
        killed_by_whole_bench: mutants.whole.then(|| of(Some(Form::Whole)).count()),
        percent: round(100.0 * killed as f64 / total.max(1) as f64, 1),
        lives,
        tools: tool::versions()?,
        command,
    })
}

/// Writes the row in place of the row of the same unit and point.
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
        let all = [("b", None), ("a", None), ("c", Some(Form::Short)), ("d", Some(Form::Whole))]
            .map(|(name, found_by)| Mutant { name: name.into(), found_by });
        let mutants = Mutants { all: all.into(), whole: true };
        let row = row(unit, &Point::default(), &mutants, String::new()).unwrap();
        assert_eq!((row.mutants, row.killed, row.percent), (4, 2, 50.0));
        assert_eq!(row.killed_by_whole_bench, Some(1));
        assert_eq!(row.lives, ["a", "b"]);
    }
}
