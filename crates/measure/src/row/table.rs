//! The rows of the benches as a table.

use hasten_report::{Table, grouped, numbers, words};

use super::{Peer, Row};

/// Returns the rows as a table.
pub fn table(rows: &[Row]) -> String {
    let columns = vec![
        words("what"),
        words("operation"),
        words("level"),
        words("backend"),
        numbers("threads"),
        numbers("min us"),
        numbers("median us"),
        numbers("p99 us"),
        numbers("per second"),
        numbers("compressions"),
        numbers("bytes"),
        words("compared with"),
    ];
    Table::new(columns).print(&rows.iter().map(cells).collect::<Vec<_>>())
}

fn cells(row: &Row) -> Vec<String> {
    let batch = row.batch.map(|batch| format!(" of {batch}")).unwrap_or_default();
    vec![
        row.alg.to_owned(),
        format!("{}{batch}", row.op),
        row.level.unwrap_or("-").to_owned(),
        row.backend.to_owned(),
        row.threads.to_string(),
        short(row.time_us.min),
        short(row.time_us.p50),
        short(row.time_us.p99),
        grouped(row.per_second as u64),
        count(row.compressions),
        grouped(row.bytes as u64),
        remark(row),
    ]
}

/// Returns the comparison with the peer and the port limit, or the rate of a hash.
fn remark(row: &Row) -> String {
    match row.megabytes_per_second {
        Some(rate) => format!("{rate:.0} MB/s"),
        None => {
            let peer = row.peer.as_ref().map(compared).unwrap_or_default();
            let limit = row.limit.as_ref();
            peer + &limit.map(|l| format!("; {:.2} of the port limit", l.ratio)).unwrap_or_default()
        }
    }
}

fn compared(peer: &Peer) -> String {
    let spread = &peer.ratio_spread;
    format!("{}: {:.2} x ({:.2} to {:.2})", peer.name, peer.ratio, spread.min, spread.max)
}

fn count(compressions: f64) -> String {
    let whole = compressions.fract() == 0.0;
    if whole { grouped(compressions as u64) } else { format!("{compressions:.1}") }
}

/// Formats microseconds; larger times have fewer decimals.
fn short(micros: f64) -> String {
    match micros {
        us if us >= 1000.0 => grouped(us.round() as u64),
        us if us >= 10.0 => format!("{us:.1}"),
        us if us >= 1.0 => format!("{us:.2}"),
        us => format!("{us:.4}"),
    }
}
