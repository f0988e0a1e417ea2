//! The client's side of a connection.

use std::io::{self, Write};
use std::process::ExitCode;

use hasten_store::visible;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls_hasten::endpoint::connect::{Client, Done};
use rustls_hasten::endpoint::{http, talk::Talk};

use super::config::{self, Own};
use super::many;
use super::summary::{End, Row};
use crate::commands::Connect;
use crate::error::Error;
use crate::output::{foreign, note, print};
use crate::report;

/// Returns the algorithm of the client's own key, if it has one, and the client.
fn client(args: &Connect) -> Result<(Option<&'static str>, Client), Error> {
    let own = match (&args.cert, &args.key) {
        (Some(cert), Some(key)) => Some(Own::read(cert, key, &args.passphrase)?),
        _ => None,
    };
    let log = config::key_log(args.wanted.keylog.as_deref())?;
    let mut config = config::client(args, own.as_ref())?;
    if args.times.is_some() {
        // Every connection must have a full handshake.
        config.resumption = Resumption::disabled();
    }
    let (address, timeout) = (args.address.clone(), args.wanted.timeout);
    let client = Client { config, log, name: name(args)?, address, timeout };
    Ok((own.map(|own| own.alg), client))
}

/// Returns the name that the server's certificate must bear.
fn name(args: &Connect) -> Result<ServerName<'static>, Error> {
    let host = args.address.rsplit_once(':').map_or(args.address.as_str(), |(host, _)| host);
    let host = args.name.as_deref().unwrap_or(host.trim_matches(['[', ']']));
    ServerName::try_from(host.to_owned())
        .map_err(|_| Error::Tls(format!("'{host}' is not a name that a certificate can bear")))
}

/// Connects, exchanges data and prints the negotiated parameters.
pub fn run(args: &Connect) -> Result<ExitCode, Error> {
    let (own, client) = client(args)?;
    if let Some(times) = args.times {
        return many::run(args, &client, times);
    }
    let mut out = Answer { out: answer_to(args), failed: None };
    let done = client.once(|to| talk(args, to, &mut out))?;
    if let Some(cause) = out.failed {
        return Err(Error::system("writing the result")(cause));
    }
    match done {
        Ok(done) => say(args, own, done, out.out).map(|()| ExitCode::SUCCESS),
        Err(reason) => {
            print(&format!("FAILED  {}", visible(&reason)))?;
            if args.name.is_none() && reason.contains("does not bear the name") {
                note("--name NAME asks for one of the names that the certificate bears");
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Destination of the peer's answer.
enum To {
    /// Standard output, as the answer arrives.
    Output(Box<dyn Write>),
    /// Memory: the answer is as short as the text on the command line.
    Text(Vec<u8>),
    Nowhere,
}

fn answer_to(args: &Connect) -> To {
    match (args.wanted.json, args.get.is_some() || args.send == "-") {
        (true, _) => To::Nowhere,
        (false, true) => To::Output(foreign()),
        (false, false) => To::Text(Vec::new()),
    }
}

/// Writer for the peer's answer, which keeps the error if writing fails.
struct Answer {
    out: To,
    failed: Option<io::Error>,
}

impl Write for Answer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            To::Nowhere => {}
            To::Text(text) => text.extend_from_slice(bytes),
            To::Output(out) => {
                if let Err(cause) = out.write_all(bytes) {
                    let kind = cause.kind();
                    self.failed = Some(cause);
                    return Err(kind.into());
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            To::Output(out) => out.flush(),
            To::Text(_) | To::Nowhere => Ok(()),
        }
    }
}

/// Sends the request given on the command line, and writes the answer to `out`.
pub fn talk(args: &Connect, to: &mut Talk<'_>, out: &mut impl Write) -> io::Result<()> {
    match &args.get {
        Some(path) => http::get(to, &args.address, path, out),
        None if args.send == "-" => to.exchange(&mut io::stdin().lock(), out),
        None => to.exchange(&mut args.send.as_bytes(), out),
    }
}

fn say(args: &Connect, own: Option<&'static str>, done: Done, answer: To) -> Result<(), Error> {
    let end = End { is_client: true, own, peer: args.address.clone(), took: done.took };
    let row = Row::of(&done.connection, &done.link, &done.secrets, end);
    if args.wanted.json {
        return print(&report::new("hasten.connect/1", None, &[row]).json());
    }
    match answer {
        To::Text(text) => {
            print(&row.line())?;
            print(&String::from_utf8_lossy(&text))
        }
        To::Output(mut out) => {
            note(&row.line());
            out.flush().map_err(Error::system("writing the result"))
        }
        To::Nowhere => {
            note(&row.line());
            Ok(())
        }
    }
}
