//! `hasten retire`: ends a key. All indices that are left are burned permanently.

use std::process::ExitCode;

use hasten_keys::Error::State;
use hasten_store::{Indices, Options, Status, StoreError};
use serde::Serialize;

use crate::error::Error;
use crate::guard;
use crate::output::{self, note};
use crate::report;
use crate::store_args::{self, Place};
use crate::units;

/// Arguments of `hasten retire`.
#[derive(clap::Args)]
#[command(after_help = include_str!("retire.txt"))]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// Overwrites and removes the secret seed too. Copies that the disk made itself stay.
    #[arg(long)]
    destroy_secret: bool,
    /// Does not ask. Needed where there is no terminal to ask on.
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
    let dir = &args.place.store;
    let before = peek(&args.place)?.remaining;
    let of = |error: StoreError| Error::key(dir)(error.into());
    let is_refused = is_refused(&args.place)?;
    confirm(args)?;
    let mut indices = if is_refused { overridden(&args.place)? } else { args.place.indices()? };
    // A retired key may still have its secret destroyed later.
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

/// Whether the key is refused. A note then gives the reason, which may be a moved guard, so that
/// the user knows it before the question. The key is not locked during the question.
fn is_refused(place: &Place) -> Result<bool, Error> {
    match place.indices() {
        Ok(_) => Ok(false),
        Err(
            refused @ Error::Key {
                cause: State(StoreError::Refused(_) | StoreError::EpochChanged),
                ..
            },
        ) => {
            note(&refused.to_string());
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

/// Opens the state of a refused key and burns every index. The key signs nothing more, so no index
/// can be used twice.
fn overridden(place: &Place) -> Result<Box<dyn Indices>, Error> {
    let (mut place, state) = (place.clone(), peek(place)?);
    guard::make_folder_again(&state.guard)?;
    place.opening.overrides = Some((state.capacity, None));
    place.indices()
}

fn peek(place: &Place) -> Result<Status, Error> {
    store_args::peek(&place.store, &place.opening)
}

/// Asks for confirmation, unless `--yes` is given. Without a terminal this is an error, so that no
/// key is retired by mistake.
fn confirm(args: &Args) -> Result<(), Error> {
    if args.yes {
        return Ok(());
    }
    let key = args.place.store.display();
    let question = format!("{key} will sign nothing more. Type yes to go on:");
    output::confirm(&question, Error::NotAsked { goes_on: "--yes".to_owned() })
}

fn text(row: &Row) -> String {
    let secret = if row.secret_destroyed { "destroyed" } else { "still in the directory" };
    format!(
        "retired    {} burned, {} used\nsecret     {secret}",
        units::indices(row.burned),
        units::counted(row.used, "was", "were")
    )
}
