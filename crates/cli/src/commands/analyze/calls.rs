//! The enhanced call graph as a table, JSON or a drawing.

use hasten_model::calls::{self, Call};
use hasten_model::{Head, draw};
use serde::Serialize;

use super::{Target, drawing};
use crate::error::Error;
use crate::output::print;
use crate::report;
use crate::table::{Table, grouped, numbers, words};

/// A row of the report.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    call: Call,
}

/// Records the operation and prints its functions.
pub fn run(target: &Target) -> Result<(), Error> {
    let request = target.request()?;
    let (head, title) = (request.head(), request.title());
    let calls = calls::tree(&request.record()?, head.op);
    drawing::write(target.dot.as_deref(), target.force, || draw::calls_dot(&calls))?;
    drawing::write(target.svg.as_deref(), target.force, || draw::calls_svg(&calls, &title))?;
    if target.json {
        let rows: Vec<Row> = calls.into_iter().map(|call| Row { head, call }).collect();
        return print(&report::new("hasten.calls/1", None, &rows).json());
    }
    print(&format!("{title}\n\n{}", table(&calls)))
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
