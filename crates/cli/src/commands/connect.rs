//! `hasten connect`: a TLS 1.3 client.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::error::Error;
use crate::passphrase::Source;
use crate::units;

/// Arguments that both ends of a connection take.
#[derive(clap::Args)]
pub struct Wanted {
    /// Groups of the key exchange, best first [default: X25519MLKEM768 and all others that have
    /// a standard].
    #[arg(long = "group", value_name = "G")]
    pub groups: Vec<String>,
    /// Cipher suites, best first [default: the three of TLS 1.3].
    #[arg(long = "suite", value_name = "S")]
    pub suites: Vec<String>,
    /// Takes Falcon and Dilithium of round 3 in certificates and handshakes too; a certificate of
    /// theirs among the files given says so already.
    #[cfg(feature = "legacy")]
    #[arg(long)]
    pub legacy: bool,
    /// Appends the secrets of the connection to FILE, for Wireshark.
    #[arg(long, value_name = "FILE")]
    pub keylog: Option<PathBuf>,
    /// Time a handshake may take, and time without a byte after it.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::positive_time)]
    pub timeout: Duration,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `hasten connect`.
#[derive(clap::Args)]
#[command(after_help = include_str!("connect.txt"))]
pub struct Args {
    /// Host and port.
    #[arg(value_name = "ADDR")]
    pub address: String,
    /// Roots that are trusted [default: /etc/ssl/certs/ca-certificates.crt].
    #[arg(long, value_name = "FILE")]
    pub ca: Vec<PathBuf>,
    /// A certificate to show, and the authorities between it and the root.
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// Its private key.
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
    #[command(flatten)]
    pub passphrase: Source,
    /// The name that the server's certificate must bear [default: the host].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Sends TEXT and prints what comes back; - sends the standard input.
    #[arg(long, value_name = "TEXT", default_value = "hello hasten!", conflicts_with = "get")]
    pub send: String,
    /// Asks for a path over HTTPS and prints what comes back.
    #[arg(long, value_name = "PATH")]
    pub get: Option<String>,
    /// Connects so many times, and says how long the handshakes took.
    #[arg(long, value_name = "N", value_parser = units::count, conflicts_with = "get")]
    pub times: Option<usize>,
    /// So many of them at a time.
    #[arg(long, value_name = "N", default_value = "1", value_parser = units::count, requires = "times")]
    pub at_once: usize,
    #[command(flatten)]
    pub wanted: Wanted,
}

/// Connects and prints the negotiated parameters.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    #[cfg(feature = "aws-lc")]
    return super::tls::connect::run(args);
    #[cfg(not(feature = "aws-lc"))]
    return Err(no_tls(&args.wanted));
}

#[cfg(not(feature = "aws-lc"))]
pub(super) fn no_tls(_: &Wanted) -> Error {
    Error::NoTls
}
