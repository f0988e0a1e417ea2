//! Costs of the calls of a backend, measured once, and the time of an operation predicted from
//! them.
//!
//! A call of a kernel is a batch or a group of chains. A batch of b messages takes the time
//! measured for b. Chains run in lanes, the longest first, and a lane whose chain ends takes the
//! next one. A step with a chains in progress takes the time measured for a.

use std::collections::BinaryHeap;
use std::sync::Mutex;

use hasten_hbs::params::Scheme;
use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::{Event, Observer, Which};
use serde::{Deserialize, Serialize};

/// The kind of a measured cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A batch of messages of one block.
    Batch,
    /// A step of chains whose rule puts a head before the value.
    Tweak,
    /// A step of chains whose keys and masks are computed on the way.
    Masked,
    /// A step of chains whose keys and masks were computed before.
    Rows,
    /// Moving one chain into a lane and out again.
    Fill,
    /// Starting and finishing the chains of a call.
    Call,
    /// The time that rest adds to an operation.
    Rested,
    /// A hash by portable code, to compare the speed of the machine at two times.
    Plain,
    /// The time of an operation that is not spent in its calls.
    Fixed,
}

/// One measured cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The kind of cost.
    pub what: What,
    /// The kernel: `sha256`, `sha512` or `keccak`. For a fixed cost or one after rest, the
    /// operation.
    pub of: String,
    /// Length of a value in bytes; 0 if `of` is an operation.
    #[serde(default)]
    pub n: usize,
    /// The level, if `of` is an operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Number of messages in the batch, or of concurrent chains. For a fixed cost, the bytes held
    /// ready; for one after rest, the nanoseconds of the operation without rest.
    pub count: usize,
    /// Time of the whole batch or step, in microseconds.
    pub cost_us: f64,
}

/// The costs of a backend.
#[derive(Clone, Debug, Default)]
pub struct Costs(Vec<Cost>);

/// Returns the name by which costs refer to a kernel.
#[must_use]
pub const fn kernel(which: Which) -> &'static str {
    match which {
        Which::Sha256 => "sha256",
        Which::Sha512 => "sha512",
        Which::Keccak => "keccak",
    }
}

impl Costs {
    /// Creates costs from measured rows.
    #[must_use]
    pub fn new(mut rows: Vec<Cost>) -> Self {
        rows.sort_by_key(|cost| cost.count);
        Self(rows)
    }

    /// Returns the rows.
    #[must_use]
    pub fn rows(&self) -> &[Cost] {
        &self.0
    }

    /// Adds a row.
    pub fn add(&mut self, cost: Cost) {
        self.0.push(cost);
        self.0.sort_by_key(|cost| cost.count);
    }

    /// Returns the cost for `count` values of n bytes, interpolated between the nearest measured
    /// counts. A count beyond the largest measured one is divided into pieces of that size. Returns
    /// 0 if nothing was measured.
    #[must_use]
    pub fn at(&self, what: What, (of, n): (&str, usize), count: usize) -> f64 {
        let same = move |cost: &&Cost| cost.what == what && cost.of == of && cost.n == n;
        let rows = || self.0.iter().filter(same);
        let Some(largest) = rows().next_back() else { return 0.0 };
        if count > largest.count {
            let rest = self.at(what, (of, n), count % largest.count);
            return (count / largest.count) as f64 * largest.cost_us + rest;
        }
        let above = rows().find(|cost| cost.count >= count).unwrap_or(largest);
        let below = rows().rfind(|cost| cost.count <= count);
        let (x0, y0) = below.map_or((0, 0.0), |cost| (cost.count, cost.cost_us));
        if above.count == x0 {
            return above.cost_us;
        }
        let share = (count - x0) as f64 / (above.count - x0) as f64;
        y0 + share * (above.cost_us - y0)
    }

    /// Returns the fixed cost of an operation at a level. It is the same for all sets of a scheme,
    /// except at level `chain-table`: there it grows with the `held` bytes, which are overwritten
    /// when the signature is made.
    #[must_use]
    pub fn fixed(&self, operation: &str, level: &str, held: usize) -> f64 {
        let same = |cost: &&Cost| {
            cost.what == What::Fixed && cost.of == operation && cost.level.as_deref() == Some(level)
        };
        let table = level == SignerLevel::ChainTable.name();
        let share = |cost: &Cost| if table { held as f64 / cost.count.max(1) as f64 } else { 1.0 };
        self.0.iter().find(same).map_or(0.0, |cost| cost.cost_us * share(cost))
    }

