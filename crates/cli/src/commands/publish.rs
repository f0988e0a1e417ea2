//! `hasten publish`: signs incoming messages with keys that are prepared in advance, and sends
//! them.

mod choice;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_channel::{Background, HEADER_BYTES, Identity, Preparer};
use hasten_channel_udp::publisher::{Sender, Sent, Settings};
use hasten_channel_udp::socket::Interface;
use hasten_channel_udp::{Error as EndError, input, socket, wait as waits};
use hasten_hbs::params::Scheme;
use hasten_hbs::{Set, SignerLevel};
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::stateful::{Rebuilding, Sessions};
use hasten_model::sessions::{Asked, life};
use hasten_report::grouped;
use serde::Serialize;

use self::choice::Choice;
use crate::backend::Backend;
use crate::error::{Channel, Error};
use crate::help;
use crate::interrupt::Interrupt;
use crate::output::{note, print};
use crate::passphrase::Source;
use crate::store_args::{self, Place};
use crate::units::Rate;
use crate::wait::{Core, Wait};
use crate::{memory, parse, report, units, wait};

/// Default number of messages that are prepared ahead.
const POOL: usize = 256;

/// Default lifetime of an identity in days.
const DAYS: u64 = 365;

/// Default time allowed from message to verdict, if only the link is given.
const BUDGET: Duration = Duration::from_micros(100);

/// Highest rate, in messages a second, at which the processor counts as rested before each message:
/// its pauses are then 10 ms or longer.
const RESTED: usize = 100;

/// Arguments of `hasten publish`.
#[derive(clap::Args)]
#[command(mut_arg("wait", |arg| arg
    .help("How long to wait for another process that holds the key; or, as --waiting, 'spin' or 'block'")
    .value_name("TIME|HOW")
    .value_parser(wait::for_key_or_messages)))]
#[command(after_help = include_str!("publish.txt"))]
pub struct Args {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    passphrase: Source,
    /// Where to send: a machine, or a multicast group.
    #[arg(long, value_name = "udp://ADDR", value_parser = parse::address)]
    to: SocketAddr,
    /// Set of the session trees [default: the one that the identity was made for].
    #[arg(long, value_name = "NAME", value_parser = parse::algorithm)]
    alg: Option<&'static Algorithm>,
    /// Level to which messages are prepared [default: chain-table].
    #[arg(long, value_name = "LEVEL", value_parser = parse::signer_level)]
    levels: Option<SignerLevel>,
    /// Messages that are prepared ahead; at most a quarter of a session tree [default: 256].
    #[arg(long, value_name = "N", value_parser = units::count)]
    pool: Option<usize>,
    /// Time allowed from message to verdict: chooses set, level, height and pool by the model of
    /// 'hasten explore', as far as they are not named [with --link: 100us].
    #[arg(long, value_name = "TIME", value_parser = units::positive_time)]
    budget: Option<Duration>,
    /// Rate of the link, for that choice [with --budget: 1Gbit].
    #[arg(long, value_name = "RATE", value_parser = units::rate)]
    link: Option<Rate>,
    /// Bytes of a message, for that choice.
    #[arg(long, value_name = "BYTES", default_value = "64", value_parser = units::message_bytes)]
    message: usize,
    /// Time between two announcements of the tree in use: the longest that a late receiver waits.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::positive_time, help_heading = help::NETWORK)]
    announce: Duration,
    /// Signs messages that come within TIME of each other with one key: one that comes alone is
    /// sent at once, the others wait for TIME at most.
    #[arg(long, value_name = "TIME", value_parser = units::positive_time, help_heading = help::NETWORK)]
    batch: Option<Duration>,
    /// Announces each session tree with its leaves: then messages carry no path of their tree.
    #[arg(long, help_heading = help::NETWORK)]
    leaves: bool,
    /// Networks that a multicast datagram may pass.
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::NETWORK)]
    hops: u32,
    /// Interface over which a multicast group is reached: its address; for IPv6 its number
    /// [default: the one that the system chooses].
    #[arg(long, value_name = "ADDR", value_parser = parse::interface, help_heading = help::NETWORK)]
    interface: Option<Interface>,
    /// How to wait for messages.
    #[arg(long, value_name = "HOW", default_value = "block", help_heading = help::NETWORK)]
    waiting: Wait,
    #[command(flatten)]
    core: Core,
    /// Messages a second that are expected, as 10 or 1k: says how long the identity lasts.
    #[arg(long, value_name = "N", value_parser = units::frequency)]
    rate: Option<usize>,
    /// Refuses to start unless the identity lasts so many days at that rate.
    #[arg(long, value_name = "N", requires = "rate", value_parser = units::count)]
    days: Option<usize>,
    /// Reads messages behind four bytes of length, big-endian, instead of lines.
    #[arg(long)]
    frames: bool,
    /// Signs although few indices of the identity are left.
    #[arg(long)]
    ack_exhaustion: bool,
    #[command(flatten)]
    backend: Backend,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Returns the way to wait for messages.
    fn waiting(&self) -> Wait {
        self.place.opening.wait.messages().unwrap_or(self.waiting)
    }
}

