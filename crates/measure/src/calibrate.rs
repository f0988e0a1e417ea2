//! The cost of every kernel call on this machine, and how well these costs predict the times of
//! signatures and verifications measured in the same run.

mod kernels;
mod rest;
mod rounds;
mod text;

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use hasten_kernels::{Counting, Kernels};
use hasten_model::costs::{Cost, Costs, Forecast, What};
use hasten_report::{Summary, round};
use serde::Serialize;

use crate::meter::{Clock, Meter};
use crate::schemes::rungs::Rung;
use crate::{Error, Watch, keygen, pin};

/// Sets from which the fixed costs of their schemes are taken.
const FIRST: [&str; 2] = ["XMSS-SHA2_10_256", "LMS_SHA256_M32_H10_W4"];
/// Sets whose operations are predicted.
const SETS: [&str; 10] = [
    "XMSS-SHA2_10_192",
    "XMSS-SHA2_10_512",
    "XMSS-SHAKE_10_256",
    "XMSS-SHAKE256_10_192",
    "XMSS-SHAKE256_10_256",
    "LMS_SHA256_M32_H10_W2",
    "LMS_SHA256_M32_H10_W8",
    "LMS_SHA256_M24_H10_W2",
    "LMS_SHA256_M24_H10_W4",
    "LMS_SHA256_M24_H10_W8",
];

/// Bounds of a good prediction: it differs from the median by at most this share, or by at most
/// [`MICROS`].
pub const SHARE: f64 = 0.15;
/// Absolute bound of a good prediction, in microseconds.
pub const MICROS: f64 = 2.0;
/// Maximum number of signatures of each level that are predicted. They differ only in their digits.
const FORECAST: usize = 100;

/// A row of the report: a cost, or a prediction.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Row {
    /// A cost.
    Cost {
        /// `cost`.
        measured: &'static str,
        /// Parameter set, or nothing.
        alg: &'static str,
        /// The cost.
        #[serde(flatten)]
        cost: Cost,
    },
    /// A prediction.
    Prediction(Prediction),
}

/// Prediction of the times of an operation, with the measured times.
#[derive(Serialize)]
pub struct Prediction {
    measured: &'static str,
    /// Parameter set.
    pub alg: &'static str,
    /// Operation.
    pub op: &'static str,
    /// Level of preparation.
    pub level: &'static str,
    /// Times predicted.
    pub predicted_us: Summary,
    /// Times measured.
    pub time_us: Summary,
    /// Difference of the medians: predicted less measured.
    pub off_us: f64,
    /// True if the difference is within the bound.
    pub good: bool,
    /// True if the fixed cost of the operation was taken from this measurement.
    pub fixed_from_here: bool,
}

/// A set with the costs of its calls and the predictions of its operations.
struct Calibrated {
    set: &'static Set,
    costs: Costs,
    rows: Vec<Prediction>,
}

/// Measures every set with these kernels, up to `samples` signatures of each level, and predicts
/// their times.
///
/// # Errors
/// [`Error::Stopped`], or the error of a scheme.
pub fn run(
    kernels: Kernels<'static>,
    samples: usize,
    watch: Watch<'_>,
) -> Result<Calibration, Error> {
    let mut fixed = Costs::default();
    let mut sets = Vec::new();
    for name in FIRST.into_iter().chain(SETS) {
        let set = Set::named(name)?;
        sets.push(calibrate(samples, set, kernels, &mut fixed, watch)?);
    }
    Ok(Calibration { sets, fixed })
}

/// The costs and the predictions of all sets.
pub struct Calibration {
    sets: Vec<Calibrated>,
    fixed: Costs,
}

impl Calibration {
    /// Returns only the predictions.
    pub fn predictions(&self) -> impl Iterator<Item = &Prediction> {
        self.sets.iter().flat_map(|set| &set.rows)
    }

    /// Returns a table of the predictions and the number of good ones.
    pub fn text(&self) -> String {
        text::text(&self.predictions().collect::<Vec<_>>())
    }

    /// Returns the costs of every set, the costs common to all sets, and the predictions.
    pub fn rows(self) -> Vec<Row> {
        let cost = |alg: &'static str| {
            move |cost: &Cost| Row::Cost { measured: "cost", alg, cost: cost.clone() }
        };
        let mut rows = Vec::new();
        for Calibrated { set, costs, .. } in &self.sets {
            rows.extend(costs.rows().iter().map(cost(set.name)));
        }
        rows.extend(self.fixed.rows().iter().map(cost("")));
        rows.extend(self.sets.into_iter().flat_map(|set| set.rows).map(Row::Prediction));
        rows
    }
}

