//! `hasten bench channel`: signs, sends and verifies messages at a rate, and compares algorithms.

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use hasten_measure::channel::{self, Alg, LONGEST, Plan, RATES, SHORTEST, SIZES, WARM, Wait};
use hasten_measure::{Watch, pin};

use crate::backend::Backend;
use crate::error::{BadValue, Error};
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::report::{self, Machine};
use crate::units::{self, Rate};
use crate::watch::Bars;

/// Allowed size of a message in bytes.
const SIZE: RangeInclusive<i64> = SHORTEST as i64..=LONGEST as i64;

/// Arguments of `hasten bench channel`.
#[derive(clap::Args)]
#[command(after_help = include_str!("channel.txt"))]
pub struct Args {
    /// Sets of the session trees, or HMAC-SHA-256, Ed25519, ML-DSA-44 [default: two sets and all
    /// three].
    #[arg(long, value_name = "NAME", value_parser = alg)]
    alg: Vec<Alg>,
    /// Messages a second [default: 10, 1000, 4000 and 10000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: Vec<u32>,
    /// Rests so long before each message, in rows beside those of the rates [without --rate: beside
    /// 10000].
    #[arg(long, value_name = "TIME", value_parser = units::positive_time)]
    rest: Vec<Duration>,
    /// Signs messages of a channel that come within TIME of each other at once.
    #[arg(long, value_name = "TIME", value_parser = units::positive_time, conflicts_with = "rest")]
    batch: Option<Duration>,
    /// Time of each row, in seconds.
    #[arg(long, value_name = "N", default_value = "60", value_parser = units::count)]
    seconds: usize,
    /// Bytes of a message [default: 64 and 1400].
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(SIZE))]
    size: Vec<u32>,
    /// How both sides wait [default: both ways].
    #[arg(long, value_name = "HOW")]
    wait: Vec<How>,
    /// Rate of the link.
    #[arg(long, value_name = "RATE", default_value = "1Gbit", value_parser = units::rate)]
    link: Rate,
    /// Bogus datagrams a second beside the messages.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    flood: Option<u32>,
    /// Makes each of these a forgery that costs a verification.
    #[arg(long, requires = "flood")]
    forgeries: bool,
    #[command(flatten)]
    backend: Backend,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// The ways to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum How {
    /// Asks again and again; two cores are busy.
    Spin,
    /// Sleeps until something comes.
    Block,
}

fn alg(name: &str) -> Result<Alg, BadValue> {
    Alg::named(name).ok_or_else(|| {
        let names = Alg::usual().iter().map(Alg::name).collect::<Vec<_>>();
        crate::parse::unknown("algorithm of a channel", name, &names)
    })
}

/// Measures and prints. Rows that are finished at Ctrl-C are printed too.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen()?;
    let (backend, kernels) = args.backend.kernels()?;
    let (machine, cores) = (Machine::with(backend), pin::allowed());
    let plan = Plan {
        algs: or(&args.alg, &Alg::usual()),
        rates: or(&args.rate, if args.rest.is_empty() { &RATES } else { &WARM }),
        rests: args.rest.clone(),
        sizes: or(&args.size, &SIZES).into_iter().map(|size| size as usize).collect(),
        waits: or(&args.waits(), &Wait::ALL),
        time: Duration::from_secs(args.seconds as u64),
        batch: args.batch,
        link_bits: args.link.bits(),
        flood: args.flood,
        forgeries: args.forgeries,
        kernels,
        cores: &cores,
    };
    let bars = Bars::new(&interrupt);
    let hear = |progress: hasten_measure::Progress<'_>| bars.hear(progress);
    let (mut rows, mut absent) = (Vec::new(), Vec::new());
    let ended = channel::measure(&plan, Watch::new(&hear), &mut rows, &mut absent);
    for name in absent {
        note(&format!("{name} is left out: this build cannot compute with it"));
    }
    report::show(args.json, "hasten.channel-bench/1", Some(machine), &rows, || {
        channel::table(&rows)
    })?;
    ended.map(|()| ExitCode::SUCCESS).map_err(Error::from)
}

impl Args {
    fn waits(&self) -> Vec<Wait> {
        let wait = |how: &How| match how {
            How::Spin => Wait::Spin,
            How::Block => Wait::Block,
        };
        self.wait.iter().map(wait).collect()
    }
}

/// Returns `asked`, or `usual` if `asked` is empty.
fn or<T: Clone>(asked: &[T], usual: &[T]) -> Vec<T> {
    if asked.is_empty() { usual.to_vec() } else { asked.to_vec() }
}
