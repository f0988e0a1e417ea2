//! Dependencies: work, critical path, profile, what the message decides, and steps on P units.

use hasten_model::{Graph, draw, schedule};
use serde::Serialize;

use super::{Target, drawing};
use crate::error::Error;
use crate::output::print;
use crate::report;
use crate::table::{Table, grouped, numbers, words};

/// Numbers of units that are scheduled.
const UNITS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The row of the report.
#[derive(Serialize)]
struct Row {
    alg: &'static str,
    op: &'static str,
    level: String,
    message_bytes: usize,
    work: u64,
    critical_path: u64,
    widest: u64,
    independent: hasten_model::Independence,
    dominates: Option<hasten_model::Function>,
    functions: Vec<hasten_model::Share>,
    steps: Vec<Steps>,
    profile: Vec<u64>,
}

/// Steps on a number of units.
#[derive(Serialize)]
struct Steps {
    units: usize,
    steps: u64,
}

/// Records the operation and prints what depends on what.
pub fn run(target: &Target) -> Result<(), Error> {
    let graph = target.record()?.graph();
    let title = target.title();
    drawing::write(target.svg.as_deref(), target.force, || draw::phases_svg(&graph, &title))?;
    drawing::write(target.dot.as_deref(), target.force, || draw::phases_dot(&graph, &title))?;
    let row = row(target, &graph);
    if target.json {
        return print(&report::new("hasten.deps/1", None, &[row]).json());
    }
    print(&title)?;
    print("")?;
    print(&summary(&row))?;
    print("")?;
    print(&functions(&row))?;
    print("")?;
    print(&steps(&row))
}

fn row(target: &Target, graph: &Graph) -> Row {
    let functions = graph.shares();
    let profile = graph.profile();
    let steps = |units| Steps { units, steps: schedule::units(graph, units) };
    Row {
        alg: target.alg.name,
        op: target.verb(),
        level: target.level.clone(),
        message_bytes: target.message,
        work: graph.work(),
        critical_path: graph.critical_path(),
        widest: profile.iter().copied().max().unwrap_or(0),
        independent: graph.independence(),
        dominates: functions.first().map(|share| share.function),
        functions,
        steps: UNITS.map(steps).into(),
        profile,
    }
}

fn summary(row: &Row) -> String {
    let hasten_model::Independence { key, index, message } = row.independent;
    format!(
        "{} compressions, at least {} one after the other, at most {} at once\n\
         {} depend on the message, {} on the index alone (can be prepared), {} on the key alone",
        grouped(row.work),
        grouped(row.critical_path),
        grouped(row.widest),
        grouped(message),
        grouped(index),
        grouped(key)
    )
}

fn functions(row: &Row) -> String {
    let columns = vec![words("function"), numbers("compressions"), numbers("on the longest way")];
    let cells = |share: &hasten_model::Share| {
        let name = serde_json::to_string(&share.function).unwrap_or_default();
        vec![name.trim_matches('"').to_owned(), grouped(share.work), grouped(share.on_path)]
    };
    Table::new(columns).print(&row.functions.iter().map(cells).collect::<Vec<_>>())
}

fn steps(row: &Row) -> String {
    let columns = [words("units")].into_iter().chain(UNITS.map(|_| numbers(""))).collect();
    let cells = |name: &str, of: &dyn Fn(&Steps) -> String| {
        [name.to_owned()].into_iter().chain(row.steps.iter().map(of)).collect::<Vec<_>>()
    };
    let speed = |s: &Steps| format!("{:.1}x", row.work as f64 / s.steps.max(1) as f64);
    let rows = [cells("steps", &|s| grouped(s.steps)), cells("gain", &speed)];
    let heads = cells("units", &|s| s.units.to_string());
    let fitted = Table::new(columns).fit(&[&rows[..], std::slice::from_ref(&heads)].concat());
    [fitted.row(&heads), fitted.row(&rows[0]), fitted.row(&rows[1])].join("\n")
}
