//! `hasten analyze calibrate`: measures the kernels of this machine, and predicts from that.

use hasten_measure::Watch;
use hasten_measure::calibrate::{self, MICROS, Prediction, SHARE};

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::names::Backend;
use crate::output::print;
use crate::report::{self, Machine};
use crate::table::{Table, numbers, words};
use crate::units;
use crate::watch::Bars;

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

/// Measures, predicts and prints.
pub fn run(args: &Args) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    let (backend, kernels) = args.backend.kernels()?;
    let bars = Bars::new(&interrupt);
    let hear = |progress: hasten_measure::Progress<'_>| bars.hear(progress);
    let done = calibrate::run(kernels, args.samples, Watch::new(&hear))?;
    if args.json {
        let machine = Some(Machine::with(backend));
        return print(&report::new("hasten.calibration/1", machine, &done.rows()).json());
    }
    let rows: Vec<&Prediction> = done.predictions().collect();
    print(&table(&rows))?;
    let good = rows.iter().filter(|row| row.good && !row.fixed_from_here).count();
    let all = rows.iter().filter(|row| !row.fixed_from_here).count();
    print(&format!(
        "\n{good} of {all} medians within {:.0} % or {MICROS} us of what was predicted",
        100.0 * SHARE
    ))
}

fn table(rows: &[&Prediction]) -> String {
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
    Table::new(columns).print(&rows.iter().copied().map(cells).collect::<Vec<_>>())
}
