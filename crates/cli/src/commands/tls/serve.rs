//! The server's side: a thread for each connection, a bound on how many, and time limits.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustls::{Connection, KeyLog, ServerConfig, ServerConnection};
use rustls_hasten::account::Secrets;
use rustls_hasten::endpoint::{http, link::Link, reason, talk::Talk};

use super::config::{self, Own};
use super::summary::{End, Row};
use crate::commands::Serve;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::output::print;
use crate::report;

/// How often the request to end is looked at.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Holds what every connection shares.
struct Service {
    config: ServerConfig,
    own: &'static str,
    log: Arc<dyn KeyLog>,
    files: Option<std::path::PathBuf>,
    timeout: Duration,
    json: bool,
}

/// Serves until Ctrl-C, or until the connections asked for are done.
pub fn run(args: &Serve) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen()?;
    if !args.listen.ip().is_loopback() && !args.anywhere {
        return Err(Error::NotLoopback(args.listen));
    }
    let own = Own::read(&args.cert, &args.key, &args.passphrase)?;
    let service = Arc::new(Service {
        config: config::server(args, &own)?,
        own: own.alg,
        log: config::key_log(args.wanted.keylog.as_deref())?,
        files: args.files.clone(),
        timeout: args.wanted.timeout,
        json: args.wanted.json,
    });
    let listener = TcpListener::bind(args.listen).map_err(Error::system("listening"))?;
    listener.set_nonblocking(true).map_err(Error::system("listening"))?;
    let at = listener.local_addr().map_err(Error::system("listening"))?;
    if !args.wanted.json {
        print(&format!("listening on {at}"))?;
    }
    accept(args, &listener, &service, &interrupt)
}

fn accept(
    args: &Serve,
    listener: &TcpListener,
    service: &Arc<Service>,
    interrupt: &Interrupt,
) -> Result<ExitCode, Error> {
    let mut left = args.connections;
    while left != Some(0) && !interrupt.asked() {
        let full = Arc::strong_count(service) > args.at_once;
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
    while Arc::strong_count(service) > 1 && !interrupt.asked() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(ExitCode::SUCCESS)
}

fn readable(listener: &TcpListener) -> bool {
    let mut fds = [PollFd::new(listener, PollFlags::IN)];
    poll(&mut fds, Some(&LOOK)).is_ok_and(|ready| ready > 0)
}

/// Serves one connection from its handshake to its end, and prints the line on it.
fn one(service: &Service, stream: TcpStream, peer: String) {
    let secrets = Secrets::new(service.log.clone());
    let mut config = service.config.clone();
    config.key_log = Arc::new(secrets.clone());
    // On some systems an accepted socket does not block either; the time limits need one that does.
    let ready = stream.set_nonblocking(false);
    let Ok(made) = ServerConnection::new(Arc::new(config)) else { return };
    let mut connection = Connection::from(made);
    let mut link = Link::new(stream, false, service.timeout);
    let begun = Instant::now();
    let shaken = ready.and_then(|()| link.shake(&mut connection));
    let took = begun.elapsed();
    let spoken = shaken.and_then(|()| speak(service, &mut connection, &mut link));
    match &spoken {
        Ok(()) => link.close(&mut connection),
        Err(_) => link.end(&mut connection),
    }
    let end = End { is_client: false, own: Some(service.own), peer: peer.clone(), took };
    // Whoever reads the lines may be gone; the service goes on.
    let _ = match (spoken, connection.is_handshaking()) {
        (Err(error), true) => failed(service, &peer, &reason::of_io(&error)),
        (Err(error), false) => {
            let _ = say(service, &Row::of(&connection, &link, &secrets, end));
            failed(service, &peer, &reason::of_io(&error))
        }
        (Ok(()), _) => say(service, &Row::of(&connection, &link, &secrets, end)),
    };
}

fn say(service: &Service, row: &Row) -> Result<(), Error> {
    print(&match service.json {
        true => report::new("hasten.serve/1", None, &[row]).line(),
        false => row.line(),
    })
}

fn failed(service: &Service, peer: &str, reason: &str) -> Result<(), Error> {
    let row = serde_json::json!({ "peer": peer, "failed": reason });
    print(&match service.json {
        true => report::new("hasten.serve/1", None, &[row]).line(),
        false => format!("{peer}  FAILED  {reason}"),
    })
}

/// Files where a directory was named, else the echo.
fn speak(service: &Service, connection: &mut Connection, link: &mut Link) -> io::Result<()> {
    match &service.files {
        Some(root) => files(connection, link, root, service.timeout),
        None => echo(&mut Talk { connection, link }),
    }
}

fn files(
    connection: &mut Connection,
    link: &mut Link,
    root: &Path,
    timeout: Duration,
) -> io::Result<()> {
    link.deadline(Some(timeout * 6));
    http::answer(&mut Talk { connection, link }, root)
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
