//! `hasten cert show`: the contents of certificates and requests.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_keys::Error as KeyError;
use hasten_keys::inspect::{What, inspect};

use super::super::inspect::{json, text};
use crate::error::Error;
use crate::files;
use crate::report;

/// Arguments of `hasten cert show`.
#[derive(clap::Args)]
#[command(after_help = include_str!("show.txt"))]
pub struct Args {
    /// PEM or DER; - is the standard input.
    file: PathBuf,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Prints every certificate and request in the file.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let mut findings = inspect(&files::read(&args.file)?);
    findings.retain(|f| matches!(f.what, What::Certificate | What::CertificateRequest));
    if findings.is_empty() {
        return Err(Error::key(&args.file)(KeyError::NotACertificate));
    }
    let rows: Vec<_> = findings.iter().map(json).collect();
    report::show(args.json, "hasten.inspect/1", None, &rows, || {
        findings.iter().map(text).collect::<Vec<_>>().join("\n")
    })
}
