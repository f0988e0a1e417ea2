//! The client's side of a connection.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, Connection, KeyLog};
use rustls_hasten::account::Secrets;
use rustls_hasten::endpoint::{link::Link, reason, talk::Talk};

use super::config::{self, Own};
use super::many;
use super::summary::{End, Row};
use crate::commands::Connect;
use crate::error::Error;
use crate::output::{note, print};
use crate::report;

/// No answer is longer than this, in bytes.
const MOST: u64 = 1 << 30;

/// Holds what every connection of a run shares.
pub struct Client<'c> {
    /// The command line.
    pub args: &'c Connect,
    own: Option<Own>,
    config: ClientConfig,
    log: Arc<dyn KeyLog>,
    name: ServerName<'static>,
}

/// A connection that came about.
pub struct Done {
    /// Holds what it took.
    pub row: Row,
    answer: Vec<u8>,
}

/// A connection that did not, or that failed later; the outer error is that it could not be tried.
pub type Tried = Result<Result<Done, String>, Error>;

impl<'c> Client<'c> {
    fn new(args: &'c Connect) -> Result<Self, Error> {
        let own = match (&args.cert, &args.key) {
            (Some(cert), Some(key)) => Some(Own::read(cert, key, &args.passphrase)?),
            _ => None,
        };
        let log = config::key_log(args.wanted.keylog.as_deref())?;
        let mut config = config::client(args, own.as_ref())?;
        if args.times.is_some() {
            // Each is to be a handshake of its own.
            config.resumption = Resumption::disabled();
        }
        Ok(Self { args, own, config, log, name: name(args)? })
    }

    /// Serves one connection from its first byte to its last.
    pub fn once(&self) -> Tried {
        let secrets = Secrets::new(self.log.clone());
        let mut config = self.config.clone();
        config.key_log = Arc::new(secrets.clone());
        let made = ClientConnection::new(Arc::new(config), self.name.clone());
        let made = made.map_err(|error| Error::Tls(reason::of(&error)))?;
        let (mut connection, mut link) = (Connection::from(made), dial(self.args)?);
        let begun = Instant::now();
        let shaken = link.shake(&mut connection).map(|()| begun.elapsed());
        let answer =
            shaken.and_then(|took| Ok((took, talk(self.args, &mut connection, &mut link)?)));
        let (took, answer) = match answer {
            Ok(done) => done,
            Err(error) => {
                link.end(&mut connection);
                return Ok(Err(reason::of_io(&error)));
            }
        };
        link.close(&mut connection);
        let (own, peer) = (self.own.as_ref().map(|own| own.alg), self.args.address.clone());
        let end = End { is_client: true, own, peer, took };
        Ok(Ok(Done { row: Row::of(&connection, &link, &secrets, end), answer }))
    }
}

/// Returns the name that the server's certificate must bear.
fn name(args: &Connect) -> Result<ServerName<'static>, Error> {
    let host = args.address.rsplit_once(':').map_or(args.address.as_str(), |(host, _)| host);
    let host = args.name.as_deref().unwrap_or(host.trim_matches(['[', ']']));
    ServerName::try_from(host.to_owned())
        .map_err(|_| Error::Tls(format!("'{host}' is not a name that a certificate can bear")))
}

/// Connects, speaks, and says what was agreed on.
pub fn run(args: &Connect) -> Result<ExitCode, Error> {
    let client = Client::new(args)?;
    if let Some(times) = args.times {
        return many::run(&client, times);
    }
    match client.once()? {
        Ok(done) => say(args, &done.answer, &done.row).map(|()| ExitCode::SUCCESS),
        Err(reason) => print(&format!("FAILED  {reason}")).map(|()| ExitCode::FAILURE),
    }
}

fn dial(args: &Connect) -> Result<Link, Error> {
    let failed = Error::system("connecting");
    let dial = || -> io::Result<TcpStream> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in args.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, args.wanted.timeout) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    };
    Ok(Link::new(dial().map_err(failed)?, true, args.wanted.timeout))
}

/// Sends what is asked for, and reads the answer.
fn talk(args: &Connect, connection: &mut Connection, link: &mut Link) -> io::Result<Vec<u8>> {
    let mut talk = Talk { connection, link };
    if let Some(path) = &args.get {
        let host = args.address.as_str();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        talk.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        talk.take(MOST).read_to_end(&mut answer)?;
        return Ok(answer);
    }
    let mut message = args.send.clone().into_bytes();
    if args.send == "-" {
        message.clear();
        io::stdin().lock().take(MOST).read_to_end(&mut message)?;
    }
    let mut answer = vec![0; message.len()];
    let mut at = 0;
    // In parts, so that neither side waits for the other to read.
    for part in message.chunks(1 << 14) {
        talk.write_all(part)?;
        talk.read_exact(&mut answer[at..at + part.len()])?;
        at += part.len();
    }
    Ok(answer)
}

fn say(args: &Connect, answer: &[u8], row: &Row) -> Result<(), Error> {
    if args.wanted.json {
        return print(&report::new("hasten.connect/1", None, &[row]).json());
    }
    if args.get.is_some() || args.send == "-" {
        note(&row.line());
        let out = io::stdout().lock().write_all(body(answer));
        return out.map_err(Error::system("writing the result"));
    }
    print(&row.line())?;
    print(&String::from_utf8_lossy(answer))
}

/// Returns what stands behind the head of an answer of HTTP; all of it where there is none.
fn body(answer: &[u8]) -> &[u8] {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    end.filter(|_| answer.starts_with(b"HTTP/1.1 200 ")).map_or(answer, |at| &answer[at + 4..])
}
