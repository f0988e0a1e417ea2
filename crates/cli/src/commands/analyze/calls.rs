//! The enhanced call graph as a table, JSON or a drawing.

use hasten_model::calls::{self, Call};
use hasten_model::{Head, draw};
use serde::Serialize;

use super::{Target, drawing};
use crate::error::Error;
use crate::output::print;
use crate::report;

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
    print(&format!("{title}\n\n{}", calls::table(&calls)))
}
