//! `hasten latency`: sign, send, verify; is the budget met, and if not, what would change that?

mod print;

use std::process::ExitCode;
use std::time::Duration;

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_measure::latency::{self, Device, LONGEST_MESSAGE, Link, Pair, Plan, Row};
use hasten_measure::{Watch, keygen, pin};
use hasten_model::ethernet;

use crate::backend::Backend;
use crate::engine::Clock;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::key;
use crate::output::print;
use crate::parse;
use crate::report::{self, Machine};
use crate::units::{self, Rate};
use crate::watch::Bars;

/// The sets measured when none is asked for.
const SETS: [&str; 2] = ["XMSS-SHA2_10_256", "XMSS-SHA2_10_192"];

/// Arguments of `hasten latency`.
#[derive(clap::Args)]
#[command(after_help = include_str!("latency.txt"))]
pub struct Args {
    /// Time allowed from message to verdict.
    #[arg(long, value_name = "TIME", default_value = "100us", value_parser = units::positive_time)]
    budget: Duration,
    /// Rate of the link.
    #[arg(long, value_name = "RATE", default_value = "1Gbit", value_parser = units::rate)]
    link: Rate,
    /// Bytes of a message.
    #[arg(long, value_name = "BYTES", default_value = "64", value_parser = message_bytes)]
    message: usize,
    /// Parameter sets [default: XMSS-SHA2_10_256 and XMSS-SHA2_10_192].
    #[arg(long, value_name = "NAME", value_parser = parse::stateful_set)]
    alg: Vec<&'static Set>,
    /// Level of the signer: what is ready before the message [default: six pairs of levels].
    #[arg(long, value_name = "LEVEL", value_parser = parse::signer_level)]
    signer: Vec<SignerLevel>,
    /// Level of the verifier: what is ready before the message.
    #[arg(long, value_name = "LEVEL", value_parser = parse::verifier_level)]
    verifier: Vec<VerifierLevel>,
    #[command(flatten)]
    backend: Backend,
    #[command(flatten)]
    clock: Clock,
    /// Messages of each row, at most as many as a key can sign.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = units::count)]
    samples: usize,
    /// Rest before every message.
    #[arg(long, value_name = "TIME", default_value = "0", value_parser = units::time)]
    idle: Duration,
    /// Runs one dummy vector step every 200 us while waiting.
    #[arg(long)]
    keep_warm: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

fn message_bytes(text: &str) -> Result<usize, crate::error::BadValue> {
    units::bytes(text, LONGEST_MESSAGE)
}

/// Measures and prints; rows that are finished when Ctrl-C comes are printed too.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen()?;
    let (backend, kernels) = args.backend.beside()?;
    let machine = Machine::with(backend);
    let sets = sets(args);
    args.check(&sets)?;
    let bars = Bars::new(&interrupt);
    let hear = |progress: hasten_measure::Progress<'_>| bars.hear(progress);
    let watch = Watch::new(&hear);
    key::warn_if_slow(kernels, &sets, args.pairs().len(), watch)?;
    let mut rows = Vec::new();
    if !args.json {
        print::opening(args, &machine, &sets)?;
    }
    let ended = measure_all(args, &sets, watch, &mut rows);
    if args.json {
        print(&report::new("hasten.latency/1", Some(machine), &rows).json())?;
    } else {
        print::closing(args, &rows)?;
    }
    ended.map(|()| ExitCode::SUCCESS)
}

impl Args {
    fn pairs(&self) -> Vec<Pair> {
        let pairs = latency::pairs(&self.signer, &self.verifier);
        if self.backend.is_engine() { latency::of_engine(&pairs) } else { pairs }
    }

    /// Returns whether the simulated engine, where it is asked for, has what is asked of it.
    fn check(&self, sets: &[&'static Set]) -> Result<(), Error> {
        sets.iter().try_for_each(|set| self.backend.engine(set).map(drop))?;
        if self.pairs().len() < latency::pairs(&self.signer, &self.verifier).len()
            && !(self.signer.is_empty() && self.verifier.is_empty())
        {
            return Err(Error::Engine("it prepares up to the masks"));
        }
        Ok(())
    }
}

fn sets(args: &Args) -> Vec<&'static Set> {
    if !args.alg.is_empty() {
        return args.alg.clone();
    }
    let sets = if args.backend.is_engine() { &SETS[..1] } else { &SETS[..] };
    sets.iter().filter_map(|name| Set::named(name).ok()).collect()
}

fn measure_all(
    args: &Args,
    sets: &[&'static Set],
    watch: Watch<'_>,
    rows: &mut Vec<Row>,
) -> Result<(), Error> {
    let (cores, table) = (pin::allowed(), print::table(sets));
    for set in sets {
        for pair in args.pairs() {
            let row = measure(args, set, pair, &cores, watch)?;
            if !args.json {
                print::row(&table, &row)?;
            }
            rows.push(row);
        }
    }
    Ok(())
}

/// Measures one row with a fresh key.
fn measure(
    args: &Args,
    set: &'static Set,
    pair: Pair,
    cores: &[usize],
    watch: Watch<'_>,
) -> Result<Row, Error> {
    let (samples, warm_up) = latency::fit(args.samples, set.capacity());
    let (_, kernels) = args.backend.beside()?;
    let seed = keygen::seed(set)?;
    let make = || latency::simulated(set);
    let device = Device { make: &make, seed: &seed, cycle: args.clock.cycle };
    let plan = Plan {
        set,
        signer: pair.signer,
        verifier: pair.verifier,
        kernels,
        device: args.backend.is_engine().then_some(&device),
        samples,
        warm_up,
        message: args.message,
        idle: args.idle,
        keep_warm: args.keep_warm,
        cores,
    };
    let signer = keygen::from_seed(set, &seed, kernels, hasten_report::cores(), watch)?;
    let payload = (args.message + set.signature_bytes()) as u64;
    let link =
        Link { bits: args.link.bits(), wire_us: ethernet::busy_us(payload, args.link.bits()) };
    Ok(latency::measure(&plan, &pair, signer, (&link, args.budget), watch)?)
}
