//! `hasten explore`: searches all combinations of sets, machines, links and schedules.

mod config;
mod machines;
mod reports;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::Delivery;
use hasten_model::explore::{Point, Schedules, plots, text};
use hasten_model::machines::Named;
use hasten_model::profile::Profiles;
use hasten_model::study::{Asked, Rates, Study};

use super::page;
use crate::error::{BadValue, Error};
use crate::files::{self, Old, Wanted};
use crate::help;
use crate::interrupt::Interrupt;
use crate::output::print;
use crate::parse;
use crate::progress::Progress;
use crate::report;
use crate::units;

/// Arguments of `hasten explore`.
#[derive(clap::Args, Clone)]
#[command(after_help = include_str!("explore.txt"))]
pub struct Args {
    /// Workload, machines, links and schedules as TOML; options on the command line go before it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Time allowed from message to verdict [default: 100us].
    #[arg(long, value_name = "TIME", value_parser = units::positive_time)]
    budget: Option<Duration>,
    /// Rates of the link: one, or two with .. between for all decades from one to the other
    /// [default: 100Mbit..10Gbit].
    #[arg(long, value_name = "RATE", value_parser = config::rates)]
    link: Vec<Rates>,
    /// Bytes of a message [default: 64].
    #[arg(long, value_name = "BYTES", value_parser = units::message_bytes)]
    message: Option<usize>,
    /// Messages per second.
    #[arg(long, value_name = "N", value_parser = units::count)]
    rate: Option<usize>,
    /// Messages that may come at once [default: 1].
    #[arg(long, value_name = "N", value_parser = units::count)]
    burst: Option<usize>,
    /// Time of making a reservation durable: it decides how many indices are held ready
    /// [default: 4ms].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    commit: Option<Duration>,
    /// Propagation on the link [default: 0].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    propagation: Option<Duration>,
    /// Counts payload only, no Ethernet frames.
    #[arg(long)]
    bare: bool,
    /// Parameter sets [default: those of XMSS and LMS with height 10, and some others].
    #[arg(long, value_name = "NAME", value_parser = parse::set)]
    alg: Vec<&'static Set>,
    /// Machines [default: cpu, rtl, 1..256@100ns].
    #[arg(long, value_name = "MACHINE", value_parser = machines::parse, help_heading = help::SEARCH)]
    machine: Vec<Named>,
    /// Levels of the signer [default: early-auth, masks, chain-table].
    #[arg(long, value_name = "LEVEL", value_parser = parse::signer_level, help_heading = help::SEARCH)]
    signer: Vec<SignerLevel>,
    /// Levels of the verifier [default: none, masks, ots-key].
    #[arg(long, value_name = "LEVEL", value_parser = parse::verifier_level, help_heading = help::SEARCH)]
    verifier: Vec<VerifierLevel>,
    /// Ways of delivery: sequential, streaming, pre-send, ots-key [default: all].
    #[arg(long, value_name = "WAY", value_parser = delivery, help_heading = help::SEARCH)]
    delivery: Vec<Delivery>,
    /// Makes the reservation durable after the message is there, not ahead of it.
    #[arg(long, help_heading = help::SEARCH)]
    commit_on_path: bool,
    /// The processor has rested before every message: its vector unit wakes first.
    #[arg(long, help_heading = help::SEARCH)]
    rested: bool,
    /// Results of `hasten analyze` to take the machine `cpu` from, instead of those that ship with
    /// the tool.
    #[arg(long, value_name = "FILE", help_heading = help::SEARCH)]
    calibration: Vec<PathBuf>,
    /// Reports to take machines from: of `hasten analyze calibrate`, of `hasten analyze compare`,
    /// and of the hardware flow.
    #[arg(long, value_name = "FILE", help_heading = help::SEARCH)]
    machines: Vec<PathBuf>,
    /// Rows of the table for each link [default: 10].
    #[arg(long, value_name = "N", value_parser = units::count)]
    limit: Option<usize>,
    /// Writes the page of `hasten page`, opened at these options: one file that needs nothing else.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Writes the plots into this folder.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Replaces files that are there already.
    #[arg(long)]
    force: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Returns the processor that the shipped reports describe.
pub fn processor() -> Result<hasten_model::explore::Machine, Error> {
    reports::given(&[], &[])?.processor()
}

fn delivery(name: &str) -> Result<Delivery, BadValue> {
    Delivery::named(name).ok_or_else(|| BadValue::Name {
        what: "way of delivery",
        given: name.to_owned(),
        near: Delivery::ALL.map(Delivery::name).into(),
    })
}

/// Searches and prints. Results found before Ctrl-C are printed too.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen()?;
    let args = &config::complete(args.clone())?;
    let asked = asked(args);
    let study = asked.clone().study(machines::all(args)?);
    args.html.iter().try_for_each(|file| files::check(file, Old::forced(args.force), &[]))?;
    let html = args.html.as_ref().map(|file| page::built(None).map(|page| (file, page)));
    let html = html.transpose()?;
    let points = search(&study, &interrupt)?;
    if let Some((file, built)) = html {
        let page = page::opened(&built, &asked.address(), &args.calibration, &args.machines)?;
        files::write(file, Wanted::forced(args.force), page.as_bytes())?;
    }
    if let Some(folder) = &args.svg {
        for (name, drawing) in plots(&study.workload, &points) {
            let file = folder.join(format!("{name}.svg"));
            files::write(&file, Wanted::forced(args.force), drawing.as_bytes())?;
        }
    }
    print(&match args.json {
        true => report::new("hasten.explore/1", None, &points).json(),
        false => text(&study.workload, &points, args.limit.unwrap_or(10)),
    })?;
    interrupt.check()?;
    Ok(ExitCode::SUCCESS)
}

fn search(study: &Study, interrupt: &Interrupt) -> Result<Vec<Point>, Error> {
    let progress = Progress::new("exploring".to_owned(), 0, "choices");
    let mut each = |done: usize| {
        progress.at(done as u64);
        !interrupt.asked()
    };
    Ok(study.search(&Profiles::default(), &mut each)?)
}

fn asked(args: &Args) -> Asked {
    Asked {
        sets: args.alg.clone(),
        message: args.message,
        rate: args.rate,
        burst: args.burst,
        budget: args.budget,
        commit: args.commit,
        propagation: args.propagation,
        links: args.link.clone(),
        bare: args.bare,
        machines: args.machine.clone(),
        schedules: Schedules {
            signer: args.signer.clone(),
            verifier: args.verifier.clone(),
            delivery: args.delivery.clone(),
            commit_on_path: args.commit_on_path,
            rested: args.rested,
        },
    }
}
