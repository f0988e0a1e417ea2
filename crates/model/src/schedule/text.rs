//! The figures of a graph as text.

use hasten_report::{Table, grouped, numbers, words};

use super::account::{Account, Steps, UNITS};
use crate::graph::{Independence, Share};

impl Account {
    /// Returns the totals as sentences, and the functions and the steps on P units as tables.
    #[must_use]
    pub fn text(&self) -> String {
        [summary(self), functions(self), steps(self)].join("\n\n")
    }
}

fn summary(row: &Account) -> String {
    let Independence { key, index, message } = row.independent;
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
    let cells = |share: &Share| {
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
