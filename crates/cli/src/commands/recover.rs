//! `hasten recover`: continues with a refused key, after the last index that is known to be used.

mod view;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use hasten_keys::found::Found;
use hasten_keys::stateful::{Sealed, read_public_of};
use hasten_store::{Evidence, Reason, Status, StoreError};

use self::view::{Known, Row};
use crate::error::Error;
use crate::files;
use crate::fleet::Member;
use crate::found;
use crate::guard;
use crate::help;
use crate::named::Key;
use crate::output::{self, note};
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
    #[command(flatten)]
    store: Key,
    /// The guard file, if it has moved since the key was made; of a fleet's signer, its own.
    #[arg(long, value_name = "PATH", help_heading = help::STATE)]
    guard: Option<PathBuf>,
    /// How long to wait for another process that holds the key.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::time, help_heading = help::STATE)]
    wait: Duration,
    /// Accepts a network or FUSE file system, or a container's image, as 'hasten sign' does.
    #[arg(long, help_heading = help::STATE)]
    shared_filesystem_accepted: bool,
    /// The file with the machine's identity, where the key was used with one.
    #[arg(long, value_name = "PATH", help_heading = help::STATE)]
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
    /// since [default: what is proposed, after a question, where guard, witness or a named
    /// signature say how far the key was used].
    #[arg(long, value_name = "N")]
    burn: Option<u64>,
    /// Does not ask. Needs --burn.
    #[arg(long, requires = "burn")]
    yes: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Prints what is known, asks for confirmation, and recovers the key.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let (dir, place) = (&args.store, args.place());
    if args.burn == Some(0) {
        return Err(Error::key(dir)(StoreError::BurnTooFew { least: 1 }.into()));
    }
    if fleet::name(dir, &place.opening)?.as_deref() == Some(fleet::CARRIED) {
        return Err(Error::StateAtWitness);
    }
    let newest = newest(args)?;
    let refused = refusal(&place)?;
    let known = Known::of(dir, &Opening { salvage: true, ..place.opening.clone() }, newest)?;
    if known.status.retired {
        return Err(Error::key(dir)(StoreError::Retired.into()));
    }
    let needed = refused.is_some() || newest.is_some_and(|index| index >= known.recovery.next);
    let seen = witnessed(&place, &known, refused.as_ref())?;
    let evidence = evidence(&place, &known, refused.as_ref(), seen)?;
    let ahead = seen.unwrap_or(0);
    let proposed = match (evidence, newest) {
        (Evidence::Guard | Evidence::Witness, _) | (_, Some(_)) if needed => {
            let margin = known.recovery.margin(newest, reserve(dir)?);
            Some(margin.max(known.behind_the_witness(ahead)))
        }
        _ => None,
    };
    let mut row = Row::new(dir, &known, refused.as_ref(), proposed);
    row.witness_ahead = (ahead > 0).then_some(ahead);
    row.is_whole = !needed;
    if row.is_whole {
        note("the key opens, and nothing newer is known: there is nothing to recover");
        return shown(args, &row);
    }
    let burn = confirmed(args, &mut row)?;
    guard::make_folder_again(&known.status.guard)?;
    let status = recovered(place, burn, newest, known.recovery.next)?;
    row.done(burn.min(status.burned.saturating_sub(known.status.burned)), &status);
    shown(args, &row)
}

/// Returns who knows the indices used since the newest record. For a refused signer of a fleet that
/// is nobody, because other signers continued without it.
fn evidence(
    place: &Place,
    known: &Known,
    refused: Option<&StoreError>,
    seen: Option<u64>,
) -> Result<Evidence, Error> {
    if refused.is_some() && fleet::name(&place.store, &place.opening)?.is_some() {
        return Ok(Evidence::Nothing);
    }
    Ok(Evidence::of(refused, &known.status, refused.is_some() && seen == Some(0)))
}

/// Asks the outside witness how many commits it has seen that are missing in the log. Returns
/// `None` if the key has no witness or is in a fleet, or if the witness does not vouch for the log.
/// A key that opens is only compared with a witness that is named.
fn witnessed(
    place: &Place,
    known: &Known,
    refused: Option<&StoreError>,
) -> Result<Option<u64>, Error> {
    let Place { store, opening } = place;
    let is_compared = refused.is_some() || opening.watch.is_given();
    if !known.status.witness || !is_compared || fleet::name(store, opening)?.is_some() {
        return Ok(None);
    }
    match opening.options(store)?.peek_witness(store) {
        Ok(()) => Ok(Some(0)),
        Err(StoreError::Refused(refusal)) if refusal.reason == Reason::Witness => {
            Ok(refusal.expected.checked_sub(refusal.found).filter(|ahead| *ahead > 0))
        }
        Err(StoreError::Refused(_)) => Ok(None),
        Err(error) => Err(Error::key(store)(error.into())),
    }
}

fn shown(args: &Args, row: &Row) -> Result<ExitCode, Error> {
    report::show(args.json, "hasten.recover/1", None, &[row], || row.text())
}

/// Returns the number of indices that one command reserves, which is the most that a killed command
/// has lost. Returns 1 for a key whose secret is destroyed.
fn reserve(dir: &Path) -> Result<u64, Error> {
    match Sealed::of_store(dir) {
        Ok(sealed) => Ok(sealed.reserve()),
        Err(hasten_keys::Error::NoSecret) => Ok(1),
        Err(error) => Err(Error::key(dir)(error)),
    }
}

/// Returns the newest index known, from its signature or as stated by the user.
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

/// Returns the reason why the key does not open. Errors that recovery cannot override are returned
/// as errors.
fn refusal(place: &Place) -> Result<Option<StoreError>, Error> {
    let Place { store, opening } = place;
    let opened = match fleet::of(store, opening)? {
        None => opening.options(store)?.open(store).map(drop),
        Some(elsewhere) => elsewhere.open().map(drop),
    };
    match opened {
        Ok(()) => Ok(None),
        Err(
            refused @ (StoreError::Refused(_)
            | StoreError::OtherSession { .. }
            | StoreError::Absent { .. }
            | StoreError::WitnessMoved
            | StoreError::EpochChanged),
        ) => Ok(Some(refused)),
        // `--guard` and `--witness` give the content of the damaged file again.
        Err(damaged @ StoreError::Damaged { .. }) if opening.guard.is_some() => Ok(Some(damaged)),
        Err(error) => Err(Error::key(store)(error.into())),
    }
}

/// Returns the number of indices to burn, after the user has confirmed it.
fn confirmed(args: &Args, row: &mut Row) -> Result<u64, Error> {
    if let (true, Some(burn)) = (args.yes, args.burn) {
        return Ok(burn);
    }
    row.text().lines().for_each(note);
    row.is_told = true;
    let Some(burn) = args.burn.or(row.proposed_burn) else { return Err(Error::NothingKnown) };
    let unasked = match row.proposed_burn {
        Some(_) => Error::NotAsked { goes_on: format!("--yes --burn {burn}") },
        None => Error::NotAskedBlindly { burn },
    };
    let question = format!("{} will be given up. Type yes to go on:", units::indices(burn));
    output::confirm(&question, unasked).map(|()| burn)
}

fn recovered(mut place: Place, burn: u64, newest: Option<u64>, next: u64) -> Result<Status, Error> {
    // The state of a fleet is only advanced by a count, which must include the gap.
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
