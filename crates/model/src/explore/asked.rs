//! The workload of a search, the machines, and the schedules.

use std::rc::Rc;

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_kernels::Which;
use serde::{Deserialize, Serialize};

use super::Time;
use crate::latency::{Delivery, Units};

/// The requirements that a choice must meet.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The sets to choose from.
    pub sets: Vec<&'static Set>,
    /// Length of a message in bytes.
    pub message: usize,
    /// Messages per second; 0 for no requirement.
    pub rate: f64,
    /// Number of messages that may arrive at once.
    pub burst: u64,
    /// Maximum time from message to verdict, in microseconds.
    pub budget_us: f64,
    /// Time to make a reservation durable, in microseconds.
    pub commit_us: f64,
}

/// An operation that was timed on a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Set or algorithm.
    pub alg: String,
    /// `sign` or `verify`.
    pub op: String,
    /// Level of preparation, if there is one.
    #[serde(default)]
    pub level: Option<String>,
    /// Length of a signature in bytes, for an algorithm that is not a set.
    #[serde(default)]
    pub signature_bytes: usize,
    /// Time of one operation.
    pub time_us: Time,
}

/// The levels of preparation and the ways to combine the parts.
#[derive(Clone, Debug)]
pub struct Schedules {
    /// Levels of the signer.
    pub signer: Vec<SignerLevel>,
    /// Levels of the verifier.
    pub verifier: Vec<VerifierLevel>,
    /// Ways of delivery.
    pub delivery: Vec<Delivery>,
    /// True if the reservation is made durable after the message has arrived, not ahead of it.
    pub commit_on_path: bool,
    /// True if the machines have rested before a message arrives.
    pub rested: bool,
}

/// A machine that signs or verifies.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Name of the machine.
    pub name: String,
    /// The only kernel that the machine has; `None` if it has all.
    pub kernel: Option<Which>,
    /// Units on each side, and the time of a compression on one unit.
    pub units: Units,
    /// Microseconds per compression if many are computed in advance.
    pub bulk_us: f64,
    /// Fixed cost of each side in microseconds.
    pub overhead_us: f64,
    /// Gate equivalents of one side, in thousands, if known.
    pub area_kge: Option<f64>,
    /// Additional time of the first use after rest: pairs of the microseconds of work and the
    /// microseconds that rest adds.
    pub rested: Vec<(f64, f64)>,
    /// Measured operations, for a machine that is described by measurements.
    pub measured: Option<Rc<Vec<Measured>>>,
    /// True if the times of sets that were not measured may be estimated from the units: sets with
    /// a signature limit on a chain core.
    pub estimates: bool,
}

impl Machine {
    /// Returns the time that rest adds to `work_us` microseconds of work. Beyond the longest
    /// measured work the time stays constant.
    #[must_use]
    pub fn after_rest(&self, work_us: f64) -> f64 {
        let above = self.rested.iter().find(|(work, _)| *work >= work_us).or(self.rested.last());
        let below = self.rested.iter().rfind(|(work, _)| *work <= work_us).unwrap_or(&(0.0, 0.0));
        match above {
            Some(above) if above.0 > below.0 => {
                let share = (work_us - below.0) / (above.0 - below.0);
                below.1 + share.min(1.0) * (above.1 - below.1)
            }
            Some(above) => above.1,
            None => 0.0,
        }
    }
}

/// Returns the sets that are searched by default. All have one tree of height 10: XMSS with SHA2
/// and SHAKE of SP 800-208, and LMS with every w but 1.
pub fn usual_sets() -> Vec<&'static Set> {
    let names = [
        "XMSS-SHA2_10_192",
        "XMSS-SHA2_10_256",
        "XMSS-SHAKE256_10_192",
        "XMSS-SHAKE256_10_256",
        "LMS_SHA256_M24_H10_W2",
        "LMS_SHA256_M24_H10_W4",
        "LMS_SHA256_M24_H10_W8",
        "LMS_SHA256_M32_H10_W2",
        "LMS_SHA256_M32_H10_W4",
        "LMS_SHA256_M32_H10_W8",
    ];
    names.into_iter().filter_map(|name| Set::named(name).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_costs_what_was_measured_and_no_more() {
        let machine = Machine {
            name: String::new(),
            kernel: None,
            units: Units { count: 1, each_us: 0.1 },
            bulk_us: 0.1,
            overhead_us: 0.0,
            area_kge: None,
            rested: vec![(1.0, 3.0), (10.0, 20.0)],
            measured: None,
            estimates: false,
        };
        for (work, want) in
            [(0.0, 0.0), (0.5, 1.5), (1.0, 3.0), (5.5, 11.5), (10.0, 20.0), (99.0, 20.0)]
        {
            assert!((machine.after_rest(work) - want).abs() < 1e-9, "{work}");
        }
        assert_eq!(Machine { rested: Vec::new(), ..machine }.after_rest(5.0), 0.0);
    }
}
