//! `hasten recover`: goes on with a key that is refused, behind everything that is known to be
//! used.

mod view;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use hasten_keys::found::Found;
use hasten_keys::stateful::{Sealed, read_public_of};
use hasten_store::{Status, StoreError};

use self::view::{Known, Row};
use crate::error::Error;
use crate::files;
use crate::fleet::Member;
use crate::found;
use crate::output::{is_confirmed, note};
use crate::report;
use crate::store_args::fleet;
use crate::store_args::{Opening, Place};
use crate::units;
use crate::wait::ForKey;
use crate::witness::Watch;

/// Arguments of `hasten recover`.
#[derive(clap::Args)]
#[command(after_help = include_str!("recover.txt"))]
pub struct Args {
    /// Directory of the key.
    #[arg(short = 'k', long, value_name = "DIR")]
    store: PathBuf,
    /// The guard file, if it has moved since the key was made; of a fleet's signer, its own.
    #[arg(long, value_name = "PATH")]
    guard: Option<PathBuf>,
    /// How long to wait for another process that holds the key.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::time)]
    wait: Duration,
    /// Accepts a network or FUSE file system, or a container's image, as 'hasten sign' does.
    #[arg(long)]
    shared_filesystem_accepted: bool,
    /// The file with the machine's identity, where the key was used with one.
    #[arg(long, value_name = "PATH")]
    machine_id_file: Option<PathBuf>,
    #[command(flatten)]
    watch: Watch,
    #[command(flatten)]
    fleet: Member,
    /// The newest signature known. Its message lies beside it without .sig, or is named by
    /// --message; the signature is verified before its index is believed.
    #[arg(long, value_name = "SIG", conflicts_with = "index")]
    newest: Option<PathBuf>,
    /// The message of the newest signature.
    #[arg(long, value_name = "FILE", requires = "newest")]
    message: Option<PathBuf>,
    /// The newest index known to be used, where its signature is not at hand.
    #[arg(long, value_name = "INDEX")]
    index: Option<u64>,
    /// How many indices to give up behind everything known: at least what may have been used
    /// since [default: what is proposed, after a question].
    #[arg(long, value_name = "N")]
    burn: Option<u64>,
    /// Does not ask. Needs --burn.
    #[arg(long, requires = "burn")]
    yes: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Says what is known, asks, and goes on behind it.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let (dir, place) = (&args.store, args.place());
    if args.burn == Some(0) {
        return Err(Error::key(dir)(StoreError::BurnTooFew { least: 1 }.into()));
    }
    let newest = newest(args)?;
    let refused = refusal(&place)?;
    let known = Known::of(dir, &place.opening, newest)?;
    let needed = refused.is_some() || newest.is_some_and(|index| index >= known.recovery.next);
    let proposed = known.recovery.margin(newest, reserve(dir));
    let mut row = Row::new(dir, &known, refused.as_ref(), proposed);
    if !needed {
        note("the key opens, and nothing newer is known: there is nothing to recover");
        return shown(args, &row);
    }
    let Some(burn) = confirmed(args, &row)? else {
        return Err(Error::NotAsked { burn: proposed });
    };
    let status = recovered(place, burn, newest, known.recovery.next)?;
    row.done(burn, &status);
    shown(args, &row)
}

fn shown(args: &Args, row: &Row) -> Result<ExitCode, Error> {
    report::show(args.json, "hasten.recover/1", None, &[row], || row.text())
}

/// Returns indices that one command reserves: a command that was killed has lost no more than
/// these.
fn reserve(dir: &Path) -> u64 {
    Sealed::of_store(dir).map_or(1, |sealed| sealed.reserve())
}

/// Returns the newest index known, by its signature or as stated.
fn newest(args: &Args) -> Result<Option<u64>, Error> {
    let Some(path) = &args.newest else { return Ok(args.index) };
    let public = read_public_of(&args.store).map_err(Error::key(&args.store))?;
    let found = Found::of(&public, files::read(path)?);
    let message = args.message.clone().unwrap_or_else(|| path.with_extension(""));
    if message == *path {
        return Err(Error::NoMessage(path.clone()));
    }
    let good = found::is_good(&found, &public, &message)?;
    match public.index_in(&found.signature) {
        Some(index) if good => Ok(Some(index)),
        _ => Err(Error::NotOfKey { signature: path.clone(), message }),
    }
}

/// Returns why the key does not open; an error that no override mends is returned as it is.
fn refusal(place: &Place) -> Result<Option<StoreError>, Error> {
    let Place { store, opening } = place;
    let opened = match fleet::of(store, opening)? {
        None => opening.options(store)?.open(store).map(drop),
        Some(fleet) => fleet.open().map(drop),
    };
    match opened {
        Ok(()) => Ok(None),
        Err(
            refused @ (StoreError::Refused(_)
            | StoreError::OtherSession { .. }
            | StoreError::WitnessMoved
            | StoreError::EpochChanged),
        ) => Ok(Some(refused)),
        Err(error) => Err(Error::key(store)(error.into())),
    }
}

/// Returns the count to burn, once the answer is yes.
fn confirmed(args: &Args, row: &Row) -> Result<Option<u64>, Error> {
    let burn = args.burn.unwrap_or(row.proposed_burn);
    if args.yes {
        return Ok(Some(burn));
    }
    row.text().lines().for_each(note);
    if !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    let question = format!("{burn} indices will be given up. Type yes to go on:");
    if is_confirmed(&question)? { Ok(Some(burn)) } else { Err(Error::Interrupted) }
}

fn recovered(mut place: Place, burn: u64, newest: Option<u64>, next: u64) -> Result<Status, Error> {
    // A fleet's state is moved on by a count alone.
    let gap = newest.map_or(0, |index| (index + 1).saturating_sub(next));
    let in_fleet = fleet::name(&place.store, &place.opening)?.is_some();
    place.opening.overrides = Some((if in_fleet { burn + gap } else { burn }, newest));
    let of = Error::key(&place.store);
    place.indices()?.close().map_err(|error| of(error.into()))
}

impl Args {
    fn place(&self) -> Place {
        let opening = Opening {
            guard: self.guard.clone(),
            wait: ForKey::Time(self.wait),
            shared_filesystem_accepted: self.shared_filesystem_accepted,
            machine_id_file: self.machine_id_file.clone(),
            watch: self.watch.clone(),
            fleet: self.fleet.clone(),
            ..Opening::default()
        };
        Place { store: self.store.clone(), opening }
    }
}
