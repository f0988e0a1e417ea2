//! `hasten analyze calibrate`: what this machine's kernels take, and how well that predicts what
//! signatures and verifications take, measured in the same run.

mod kernels;

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use hasten_kernels::{Kernels, Probe};
use hasten_model::costs::{Cost, Costs, Forecast, What};
use serde::Serialize;

use crate::commands::bench::{Clock, Meter, Rung, climb};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::names::Backend;
use crate::output::print;
use crate::report::{Machine, Report};
use crate::stats::{Summary, round};
use crate::table::{Table, numbers, words};
use crate::{cpu, key, units};

/// The sets that are predicted; the fixed costs are taken from the first one of each scheme.
const SETS: [&str; 10] = [
    "XMSS-SHA2_10_256",
    "LMS_SHA256_M32_H10_W4",
    "XMSS-SHA2_10_192",
    "XMSS-SHA2_10_512",
    "XMSS-SHAKE_10_256",
    "XMSS-SHAKE256_10_192",
    "LMS_SHA256_M32_H10_W2",
    "LMS_SHA256_M32_H10_W8",
    "LMS_SHA256_M24_H10_W4",
    "LMS_SHA256_M24_H10_W8",
];

/// A prediction is good within this share of the median, or within this many microseconds.
const SHARE: f64 = 0.15;
const MICROS: f64 = 2.0;

/// Arguments of `hasten analyze calibrate`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    backend: Backend,
    /// Signatures of each level, at most 200.
    #[arg(long, value_name = "N", default_value = "200", value_parser = units::count)]
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

/// Measures, predicts and prints.
pub fn run(args: &Args) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    let (backend, kernels) = args.backend.kernels()?;
    let mut costs = Costs::default();
    let mut rows = Vec::new();
    for name in SETS {
        interrupt.check()?;
        let set = Set::named(name)?;
        rows.extend(predict(args, set, kernels, &mut costs, &interrupt)?);
    }
    let good = rows.iter().filter(|row| row.good).count();
    if args.json {
        let cost = |cost: &Cost| Row::Cost { measured: "cost", cost: cost.clone() };
        let all: Vec<Row> =
            costs.rows().iter().map(cost).chain(rows.into_iter().map(Row::Prediction)).collect();
        return print(
            &Report::new("hasten.calibration/1", Some(Machine::this(backend)), &all).json(),
        );
    }
    print(&table(&rows))?;
    print(&format!(
        "\n{good} of {} medians within {:.0} % or {MICROS} us of what was predicted",
        rows.len(),
        100.0 * SHARE
    ))
}

fn predict(
    args: &Args,
    set: &'static Set,
    kernels: Kernels<'static>,
    costs: &mut Costs,
    interrupt: &Interrupt,
) -> Result<Vec<Prediction>, Error> {
    let each = args.samples.min(set.capacity() as usize / 5);
    let signer = key::generate(set, kernels, cpu::cores(), interrupt)?;
    // The speed of a machine drifts: its kernels are measured right before what they are to predict.
    costs.renew(cpu::pinned(|| kernels::measure(kernels, set.hash)));
    let timed = cpu::pinned(|| climb(signer, kernels, &Clock, each, interrupt))?;
    let expected = expect(set, kernels, costs, each, interrupt)?;
    let lms = matches!(set.scheme, Scheme::Lms { .. });
    let scheme = if lms { "lms" } else { "xmss" };
    let mut rows = Vec::new();
    for (time, guess) in
        timed.iter().zip(expected).filter(|(time, _)| !time.op.ends_with("prepare"))
    {
        let name = format!("{scheme} {}", time.op);
        let (time_us, mut predicted_us) = (Summary::of(&time.costs), Summary::of(&guess.costs));
        let first = !costs
            .rows()
            .iter()
            .any(|cost| cost.of == name && cost.level.as_deref() == Some(time.level));
        if first {
            let cost_us = round((time_us.p50 - predicted_us.p50).max(0.0));
            let level = Some(time.level.to_owned());
            costs.add(Cost {
                what: What::Fixed,
                of: name.clone(),
                level,
                count: size(set, time.bytes),
                cost_us,
            });
        }
        let fixed = costs.fixed(&name, time.level, size(set, time.bytes));
        let more = |value: &mut f64| *value = round(*value + fixed);
        [
            &mut predicted_us.min,
            &mut predicted_us.p50,
            &mut predicted_us.p99,
            &mut predicted_us.max,
        ]
        .into_iter()
        .for_each(more);
        let off_us = round(predicted_us.p50 - time_us.p50);
        let good = off_us.abs() <= (SHARE * time_us.p50).max(MICROS);
        rows.push(Prediction {
            measured: "prediction",
            alg: set.name,
            op: time.op,
            level: time.level,
            predicted_us,
            time_us,
            off_us,
            good,
            fixed_from_here: first,
        });
    }
    Ok(rows)
}

/// What an operation has to go through besides hashing: what is held ready, and the signature.
fn size(set: &Set, held: usize) -> usize {
    held.max(set.signature_bytes())
}

/// The same operations, their cost added up call by call instead of timed.
fn expect(
    set: &'static Set,
    kernels: Kernels<'static>,
    costs: &Costs,
    each: usize,
    interrupt: &Interrupt,
) -> Result<Vec<Rung>, Error> {
    let masks = !matches!(set.scheme, Scheme::Lms { .. });
    let forecast = Forecast::new(costs, masks);
    let probe = Probe::new(kernels, &forecast);
    let signer = key::generate(set, probe.kernels(), 1, interrupt)?;
    climb(signer, probe.kernels(), &Sum(&forecast), each, interrupt)
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
