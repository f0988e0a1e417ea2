//! `hasten serve`: a TLS 1.3 server that echoes, or hands out the files of a directory.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use super::connect::Wanted;
use crate::error::Error;
use crate::passphrase::Source;
use crate::units;

/// Arguments of `hasten serve`.
#[derive(clap::Args)]
#[command(after_help = include_str!("serve.txt"))]
pub struct Args {
    /// Where to listen; port 0 takes a free one, which is printed.
    #[arg(long, value_name = "ADDR")]
    pub listen: SocketAddr,
    /// Allows addresses that other machines reach.
    #[arg(long)]
    pub anywhere: bool,
    /// The server's certificate, and the authorities between it and the root.
    #[arg(long, value_name = "FILE")]
    pub cert: PathBuf,
    /// Its private key.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub passphrase: Source,
    /// Roots of clients: every client must show a certificate below one of them.
    #[arg(long, value_name = "FILE")]
    pub client_ca: Vec<PathBuf>,
    /// Hands out the files of this directory over HTTPS.
    #[arg(long, value_name = "DIR")]
    pub files: Option<PathBuf>,
    /// Ends after this many connections.
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub connections: Option<usize>,
    /// Connections at the same time; further ones wait.
    #[arg(long, value_name = "N", default_value = "256", value_parser = units::count)]
    pub at_once: usize,
    /// Signatures computed at the same time; further ones wait in a queue [default: no limit].
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub max_signing: Option<usize>,
    /// Places in that queue; who finds none, or waits for half of --timeout, is refused.
    #[arg(long, value_name = "N", default_value = "64", value_parser = units::count, requires = "max_signing")]
    pub signing_queue: usize,
    #[command(flatten)]
    pub wanted: Wanted,
}

/// Serves until it is told to stop.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    #[cfg(feature = "aws-lc")]
    return super::tls::serve::run(args);
    #[cfg(not(feature = "aws-lc"))]
    return Err(super::connect::no_tls(&args.wanted));
}
