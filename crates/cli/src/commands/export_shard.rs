//! `hasten export-shard`: moves a range of a key's indices into a file for another machine.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_keys::stateful::{Sealed, export_shard, shares_seed};
use hasten_process::NoOutput;
use hasten_report::grouped;
use serde::Serialize;

use super::shard::{Asked, not_given};
use crate::error::Error;
use crate::output::{note, visible};
use crate::passphrase::Source;
use crate::store_args::Place;
use crate::{files, report, units};

/// Arguments of `hasten export-shard`.
#[derive(clap::Args)]
#[command(after_help = include_str!("export_shard.txt"))]
pub struct Args {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    asked: Asked,
    /// The file to write, mode 0600.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Encrypts the file, and the shard made of it, where the key is in the clear.
    #[arg(long)]
    encrypt: bool,
    #[command(flatten)]
    passphrase: Source,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    first: u64,
    count: u64,
    /// True if this directory still has a seed that the file also contains.
    shares_seed: bool,
    encrypted: bool,
    #[serde(serialize_with = "report::path")]
    shard_file: PathBuf,
    remaining_here: u64,
}

/// Writes the file and prints a summary.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let dir = &args.place.store;
    let of = Error::key(dir);
    if files::is_stream(&args.out) {
        return Err(Error::Output { path: args.out.clone(), why: NoOutput::Printed });
    }
    if !args.out.exists() {
        files::must_be_new(&args.out)?;
    }
    let sealed = Sealed::of_store(dir).map_err(&of)?;
    let word = match sealed.is_encrypted() {
        true => Some(args.passphrase.existing()?),
        false => args.passphrase.of_new(args.encrypt)?,
    };
    let word = word.as_deref().map(Vec::as_slice);
    let kept = sealed.is_encrypted().then_some(word).flatten();
    let kept = sealed.open(kept).map_err(&of)?;
    let options = args.place.opening.options(dir)?;
    let mut store = options.open(dir).map_err(|error| of(error.into()))?;
    let share = args.asked.share();
    let given = export_shard(&mut store, share, &kept, word, &args.out);
    let given = given.map_err(not_given(dir, &args.out))?;
    let left = store.close().map_err(|error| of(error.into()))?;
    let row = Row {
        first: given.start,
        count: given.end - given.start,
        shares_seed: shares_seed(&left, given.start),
        encrypted: word.is_some(),
        shard_file: args.out.clone(),
        remaining_here: left.remaining,
    };
    report::show(args.json, "hasten.export-shard/1", None, &[&row], || text(&row))?;
    note(match row.shares_seed {
        true => "this directory and the file hold the same seed: one leaked shard leaks all",
        false => "the seed of what was given is in the file only",
    });
    note(ONCE);
    Ok(ExitCode::SUCCESS)
}

/// Warning about a danger that no program can detect.
const ONCE: &str = "import the file on one machine and destroy every copy: without an outside witness a second import on yet another machine cannot be detected";

fn text(row: &Row) -> String {
    let Row { first, count, shard_file, .. } = row;
    format!(
        "given      {first}..{}: {}\nfile       {} ({})\nremaining  {} here",
        first + count,
        units::indices(*count),
        visible(shard_file),
        if row.encrypted { "encrypted" } else { "not encrypted" },
        grouped(row.remaining_here)
    )
}
