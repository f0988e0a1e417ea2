//! `hasten extract`: a received message as others verify it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_keys::encoding::{self, PublicKey};
use hasten_keys::registry;
use serde::Serialize;

use crate::error::Error;
use crate::files::{self, Wanted};
use crate::output::print;
use crate::recording::Recording;
use crate::report;
use crate::table::grouped;

/// Arguments of `hasten extract`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    hasten extract bus.rec --message 0 --out first\n\n\
    DIR gets 'message' (header and payload), 'signature' (HSS, RFC 8554), 'public.pem' and\n\
    'public.raw'. Any verifier of HSS takes them, for example\n\
    hasten verify -p first/public.pem first/message first/signature")]
pub struct Args {
    /// The file that 'hasten subscribe --record' wrote.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which message of the file, counted from 0.
    #[arg(long, value_name = "N", default_value = "0")]
    message: usize,
    /// A new directory.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    message: usize,
    message_bytes: usize,
    signature_bytes: usize,
    #[serde(serialize_with = "report::path")]
    out: PathBuf,
}

/// Writes message, signature and public key.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let recording = Recording::read(&args.file)?;
    let made = recording.message(args.message)?;
    let of = Error::key(&args.file);
    let raw = recording.key().as_bytes();
    let key = registry::find("HSS").and_then(|row| PublicKey::new(row, raw)).map_err(&of)?;
    let pem = encoding::public_to_pem(&key).map_err(&of)?;
    let failed = |cause| Error::File { path: args.out.clone(), doing: "making", cause };
    std::fs::create_dir(&args.out).map_err(failed)?;
    write(&args.out, "message", &made.message)?;
    write(&args.out, "signature", &made.signature)?;
    write(&args.out, "public.pem", pem.as_bytes())?;
    write(&args.out, "public.raw", raw)?;
    let row = Row {
        message: args.message,
        message_bytes: made.message.len(),
        signature_bytes: made.signature.len(),
        out: args.out.clone(),
    };
    print(&match args.json {
        true => report::new("hasten.extract/1", None, &[row]).json(),
        false => format!(
            "message {}: {} B, signature {} B, verified; in {}",
            row.message,
            grouped(row.message_bytes as u64),
            grouped(row.signature_bytes as u64),
            row.out.display()
        ),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn write(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    files::write(&dir.join(name), Wanted::default(), bytes)
}
