//! Dependencies of an operation: its work, critical path and profile, the part that depends on the
//! message, and its steps on P units.

use hasten_model::schedule::Account;
use hasten_model::{Head, draw};
use serde::Serialize;

use super::{Target, drawing};
use crate::error::Error;
use crate::output::print;
use crate::report;

/// The row of the report.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    account: Account,
}

/// Records the operation and prints its dependencies.
pub fn run(target: &Target) -> Result<(), Error> {
    let request = target.request()?;
    let (head, title, graph) = (request.head(), request.title(), request.record()?.graph());
    drawing::write(target.svg.as_deref(), target.force, || draw::phases_svg(&graph, &title))?;
    drawing::write(target.dot.as_deref(), target.force, || draw::phases_dot(&graph, &title))?;
    let account = graph.account();
    if target.json {
        return print(&report::new("hasten.deps/1", None, &[Row { head, account }]).json());
    }
    print(&format!("{title}\n\n{}", account.text()))
}
