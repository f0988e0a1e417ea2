//! `hasten extract`: writes a received message in files for other verifiers.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_channel_udp::recording::{Recording, files_of};
use hasten_report::grouped;
use serde::Serialize;

use crate::error::Error;
use crate::files::{self, Wanted};
use crate::output::visible;
use crate::report;

/// Arguments of `hasten extract`.
#[derive(clap::Args)]
#[command(after_help = include_str!("extract.txt"))]
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
    /// Length of the identity's signature of the session tree, if it is written separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree_signature_bytes: Option<usize>,
    /// Number of messages in the batch, if the message was signed in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<u16>,
    #[serde(serialize_with = "report::path")]
    out: PathBuf,
}

/// Writes the message, its signature and the public key.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let recording = Recording::read(&args.file)?;
    let made = recording.message(args.message)?;
    let failed = |cause| Error::File { path: args.out.clone(), doing: "making", cause };
    std::fs::create_dir(&args.out).map_err(failed)?;
    for (name, bytes) in files_of(recording.key(), &made).map_err(Error::key(&args.file))? {
        files::write(&args.out.join(name), Wanted::default(), &bytes)?;
    }
    let row = Row {
        message: args.message,
        message_bytes: made.message.len(),
        signature_bytes: made.signature.len(),
        tree_signature_bytes: made.tree.map(|tree| tree.signature.len()),
        batch: made.batched.map(|batched| batched.messages),
        out: args.out.clone(),
    };
    report::show(args.json, "hasten.extract/1", None, &[&row], || text(&row))
}

fn text(row: &Row) -> String {
    let [message, signature] =
        [row.message_bytes, row.signature_bytes].map(|bytes| grouped(bytes as u64));
    let tree = |bytes| format!(", its session tree's {} B", grouped(bytes as u64));
    let tree = row.tree_signature_bytes.map_or(String::new(), tree);
    let batch = row.batch.map_or(String::new(), |of| format!(" over the root of a batch of {of}"));
    let (number, out) = (row.message, visible(&row.out));
    format!(
        "message {number}: {message} B{batch}, signature {signature} B{tree}, verified; in {out}"
    )
}
