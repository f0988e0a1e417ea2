//! `hasten bench`: measures the time of one operation, and compares it with other implementations
//! in the same run.

mod channel;

use std::process::ExitCode;

use clap::ValueEnum;
use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_measure::kernels::{self, Backend as Named};
use hasten_measure::row::{self, Row};
use hasten_measure::{Watch, pin, schemes};

use crate::backend::Backend;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::parse;
use crate::report::{self, Machine};
use crate::watch::Bars;
use crate::{key, units};

/// Arguments of `hasten bench`.
#[derive(clap::Args)]
#[command(after_help = include_str!("bench.txt"))]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Args {
    #[command(subcommand)]
    other: Option<Other>,
    /// Subject to measure [default: kernels, which takes a few seconds; with --alg xmss too].
    what: Option<What>,
    /// Only these parameter sets.
    #[arg(long, value_name = "NAME", value_parser = parse::set)]
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
    /// Returns true if neither a subject nor a set was selected.
    fn is_short(&self) -> bool {
        self.what.is_none() && self.alg.is_empty()
    }

    /// Returns an error for a set without levels, unless the subject is `hbs`, which measures it.
    fn check(&self) -> Result<(), Error> {
        let stateless = self.alg.iter().find(|set| !parse::is_stateful(set));
        match stateless {
            Some(set) if self.what != Some(What::Hbs) => Err(Error::NoLevels(set.name)),
            _ => Ok(()),
        }
    }
}

/// Note on the short measurement, which also names the longer ones.
const SHORT: &str = "measuring the kernels, a few seconds; 'hasten bench xmss' and 'hasten bench \
    hbs' measure schemes, a few minutes each, 'hasten bench channel' messages at a rate, an hour";

/// The subjects that have arguments of their own.
#[derive(clap::Subcommand)]
enum Other {
    /// Signs, sends and verifies messages at a rate, beside other algorithms.
    Channel(channel::Args),
}

/// The subjects.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum What {
    /// SHA-256, SHA-512 and Keccak, beside the crates sha2 and keccak.
    Kernels,
    /// XMSS: key generation, and signing and verifying at every level.
    Xmss,
    /// LMS, XMSS, XMSS^MT and SLH-DSA, on portable and on the best backend.
    Hbs,
}

/// Measures and prints. Rows that are finished at Ctrl-C are printed too.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    if let Some(Other::Channel(args)) = &args.other {
        return channel::run(args);
    }
    args.check()?;
    if args.is_short() {
        note(SHORT);
    }
    let interrupt = Interrupt::listen()?;
    let (backend, _) = args.backend.kernels()?;
    let machine = Machine::with(backend);
    let bars = Bars::new(&interrupt);
    let hear = |progress: hasten_measure::Progress<'_>| bars.hear(progress);
    let mut rows = Vec::new();
    let ended = measure_all(args, Watch::new(&hear), &mut rows);
    report::show(args.json, "hasten.bench/1", Some(machine), &rows, || row::table(&rows))?;
    ended.map(|()| ExitCode::SUCCESS)
}

fn measure_all(args: &Args, watch: Watch<'_>, rows: &mut Vec<Row>) -> Result<(), Error> {
    if matches!(args.what, None | Some(What::Kernels)) {
        let backends = args.backends(|_| Kernels::available().collect())?;
        pin::pinned(watch, || kernels::measure(&backends, args.samples, watch, rows))?;
    }
    match args.what {
        None if args.is_short() => Ok(()),
        None | Some(What::Xmss) => levels(args, watch, rows),
        Some(What::Hbs) => {
            let backends = args.backends(with_portable)?;
            let sets = args.sets(schemes::usual);
            Ok(schemes::measure(&sets, &backends, args.samples, watch, rows)?)
        }
        Some(What::Kernels) => Ok(()),
    }
}

/// Measures XMSS at every level. First warns of tall trees that will take long.
fn levels(args: &Args, watch: Watch<'_>, rows: &mut Vec<Row>) -> Result<(), Error> {
    let backend = args.backend.kernels()?;
    let sets = args.sets(schemes::usual_levels);
    key::warn_if_slow(backend.1, &sets, schemes::keys(), watch)?;
    Ok(schemes::levels(&sets, backend, args.samples, watch, rows)?)
}

/// Returns the portable backend and `best`, or only `best` if they are the same.
fn with_portable(best: Named) -> Vec<Named> {
    let portable = ("portable", Kernels::portable());
    if best.0 == portable.0 { vec![best] } else { vec![portable, best] }
}

impl Args {
    /// Returns the selected sets, or the usual ones.
    fn sets(&self, usual: fn() -> Vec<&'static Set>) -> Vec<&'static Set> {
        if self.alg.is_empty() { usual() } else { self.alg.clone() }
    }

    /// Returns the selected backend, or the backends that `otherwise` makes of the best one.
    fn backends(&self, otherwise: impl Fn(Named) -> Vec<Named>) -> Result<Vec<Named>, Error> {
        let best = self.backend.kernels()?;
        Ok(if self.backend.is_forced() { vec![best] } else { otherwise(best) })
    }
}
