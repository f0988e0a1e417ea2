//! The server's side: a thread for each connection, a bound on how many, and time limits.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustls::{Connection, KeyLog, ServerConfig, ServerConnection};

use super::files::{Files, Refused};
use super::http;
use super::link::Link;
use super::talk::Talk;
use crate::account::Secrets;

/// How often the request to end is looked at.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Holds what every connection shares.
pub struct Service {
    /// The configuration; its key log is set for each connection.
    pub config: ServerConfig,
    /// Where secrets are logged.
    pub log: Arc<dyn KeyLog>,
    /// The directory whose files are handed out; without it every byte is sent back.
    pub files: Option<Files>,
    /// Time a handshake may take, and time without a byte after it.
    pub timeout: Duration,
    /// Hears of each connection when it has ended.
    pub tell: Box<dyn Fn(&Ended) + Send + Sync>,
}

/// A connection that has ended.
pub struct Ended {
    /// Its state at the end; it is still handshaking if the handshake failed.
    pub connection: Connection,
    /// The socket, and the account of its bytes.
    pub link: Link,
    /// The secrets that the account is read with.
    pub secrets: Secrets,
    /// Address of the client.
    pub peer: String,
    /// Time of the handshake.
    pub took: Duration,
    /// The error that ended it, if one did.
    pub error: Option<io::Error>,
    /// The path of a file that was asked for and not handed out, and why.
    pub refused: Option<(String, Refused)>,
}

/// How many connections are served.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// In all; no bound if absent.
    pub connections: Option<usize>,
    /// At the same time; further ones wait.
    pub at_once: usize,
}

/// Serves until `stop` says so, or until the connections asked for are done. The listener must
/// not block.
pub fn run(listener: &TcpListener, service: Service, limits: Limits, stop: impl Fn() -> bool) {
    let service = Arc::new(service);
    let mut left = limits.connections;
    while left != Some(0) && !stop() {
        let full = Arc::strong_count(&service) > limits.at_once;
        if full || !readable(listener) {
            if full {
                std::thread::sleep(Duration::from_millis(1));
            }
            continue;
        }
        let Ok((stream, peer)) = listener.accept() else { continue };
        left = left.map(|left| left - 1);
        let shared = service.clone();
        let work = move || one(&shared, stream, peer.to_string());
        let started = std::thread::Builder::new().name("connection".into()).spawn(work);
        // A connection that finds no thread is closed; those that are served go on.
        drop(started);
    }
    while Arc::strong_count(&service) > 1 && !stop() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn readable(listener: &TcpListener) -> bool {
    let mut fds = [PollFd::new(listener, PollFlags::IN)];
    poll(&mut fds, Some(&LOOK)).is_ok_and(|ready| ready > 0)
}

/// Serves one connection from its handshake to its end, and tells of it.
fn one(service: &Service, stream: TcpStream, peer: String) {
    let secrets = Secrets::new(service.log.clone());
    let mut config = service.config.clone();
    config.key_log = Arc::new(secrets.clone());
    // On some systems an accepted socket does not block either; the time limits need one that does.
    let ready = stream.set_nonblocking(false);
    let Ok(begun) = ServerConnection::new(Arc::new(config)) else { return };
    let mut connection = Connection::from(begun);
    let mut link = Link::new(stream, false, service.timeout);
    let begun = Instant::now();
    let shaken = ready.and_then(|()| link.shake(&mut connection));
    let took = begun.elapsed();
    let spoken = shaken.and_then(|()| speak(service, &mut connection, &mut link));
    match &spoken {
        Ok(_) => link.close(&mut connection),
        Err(_) => link.end(&mut connection),
    }
    let (refused, error) = match spoken {
        Ok(refused) => (refused, None),
        Err(error) => (None, Some(error)),
    };
    (service.tell)(&Ended { connection, link, secrets, peer, took, error, refused });
}

/// Answers with a file where a directory was named, else sends back every byte. Either ends after
/// six times the idle time. Returns the file that was asked for and not handed out, if any.
fn speak(
    service: &Service,
    connection: &mut Connection,
    link: &mut Link,
) -> io::Result<Option<(String, Refused)>> {
    link.deadline(Some(service.timeout * 6));
    let mut talk = Talk { connection, link };
    match &service.files {
        Some(files) => http::answer(&mut talk, files),
        None => echo(&mut talk).map(|()| None),
    }
}

/// Sends back what comes, until the client closes.
fn echo(stream: &mut (impl Read + Write)) -> io::Result<()> {
    let mut part = vec![0; 1 << 14];
    loop {
        match stream.read(&mut part) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                stream.write_all(&part[..count])?;
                stream.flush()?;
            }
            Err(error) => return Err(error),
        }
    }
}