/// Summary of the messages sent.
#[derive(Serialize)]
struct Row {
    alg: &'static str,
    level: &'static str,
    pool: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
    messages: u64,
    bytes: u64,
    announcements: u64,
    late: u64,
    /// Messages that shared a signature.
    batched: u64,
    seconds: f64,
}

/// Publishes until the input ends.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let identity = open(args)?;
    let plan = plan(args, &identity)?;
    let (set, kernels) = (plan.set, args.backend.kernels()?.1);
    let preparer = Preparer::new(identity, set, kernels).map_err(|e| failed(args, e))?;
    let preparer = preparer.at_level(plan.level);
    let preparer = if args.batch.is_some() { preparer.for_batches() } else { preparer };
    let preparer = if args.leaves { preparer.with_leaves() } else { Ok(preparer) };
    let preparer = preparer.map_err(|e| failed(args, e))?;
    let remaining = preparer.remaining();
    must_last(args, remaining)?;
    note(&chosen(args, set, remaining));
    let socket = socket::sender(args.to, args.hops, args.interface)?;
    let core = args.core.number;
    waits::keep_off(core)?;
    let sealer = Background::start(preparer, plan.pool);
    let settings =
        Settings { announce: args.announce, batch: args.batch, wait: args.waiting().into() };
    let begun = Instant::now();
    let mut sender = Sender::begin(sealer, socket, settings).map_err(|e| stopped(args, e))?;
    // The first tree and its seed are in memory now.
    memory::lock();
    let interrupt = Interrupt::listen()?;
    let input = input::begin(|| std::io::stdin().lock(), args.frames)?;
    waits::pin(core)?;
    sender.run(&input, &|| interrupt.asked()).map_err(|e| stopped(args, e))?;
    let row = Row::new(plan, sender.sent(), begun.elapsed());
    let closed = sender.close().map_err(|e| stopped(args, e));
    finish(args, &row)?;
    closed.map(|()| ExitCode::SUCCESS)
}

/// Opens the identity.
fn open(args: &Args) -> Result<Sessions<'static>, Error> {
    let Place { store, opening } = &args.place;
    let kept = store_args::unseal(store, &args.passphrase)?;
    memory::lock();
    let of = Error::key_and_guard(store, opening.guard.as_deref());
    let (options, kernels) = (opening.options(store)?, args.backend.kernels()?.1);
    let open = |how: Rebuilding<'_>| Sessions::open_watched(store, options, &kept, kernels, how);
    let mut identity = store_args::rebuilding(open).map_err(&of)?;
    store_args::note_rebuilt(identity.rebuilt());
    if args.ack_exhaustion {
        identity.acknowledge().map_err(of)?;
    }
    Ok(identity)
}

/// Set and level of the messages that are prepared, and their number.
struct Plan {
    set: &'static Set,
    level: SignerLevel,
    pool: usize,
    choice: Option<Choice>,
}

