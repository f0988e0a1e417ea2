//! `hasten publish`: signs what comes in with keys that are prepared already, and sends it.

mod choice;
mod input;
mod life;
mod window;

use std::net::{SocketAddr, UdpSocket};
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use hasten_channel::{Background, Identity, MOST_BYTES, Preparer, Sealer, announced_tree};
use hasten_hbs::params::Scheme;
use hasten_hbs::{Set, SignerLevel};
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::stateful::Sessions;
use serde::Serialize;

use self::choice::{Asked, Choice};

use crate::backend::Backend;
use crate::error::{BadValue, Channel, Error};
use crate::interrupt::Interrupt;
use crate::output::{note, print};
use crate::passphrase::Source;
use crate::store_args::{self, Place};
use crate::table::grouped;
use crate::units::Rate;
use crate::wait::{Core, Wait};
use crate::{report, secrets, udp, units, wait};
use window::Window;

/// Messages that are prepared ahead where no number is named.
const POOL: usize = 256;

/// Time allowed from message to verdict, where the link alone is named.
const BUDGET: Duration = Duration::from_micros(100);

/// Messages a second, up to which the processor has rested before each: 10 ms or longer.
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
    #[arg(long, value_name = "udp://ADDR", value_parser = udp::address)]
    to: SocketAddr,
    /// Set of the session trees [default: the one that the identity was made for].
    #[arg(long, value_name = "NAME", value_parser = crate::parse::algorithm)]
    alg: Option<&'static Algorithm>,
    /// Level to which messages are prepared [default: chain-table].
    #[arg(long, value_name = "LEVEL", value_parser = crate::parse::signer_level)]
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
    #[arg(long, value_name = "BYTES", default_value = "64", value_parser = message_bytes)]
    message: usize,
    /// Time between two announcements of the tree in use: the longest that a late receiver waits.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::positive_time)]
    announce: Duration,
    /// Signs messages that come within TIME of each other with one key: one that comes alone is
    /// sent at once, the others wait for TIME at most.
    #[arg(long, value_name = "TIME", value_parser = units::positive_time)]
    batch: Option<Duration>,
    /// Announces each session tree with its leaves: then messages carry no path of their tree.
    #[arg(long)]
    leaves: bool,
    /// Networks that a multicast datagram may pass.
    #[arg(long, value_name = "N", default_value = "1")]
    hops: u32,
    /// Interface over which a multicast group is reached: its address; for IPv6 its number
    /// [default: the one that the system chooses].
    #[arg(long, value_name = "ADDR", value_parser = udp::interface)]
    interface: Option<udp::Interface>,
    /// How to wait for messages.
    #[arg(long, value_name = "HOW", default_value = "block")]
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

/// Holds what was sent.
#[derive(Default, Serialize)]
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
    let socket = udp::sender(args.to, args.hops, args.interface)?;
    args.core.keep_off()?;
    let sealer = Background::start(preparer, plan.pool);
    let buffer = vec![0; MOST_BYTES];
    let row = Row::new(plan);
    let (begun, newest, sealed) = (Instant::now(), None, Vec::new());
    let mut sender = Sender { args, sealer, socket, buffer, sealed, row, newest, announced: begun };
    sender.announce()?;
    // The first tree and its seed are in memory now.
    secrets::lock();
    sender.run()?;
    sender.row.late = sender.sealer.late();
    sender.row.seconds = begun.elapsed().as_secs_f64();
    finish(args, &sender.row)?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the identity.
fn open(args: &Args) -> Result<Sessions<'static>, Error> {
    let Place { store, opening } = &args.place;
    let kept = store_args::unseal(store, &args.passphrase)?;
    secrets::lock();
    let of = Error::key_and_guard(store, opening.guard.as_deref());
    let (options, kernels) = (opening.options(store)?, args.backend.kernels()?.1);
    let mut identity = Sessions::open(store, options, &kept, kernels).map_err(&of)?;
    if args.ack_exhaustion {
        identity.acknowledge().map_err(of)?;
    }
    Ok(identity)
}

/// Holds what is prepared, and how much of it.
struct Plan {
    set: &'static Set,
    level: SignerLevel,
    pool: usize,
    choice: Option<Choice>,
}

