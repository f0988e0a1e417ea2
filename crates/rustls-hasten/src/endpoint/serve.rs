//! The server's side: a thread for each connection, with limits on their number and on time.

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

/// Interval at which the request to stop is checked.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Settings that all connections share.
pub struct Service {
    /// The configuration. Its key log is replaced for each connection.
    pub config: ServerConfig,
    /// Key log for the secrets.
    pub log: Arc<dyn KeyLog>,
    /// The directory whose files are served. Without it the server echoes every byte.
    pub files: Option<Files>,
    /// Time limit of the handshake, and of a pause without a byte after it.
    pub timeout: Duration,
    /// Function that is called with each connection after it has ended.
    pub tell: Box<dyn Fn(&Ended) + Send + Sync>,
}

/// A connection that has ended.
pub struct Ended {
    /// State of the connection at the end. It is still handshaking if the handshake failed.
    pub connection: Connection,
    /// The socket, with the account of its bytes.
    pub link: Link,
    /// The secrets for reading the account.
    pub secrets: Secrets,
    /// Address of the client.
    pub peer: String,
    /// Duration of the handshake.
    pub took: Duration,
    /// The error that ended it, if one did.
    pub error: Option<io::Error>,
    /// Path of a file that was requested and not served, and the reason.
    pub refused: Option<(String, Refused)>,
}

/// Limits on the number of connections.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest number of connections in total; `None` for no limit.
    pub connections: Option<usize>,
    /// Largest number of connections at the same time. Further ones wait.
    pub at_once: usize,
}

/// Serves until `stop` returns true, or until the total number of connections is reached. The
/// listener must be in non-blocking mode.
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
        // If no thread can be started, the connection is closed, and the others continue.
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

/// Serves one connection from its handshake to its end, and reports it.
fn one(service: &Service, stream: TcpStream, peer: String) {
    let secrets = Secrets::new(service.log.clone());
    let mut config = service.config.clone();
    config.key_log = Arc::new(secrets.clone());
    // On some systems an accepted socket is non-blocking too. The time limits need a blocking one.
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

/// Answers with a file if the service has a directory, otherwise echoes every byte. Both end after
/// six times the idle time. Returns the file that was requested and not served, if any.
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

/// Sends back all bytes that arrive, until the client closes the connection.
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
