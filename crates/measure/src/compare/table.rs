//! The rows as a table.

use hasten_model::explore::Time;
use hasten_report::{Table, grouped, numbers, words};

use super::Row;

/// Returns the rows as a table.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let heads =
        ["bytes", "samples", "min us", "mean us", "p50 us", "p99 us", "p99.9 us", "worst us"];
    let columns = [words("algorithm"), words("operation")].into_iter().chain(heads.map(numbers));
    let cells = |row: &Row| {
        let Time { min, p50, p99, p999, max } = row.time_us;
        let times = [min, row.mean, p50, p99, p999.unwrap_or(max), max];
        let mut cells = vec![row.alg.clone(), row.op.to_owned()];
        cells.push(row.signature_bytes.to_string());
        cells.push(grouped(row.samples as u64));
        cells.extend(times.map(|us| format!("{us:.1}")));
        cells
    };
    Table::new(columns.collect()).print(&rows.iter().map(cells).collect::<Vec<_>>())
}
