//! Dependencies: work, critical path, profile, what the message decides, and steps on P units.

use hasten_model::schedule::{Account, Steps, UNITS};
use hasten_model::{Head, draw};
use serde::Serialize;

use super::{Target, drawing};
use crate::error::Error;
use crate::output::print;
use crate::report;
use crate::table::{Table, grouped, numbers, words};

/// The row of the report.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    account: Account,
}

/// Records the operation and prints what depends on what.
pub fn run(target: &Target) -> Result<(), Error> {
    let request = target.request()?;
    let (head, title, graph) = (request.head(), request.title(), request.record()?.graph());
    drawing::write(target.svg.as_deref(), target.force, || draw::phases_svg(&graph, &title))?;
    drawing::write(target.dot.as_deref(), target.force, || draw::phases_dot(&graph, &title))?;
    let account = graph.account();
    if target.json {
        return print(&report::new("hasten.deps/1", None, &[Row { head, account }]).json());
    }
    let parts = [title, summary(&account), functions(&account), steps(&account)];
    print(&parts.join("\n\n"))
}

fn summary(row: &Account) -> String {
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

fn functions(row: &Account) -> String {
    let columns = vec![words("function"), numbers("compressions"), numbers("on the longest way")];
    let cells = |share: &hasten_model::Share| {
        let name = serde_json::to_string(&share.function).unwrap_or_default();
        vec![name.trim_matches('"').to_owned(), grouped(share.work), grouped(share.on_path)]
    };
    Table::new(columns).print(&row.functions.iter().map(cells).collect::<Vec<_>>())
}

fn steps(row: &Account) -> String {
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
