//! The client's side of a connection.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls_hasten::endpoint::connect::{Client, Done};
use rustls_hasten::endpoint::{http, talk::Talk};

use super::config::{self, Own};
use super::many;
use super::summary::{End, Row};
use crate::commands::Connect;
use crate::error::Error;
use crate::output::{note, print};
use crate::report;

/// No message of the standard input is longer than this, in bytes.
const MOST: u64 = 1 << 30;

/// Returns the name of the own key's algorithm, if there is one, and what connects.
fn client(args: &Connect) -> Result<(Option<&'static str>, Client), Error> {
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

/// Connects, speaks, and says what was agreed on.
pub fn run(args: &Connect) -> Result<ExitCode, Error> {
    let (own, client) = client(args)?;
    if let Some(times) = args.times {
        return many::run(args, &client, times);
    }
    match client.once(|to| talk(args, to))? {
        Ok(done) => say(args, own, done).map(|()| ExitCode::SUCCESS),
        Err(reason) => print(&format!("FAILED  {reason}")).map(|()| ExitCode::FAILURE),
    }
}

/// Sends the request of the command line, and reads the answer.
pub fn talk(args: &Connect, to: &mut Talk<'_>) -> io::Result<Vec<u8>> {
    if let Some(path) = &args.get {
        return http::get(to, &args.address, path);
    }
    let mut message = args.send.clone().into_bytes();
    if args.send == "-" {
        message.clear();
        io::stdin().lock().take(MOST).read_to_end(&mut message)?;
    }
    to.exchange(&message)
}

fn say(args: &Connect, own: Option<&'static str>, done: Done) -> Result<(), Error> {
    let end = End { is_client: true, own, peer: args.address.clone(), took: done.took };
    let row = Row::of(&done.connection, &done.link, &done.secrets, end);
    if args.wanted.json {
        return print(&report::new("hasten.connect/1", None, &[row]).json());
    }
    if args.get.is_some() || args.send == "-" {
        note(&row.line());
        let out = io::stdout().lock().write_all(http::body(&done.answer));
        return out.map_err(Error::system("writing the result"));
    }
    print(&row.line())?;
    print(&String::from_utf8_lossy(&done.answer))
}
