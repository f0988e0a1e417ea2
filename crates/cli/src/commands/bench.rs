//! `hasten bench`: what one operation takes, beside other implementations in the same run.

mod hbs;
mod kernels;
mod measure;
mod meter;
mod peers;
mod row;
mod rungs;
mod slhdsa;
mod xmss;

use std::process::ExitCode;

use clap::ValueEnum;
use hasten_hbs::Set;

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::names::{self, Backend};
use crate::output::print;
use crate::report::{self, Machine};
use crate::{cpu, units};
use row::Row;

pub use measure::Subject;
pub use meter::{Clock, Meter};
pub use rungs::{Rung, sign, verify};

/// Arguments of `hasten bench`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hasten bench kernels\n  \
    hasten bench xmss --alg XMSS-SHA2_10_256 --backend avx2\n  \
    hasten bench hbs --alg LMS_SHA256_M32_H10_W4 --alg SLH-DSA-SHA2-128f\n  \
    hasten bench kernels --json > results/bench-kernels.json\n\n\
    The thread is pinned to one core, warmed up, and timed by its own CPU clock; each window of\n\
    ours is followed by one of the other implementation, so that both meet the same machine.\n\
    The sha2 crate uses SHA-NI by itself where the processor has it; built with\n\
    RUSTFLAGS='--cfg sha2_backend=\"soft\"' it is portable code, and its rows say so.")]
pub struct Args {
    /// What to measure; kernels and xmss if not given.
    what: Option<What>,
    /// Only these parameter sets.
    #[arg(long, value_name = "NAME", value_parser = names::set)]
    alg: Vec<&'static Set>,
    #[command(flatten)]
    backend: Backend,
    /// Windows of each measurement.
    #[arg(long, value_name = "N", default_value = "300", value_parser = units::count)]
    samples: usize,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Only `hbs` measures sets without levels.
    fn check(&self) -> Result<(), Error> {
        let stateless = self.alg.iter().find(|set| !names::is_stateful(set));
        match stateless {
            Some(set) if self.what != Some(What::Hbs) => Err(Error::NoLevels(set.name)),
            _ => Ok(()),
        }
    }
}

/// What can be measured.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum What {
    /// SHA-256, SHA-512 and Keccak, beside the crates sha2 and keccak.
    Kernels,
    /// XMSS: key generation, and signing and verifying at every level.
    Xmss,
    /// LMS, XMSS, XMSS^MT and SLH-DSA, on portable and on the best backend.
    Hbs,
}

/// Measures and prints; what is finished when Ctrl-C comes is printed too.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    args.check()?;
    let interrupt = Interrupt::listen()?;
    let (backend, _) = args.backend.kernels()?;
    let machine = Machine::with(backend);
    let mut rows = Vec::new();
    let ended = measure_all(args, &interrupt, &mut rows);
    print(&match args.json {
        true => report::new("hasten.bench/1", Some(machine), &rows).json(),
        false => row::table(&rows),
    })?;
    ended.map(|()| ExitCode::SUCCESS)
}

fn measure_all(args: &Args, interrupt: &Interrupt, rows: &mut Vec<Row>) -> Result<(), Error> {
    if matches!(args.what, None | Some(What::Kernels)) {
        cpu::pinned(|| kernels::measure(args, interrupt, rows))?;
    }
    match args.what {
        None | Some(What::Xmss) => xmss::measure(args, interrupt, rows),
        Some(What::Hbs) => hbs::measure(args, interrupt, rows),
        Some(What::Kernels) => Ok(()),
    }
}
