//! Tells what is asked for, what there is to compute on, and what may be prepared.

use std::rc::Rc;

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_kernels::Which;
use serde::{Deserialize, Serialize};

use super::Time;
use crate::latency::{Delivery, Units};

/// Holds what is asked for.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The sets to choose from.
    pub sets: Vec<&'static Set>,
    /// Bytes of a message.
    pub message: usize,
    /// Messages per second; 0 if that does not matter.
    pub rate: f64,
    /// Messages that may come at once.
    pub burst: u64,
    /// Time allowed from message to verdict, in microseconds.
    pub budget_us: f64,
    /// Time of making a reservation durable, in microseconds.
    pub commit_us: f64,
}

/// An operation that was timed on a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Set or algorithm.
    pub alg: String,
    /// `sign` or `verify`.
    pub op: String,
    /// Level, where there is one.
    #[serde(default)]
    pub level: Option<String>,
    /// Bytes of a signature, for an algorithm that is no set.
    #[serde(default)]
    pub signature_bytes: usize,
    /// Time of one operation.
    pub time_us: Time,
}

/// Holds what is prepared, and how the parts are put together.
#[derive(Clone, Debug)]
pub struct Schedules {
    /// Levels of the signer.
    pub signer: Vec<SignerLevel>,
    /// Levels of the verifier.
    pub verifier: Vec<VerifierLevel>,
    /// Ways of delivery.
    pub delivery: Vec<Delivery>,
    /// True if the reservation is made durable after the message is there, not ahead.
    pub commit_on_path: bool,
    /// True if the machines have rested before a message.
    pub rested: bool,
}

/// Holds what computes.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// The only kernel it has, if it has one only.
    pub kernel: Option<Which>,
    /// Units on each side, and the time of a compression on one.
    pub units: Units,
    /// Microseconds of a compression where many are done for later.
    pub bulk_us: f64,
    /// Fixed cost of each side.
    pub overhead_us: f64,
    /// Gate equivalents of one side, in thousands, where they are known.
    pub area_kge: Option<f64>,
    /// Holds what the first use after rest costs besides: microseconds of work, and what is added
    /// to them.
    pub rested: Vec<(f64, f64)>,
    /// Holds what was measured, for a machine that is known by its measurements.
    pub measured: Option<Rc<Vec<Measured>>>,
    /// True if its units tell what was not measured: sets with a limit on a core of chains.
    pub estimates: bool,
}

impl Machine {
    /// Returns what is added to so many microseconds of work after rest; nothing more beyond what
    /// was measured.
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

/// Returns the sets that are searched where none is named: one tree of height 10, SHA2 and SHAKE of
/// SP 800-208, and every w of LMS but 1.
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
