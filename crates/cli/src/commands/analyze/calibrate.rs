//! `hasten analyze calibrate`: measures the kernels of this machine, and predicts the times of
//! signing and verification.

use std::path::PathBuf;

use hasten_measure::Watch;
use hasten_measure::calibrate;

use crate::backend::Backend;
use crate::error::Error;
use crate::files::{self, Old, Wanted};
use crate::interrupt::Interrupt;
use crate::output::print;
use crate::report::{self, Machine};
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
    /// Writes the report to FILE, for `hasten explore --machines FILE`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replaces a file that is there already.
    #[arg(long, requires = "out")]
    force: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Measures, predicts and prints.
pub fn run(args: &Args) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    args.out.iter().try_for_each(|file| files::check(file, Old::forced(args.force), &[]))?;
    let (backend, kernels) = args.backend.kernels()?;
    let bars = Bars::new(&interrupt);
    let hear = |progress: hasten_measure::Progress<'_>| bars.hear(progress);
    let done = calibrate::run(kernels, args.samples, Watch::new(&hear))?;
    if !args.json {
        print(&done.text())?;
    }
    let rows = done.rows();
    let report = report::new("hasten.calibration/1", Some(Machine::with(backend)), &rows).json();
    if let Some(file) = &args.out {
        let line = report.clone() + "\n";
        files::write(file, Wanted::forced(args.force), line.as_bytes())?;
    }
    if args.json { print(&report) } else { Ok(()) }
}
