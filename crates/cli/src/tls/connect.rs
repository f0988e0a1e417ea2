//! The client's side of a connection.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use rustls::pki_types::ServerName;
use rustls::{ClientConnection, Connection};
use rustls_hasten::account::Secrets;

use super::config::{self, Own};
use super::link::Link;
use super::reason;
use super::summary::{End, Row};
use super::talk::Talk;
use crate::commands::Connect;
use crate::error::Error;
use crate::output::{note, print};
use crate::report::Report;

/// No answer is longer than this, in bytes.
const MOST: u64 = 1 << 30;

/// Connects, speaks, and says what was agreed on.
pub fn run(args: &Connect) -> Result<ExitCode, Error> {
    let own = match (&args.cert, &args.key) {
        (Some(cert), Some(key)) => Some(Own::read(cert, key)?),
        _ => None,
    };
    let secrets = Secrets::new(config::key_log(args.wanted.keylog.as_deref())?);
    let mut config = config::client(args, own.as_ref())?;
    config.key_log = Arc::new(secrets.clone());
    let host = args.address.rsplit_once(':').map_or(args.address.as_str(), |(host, _)| host);
    let host = args.name.as_deref().unwrap_or(host.trim_matches(['[', ']']));
    let name = ServerName::try_from(host.to_owned())
        .map_err(|_| Error::Tls(format!("'{host}' is not a name that a certificate can bear")))?;
    let made = ClientConnection::new(Arc::new(config), name);
    let made = made.map_err(|error| Error::Tls(reason::of(&error)))?;
    let (mut connection, mut link) = (Connection::from(made), dial(args)?);
    let begun = Instant::now();
    if let Err(error) = link.shake(&mut connection) {
        link.end(&mut connection);
        print(&format!("FAILED  {}", reason::of_io(&error)))?;
        return Ok(ExitCode::FAILURE);
    }
    let took = begun.elapsed();
    let answer = talk(args, &mut connection, &mut link);
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            link.end(&mut connection);
            print(&format!("FAILED  {}", reason::of_io(&error)))?;
            return Ok(ExitCode::FAILURE);
        }
    };
    link.close(&mut connection);
    let (own, peer) = (own.as_ref().map(|own| own.alg), args.address.clone());
    let end = End { is_client: true, own, peer, took };
    say(args, &answer, &Row::of(&connection, &link, &secrets, end))?;
    Ok(ExitCode::SUCCESS)
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
        return print(&Report::new("hasten.connect/1", None, &[row]).json());
    }
    if args.get.is_some() || args.send == "-" {
        note(&row.line());
        let out = io::stdout().lock().write_all(body(answer));
        return out.map_err(Error::system("writing the result"));
    }
    print(&row.line())?;
    print(&String::from_utf8_lossy(answer))
}

/// What stands behind the head of an answer of HTTP; all of it where there is none.
fn body(answer: &[u8]) -> &[u8] {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    end.filter(|_| answer.starts_with(b"HTTP/1.1 200 ")).map_or(answer, |at| &answer[at + 4..])
}
