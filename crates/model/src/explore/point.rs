//! One choice with its results, and the reason why it misses the requirements.

use serde::Serialize;

use super::{Time, Workload};

/// A choice and its results.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The scheme.
    pub scheme: &'static str,
    /// The parameter set.
    pub alg: String,
    /// The machine.
    pub machine: String,
    /// Rate of the link in bits per second.
    pub link_bits: f64,
    /// Levels and delivery.
    pub schedule: String,
    /// Length of a signature in bytes.
    pub signature_bytes: usize,
    /// Time from message to signature.
    pub sign_us: Time,
    /// Time on the link.
    pub wire_us: Time,
    /// Time from the arrival of all input to the verdict.
    pub verify_us: Time,
    /// Time from message to verdict.
    pub total_us: Time,
    /// Lower bound of the time with this way of delivery; absent if unknown.
    pub lower_bound_us: Option<f64>,
    /// Lower bound without overlap, divided by the total time.
    pub eta_seq: Option<f64>,
    /// Lower bound with overlap, divided by the total time.
    pub eta_stream: Option<f64>,
    /// Time on the link, divided by the total time.
    pub eta_wire: f64,
    /// Bytes held by a signer: the tree, and the pool of prepared indices.
    pub signer_memory_bytes: usize,
    /// Number of signatures that a key can make; absent if there is no limit.
    pub signatures: Option<u64>,
    /// Gate equivalents of both sides, in thousands.
    pub area_kge: Option<f64>,
    /// Sustained rate of signatures per second that preparation allows.
    pub sustained_hz: Option<f64>,
    /// Lifetime of a key at the rate of messages, in seconds.
    pub lasts_s: Option<f64>,
    /// Number of indices to hold prepared.
    pub pool: u64,
    /// True if the choice meets the budget and the rate.
    pub within_budget: bool,
    /// The reason why it does not.
    pub why_not: Option<String>,
    /// True if the choice is not dominated: no other choice on this link is better in one respect
    /// and no worse in the others.
    pub pareto: bool,
    /// True if the choice is the fastest within the budget on this link.
    pub best: bool,
}

impl Point {
    /// Determines whether the choice meets the budget and the rate, and otherwise the first reason
    /// why not.
    pub(super) fn judged(mut self, workload: &Workload) -> Self {
        let Workload { budget_us, rate, .. } = *workload;
        let total = self.total_us.tail();
        let slow = self.sustained_hz.filter(|hz| *hz < rate);
        self.why_not = match (total > budget_us, slow) {
            (false, None) => None,
            (false, Some(hz)) => Some(format!("prepares {hz:.0} a second, asked are {rate:.0}")),
            (true, _) if self.wire_us.p50 > budget_us => {
                Some(format!("the link alone takes {:.1} us", self.wire_us.p50))
            }
            (true, _) => Some(match self.lower_bound_us.filter(|bound| *bound > budget_us) {
                Some(bound) => format!("no number of units takes less than {bound:.1} us"),
                None => largest(&self, total),
            }),
        };
        self.within_budget = self.why_not.is_none();
        self
    }
}

/// Describes the part that takes the longest time.
fn largest(point: &Point, total: f64) -> String {
    let parts =
        [("signing", point.sign_us), ("the link", point.wire_us), ("verifying", point.verify_us)];
    let longest = parts.into_iter().max_by(|a, b| a.1.tail().total_cmp(&b.1.tail()));
    let (name, time) = longest.unwrap_or(("all", point.total_us));
    format!("takes {total:.1} us, most of it {name} with {:.1} us", time.tail())
}

/// Marks the fastest choice within the budget.
pub(super) fn mark_best(points: &mut [Point]) {
    let better = |a: &&mut Point, b: &&mut Point| {
        let key = |p: &Point| (p.total_us.tail(), p.signature_bytes, p.signer_memory_bytes);
        key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
    };
    if let Some(best) = points.iter_mut().filter(|p| p.within_budget).min_by(better) {
        best.best = true;
    }
}
