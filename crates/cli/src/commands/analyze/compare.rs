//! `hasten analyze compare`: latency distributions of stateless signatures.

use std::time::Duration;

use hasten_measure::Watch;
use hasten_measure::compare::{self, Plan};

use crate::backend::Backend;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::output::{note, print};
use crate::report::{self, Machine};
use crate::units;
use crate::watch::Bars;

/// Arguments of `hasten analyze compare`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    backend: Backend,
    /// Signatures and verifications of each, at most.
    #[arg(long, value_name = "N", default_value = "5000", value_parser = units::count)]
    samples: usize,
    /// Time for each operation, at most; ten samples are taken in any case.
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = units::positive_time)]
    time: Duration,
    /// Bytes of a message.
    #[arg(long, value_name = "BYTES", default_value = "64", value_parser = units::message_bytes)]
    message: usize,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
pub fn run(args: &Args) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    let (backend, kernels) = args.backend.kernels()?;
    let bars = Bars::new(&interrupt);
    let hear = |progress: hasten_measure::Progress<'_>| bars.hear(progress);
    let plan = Plan { samples: args.samples, time: args.time, message: args.message };
    let compared = compare::run(&plan, kernels, Watch::new(&hear))?;
    compared.absent.iter().for_each(|name| note(&format!("{name}: not in this build")));
    if args.json {
        let machine = Some(Machine::with(backend));
        return print(&report::new("hasten.compared/1", machine, &compared.rows).json());
    }
    print(&compare::table(&compared.rows))
}
