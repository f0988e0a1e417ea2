//! `hasten shard`: gives a range of a key's indices to a second directory.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_keys::stateful::give_shard;
use hasten_store::Options;
use serde::Serialize;

use crate::error::Error;
use crate::output::{note, print};
use crate::place::{self, Place};
use crate::report::Report;
use crate::table::grouped;
use crate::units;

/// Arguments of `hasten shard`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    hasten shard -k keys/fw --count 256 --out /media/site2/fw\n\n\
    The range is given away before the first secret byte reaches the new directory: a crash in\n\
    between loses it. Both hold the same seed: one leaked shard leaks all, and SP 800-208 does\n\
    not allow the export.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// How many indices to give: the highest that are left.
    #[arg(long, value_name = "N", value_parser = units::count)]
    count: usize,
    /// Directory of the new shard.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Guard file of the new shard [default: in the user's state directory].
    #[arg(long, value_name = "PATH")]
    out_guard: Option<PathBuf>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    first: u64,
    count: u64,
    store: PathBuf,
    guard: PathBuf,
    remaining_here: u64,
}

/// Gives the range and prints it.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let guard = args.out_guard.clone().map_or_else(|| place::default_guard(&args.out), Ok)?;
    let of = Error::key(&args.place.store);
    let options = args.place.opening.options();
    let mut store = options.open(&args.place.store).map_err(|error| of(error.into()))?;
    let options = Options::new().guard(&guard);
    let shard = give_shard(&mut store, args.count as u64, &args.out, options).map_err(&of)?;
    let left = store.close().map_err(|error| of(error.into()))?;
    let row = Row {
        first: shard.start,
        count: shard.end - shard.start,
        store: args.out.clone(),
        guard,
        remaining_here: left.remaining,
    };
    print(&match args.json {
        true => Report::new("hasten.shard/1", None, &[row]).json(),
        false => text(&row),
    })?;
    note("both directories hold the same seed: one leaked shard leaks all");
    Ok(ExitCode::SUCCESS)
}

fn text(row: &Row) -> String {
    [
        format!(
            "given      {}..{}: {} indices",
            row.first,
            row.first + row.count,
            grouped(row.count)
        ),
        format!("shard      {}", row.store.display()),
        format!("guard      {}", row.guard.display()),
        format!("remaining  {} here", grouped(row.remaining_here)),
    ]
    .join("\n")
}
