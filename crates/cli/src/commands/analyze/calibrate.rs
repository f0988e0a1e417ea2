//! `hasten analyze calibrate`: what this machine's kernels take, and how well that predicts what
//! signatures and verifications take, measured in the same run.

mod kernels;
mod rest;
mod rounds;

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use hasten_kernels::{Counting, Kernels};
use hasten_model::costs::{Cost, Costs, Forecast, What};
use hasten_report::{Summary, round};
use serde::Serialize;

use crate::commands::bench::{Clock, Meter, Rung};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::names::Backend;
use crate::output::print;
use crate::report::{self, Machine};
use crate::table::{Table, numbers, words};
use crate::{cpu, key, units};

/// The sets that the fixed costs of their schemes are taken from.
const FIRST: [&str; 2] = ["XMSS-SHA2_10_256", "LMS_SHA256_M32_H10_W4"];
/// The sets that are predicted.
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

/// A prediction is good within this share of the median, or within this many microseconds.
const SHARE: f64 = 0.15;
const MICROS: f64 = 2.0;
/// Signatures of each level that are predicted: their digits vary, not what they cost.
const FORECAST: usize = 100;

/// Arguments of `hasten analyze calibrate`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    backend: Backend,
    /// Signatures of each level, at most 170.
    #[arg(long, value_name = "N", default_value = "170", value_parser = units::count)]
    samples: usize,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// A row of the report: a cost, or a prediction.
#[derive(Serialize)]
#[serde(untagged)]
enum Row {
    Cost {
        measured: &'static str,
        alg: &'static str,
        #[serde(flatten)]
        cost: Cost,
    },
    Prediction(Prediction),
}

/// What was predicted of an operation, beside what it took.
#[derive(Serialize)]
struct Prediction {
    measured: &'static str,
    alg: &'static str,
    op: &'static str,
    level: &'static str,
    predicted_us: Summary,
    time_us: Summary,
    off_us: f64,
    good: bool,
    fixed_from_here: bool,
}

/// A set by what its calls cost, and its operations by what was predicted of them.
struct Calibrated {
    set: &'static Set,
    costs: Costs,
    rows: Vec<Prediction>,
}

/// Measures, predicts and prints.
pub fn run(args: &Args) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    let (backend, kernels) = args.backend.kernels()?;
    let mut fixed = Costs::default();
    let mut done = Vec::new();
    for name in FIRST.into_iter().chain(SETS) {
        let set = Set::named(name)?;
        done.push(calibrate(args, set, kernels, &mut fixed, &interrupt)?);
    }
    if args.json {
        let rows = rows(done, &fixed);
        let machine = Some(Machine::with(backend));
        return print(&report::new("hasten.calibration/1", machine, &rows).json());
    }
    let rows: Vec<Prediction> = done.into_iter().flat_map(|set| set.rows).collect();
    print(&table(&rows))?;
    let good = rows.iter().filter(|row| row.good && !row.fixed_from_here).count();
    let all = rows.iter().filter(|row| !row.fixed_from_here).count();
    print(&format!(
        "\n{good} of {all} medians within {:.0} % or {MICROS} us of what was predicted",
        100.0 * SHARE
    ))
}

/// The costs of every set, those that belong to none, and the predictions.
fn rows(done: Vec<Calibrated>, fixed: &Costs) -> Vec<Row> {
    let cost = |alg: &'static str| {
        move |cost: &Cost| Row::Cost { measured: "cost", alg, cost: cost.clone() }
    };
    let mut rows = Vec::new();
    for Calibrated { set, costs, .. } in &done {
        rows.extend(costs.rows().iter().map(cost(set.name)));
    }
    rows.extend(fixed.rows().iter().map(cost("")));
    rows.extend(done.into_iter().flat_map(|set| set.rows).map(Row::Prediction));
    rows
}

/// Measures a set's calls and its operations in turn, and predicts these from those.
fn calibrate(
    args: &Args,
    set: &'static Set,
    kernels: Kernels<'static>,
    fixed: &mut Costs,
    interrupt: &Interrupt,
) -> Result<Calibrated, Error> {
    let each = args.samples.min(set.capacity() as usize / rounds::SHARE);
    let signer = key::generate(set, kernels, hasten_report::cores(), interrupt)?;
    let (timed, costs) = cpu::pinned(|| {
        let mut pieces = kernels::pieces(set, kernels);
        let mut bench = kernels::Bench::new(&mut pieces);
        let mut between = || bench.round();
        let timed = rounds::climb(signer, kernels, &Clock, each, interrupt, &mut between)?;
        Ok::<_, Error>((timed, bench.costs(set)))
    })?;
    if set.name == FIRST[0] {
        let rest = rest::measure(set, kernels, &timed, interrupt)?;
        rest.into_iter().for_each(|cost| fixed.add(cost));
    }
    let expected = expect(set, kernels, &costs, each, interrupt)?;
    let pairs = timed.iter().zip(&expected);
    let rows = pairs.map(|(time, guess)| predict(set, time, guess, (&costs, &mut *fixed)));
    let rows = rows.collect();
    Ok(Calibrated { set, costs, rows })
}

/// A prediction beside the measurement; the first of a scheme says what the fixed cost is. It was
/// measured at another time: what plain code takes now and took then says how much slower the
/// machine is.
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

/// The same operations, their cost added up call by call instead of timed.
fn expect(
    set: &'static Set,
    kernels: Kernels<'static>,
    costs: &Costs,
    each: usize,
    interrupt: &Interrupt,
) -> Result<Vec<Rung>, Error> {
    let forecast = Forecast::new(costs, set);
    let counting = Counting::new(kernels, &forecast);
    let signer = key::generate(set, counting.kernels(), 1, interrupt)?;
    let meter = Sum(&forecast);
    rounds::climb(signer, counting.kernels(), &meter, each.min(FORECAST), interrupt, &mut || ())
}

/// A measure of cost that adds up a forecast.
struct Sum<'f, 'c>(&'f Forecast<'c>);

impl Meter for Sum<'_, '_> {
    fn cost<R>(&self, work: impl FnOnce() -> R) -> (R, f64) {
        let before = self.0.total();
        let result = work();
        (result, self.0.total() - before)
    }
}

fn table(rows: &[Prediction]) -> String {
    let columns = vec![
        words("set"),
        words("operation"),
        words("level"),
        numbers("predicted us"),
        numbers("median us"),
        numbers("p99 us"),
        numbers("off us"),
        numbers("off"),
        words("good"),
    ];
    let cells = |row: &Prediction| {
        vec![
            row.alg.to_owned(),
            row.op.to_owned(),
            row.level.to_owned(),
            format!("{:.1}", row.predicted_us.p50),
            format!("{:.1}", row.time_us.p50),
            format!("{:.1}", row.time_us.p99),
            format!("{:+.1}", row.off_us),
            format!("{:+.0} %", 100.0 * row.off_us / row.time_us.p50.max(1e-9)),
            if row.good { "yes" } else { "no" }.to_owned(),
        ]
    };
    Table::new(columns).print(&rows.iter().map(cells).collect::<Vec<_>>())
}
