//! A row of the benches: one operation, its times, and what it is compared with.

mod table;

use hasten_report::Summary;
use serde::Serialize;

pub use self::table::table;
use crate::windows::Timing;

/// Holds what one operation takes.
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
    /// For a kernel in registers of 512 bits: the least time that their ports allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// Holds what it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<Peer>,
}

/// The time that the operations of a kernel take at least, by what as many independent ones took.
#[derive(Clone, Debug, Serialize)]
pub struct Limit {
    /// Microseconds.
    pub time_us: f64,
    /// Smallest time of ours over it.
    pub ratio: f64,
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
    /// Returns the comparison of `ours` with `theirs`.
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
