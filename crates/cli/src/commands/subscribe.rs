//! `hasten subscribe`: receives, verifies, and prints each message once.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use hasten_channel::{Subscriber, Verified};
use hasten_channel_udp::mark::Mark;
use hasten_channel_udp::recording::{self, Recorder};
use hasten_channel_udp::socket::{self, Interface};
use hasten_channel_udp::subscriber::{Account, Receiver, Until};
use hasten_channel_udp::wait as waits;
use hasten_hbs::PublicKey;
use hasten_keys::encoding;
use hasten_report::grouped;
use serde::Serialize;

use crate::backend::Backend;
use crate::error::{Channel, Error};
use crate::files;
use crate::help;
use crate::interrupt::Interrupt;
use crate::named::Key;
use crate::output::{aside, foreign, hex, note, print};
use crate::wait::{Core, Wait};
use crate::{parse, units};

/// Arguments of `hasten subscribe`.
#[derive(clap::Args)]
#[command(mut_arg("key", |key| key.help("Public key of the publisher's identity")))]
#[command(mut_arg("store", |key| key.alias("public")))]
#[command(after_help = include_str!("subscribe.txt"))]
pub struct Args {
    #[command(flatten)]
    public: Key,
    /// Where to receive: an address of this machine, or a multicast group.
    #[arg(long, value_name = "udp://ADDR", value_parser = parse::address)]
    from: SocketAddr,
    /// Ends after so many messages.
    #[arg(long, value_name = "N", value_parser = units::count)]
    count: Option<usize>,
    /// Ends when nothing good came for so long.
    #[arg(long, value_name = "TIME", value_parser = units::positive_time)]
    timeout: Option<Duration>,
    /// Interface on which a multicast group is joined: its address; for IPv6 its number [default:
    /// the one that the system chooses].
    #[arg(long, value_name = "ADDR", value_parser = parse::interface, help_heading = help::NETWORK)]
    interface: Option<Interface>,
    /// How to wait for datagrams.
    #[arg(long, value_name = "HOW", default_value = "block", help_heading = help::NETWORK)]
    wait: Wait,
    #[command(flatten)]
    core: Core,
    /// Writes all that is accepted to a new FILE, for 'hasten extract'.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Refuses trees before this number: the newest one that was known.
    #[arg(long, value_name = "N", default_value = "0")]
    not_before: u64,
    /// Keeps the newest tree of which a message was printed in FILE, and refuses those before it.
    #[arg(long, value_name = "FILE")]
    mark: Option<PathBuf>,
    #[command(flatten)]
    backend: Backend,
    /// Prints each message as JSON, on one line.
    #[arg(long)]
    json: bool,
}

/// A message as JSON.
#[derive(Serialize)]
struct Line<'m> {
    session: u64,
    tree: u64,
    sequence: u64,
    missed: u64,
    payload: &'m str,
    payload_hex: String,
}

/// Receives until it is told to stop.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let key = identity(args)?;
    let kernels = args.backend.kernels()?.1;
    let subscriber = Subscriber::new(&key, kernels);
    let not = || Error::Channel(Channel::NotAnIdentity(args.public.to_path_buf()));
    let subscriber = subscriber.ok_or_else(not)?;
    let mark = args.mark.as_ref().map(|path| mark(path, &key, args.not_before)).transpose()?;
    let least = mark.as_ref().map_or(args.not_before, Mark::tree);
    let subscriber = subscriber.not_before(least);
    let record = args.record.as_ref().map(|path| Recorder::begin(path, &key)).transpose()?;
    let socket = socket::receiver(args.from, args.wait == Wait::Spin, args.interface)?;
    waits::keep_off(args.core.number)?;
    note(&format!("listening on udp://{}", args.from));
    let mut receiver = Receiver::new(subscriber, socket, (mark, record));
    let until = Until { count: args.count, timeout: args.timeout };
    let interrupt = Interrupt::listen()?;
    waits::pin(args.core.number)?;
    let mut deliver = |message: &Verified<'_>| show(args, message);
    let ended = receiver.run(until, &|| interrupt.asked(), &mut deliver)?;
    finish(&receiver.finish()?);
    Ok(if ended { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Opens the mark of `key`. If there is none, makes it and prints a note.
fn mark(path: &Path, key: &PublicKey, least: u64) -> Result<Mark, Error> {
    let mark = Mark::open(path, key, least)?;
    if mark.is_new {
        note(&format!("{}: a new mark, so any session is believed", path.display()));
    }
    Ok(mark)
}

/// Returns the public key of the publisher's identity.
fn identity(args: &Args) -> Result<PublicKey, Error> {
    let read = encoding::read_public(&files::read(&args.public)?, None);
    let key = read.map_err(Error::key(&args.public))?;
    let not = || Error::Channel(Channel::NotAnIdentity(args.public.to_path_buf()));
    recording::identity(&key).ok_or_else(not)
}

/// Prints a message.
fn show(args: &Args, message: &Verified<'_>) -> Result<(), Error> {
    if !args.json {
        return line(message.payload);
    }
    let Verified { payload, session, sequence, tree, missed } = *message;
    let text = String::from_utf8_lossy(payload);
    let line = Line { session, tree, sequence, missed, payload: &text, payload_hex: hex(payload) };
    print(&serde_json::to_string(&line).expect("strings and numbers"))
}

/// Prints the totals.
fn finish(account: &Account) {
    let delivered = units::counted(account.delivered, "message", "messages");
    note(&format!("{delivered} delivered, {} lost", grouped(account.lost)));
    for (why, count) in &account.refused {
        aside(&format!("hasten: refused {}: {why}", grouped(*count)));
    }
}

/// Prints a payload and a line end. On a terminal, hidden characters are escaped.
fn line(payload: &[u8]) -> Result<(), Error> {
    let mut out = foreign();
    let done = out.write_all(&[payload, b"\n"].concat()).and_then(|()| out.flush());
    match done {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::System { doing: "writing the result", cause })
        }
        _ => Ok(()),
    }
}
