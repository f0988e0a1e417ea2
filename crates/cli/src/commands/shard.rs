//! `hasten shard`: gives a range of a key's indices to a second directory.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_keys::Error as KeyError;
use hasten_keys::stateful::{Share, give_shard, shares_seed};
use hasten_report::grouped;
use hasten_store::Options;
use serde::Serialize;

use crate::error::Error;
use crate::guard;
use crate::help;
use crate::output::{note, visible};
use crate::report;
use crate::store_args::Place;
use crate::units;
use crate::witness::OutWatch;

/// Arguments that say what is given.
#[derive(clap::Args)]
pub(super) struct Asked {
    /// How many indices to give: the highest that are left.
    #[arg(long, value_name = "N", value_parser = units::count, required_unless_present = "sector")]
    count: Option<usize>,
    /// Gives the highest sector of which nothing is used or given yet, with its seed.
    #[arg(long, conflicts_with = "count")]
    sector: bool,
}

impl Asked {
    /// Returns the requested share.
    pub(super) fn share(&self) -> Share {
        self.count.map_or(Share::Sector, |count| Share::Indices(count as u64))
    }
}

/// Returns a function that converts an error in moving a share from `dir` to `to`. The new error
/// names the directory that caused it.
pub(super) fn not_given(dir: &Path, to: &Path) -> impl FnOnce(KeyError) -> Error {
    move |error| match error {
        KeyError::ShardPlace(cause) => Error::key(to)(KeyError::State(cause)),
        error => Error::key(dir)(error),
    }
}

/// Arguments of `hasten shard`.
#[derive(clap::Args)]
#[command(after_help = include_str!("shard.txt"))]
pub struct Args {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    asked: Asked,
    /// Directory of the new shard.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Guard file of the new shard [default: in the user's state directory].
    #[arg(long, value_name = "PATH", help_heading = help::STATE)]
    out_guard: Option<PathBuf>,
    #[command(flatten)]
    out_watch: OutWatch,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    first: u64,
    count: u64,
    /// True if both directories now have the seed of the same sector.
    shares_seed: bool,
    #[serde(serialize_with = "report::path")]
    store: PathBuf,
    #[serde(serialize_with = "report::path")]
    guard: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<String>,
    remaining_here: u64,
}

/// Gives the range away and prints a summary.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let guard = guard::of_new(args.out_guard.as_deref(), &args.out)?;
    let of = Error::key(&args.place.store);
    let options = args.place.opening.options(&args.place.store)?;
    let mut store = options.open(&args.place.store).map_err(|error| of(error.into()))?;
    let share = args.asked.share();
    let first = share.first(&store).map_err(&of)?;
    let accepted = args.place.opening.shared_filesystem_accepted;
    let options = Options::new().guard(&guard).accept_shared_filesystem(accepted);
    let parent = (&args.place.opening.watch, &args.place.opening.fleet);
    let (options, witness) = args.out_watch.over(options, &args.out, parent, first)?;
    let shard = give_shard(&mut store, share, &args.out, options)
        .map_err(not_given(&args.place.store, &args.out))?;
    let left = store.close().map_err(|error| of(error.into()))?;
    let row = Row {
        first: shard.start,
        count: shard.end - shard.start,
        shares_seed: shares_seed(&left, shard.start),
        store: args.out.clone(),
        guard,
        witness,
        remaining_here: left.remaining,
    };
    report::show(args.json, "hasten.shard/1", None, &[&row], || text(&row))?;
    note(match row.shares_seed {
        true => "both directories hold the same seed: one leaked shard leaks all",
        false => "the seed of what was given is in the new directory only",
    });
    if row.witness.is_none() {
        note("the shard has no outside witness: a clone of its machine cannot be detected");
    }
    Ok(ExitCode::SUCCESS)
}

fn text(row: &Row) -> String {
    let Row { first, count, .. } = row;
    let mut lines = vec![
        format!("given      {first}..{}: {}", first + count, units::indices(*count)),
        format!("shard      {}", visible(&row.store)),
        format!("guard      {}", visible(&row.guard)),
    ];
    lines.extend(row.witness.as_ref().map(|witness| format!("witness    {witness}")));
    lines.push(format!("remaining  {} here", grouped(row.remaining_here)));
    lines.join("\n")
}
