//! `hw flips`: flips each bit of each register by itself, in each cycle around a decision, and
//! counts the core's answers in `results/rtl-flips.json`.

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

/// Number of cycles before the decision: two compressions of one round per cycle, and the cycles
/// between them.
const WINDOW: u64 = 140;
/// Number of cycles with `--check`.
const SHORT: u64 = 8;

/// A line that a bench prints: the answers to the flips of one verification.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Answers {
    op: String,
    window: u64,
    bits: u64,
    flips: u64,
    good: u64,
    bad: u64,
    refused: u64,
    silent: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    core: String,
    params: BTreeMap<String, Param>,
    #[serde(flatten)]
    answers: Answers,
    tools: String,
    command: String,
}

/// Runs the sweeps of the chosen cores. A bench fails by itself if a flip makes a wrong signature
/// good. The rows replace earlier ones; with `--check` nothing is kept.
pub fn run(options: &Options) -> Result<(), Failure> {
    let window = options.count.unwrap_or(if options.check { SHORT } else { WINDOW });
    // A short sweep has the same points as a long one.
    for core in Core::chosen(&Options { check: false, ..options.clone() })? {
        for unit in &core.unit {
            let Some(bench) = &unit.flips else { continue };
            for point in unit.points.iter().take(1) {
                let mut rows = sweep(&core, unit, point, bench, window, options.check)?;
                rows.iter_mut().for_each(|row| row.command += &options.chosen());
                for Row { answers, .. } in &rows {
                    println!("{} {}", unit.top, said(answers));
                }
                if !options.check {
                    keep(rows)?;
                }
            }
        }
    }
    Ok(())
}

fn said(answers: &Answers) -> String {
    let Answers { op, window, bits, flips, good, bad, refused, silent } = answers;
    format!(
        "{op}: {bits} bits in {window} cycles, {flips} flips: {good} good, {bad} bad, \
         {refused} refused, {silent} without an answer"
    )
}

fn sweep(
    core: &Core,
    unit: &Unit,
    point: &Point,
    bench: &str,
    window: u64,
    short: bool,
) -> Result<Vec<Row>, Failure> {
    let program = sim::open_program(core, unit, point, bench, &["--public-flat-rw"])?;
    let mut sweeps = Command::new(program);
    sweeps.env("HASTEN_WINDOW", window.to_string());
    if !short {
        sweeps.env("HASTEN_LONG", "1");
    }
    let text = tool::output(&mut sweeps)?;
    let tools = tool::versions()?;
    let row = |line: &str| {
        let answers = serde_json::from_str(line)
            .map_err(|fault| Failure::Form(bench.into(), format!("{line}: {fault}")))?;
        Ok(Row {
            core: unit.top.clone(),
            params: point.params.clone(),
            answers,
            tools: tools.clone(),
            command: format!("cargo xtask hw flips {} --count {window}", core.name),
        })
    };
    text.lines().map(row).collect()
}

/// Writes the rows in place of those of the same cores and points.
fn keep(fresh: Vec<Row>) -> Result<(), Failure> {
    let path = checkout::root()?.join("results/rtl-flips.json");
    tool::write(&path, &document(&path, fresh)?)
}

fn document(path: &Path, fresh: Vec<Row>) -> Result<String, Failure> {
    let subject = |row: &Row| (row.core.clone(), row.params.clone());
    let key = |row: &Row| format!("{} {:?} {}", row.core, row.params, row.answers.op);
    let rows = results::beside(path, fresh, subject, key)?;
    let machine = Unneeded::because("what a simulation gives does not depend on one");
    Ok(results::document("hasten.rtl-flips/1", machine, "cargo xtask hw flips", &rows))
}
