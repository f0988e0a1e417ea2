//! `hasten moved`: continues with a key whose guard or log was moved on purpose.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_report::grouped;
use hasten_store::{Status, StoreError};
use serde::Serialize;

use crate::error::Error;
use crate::named::Key;
use crate::output::{self, note, visible};
use crate::report;
use crate::store_args::{Opening, fleet};

/// Arguments of `hasten moved`.
#[derive(clap::Args)]
#[command(after_help = include_str!("moved.txt"))]
pub struct Args {
    #[command(flatten)]
    store: Key,
    #[command(flatten)]
    opening: Opening,
    /// Does not ask.
    #[arg(long)]
    yes: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    #[serde(serialize_with = "report::path")]
    store: PathBuf,
    /// Reason why the key was refused.
    reason: Option<String>,
    #[serde(serialize_with = "report::path")]
    guard: PathBuf,
    /// True if a refusal was lifted and the present files were accepted.
    moved: bool,
    generation: u64,
    next: u64,
    remaining: u64,
}

/// Warning before the question.
const UNKNOWN: &str = "a key that was moved looks the same as an older copy that was put back; \
    if anything was signed since this copy was made, here or with another copy, the next index \
    signs a second message and the key is broken: then use 'hasten recover KEY --newest SIG'";

/// Accepts the files at their present location if the key is refused because they were moved.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let Args { store, opening, .. } = args;
    let of = Error::key_and_guard(store, opening.guard.as_deref());
    match fleet::name(store, opening)?.as_deref() {
        None => {}
        Some(fleet::CARRIED) => return Err(Error::StateAtWitness),
        Some(_) => return Err(Error::StateOfFleet),
    }
    let (reason, status) = match opening.options(store)?.open(store) {
        Ok(opened) => (None, opened.close().map_err(|error| of(error.into()))?),
        Err(StoreError::Refused(refusal)) if refusal.reason.is_moved() => {
            confirm(args, &refusal.to_string())?;
            let opened = opening.options(store)?.accept_moved(true).open(store);
            let closed = opened.and_then(hasten_store::Store::close);
            (Some(refusal.to_string()), closed.map_err(|error| of(error.into()))?)
        }
        Err(error) => return Err(of(error.into())),
    };
    if reason.is_none() {
        note("the key opens: there is nothing to do");
    }
    let row = Row::new(store.to_path_buf(), reason, &status);
    report::show(args.json, "hasten.moved/1", None, &[&row], || row.text())
}

fn confirm(args: &Args, refusal: &str) -> Result<(), Error> {
    if args.yes {
        return Ok(());
    }
    note(refusal);
    note(UNKNOWN);
    let asked = "Nothing was signed with this key since. Type yes if that is certain:";
    output::confirm(asked, Error::NotAsked { goes_on: "--yes".to_owned() })
}

impl Row {
    fn new(store: PathBuf, reason: Option<String>, status: &Status) -> Self {
        let Status { generation, next, remaining, .. } = *status;
        let (guard, moved) = (status.guard.clone(), reason.is_some());
        Self { store, reason, guard, moved, generation, next, remaining }
    }

    fn text(&self) -> String {
        let done = if self.moved { "accepted where they are" } else { "as they were written" };
        format!(
            "files      {done}\nguard      {}\nnext       {}, remaining {}",
            visible(&self.guard),
            grouped(self.next),
            grouped(self.remaining)
        )
    }
}
