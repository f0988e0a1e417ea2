//! The server's side: its listener, and the line on each connection.

use std::net::TcpListener;
use std::path::Path;
use std::process::ExitCode;

use hasten_store::visible;
use rustls_hasten::endpoint::files::Files;
use rustls_hasten::endpoint::serve::{self, Ended, Limits, Service};
use rustls_hasten::endpoint::{reason, signing};

use super::config::{self, Own};
use super::summary::{End, Row};
use crate::commands::Serve;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::output::print;
use crate::report;

/// Serves until Ctrl-C, or until the requested number of connections is done.
pub fn run(args: &Serve) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen()?;
    if !args.listen.ip().is_loopback() && !args.anywhere {
        return Err(Error::NotLoopback(args.listen));
    }
    let service = service(args)?;
    let listener = TcpListener::bind(args.listen).map_err(Error::system("listening"))?;
    listener.set_nonblocking(true).map_err(Error::system("listening"))?;
    let at = listener.local_addr().map_err(Error::system("listening"))?;
    if !args.wanted.json {
        print(&format!("listening on {at}"))?;
    }
    let limits = Limits { connections: args.connections, at_once: args.at_once };
    serve::run(&listener, service, limits, || interrupt.asked());
    Ok(ExitCode::SUCCESS)
}

fn service(args: &Serve) -> Result<Service, Error> {
    let own = Own::read(&args.cert, &args.key, &args.passphrase)?;
    let (alg, json) = (own.alg, args.wanted.json);
    let log = config::key_log(args.wanted.keylog.as_deref())?;
    let files = args.files.as_deref().map(|dir| files(args, dir)).transpose()?;
    let mut config = config::server(args, &own)?;
    if let Some(at_once) = args.max_signing {
        let (queue, patience) = (args.signing_queue, args.wanted.timeout / 2);
        signing::limit(&mut config, signing::Limit { at_once, queue, patience });
    }
    Ok(Service {
        config,
        log,
        files,
        timeout: args.wanted.timeout,
        tell: Box::new(move |ended| tell(alg, json, ended)),
    })
}

/// Returns the directory of the files to serve. A secret in or below it is an error.
fn files(args: &Serve, dir: &Path) -> Result<Files, Error> {
    let passphrase = args.passphrase.file();
    let secrets = [Some(args.key.as_path()), args.wanted.keylog.as_deref(), passphrase];
    let secrets: Vec<_> = secrets.into_iter().flatten().collect();
    Files::of(dir, &secrets).map_err(|unfit| Error::HandOut { dir: dir.to_owned(), unfit })
}

/// Prints the lines on a connection: its summary if the handshake was completed, its error if it
/// failed. The service continues even if nobody can read them.
fn tell(own: &'static str, json: bool, ended: &Ended) {
    let failed = ended.error.as_ref().map(reason::of_io);
    if failed.is_none() || !ended.connection.is_handshaking() {
        let (peer, took) = (ended.peer.clone(), ended.took);
        let end = End { is_client: false, own: Some(own), peer, took };
        let row = Row::of(&ended.connection, &ended.link, &ended.secrets, end);
        drop(print(&match json {
            true => report::new("hasten.serve/1", None, &[row]).line(),
            false => row.line(),
        }));
    }
    if let Some((path, why)) = &ended.refused {
        let reason = format!("not handed out: {}: {}", path.escape_debug(), why.reason());
        drop(say_failed(json, &ended.peer, &reason));
    }
    if let Some(reason) = failed {
        drop(say_failed(json, &ended.peer, &reason));
    }
}

fn say_failed(json: bool, peer: &str, reason: &str) -> Result<(), Error> {
    let row = serde_json::json!({ "peer": peer, "failed": reason });
    print(&match json {
        true => report::new("hasten.serve/1", None, &[row]).line(),
        false => format!("{peer}  FAILED  {}", visible(reason)),
    })
}