/// Returns the plan. Values that were not named are defaults or, with a budget or a link, chosen by
/// the model.
fn plan(args: &Args, identity: &Sessions<'_>) -> Result<Plan, Error> {
    let named = args.alg.map(session_set).transpose()?;
    if args.budget.is_none() && args.link.is_none() {
        let set = named.unwrap_or_else(|| identity.session_set());
        let level = args.levels.unwrap_or(SignerLevel::ChainTable);
        let pool = args.pool.unwrap_or(POOL).min(set.capacity() as usize / 4);
        return Ok(Plan { set, level, pool, choice: None });
    }
    let rate = args.rate.unwrap_or(1);
    let choice = choice::choose(&Asked {
        budget: args.budget.unwrap_or(BUDGET),
        link: args.link.unwrap_or(Rate::per_second(1e9)),
        rate,
        message: args.message + HEADER_BYTES,
        messages: life::messages(args.days.map_or(DAYS, |days| days as u64), rate),
        trees: Identity::remaining(identity),
        set: named,
        level: args.levels,
        pool: args.pool,
        leaves: args.leaves,
        rests: args.waiting() == Wait::Block && args.rate.is_none_or(|rate| rate <= RESTED),
    })?;
    choice.why.iter().for_each(|why| note(why));
    let level = SignerLevel::named(choice.level).unwrap_or(SignerLevel::ChainTable);
    Ok(Plan { set: choice.set, level, pool: choice.pool, choice: Some(choice) })
}

impl Row {
    fn new(plan: Plan, sent: Sent, took: Duration) -> Self {
        let Plan { set, level, pool, choice } = plan;
        let Sent { messages, bytes, announcements, late, batched, .. } = sent;
        let (alg, level, seconds) = (set.name, level.name(), took.as_secs_f64());
        Self { alg, level, pool, choice, messages, bytes, announcements, late, batched, seconds }
    }
}

/// Returns the named set of session trees. Only LMS is allowed.
fn session_set(alg: &'static Algorithm) -> Result<&'static Set, Error> {
    let set = Set::named(&alg.name).map_err(|_| Error::NotBuiltIn(&alg.name))?;
    match set.scheme {
        Scheme::Lms { .. } => Ok(set),
        _ => Err(Error::Channel(Channel::End(hasten_channel::Error::NoSessions.into()))),
    }
}

/// Returns an error if the identity ends before the requested time.
fn must_last(args: &Args, messages: u64) -> Result<(), Error> {
    let wanted = life::messages(args.days.unwrap_or(0) as u64, args.rate.unwrap_or(0));
    if messages >= wanted {
        return Ok(());
    }
    Err(Error::Channel(Channel::Short { messages, wanted }))
}

/// Returns a note on the session trees and on how long the identity lasts.
fn chosen(args: &Args, set: &Set, messages: u64) -> String {
    let (name, each) = (set.name, grouped(set.capacity()));
    let lasts = |rate| format!(", {} at {rate} a second", life::time(messages, rate));
    let lasts = args.rate.map_or(String::new(), lasts);
    let total = grouped(messages);
    format!("session trees of {name}, {each} messages each; {total} messages in all{lasts}")
}

/// Returns an error of the publisher. If the key caused it, the error names the key.
fn failed(args: &Args, error: hasten_channel::Error) -> Error {
    let Place { store, opening } = &args.place;
    match error {
        hasten_channel::Error::Identity(cause) => {
            Error::key_and_guard(store, opening.guard.as_deref())(cause)
        }
        error => Error::Channel(Channel::End(error.into())),
    }
}

/// Returns the error with which the publisher stopped.
fn stopped(args: &Args, error: EndError) -> Error {
    match error {
        EndError::Publishing(error) => failed(args, error),
        error => error.into(),
    }
}

/// Prints the summary.
fn finish(args: &Args, row: &Row) -> Result<(), Error> {
    if args.json {
        return print(
            &report::new("hasten.publish/1", Some(args.backend.machine()), &[row]).json(),
        );
    }
    let messages = units::counted(row.messages, "message", "messages");
    let bytes = grouped(row.bytes);
    note(&format!("{messages} sent, {bytes} B, {} late", grouped(row.late)));
    Ok(())
}
