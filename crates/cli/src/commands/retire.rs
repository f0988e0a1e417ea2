//! `hasten retire`: the end of a key. Every index left is burned, for good.

use std::io::IsTerminal;
use std::process::ExitCode;

use hasten_report::grouped;
use hasten_store::Options;
use serde::Serialize;

use crate::error::Error;
use crate::output::is_confirmed;
use crate::report;
use crate::store_args::Place;

/// Arguments of `hasten retire`.
#[derive(clap::Args)]
#[command(after_help = include_str!("retire.txt"))]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// Overwrites and removes the secret seed too. Copies that the disk made itself stay.
    #[arg(long)]
    destroy_secret: bool,
    /// Does not ask.
    #[arg(long)]
    yes: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    burned: u64,
    used: u64,
    secret_destroyed: bool,
}

/// Retires the key.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    if !args.yes && !confirmed(args)? {
        return Err(Error::Interrupted);
    }
    let dir = &args.place.store;
    let of = |error: hasten_store::StoreError| Error::key(dir)(error.into());
    let mut indices = args.place.indices()?;
    let before = indices.status().remaining;
    // A key that is retired already may have its secret destroyed later.
    if !(args.destroy_secret && indices.status().retired) {
        indices.retire().map_err(of)?;
    }
    let status = indices.close().map_err(of)?;
    if args.destroy_secret {
        let options = Options::new().wait(args.place.opening.wait.time());
        options.erase_blob(dir, "secret").map_err(of)?;
    }
    let row = Row { burned: before, used: status.used, secret_destroyed: args.destroy_secret };
    report::show(args.json, "hasten.retire/1", None, &[&row], || text(&row))
}

fn confirmed(args: &Args) -> Result<bool, Error> {
    if !std::io::stdin().is_terminal() {
        return Ok(true);
    }
    let key = args.place.store.display();
    is_confirmed(&format!("{key} will sign nothing more. Type yes to go on:"))
}

fn text(row: &Row) -> String {
    let secret = if row.secret_destroyed { "destroyed" } else { "still in the directory" };
    format!(
        "retired    {} indices burned, {} were used\nsecret     {secret}",
        grouped(row.burned),
        grouped(row.used)
    )
}
