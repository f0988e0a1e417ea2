//! `hasten subscribe`: receives, verifies, and prints each message once.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::{SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_channel::{Event, MOST_BYTES, Subscriber, Verified};
use hasten_hbs::PublicKey;
use hasten_keys::encoding;
use serde::Serialize;

use crate::backend::Backend;
use crate::error::{Channel, Error};
use crate::files;
use crate::interrupt::Interrupt;
use crate::mark::Mark;
use crate::output::{aside, hex, note, print};
use crate::recording::{self, Recorder};
use crate::table::grouped;
use crate::wait::{Core, Wait};
use crate::{udp, units};

/// Announcements of unknown trees that are verified in each stretch of time.
const ALLOWED: u32 = 8;
const STRETCH: Duration = Duration::from_millis(10);

/// Arguments of `hasten subscribe`.
#[derive(clap::Args)]
#[command(after_help = include_str!("subscribe.txt"))]
pub struct Args {
    /// Public key of the publisher's identity.
    #[arg(short, long, value_name = "FILE")]
    public: PathBuf,
    /// Where to receive: an address of this machine, or a multicast group.
    #[arg(long, value_name = "udp://ADDR", value_parser = udp::address)]
    from: SocketAddr,
    /// Ends after so many messages.
    #[arg(long, value_name = "N", value_parser = units::count)]
    count: Option<usize>,
    /// Ends when nothing good came for so long.
    #[arg(long, value_name = "TIME", value_parser = units::positive_time)]
    timeout: Option<Duration>,
    /// Interface on which a multicast group is joined: its address; for IPv6 its number [default:
    /// the one that the system chooses].
    #[arg(long, value_name = "ADDR", value_parser = udp::interface)]
    interface: Option<udp::Interface>,
    /// How to wait for datagrams.
    #[arg(long, value_name = "HOW", default_value = "block")]
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
    let not = || Error::Channel(Channel::NotAnIdentity(args.public.clone()));
    let subscriber = subscriber.ok_or_else(not)?;
    let mark =
        args.mark.as_ref().map(|path| Mark::open(path, &key, args.not_before)).transpose()?;
    let least = mark.as_ref().map_or(args.not_before, Mark::tree);
    let subscriber = subscriber.not_before(least);
    let record = args.record.as_ref().map(|path| Recorder::begin(path, &key)).transpose()?;
    let spin = args.wait == Wait::Spin;
    let socket = udp::receiver(args.from, spin, args.interface)?;
    args.core.keep_off()?;
    note(&format!("listening on udp://{}", args.from));
    let refused = BTreeMap::new();
    let mut receiver = Receiver { args, subscriber, mark, record, refused, delivered: 0 };
    let ended = receiver.run(&socket)?;
    receiver.finish()?;
    Ok(if ended { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the public key.
fn identity(args: &Args) -> Result<PublicKey, Error> {
    let read = encoding::read_public(&files::read(&args.public)?, None);
    let key = read.map_err(Error::key(&args.public))?;
    let not = || Error::Channel(Channel::NotAnIdentity(args.public.clone()));
    recording::identity(&key).ok_or_else(not)
}

struct Receiver<'a> {
    args: &'a Args,
    subscriber: Subscriber<'static>,
    mark: Option<Mark>,
    record: Option<Recorder>,
    refused: BTreeMap<String, u64>,
    delivered: usize,
}

impl Receiver<'_> {
    /// Receives; true when it ended as asked.
    fn run(&mut self, socket: &UdpSocket) -> Result<bool, Error> {
        let interrupt = Interrupt::listen()?;
        self.args.core.pin()?;
        let mut buffer = vec![0; MOST_BYTES];
        let (mut heard, mut stretch) = (Instant::now(), Instant::now());
        while self.args.count.is_none_or(|count| self.delivered < count) {
            if interrupt.asked() {
                return Ok(true);
            }
            if stretch.elapsed() >= STRETCH {
                self.subscriber.allow(ALLOWED);
                stretch = Instant::now();
            }
            let got = udp::receive(socket, &mut buffer)?;
            let good = match got {
                Some(bytes) => self.take(&buffer[..bytes])?.is_some(),
                None => false,
            };
            if good {
                heard = Instant::now();
            } else if self.args.timeout.is_some_and(|most| heard.elapsed() >= most) {
                return Ok(self.args.count.is_none());
            }
        }
        Ok(true)
    }

    /// Takes a datagram; nothing if it was refused.
    fn take(&mut self, datagram: &[u8]) -> Result<Option<()>, Error> {
        match self.subscriber.open(datagram) {
            Ok(Event::Message(message)) => self.show(&message)?,
            Ok(Event::NewTree(_)) => {}
            Ok(_) => return Ok(Some(())),
            Err(refusal) => {
                *self.refused.entry(refusal.to_string()).or_default() += 1;
                return Ok(None);
            }
        }
        self.record.as_mut().map_or(Ok(()), |record| record.add(datagram))?;
        Ok(Some(()))
    }

    /// Prints a message, once the mark of its tree is durable.
    fn show(&mut self, message: &Verified<'_>) -> Result<(), Error> {
        self.mark.as_mut().map_or(Ok(()), |mark| mark.raise(message.tree))?;
        self.delivered += 1;
        if !self.args.json {
            return line(message.payload);
        }
        let Verified { payload, session, sequence, tree, missed } = *message;
        let text = String::from_utf8_lossy(payload);
        let line =
            Line { session, tree, sequence, missed, payload: &text, payload_hex: hex(payload) };
        print(&serde_json::to_string(&line).expect("strings and numbers"))
    }

    /// Ends the recording, and says what came.
    fn finish(self) -> Result<(), Error> {
        self.record.map_or(Ok(()), Recorder::finish)?;
        let (delivered, lost) = (grouped(self.delivered as u64), self.subscriber.lost());
        note(&format!("{delivered} messages delivered, {} lost", grouped(lost)));
        for (why, count) in &self.refused {
            aside(&format!("hasten: refused {}: {why}", grouped(*count)));
        }
        Ok(())
    }
}

/// Prints a payload as it is, and a line end.
fn line(payload: &[u8]) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    let done = out.write_all(&[payload, b"\n"].concat()).and_then(|()| out.flush());
    match done {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::System { doing: "writing the result", cause })
        }
        _ => Ok(()),
    }
}