    /// Returns the time of chains with these lengths, whose values have n bytes.
    #[must_use]
    pub fn chains(&self, what: What, (of, n): (&str, usize), mut lengths: Vec<u32>) -> f64 {
        lengths.retain(|steps| *steps > 0);
        lengths.sort_unstable();
        let same = |c: &&Cost| c.what == what && c.of == of && c.n == n;
        let lanes = self.0.iter().filter(same).map(|c| c.count).max();
        let (lanes, filled) = (lanes.unwrap_or(1), lengths.len());
        // The time, in steps, at which the chain in each lane ends.
        let mut ends: BinaryHeap<std::cmp::Reverse<u32>> = BinaryHeap::new();
        let (mut now, mut time) = (0, 0.0);
        loop {
            while ends.len() < lanes
                && let Some(steps) = lengths.pop()
            {
                ends.push(std::cmp::Reverse(now + steps));
            }
            let Some(std::cmp::Reverse(end)) = ends.peek().copied() else { break };
            time += f64::from(end - now) * self.at(what, (of, n), ends.len());
            now = end;
            while ends.peek().is_some_and(|std::cmp::Reverse(e)| *e == now) {
                ends.pop();
            }
        }
        if filled == 0 {
            return 0.0;
        }
        time + self.at(What::Call, (of, n), 1) + filled as f64 * self.at(What::Fill, (of, n), 1)
    }

    fn event(&self, set: &Set, which: Which, event: &Event<'_>) -> f64 {
        let of = (kernel(which), set.n);
        let masks = !matches!(set.scheme, Scheme::Lms { .. });
        match event {
            Event::Batch { states } => self.at(What::Batch, of, *states),
            Event::Digests { messages, each } => *each as f64 * self.at(What::Batch, of, *messages),
            Event::Chains { spans, step } => {
                let steps = spans.iter().map(|span| span.steps).collect();
                self.chains(rule(*step, masks), of, steps)
            }
            Event::Walk { chains, steps, step } => {
                self.chains(rule(*step, masks), of, vec![*steps; *chains])
            }
            _ => 0.0,
        }
    }
}

/// Returns the kind of cost of chain steps that take `step` compressions each.
const fn rule(step: u64, masks: bool) -> What {
    match (step, masks) {
        (1 | 2, true) => What::Rows,
        (_, false) => What::Tweak,
        _ => What::Masked,
    }
}

/// An observer that adds up the predicted time of all calls.
pub struct Forecast<'c> {
    costs: &'c Costs,
    set: &'static Set,
    total: Mutex<f64>,
}

impl<'c> Forecast<'c> {
    /// Creates a forecast with these costs, for operations of `set`.
    #[must_use]
    pub fn new(costs: &'c Costs, set: &'static Set) -> Self {
        Self { costs, set, total: Mutex::new(0.0) }
    }

    /// Returns the sum so far, in microseconds.
    #[must_use]
    pub fn total(&self) -> f64 {
        *self.total.lock().expect("nobody panics while adding")
    }
}

impl Observer for Forecast<'_> {
    fn event(&self, which: Which, event: Event<'_>) {
        let cost = self.costs.event(self.set, which, &event);
        *self.total.lock().expect("nobody panics while adding") += cost;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(rows: &[(What, usize, f64)]) -> Costs {
        let row = |(what, count, cost_us): &(What, usize, f64)| Cost {
            what: *what,
            of: "sha256".into(),
            n: 32,
            level: None,
            count: *count,
            cost_us: *cost_us,
        };
        Costs::new(rows.iter().map(row).collect())
    }

    #[test]
    fn between_and_beyond_what_was_measured() {
        let costs = costs(&[(What::Batch, 1, 1.0), (What::Batch, 4, 4.0), (What::Batch, 8, 5.0)]);
        for (count, want) in [(0, 0.0), (1, 1.0), (2, 2.0), (6, 4.5), (8, 5.0), (17, 11.0)] {
            assert!((costs.at(What::Batch, ("sha256", 32), count) - want).abs() < 1e-9, "{count}");
        }
        assert_eq!(costs.at(What::Batch, ("keccak", 32), 3), 0.0);
        assert_eq!(costs.at(What::Batch, ("sha256", 24), 3), 0.0);
    }

    #[test]
    fn lanes_take_the_longest_chain_first() {
        let costs = costs(&[(What::Tweak, 1, 1.0), (What::Tweak, 2, 1.5)]);
        // Two lanes: chains 5 and 4 run together for 4 steps, the last step of 5 with 3, and the
        // other two of 3 alone.
        let time = costs.chains(What::Tweak, ("sha256", 32), vec![3, 5, 0, 4]);
        assert!((time - (4.0 * 1.5 + 1.0 * 1.5 + 2.0 * 1.0)).abs() < 1e-9, "{time}");
    }
}
