//! One choice, what it comes to, and why not it.

use serde::Serialize;

use super::{Time, Workload};

/// One choice, and what it comes to.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The scheme.
    pub scheme: &'static str,
    /// The parameter set.
    pub alg: String,
    /// The machine.
    pub machine: String,
    /// Bits per second of the link.
    pub link_bits: f64,
    /// Levels and delivery.
    pub schedule: String,
    /// Bytes of a signature.
    pub signature_bytes: usize,
    /// From message to signature.
    pub sign_us: Time,
    /// On the link.
    pub wire_us: Time,
    /// From all input to the verdict.
    pub verify_us: Time,
    /// From message to verdict.
    pub total_us: Time,
    /// The least possible in this way of delivery; absent where it is not known.
    pub lower_bound_us: Option<f64>,
    /// Bound without overlap over the time.
    pub eta_seq: Option<f64>,
    /// Bound with overlap over the time.
    pub eta_stream: Option<f64>,
    /// The link alone over the time.
    pub eta_wire: f64,
    /// Bytes a signer holds: the tree, and one prepared index for each message of a burst.
    pub signer_memory_bytes: usize,
    /// Signatures of a key; absent where there is no end.
    pub signatures: Option<u64>,
    /// Gate equivalents of both sides, in thousands.
    pub area_kge: Option<f64>,
    /// Signatures a second that can be prepared for.
    pub sustained_hz: Option<f64>,
    /// How long a key lasts at the rate of messages, in seconds.
    pub lasts_s: Option<f64>,
    /// Indices to hold prepared.
    pub pool: u64,
    /// True if the budget holds.
    pub within_budget: bool,
    /// Why it does not.
    pub why_not: Option<String>,
    /// True if no other choice on this link is better in one respect and no worse in the others.
    pub pareto: bool,
    /// True if it is the fastest within the budget on this link.
    pub best: bool,
}

impl Point {
    /// Says whether the budget holds, or the first thing that makes it impossible.
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

/// Returns what takes most of the time.
fn largest(point: &Point, total: f64) -> String {
    let parts =
        [("signing", point.sign_us), ("the link", point.wire_us), ("verifying", point.verify_us)];
    let longest = parts.into_iter().max_by(|a, b| a.1.tail().total_cmp(&b.1.tail()));
    let (name, time) = longest.unwrap_or(("all", point.total_us));
    format!("takes {total:.1} us, most of it {name} with {:.1} us", time.tail())
}

/// Marks the fastest within the budget.
pub(super) fn mark_best(points: &mut [Point]) {
    let better = |a: &&mut Point, b: &&mut Point| {
        let key = |p: &Point| (p.total_us.tail(), p.signature_bytes, p.signer_memory_bytes);
        key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
    };
    if let Some(best) = points.iter_mut().filter(|p| p.within_budget).min_by(better) {
        best.best = true;
    }
}
