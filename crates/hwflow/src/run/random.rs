//! `hw random`: runs a core's bench on many random cases, and keeps the results in
//! `results/CORE-random.json`.

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
use std::path::PathBuf;
use std::process::Command;

/// Number of cases if the command line gives none.
const COUNT: u64 = 10_000;

/// A row: a number of operations, each compared with another implementation.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    core: String,
    params: BTreeMap<String, Param>,
    op: String,
    checked: u64,
    cycles: u64,
    cycles_max: u64,
    tools: String,
    command: String,
    commit: String,
}

/// Runs the chosen points. Their rows replace earlier ones of the same points.
pub fn run(options: &Options) -> Result<(), Failure> {
    let count = options.count.unwrap_or(COUNT);
    for core in Core::chosen(options)? {
        for unit in &core.unit {
            for point in &unit.points {
                let rows = point_rows(&core, unit, point, count, &command(options, &core, unit))?;
                for row in &rows {
                    println!("{} {} {}: {} checked", unit.top, point.slug(), row.op, row.checked);
                }
                store(&core, rows)?;
            }
        }
    }
    Ok(())
}

/// Returns the arguments that select the core.
fn command(options: &Options, core: &Core, unit: &Unit) -> String {
    match &options.core_file {
        Some(file) => format!("--core-file {} --dir . --unit {}", file.display(), unit.top),
        None => core.name.clone(),
    }
}

fn point_rows(
    core: &Core,
    unit: &Unit,
    point: &Point,
    count: u64,
    named: &str,
) -> Result<Vec<Row>, Failure> {
    let mut variables = vec![("HASTEN_COUNT", count.to_string())];
    if let Some(example) = &unit.cases {
        variables.push(("HASTEN_CASES", cases(example, count)?.display().to_string()));
    }
    let ops = sim::operations_with(core, unit, point, &variables)?;
    let (tools, commit) = (tool::versions()?, commit()?);
    let command = format!("cargo xtask hw random {named} --count {count}");
    let row = |op: crate::core::row::Op| {
        Some(Row {
            core: unit.top.clone(),
            params: point.params.clone(),
            checked: op.checked?,
            cycles: op.cycles,
            cycles_max: op.cycles_max,
            op: op.op,
            tools: tools.clone(),
            command: command.clone(),
            commit: commit.clone(),
        })
    };
    let rows: Vec<Row> = ops.into_iter().filter_map(row).collect();
    if rows.is_empty() {
        return Err(Failure::Tool(format!("the bench of {} checks no random cases", unit.top)));
    }
    Ok(rows)
}

/// Runs an example of `hasten-rtlsim`, and returns the file of cases that it writes.
fn cases(example: &str, count: u64) -> Result<PathBuf, Failure> {
    let file = tool::work("random")?.join(format!("{example}-{count}.txt"));
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--locked", "-p", "hasten-rtlsim", "--example", example]);
    let text = tool::output(command.arg("--").arg(count.to_string()))?;
    tool::write(&file, &text)?;
    Ok(file)
}

fn commit() -> Result<String, Failure> {
    let text = tool::output(Command::new("git").args(["rev-parse", "--short=12", "HEAD"]))?;
    Ok(text.trim().to_owned())
}

fn store(core: &Core, fresh: Vec<Row>) -> Result<(), Failure> {
    let path = checkout::root()?.join(format!("results/{}-random.json", core.name));
    let subject = |row: &Row| (row.core.clone(), row.params.clone());
    let key = |row: &Row| format!("{} {:?} {}", row.core, row.params, row.op);
    let rows = results::beside(&path, fresh, subject, key)?;
    let machine = Unneeded::because("what a simulation gives does not depend on one");
    let (schema, command) = ("hasten.hardware-random/1", "cargo xtask hw random");
    tool::write(&path, &results::document(schema, machine, command, &rows))
}
