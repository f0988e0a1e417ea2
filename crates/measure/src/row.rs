//! A row of the benches: one operation, its times, and a comparison.

mod table;

use hasten_report::Summary;
use serde::Serialize;

pub use self::table::table;
use crate::windows::Timing;

/// The times of one operation.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Kernel or parameter set.
    pub alg: &'static str,
    /// Operation that `time_us` measures once.
    pub op: &'static str,
    /// Level of preparation, if there is one.
    pub level: Option<&'static str>,
    /// Backend of the kernels.
    pub backend: &'static str,
    /// Number of threads used.
    pub threads: usize,
    /// For a kernel: number of states passed in one call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<usize>,
    /// Time of one operation.
    pub time_us: Summary,
    /// Operations per second, computed from the smallest time.
    pub per_second: f64,
    /// Compressions (permutations) of one operation; the mean if they differ.
    pub compressions: f64,
    /// For a kernel: bytes absorbed. For key generation: bytes of the public key. Otherwise: bytes
    /// held ready, or of a signature.
    pub bytes: usize,
    /// Rate of a hash over one long message, in 10^6 bytes per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub megabytes_per_second: Option<f64>,
    /// For a kernel with 512-bit registers: the minimum time that the vector ports allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// Comparison with another implementation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<Peer>,
}

/// Lower bound of the time of a kernel: the time of the same number of independent vector
/// operations.
#[derive(Clone, Debug, Serialize)]
pub struct Limit {
    /// Microseconds.
    pub time_us: f64,
    /// Smallest time of the kernel divided by the bound.
    pub ratio: f64,
}

/// Another implementation of the same operation, timed in the same run.
#[derive(Clone, Debug, Serialize)]
pub struct Peer {
    /// Name, version and code path of the peer.
    pub name: &'static str,
    /// Time of one operation.
    pub time_us: Summary,
    /// Smallest time of the peer divided by the smallest time of this implementation.
    pub ratio: f64,
    /// The same ratio for each pair of windows.
    pub ratio_spread: Summary,
}

impl Peer {
    /// Returns the comparison of `theirs` with `ours`.
    pub fn new(name: &'static str, ours: &Timing, theirs: &Timing) -> Self {
        let (mine, time_us) = (ours.summary(), theirs.summary());
        let ratio = hasten_report::round(time_us.min / mine.min);
        Self { name, time_us, ratio, ratio_spread: ours.ratio(theirs) }
    }
}

/// Returns the operations per second if each takes `micros` microseconds, to two decimals.
pub fn per_second(micros: f64) -> f64 {
    if micros > 0.0 { (1e6 / micros * 100.0).round() / 100.0 } else { 0.0 }
}
