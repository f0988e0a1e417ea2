//! The call graph as a table.

use hasten_report::{Table, grouped, numbers, words};

use super::Call;

/// Returns a table with a line for each function, indented below its caller.
#[must_use]
pub fn table(calls: &[Call]) -> String {
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
