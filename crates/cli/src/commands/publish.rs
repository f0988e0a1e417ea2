//! `hasten publish`: signs what comes in with keys that are prepared already, and sends it.

mod input;

use std::net::{SocketAddr, UdpSocket};
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use hasten_channel::{Background, MOST_BYTES, Preparer, Sealer, announced_tree};
use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::stateful::Sessions;
use serde::Serialize;

use crate::backend::Backend;
use crate::error::{Channel, Error};
use crate::interrupt::Interrupt;
use crate::output::{note, print};
use crate::passphrase::Source;
use crate::store_args::{self, Place};
use crate::table::grouped;
use crate::{report, secrets, udp, units};

/// Arguments of `hasten publish`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hasten keygen --alg 'HSS(LMS_SHA256_M24_H15_W4,LMS_SHA256_M24_H10_W4)' --sessions --store bus\n  \
    hasten publish -k bus --to udp://239.1.2.3:5000 < lines\n  \
    hasten publish -k bus --to udp://127.0.0.1:5000 --rate 1000 --days 365 < lines\n\n\
    Each line of the standard input is a message. Ctrl-C ends it.")]
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
    /// Messages that are prepared ahead; at most a quarter of a session tree.
    #[arg(long, value_name = "N", default_value = "256", value_parser = units::count)]
    pool: usize,
    /// Time between two announcements of the tree in use: the longest that a late receiver waits.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::positive_time)]
    announce: Duration,
    /// Networks that a multicast datagram may pass.
    #[arg(long, value_name = "N", default_value = "1")]
    hops: u32,
    /// Messages a second that are expected: says how long the identity lasts.
    #[arg(long, value_name = "N", value_parser = units::count)]
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

/// Holds what was sent.
#[derive(Serialize)]
struct Row {
    alg: &'static str,
    messages: u64,
    bytes: u64,
    announcements: u64,
    late: u64,
    seconds: f64,
}

/// Publishes until the input ends.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let identity = open(args)?;
    let set = session_set(args, &identity)?;
    let kernels = args.backend.kernels()?.1;
    let preparer = Preparer::new(identity, set, kernels).map_err(|e| failed(args, e))?;
    let remaining = preparer.remaining();
    must_last(args, remaining)?;
    note(&life(args, set, remaining));
    let socket = udp::sender(args.to, args.hops)?;
    let pool = args.pool.min(set.capacity() as usize / 4);
    let sealer = Background::start(preparer, pool);
    let buffer = vec![0; MOST_BYTES];
    let row = Row { alg: set.name, messages: 0, bytes: 0, announcements: 0, late: 0, seconds: 0.0 };
    let (begun, newest) = (Instant::now(), None);
    let mut sender = Sender { args, sealer, socket, buffer, row, newest, announced: begun };
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

/// Returns the set of the session trees.
fn session_set(args: &Args, identity: &Sessions<'_>) -> Result<&'static Set, Error> {
    let Some(alg) = args.alg else { return Ok(identity.session_set()) };
    let set = Set::named(&alg.name).map_err(|_| Error::NotBuiltIn(&alg.name))?;
    match set.scheme {
        Scheme::Lms { .. } => Ok(set),
        _ => Err(Error::Channel(Channel::Publishing(hasten_channel::Error::NoSessions))),
    }
}

/// Refuses an identity that ends before the time asked for.
fn must_last(args: &Args, messages: u64) -> Result<(), Error> {
    let days = args.days.unwrap_or(0) as u64;
    let wanted = (days * 86_400).saturating_mul(args.rate.unwrap_or(0) as u64);
    if messages >= wanted {
        return Ok(());
    }
    Err(Error::Channel(Channel::Short { messages, wanted }))
}

/// Says what was chosen, and how long the identity lasts.
fn life(args: &Args, set: &Set, messages: u64) -> String {
    let (name, each) = (set.name, grouped(set.capacity()));
    let lasts = |rate: usize| {
        let hours = messages / (3600 * rate as u64);
        format!(", {} days and {} hours at {} a second", grouped(hours / 24), hours % 24, rate)
    };
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
    row: Row,
    /// The newest tree that was announced, and when.
    newest: Option<u64>,
    announced: Instant,
}

impl Sender<'_> {
    fn run(&mut self) -> Result<(), Error> {
        let interrupt = Interrupt::listen()?;
        let input = input::begin(self.args.frames)?;
        loop {
            let left = self.args.announce.saturating_sub(self.announced.elapsed());
            match input.recv_timeout(left.min(input::LOOK)) {
                Ok(message) => self.message(&message?)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupt.asked() {
                return Ok(());
            }
            if self.announced.elapsed() >= self.args.announce {
                self.announce()?;
            }
        }
    }

    /// Seals and sends a message. A tree that has come since is announced at once: its messages
    /// come later.
    fn message(&mut self, payload: &[u8]) -> Result<(), Error> {
        let sealed = self.sealer.seal(payload, &mut self.buffer);
        let bytes = sealed.map_err(|error| failed(self.args, error))?;
        udp::send(&self.socket, &self.buffer[..bytes])?;
        self.row.messages += 1;
        self.row.bytes += bytes as u64;
        if self.sealer.newest_tree() != self.newest { self.announce() } else { Ok(()) }
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
