//! The rows as a table.

use hasten_model::explore::Time;
use hasten_report::{Table, grouped, numbers, words};

use super::row::Row;

/// Returns the rows as a table.
pub fn table(rows: &[Row]) -> String {
    let columns = vec![
        words("alg"),
        numbers("rate"),
        words("wait"),
        numbers("size"),
        numbers("sign us"),
        numbers("p99"),
        numbers("verify us"),
        numbers("p99"),
        numbers("total us"),
        numbers("p99"),
        numbers("p99.9"),
        numbers("worst"),
        numbers("delivery p99"),
        numbers("bytes"),
        numbers("prepare %"),
        numbers("late"),
        numbers("sent"),
        numbers("verified"),
        numbers("at once"),
        numbers("of warm"),
    ];
    Table::new(columns).print(&rows.iter().map(cells).collect::<Vec<_>>())
}

fn cells(row: &Row) -> Vec<String> {
    let short = |us: f64| format!("{us:.1}");
    let Time { p50, p99, p999, max, .. } = row.total_us;
    vec![
        row.alg.to_owned(),
        grouped(row.rate.into()),
        row.wait.name().to_owned(),
        grouped(row.message_bytes as u64),
        short(row.sign_us.p50),
        short(row.sign_us.p99),
        short(row.verify_us.p50),
        short(row.verify_us.p99),
        short(p50),
        short(p99),
        short(p999.unwrap_or(p99)),
        short(max),
        short(row.delivery_us.p99),
        grouped(row.bytes as u64),
        short(row.prepare_cpu_percent),
        grouped(row.late),
        grouped(row.sent as u64),
        grouped(row.verified as u64),
        row.batch_messages.map_or(String::new(), |messages| grouped(messages as u64)),
        row.of_warm.map_or(String::new(), |of| format!("{:.2}", of.total)),
    ]
}