/// Measures the calls and the operations of a set in turn, and predicts the operations from the
/// calls.
fn calibrate(
    samples: usize,
    set: &'static Set,
    kernels: Kernels<'static>,
    fixed: &mut Costs,
    watch: Watch<'_>,
) -> Result<Calibrated, Error> {
    let each = samples.min(set.capacity() as usize / rounds::SHARE);
    let signer = keygen::generate(set, kernels, hasten_report::cores(), watch)?;
    let (timed, costs) = pin::pinned(watch, || {
        let mut pieces = kernels::pieces(set, kernels);
        let mut bench = kernels::Bench::new(&mut pieces);
        let mut between = || bench.round();
        let timed = rounds::climb(signer, kernels, &Clock, each, watch, &mut between)?;
        Ok::<_, Error>((timed, bench.costs(set)))
    })?;
    if set.name == FIRST[0] {
        let rest = rest::measure(set, kernels, &timed, watch)?;
        rest.into_iter().for_each(|cost| fixed.add(cost));
    }
    let expected = expect(set, kernels, &costs, each, watch)?;
    let pairs = timed.iter().zip(&expected);
    let rows = pairs.map(|(time, guess)| predict(set, time, guess, (&costs, &mut *fixed)));
    let rows = rows.collect();
    Ok(Calibrated { set, costs, rows })
}

/// Compares a prediction with the measurement. The first set of a scheme determines the fixed cost
/// of the operation. That was measured at another time, so the fixed cost is scaled by the ratio of
/// the times of portable code now and then.
fn predict(
    set: &'static Set,
    time: &Rung,
    guess: &Rung,
    (costs, fixed): (&Costs, &mut Costs),
) -> Prediction {
    let scheme = if matches!(set.scheme, Scheme::Lms { .. }) { "lms" } else { "xmss" };
    let (name, held) = (format!("{scheme} {}", time.op), time.bytes);
    let (time_us, sum) = (Summary::of(&time.costs), Summary::of(&guess.costs));
    let known = |cost: &Cost| {
        cost.what == What::Fixed && cost.of == name && cost.level.as_deref() == Some(time.level)
    };
    let first = !fixed.rows().iter().any(known);
    let plain = costs.at(What::Plain, kernels::name(set), 1);
    if first {
        let cost_us = round((time_us.p50 - sum.p50).max(0.0));
        let (level, of) = (Some(time.level.to_owned()), name.clone());
        if fixed.at(What::Plain, (&of, 0), 1) == 0.0 {
            let (what, of) = (What::Plain, of.clone());
            fixed.add(Cost { what, of, n: 0, level: None, count: 1, cost_us: plain });
        }
        fixed.add(Cost { what: What::Fixed, of, n: 0, level, count: held, cost_us });
    }
    let slower = plain / fixed.at(What::Plain, (&name, 0), 1).max(1e-9);
    let predicted_us = sum.plus(slower * fixed.fixed(&name, time.level, held));
    let off_us = round(predicted_us.p50 - time_us.p50);
    let good = off_us.abs() <= (SHARE * time_us.p50).max(MICROS);
    let (measured, alg, op, level) = ("prediction", set.name, time.op, time.level);
    let fixed_from_here = first;
    Prediction { measured, alg, op, level, predicted_us, time_us, off_us, good, fixed_from_here }
}

/// Runs the same operations, adding up the known cost of each call instead of measuring time.
fn expect(
    set: &'static Set,
    kernels: Kernels<'static>,
    costs: &Costs,
    each: usize,
    watch: Watch<'_>,
) -> Result<Vec<Rung>, Error> {
    let forecast = Forecast::new(costs, set);
    let counting = Counting::new(kernels, &forecast);
    let signer = keygen::generate(set, counting.kernels(), 1, watch)?;
    let meter = Sum(&forecast);
    rounds::climb(signer, counting.kernels(), &meter, each.min(FORECAST), watch, &mut || ())
}

/// A meter that adds up the forecast costs of calls.
struct Sum<'f, 'c>(&'f Forecast<'c>);

impl Meter for Sum<'_, '_> {
    fn cost<R>(&self, work: impl FnOnce() -> R) -> (R, f64) {
        let before = self.0.total();
        let result = work();
        (result, self.0.total() - before)
    }
}
