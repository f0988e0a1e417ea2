//! The predictions as a table, and the number of good ones.

use hasten_report::{Table, numbers, words};

use super::{MICROS, Prediction, SHARE};

/// Returns a table of the predictions, and a line with the number of good ones.
pub fn text(rows: &[&Prediction]) -> String {
    let good = rows.iter().filter(|row| row.good && !row.fixed_from_here).count();
    let all = rows.iter().filter(|row| !row.fixed_from_here).count();
    let percent = 100.0 * SHARE;
    let line = format!(
        "{good} of {all} medians within {percent:.0} % or {MICROS} us of what was predicted"
    );
    format!("{}\n\n{line}", table(rows))
}

fn table(rows: &[&Prediction]) -> String {
    let columns = vec![
        words("set"),
        words("operation"),
        words("level"),
        numbers("predicted us"),
        numbers("median us"),
        numbers("p99 us"),
        numbers("off us"),
        numbers("off"),
        words("good"),
    ];
    let cells = |row: &Prediction| {
        vec![
            row.alg.to_owned(),
            row.op.to_owned(),
            row.level.to_owned(),
            format!("{:.1}", row.predicted_us.p50),
            format!("{:.1}", row.time_us.p50),
            format!("{:.1}", row.time_us.p99),
            format!("{:+.1}", row.off_us),
            format!("{:+.0} %", 100.0 * row.off_us / row.time_us.p50.max(1e-9)),
            if row.good { "yes" } else { "no" }.to_owned(),
        ]
    };
    Table::new(columns).print(&rows.iter().copied().map(cells).collect::<Vec<_>>())
}
