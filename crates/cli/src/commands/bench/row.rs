//! One row of `hasten bench`, and the table.

use hasten_report::Summary;
use serde::Serialize;

use super::measure::Timing;
use crate::table::{Table, grouped, numbers, words};

/// What one operation takes.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Kernel or parameter set.
    pub alg: &'static str,
    /// Operation; one `time_us` is one of it.
    pub op: &'static str,
    /// Level of preparation, where there is one.
    pub level: Option<&'static str>,
    /// Backend of the kernels.
    pub backend: &'static str,
    /// Threads it ran on.
    pub threads: usize,
    /// States handed over in one call, for a kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<usize>,
    /// Time of one operation.
    pub time_us: Summary,
    /// Operations per second, by the smallest time.
    pub per_second: f64,
    /// Compressions (permutations) of one operation, the mean where they differ.
    pub compressions: f64,
    /// For a kernel: bytes absorbed. For a key: bytes of its public key. Else: bytes held ready.
    pub bytes: usize,
    /// Rate of a hash over one long message: 10^6 bytes a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub megabytes_per_second: Option<f64>,
    /// What it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<Peer>,
}

/// Another implementation of the same operation, timed in the same run.
#[derive(Clone, Debug, Serialize)]
pub struct Peer {
    /// Its name, version and code path.
    pub name: &'static str,
    /// Time of one operation.
    pub time_us: Summary,
    /// Smallest time of the peer over smallest time of ours.
    pub ratio: f64,
    /// The same quotient, window by window.
    pub ratio_spread: Summary,
}

impl Peer {
    /// The comparison of `ours` with `theirs`.
    pub fn new(name: &'static str, ours: &Timing, theirs: &Timing) -> Self {
        let (mine, time_us) = (ours.summary(), theirs.summary());
        let ratio = hasten_report::round(time_us.min / mine.min);
        Self { name, time_us, ratio, ratio_spread: ours.ratio(theirs) }
    }
}

/// Operations per second if each takes `micros` microseconds, to three digits at least.
pub fn per_second(micros: f64) -> f64 {
    if micros > 0.0 { (1e6 / micros * 100.0).round() / 100.0 } else { 0.0 }
}

/// The rows as a table.
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

/// The comparison, or the rate.
fn remark(row: &Row) -> String {
    match row.megabytes_per_second {
        Some(rate) => format!("{rate:.0} MB/s"),
        None => row.peer.as_ref().map(compared).unwrap_or_default(),
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

/// Four digits, whatever the size.
fn short(micros: f64) -> String {
    match micros {
        us if us >= 1000.0 => grouped(us.round() as u64),
        us if us >= 10.0 => format!("{us:.1}"),
        us if us >= 1.0 => format!("{us:.2}"),
        us => format!("{us:.4}"),
    }
}
