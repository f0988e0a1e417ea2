//! The enhanced call graph as a table, JSON or a drawing.

use hasten_model::calls::{self, Call};
use hasten_model::draw;
use serde::Serialize;

use super::{Target, drawing};
use crate::error::Error;
use crate::output::print;
use crate::report;
use crate::table::{Table, grouped, numbers, words};

/// A row of the report.
#[derive(Serialize)]
struct Row {
    alg: &'static str,
    op: &'static str,
    level: String,
    message_bytes: usize,
    #[serde(flatten)]
    call: Call,
}

/// Records the operation and prints its functions.
pub fn run(target: &Target) -> Result<(), Error> {
    let trace = target.record()?;
    let calls = calls::tree(&trace, target.verb());
    drawing::write(target.dot.as_deref(), target.force, || draw::calls_dot(&calls))?;
    drawing::write(target.svg.as_deref(), target.force, || {
        draw::calls_svg(&calls, &target.title())
    })?;
    if target.json {
        let rows: Vec<Row> = calls.into_iter().map(|call| row(target, call)).collect();
        return print(&report::new("hasten.calls/1", None, &rows).json());
    }
    print(&target.title())?;
    print("")?;
    print(&table(&calls))
}

fn row(target: &Target, call: Call) -> Row {
    Row {
        alg: target.alg.name,
        op: target.verb(),
        level: target.level.clone(),
        message_bytes: target.message,
        call,
    }
}

fn table(calls: &[Call]) -> String {
    let heads = ["calls", "own", "inclusive", "share", "batch", "bytes"];
    let columns = [words("function")].into_iter().chain(heads.map(numbers)).collect();
    let rows: Vec<Vec<String>> = calls.iter().map(cells).collect();
    Table::new(columns).print(&rows)
}

fn cells(call: &Call) -> Vec<String> {
    let name = call.path.last().map_or("", String::as_str);
    let indent = "  ".repeat(call.path.len() - 1);
    vec![
        format!("{indent}{name}"),
        grouped(call.calls),
        grouped(call.own),
        grouped(call.inclusive),
        format!("{:.1} %", 100.0 * call.share),
        format!("{:.1}", call.batch),
        grouped(call.bytes),
    ]
}