/// Returns what was named, and for the rest the usual, or what the model chooses.
fn plan(args: &Args, identity: &Sessions<'_>) -> Result<Plan, Error> {
    let named = args.alg.map(session_set).transpose()?;
    if args.budget.is_none() && args.link.is_none() {
        let set = named.unwrap_or_else(|| identity.session_set());
        let level = args.levels.unwrap_or(SignerLevel::ChainTable);
        let pool = args.pool.unwrap_or(POOL).min(set.capacity() as usize / 4);
        return Ok(Plan { set, level, pool, choice: None });
    }
    let choice = choice::choose(&Asked {
        budget: args.budget.unwrap_or(BUDGET),
        link: args.link.unwrap_or(Rate::per_second(1e9)),
        rate: args.rate.unwrap_or(1),
        message: args.message,
        days: args.days,
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
    /// Returns the row of one who has sent nothing yet.
    fn new(plan: Plan) -> Self {
        let Plan { set, level, pool, choice } = plan;
        Self { alg: set.name, level: level.name(), pool, choice, ..Self::default() }
    }
}

fn message_bytes(text: &str) -> Result<usize, BadValue> {
    units::bytes(text, 1 << 16)
}

/// Returns the set of session trees that was named.
fn session_set(alg: &'static Algorithm) -> Result<&'static Set, Error> {
    let set = Set::named(&alg.name).map_err(|_| Error::NotBuiltIn(&alg.name))?;
    match set.scheme {
        Scheme::Lms { .. } => Ok(set),
        _ => Err(Error::Channel(Channel::Publishing(hasten_channel::Error::NoSessions))),
    }
}

/// Refuses an identity that ends before the time asked for.
fn must_last(args: &Args, messages: u64) -> Result<(), Error> {
    let wanted = life::messages(args.days.unwrap_or(0) as u64, args.rate.unwrap_or(0));
    if messages >= wanted {
        return Ok(());
    }
    Err(Error::Channel(Channel::Short { messages, wanted }))
}

/// Says what was chosen, and how long the identity lasts.
fn chosen(args: &Args, set: &Set, messages: u64) -> String {
    let (name, each) = (set.name, grouped(set.capacity()));
    let lasts = |rate| format!(", {} at {rate} a second", life::time(messages, rate));
    let lasts = args.rate.map_or(String::new(), lasts);
    let total = grouped(messages);
    format!("session trees of {name}, {each} messages each; {total} messages in all{lasts}")
}

/// Returns an error of the publisher; one of its key names that.
fn failed(args: &Args, error: hasten_channel::Error) -> Error {
    let Place { store, opening } = &args.place;
    match error {
        hasten_channel::Error::Identity(cause) => {
            Error::key_and_guard(store, opening.guard.as_deref())(cause)
        }
        error => Error::Channel(Channel::Publishing(error)),
    }
}

struct Sender<'a> {
    args: &'a Args,
    sealer: Sealer,
    socket: UdpSocket,
    buffer: Vec<u8>,
    /// The datagrams of a batch.
    sealed: Vec<Vec<u8>>,
    row: Row,
    /// The newest tree that was announced, and when.
    newest: Option<u64>,
    announced: Instant,
}

impl Sender<'_> {
    fn run(&mut self) -> Result<(), Error> {
        let interrupt = Interrupt::listen()?;
        let input = input::begin(self.args.frames)?;
        let mut window = Window::new(self.args.batch);
        self.args.core.pin()?;
        loop {
            let left = self.args.announce.saturating_sub(self.announced.elapsed());
            let left = window.left(Instant::now(), left.min(input::LOOK));
            match input::next(&input, self.args.waiting(), left) {
                Ok(message) => self.messages(&window.take(message?, Instant::now()))?,
                Err(RecvTimeoutError::Disconnected) => return self.messages(&window.rest()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.messages(&window.due(Instant::now()))?;
            if interrupt.asked() {
                return self.messages(&window.rest());
            }
            if self.announced.elapsed() >= self.args.announce {
                self.announce()?;
            }
        }
    }

    /// Seals and sends messages, several as a batch. A tree that has come since is announced at
    /// once: its messages come later.
    fn messages(&mut self, payloads: &[Vec<u8>]) -> Result<(), Error> {
        match payloads {
            [] => return Ok(()),
            [payload] => self.message(payload)?,
            _ => self.batch(payloads)?,
        }
        if self.sealer.newest_tree() != self.newest { self.announce() } else { Ok(()) }
    }

    fn batch(&mut self, payloads: &[Vec<u8>]) -> Result<(), Error> {
        let sealed = self.sealer.seal_batch(payloads, &mut self.sealed);
        for datagram in self.sealed.drain(..) {
            udp::send(&self.socket, &datagram)?;
            self.row.messages += 1;
            self.row.batched += 1;
            self.row.bytes += datagram.len() as u64;
        }
        sealed.map_err(|error| failed(self.args, error))
    }

    fn message(&mut self, payload: &[u8]) -> Result<(), Error> {
        let sealed = self.sealer.seal(payload, &mut self.buffer);
        let bytes = sealed.map_err(|error| failed(self.args, error))?;
        udp::send(&self.socket, &self.buffer[..bytes])?;
        self.row.messages += 1;
        self.row.bytes += bytes as u64;
        self.sealer.look_ahead().map_err(|error| failed(self.args, error))
    }

    /// Sends the announcements.
    fn announce(&mut self) -> Result<(), Error> {
        let all = self.sealer.announcements().map_err(|error| failed(self.args, error))?;
        for announcement in all {
            udp::send(&self.socket, announcement)?;
            self.newest = self.newest.max(announced_tree(announcement));
            self.row.announcements += 1;
            self.row.bytes += announcement.len() as u64;
        }
        self.announced = Instant::now();
        Ok(())
    }
}

/// Says what was sent.
fn finish(args: &Args, row: &Row) -> Result<(), Error> {
    if args.json {
        return print(
            &report::new("hasten.publish/1", Some(args.backend.machine()), &[row]).json(),
        );
    }
    let (messages, bytes) = (grouped(row.messages), grouped(row.bytes));
    note(&format!("{messages} messages sent, {bytes} B, {} late", grouped(row.late)));
    Ok(())
}
