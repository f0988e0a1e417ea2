//! `hasten latency`: measures signing, sending and verifying, compares the sum with a budget, and
//! says what would change the result.

use std::process::ExitCode;
use std::time::Duration;

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_kernels::Kernels;
use hasten_measure::Watch;
use hasten_measure::latency::{self, Experiment, LONGEST_MESSAGE, Pair};

use crate::backend::Backend;
use crate::engine::Clock;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::key;
use crate::output::{note, print};
use crate::parse;
use crate::report::{self, Machine};
use crate::units::{self, Rate};
use crate::watch::Bars;

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

/// Measures and prints. Rows that are finished at Ctrl-C are printed too.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen()?;
    let (backend, kernels) = args.backend.beside()?;
    let machine = Machine::with(backend);
    let sets = match &args.alg[..] {
        [] => latency::usual(args.backend.is_engine()),
        asked => asked.to_vec(),
    };
    args.check(&sets)?;
    let bars = Bars::new(&interrupt);
    let hear = |progress: hasten_measure::Progress<'_>| bars.hear(progress);
    let watch = Watch::new(&hear);
    let pairs = args.pairs();
    key::warn_if_slow(kernels, &sets, pairs.len(), watch)?;
    let mut rows = Vec::new();
    let experiment = args.experiment(&sets, &pairs, kernels);
    let table = experiment.table();
    if !args.json {
        experiment.capped().for_each(|said| note(&said));
        print(&experiment.heading(&machine))?;
        print(&table.heading())?;
    }
    let ended = experiment.run(watch, &mut |row| {
        if !args.json {
            print(&table.row(&row.cells()))?;
        }
        rows.push(row);
        Ok(())
    });
    print(&match args.json {
        true => report::new("hasten.latency/1", Some(machine), &rows).json(),
        false => experiment.closing(&rows),
    })?;
    ended.map(|()| ExitCode::SUCCESS)
}

impl Args {
    fn pairs(&self) -> Vec<Pair> {
        let pairs = latency::pairs(&self.signer, &self.verifier);
        if self.backend.is_engine() { latency::of_engine(&pairs) } else { pairs }
    }

    fn experiment<'e>(
        &self,
        sets: &'e [&'static Set],
        pairs: &'e [Pair],
        kernels: Kernels<'static>,
    ) -> Experiment<'e> {
        Experiment {
            sets,
            pairs,
            kernels,
            cycle: self.backend.is_engine().then_some(self.clock.cycle),
            samples: self.samples,
            message: self.message,
            idle: self.idle,
            keep_warm: self.keep_warm,
            link_bits: self.link.bits(),
            budget: self.budget,
        }
    }

    /// Returns an error if the simulated engine is selected and lacks a set or a level.
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
