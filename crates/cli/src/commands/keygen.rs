//! `hasten keygen`: a stateful key in a store, or a stateless key in two files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_keys::encoding::{self, PrivateKey, PublicKey};
use hasten_keys::registry::{Kind, Row as Algorithm};
use hasten_keys::stateful::{Generation, NewStateful, fleet_of, service_key_of, session_levels};
use hasten_keys::{kem, stateless};
use hasten_report::grouped;
use hasten_store::{Carrier, Cell, MacKey, Options, Store, StoreError};
use serde::Serialize;

use super::choose::Choice;
use crate::backend::Backend;
use crate::error::{Channel, Error};
use crate::files::{Output, Wanted};
use crate::fleet::Member;
use crate::help;
use crate::interrupt::{Hold, Interrupt};
use crate::output::{note, visible};
use crate::passphrase::Source;
use crate::progress;
use crate::report;
use crate::store_args::fleet::CARRIED;
use crate::store_args::{self, NewPlace};
use crate::{files, given, private_key, units};

/// Arguments of `hasten keygen`.
#[derive(clap::Args)]
#[command(after_help = include_str!("keygen.txt"))]
pub struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Directory of a new stateful key.
    #[arg(short = 'k', long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// First part of the file names of a new stateless key.
    #[arg(long, value_name = "PREFIX")]
    out: Option<PathBuf>,
    #[command(flatten)]
    new: NewPlace,
    #[command(flatten)]
    fleet: Member,
    /// Keeps the state of the key in the word of --witness, which is then the only protection: for
    /// signers without a disk of their own, such as jobs of a build service.
    #[arg(long, requires = "witness", help_heading = help::STATE)]
    carry: bool,
    /// Indices that one reservation sets aside; those left over at the end of a command are lost.
    #[arg(long, value_name = "N", default_value = "1", value_parser = units::count)]
    reserve: usize,
    /// Parts of the key with seeds of their own under the one public key, a power of two: 'hasten
    /// shard --sector' takes one elsewhere with its seed, which is then nowhere else.
    #[arg(long, value_name = "N", default_value = "1", value_parser = units::count)]
    sectors: usize,
    /// Makes the identity of a channel, for 'hasten publish': the last level of the set is that of
    /// session trees, which live in the publisher's memory. The key signs these and nothing else.
    /// Under a set of XMSS or XMSS^MT session trees are of LMS too.
    #[arg(long, conflicts_with = "purpose")]
    sessions: bool,
    /// Encrypts the secret under a passphrase.
    #[arg(long)]
    encrypt: bool,
    #[command(flatten)]
    passphrase: Source,
    /// Threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = units::count, help_heading = help::MEASURING)]
    threads: Option<usize>,
    #[command(flatten)]
    backend: Backend,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Summary of the new key.
#[derive(Default, Serialize)]
struct Row {
    alg: &'static str,
    /// Set of the session trees. If present, the capacity is a number of session trees.
    #[serde(skip_serializing_if = "Option::is_none")]
    sessions: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity: Option<u64>,
    public_key_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ciphertext_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sectors: Option<u32>,
    encrypted: bool,
    #[serde(serialize_with = "report::path")]
    private_key_file: PathBuf,
    #[serde(serialize_with = "report::path")]
    public_key_file: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "report::path_if_any")]
    guard: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fleet: Option<String>,
    /// Clock cycles of the simulated core.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u64>,
    seconds: f64,
}

/// Makes the key and prints a summary.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    if args.choice.shown(args.json)? {
        return Ok(ExitCode::SUCCESS);
    }
    let alg = args.choice.alg()?;
    let (row, remarks) = match (alg.kind, &args.store, &args.out) {
        (Kind::StatefulSignature, Some(dir), None) => stateful(args, alg, dir)?,
        (Kind::StatefulSignature, ..) => {
            return Err(Error::Needs { option: "--store DIR", alg: &alg.name });
        }
        (_, None, Some(prefix)) => (in_files(args, alg, prefix)?, Vec::new()),
        _ => return Err(Error::Needs { option: "--out PREFIX", alg: &alg.name }),
    };
    report::show(args.json, "hasten.keygen/1", Some(args.backend.machine()), &[&row], || {
        text(&row)
    })?;
    remarks.iter().for_each(|remark| note(remark));
    Ok(ExitCode::SUCCESS)
}

fn stateful(args: &Args, alg: &'static Algorithm, dir: &Path) -> Result<(Row, Vec<String>), Error> {
    let whole = Set::named(&alg.name).map_err(|_| Error::NotBuiltIn(&alg.name))?;
    let (set, session) = levels(args, whole)?;
    let sectors = sectors(args, alg, set)?;
    files::make_folders_above(dir)?;
    let guard = args.new.guard(dir)?;
    let passphrase = args.passphrase.of_new(args.encrypt)?;
    let encrypted = passphrase.is_some();
    let begun = Instant::now();
    let new = NewStateful { set, reserve: args.reserve as u64, sectors };
    let options = match args.carry {
        true => args.new.unwatched(&guard),
        false => args.new.options(dir, &guard, &args.fleet)?,
    };
    let cell = carrying(args, dir)?;
    let passphrase = passphrase.as_deref().map(Vec::as_slice);
    let generation = match session {
        Some(set) => Generation::begin_for_sessions(dir, options, new, set, passphrase),
        None => Generation::begin(dir, options, new, passphrase),
    };
    let generation = generation.map_err(Error::key(dir))?;
    let threads = args.threads.unwrap_or_else(hasten_report::cores);
    let generation = match cell {
        Some(cell) => carried(dir, generation, cell)?,
        None => joined(args, dir, &guard, generation)?,
    };
    grow(dir, generation, args.backend.kernels()?.1, threads)?;
    args.new.watch.note_if_near(dir, &guard);
    let fleet = fleet_of(dir).map_err(Error::key(dir))?;
    let (public_key_bytes, signature_bytes) = encoding::published_sizes(whole);
    let status = Options::new().guard(&guard).peek(dir).map_err(|e| Error::key(dir)(e.into()))?;
    let row = Row {
        alg: whole.name,
        sessions: session.map(|set| set.name),
        capacity: Some(set.capacity()),
        public_key_bytes,
        signature_bytes: Some(signature_bytes),
        sectors: Some(sectors),
        encrypted,
        private_key_file: dir.to_owned(),
        public_key_file: dir.join("public.pem"),
        guard: (!args.carry).then(|| guard.clone()),
        fleet,
        cycles: args.backend.cycles(),
        seconds: begun.elapsed().as_secs_f64(),
        ..Row::default()
    };
    store_args::memory_note(&status).into_iter().for_each(note);
    let remarks = match &row.fleet {
        Some(_) if args.carry => vec![ONE_WORD.to_owned()],
        Some(_) => vec![ONE_SEED.to_owned()],
        None => store_args::remarks(&status, &guard),
    };
    Ok((row, remarks))
}

/// Note on the risk of a fleet.
const ONE_SEED: &str = "every signer of the fleet holds a copy of this directory, and so the same seed: one leaked signer leaks all";

/// Warning about the risk of a state that a witness carries.
const ONE_WORD: &str = "warning: the word of the witness is all that keeps an index of this key from being used twice: leave it out of backups, and let nobody put an earlier one back";

/// Returns the cell of the witness if `--carry` is given. For a new key the cell must be empty.
fn carrying(args: &Args, dir: &Path) -> Result<Option<Box<dyn Cell>>, Error> {
    if !args.carry {
        return Ok(None);
    }
    if args.sectors > 1 {
        return Err(Error::SectorsOfFleet);
    }
    if args.sessions {
        return Err(Error::Channel(Channel::OfFleet));
    }
    let Some(cell) = args.new.watch.cell(&args.fleet)? else { return Ok(None) };
    let of = |error: StoreError| Error::key(dir)(error.into());
    match cell.read().map_err(of)? {
        Some(_) if !dir.exists() => Err(of(StoreError::WitnessTaken)),
        _ => Ok(Some(cell)),
    }
}

/// Hands all indices over to the witness before the key is finished. By then the local state has
/// given them away, so no index is available from both.
fn carried<'h>(
    dir: &Path,
    generation: Generation<'h>,
    cell: Box<dyn Cell>,
) -> Result<Generation<'h>, Error> {
    let hand_over = Box::new(move |store: &mut Store| {
        let key = service_key_of(store).ok().flatten().ok_or(StoreError::WitnessUnreachable)?;
        give_all(store)?;
        let state = store.state();
        let size = (state.capacity, state.threshold);
        Carrier::new(cell, MacKey::new(&key), state.identity(), size).adopt(state)
    });
    generation.for_fleet(CARRIED, hand_over).map_err(Error::key(dir))
}

/// Gives away all indices that the local state has left.
fn give_all(store: &mut Store) -> Result<(), StoreError> {
    match store.state().remaining() {
        0 => Ok(()),
        left => store.give(left).map(drop),
    }
}

#[cfg(not(feature = "etcd"))]
fn joined<'h>(
    _args: &Args,
    _dir: &Path,
    _guard: &Path,
    generation: Generation<'h>,
) -> Result<Generation<'h>, Error> {
    Ok(generation)
}

/// With `--fleet`, hands the whole key over to etcd before it is finished. By then the local state
/// has given all indices away, so no index is available from both.
#[cfg(feature = "etcd")]
fn joined<'h>(
    args: &'h Args,
    dir: &Path,
    guard: &Path,
    generation: Generation<'h>,
) -> Result<Generation<'h>, Error> {
    let Some(name) = args.fleet.named() else { return Ok(generation) };
    if args.sectors > 1 {
        return Err(Error::SectorsOfFleet);
    }
    if args.sessions {
        return Err(Error::Channel(Channel::OfFleet));
    }
    let of_signer = crate::fleet::beside(guard);
    // Checks that etcd may be reached this way and answers, before anything is stored or given
    // away.
    let asked = crate::fleet::reach(name, &of_signer, &args.fleet, None)?.peek();
    if let Err(StoreError::ServiceUnreachable) = asked {
        return Err(Error::NoAnswer(name.to_string()));
    }
    let hand_over = Box::new(move |store: &mut hasten_store::Store| {
        let unreachable = hasten_store::StoreError::ServiceUnreachable;
        let key = service_key_of(store).map_err(|_| unreachable.clone())?;
        let fleet =
            crate::fleet::reach(name, &of_signer, &args.fleet, key).map_err(|_| unreachable)?;
        give_all(store)?;
        fleet.adopt(store.state())?.close().map(drop)
    });
    generation.for_fleet(&name.to_string(), hand_over).map_err(Error::key(dir))
}

/// Returns the set of the key in the store and, with `--sessions`, that of the session trees.
fn levels(args: &Args, whole: &'static Set) -> Result<Levels, Error> {
    if !args.sessions {
        return Ok((whole, None));
    }
    let none = || Error::Channel(Channel::NotOfLevels(whole.name));
    let (set, session) = session_levels(whole)?.ok_or_else(none)?;
    Ok((set, Some(session)))
}

/// Set of a key, and set of the session trees below it.
type Levels = (&'static Set, Option<&'static Set>);

/// Returns the requested number of sectors. A number that the set does not allow is an error.
fn sectors(args: &Args, alg: &'static Algorithm, set: &Set) -> Result<u32, Error> {
    let most = hasten_hbs::most_sectors(set);
    let asked = u32::try_from(args.sectors).ok().filter(|n| n.is_power_of_two() && *n <= most);
    asked.ok_or(Error::NoSectors { alg: &alg.name, most })
}

/// Runs key generation to its end and shows its progress. Ctrl-C stops it between two steps.
pub(super) fn grow(
    dir: &Path,
    generation: Generation<'_>,
    kernels: Kernels<'_>,
    threads: usize,
) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    let made = generation.run(kernels, threads, &mut progress::of_leaves("tree", &interrupt));
    store_args::note_if_stopped(
        &made,
        "what was made of the tree is kept: the same command goes on from there",
    );
    made.map(drop).map_err(Error::key(dir))
}

/// Returns a new key pair of `alg`, and the clock cycles if a simulated core computed it.
fn pair(
    args: &Args,
    alg: &'static Algorithm,
    of: &impl Fn(hasten_keys::Error) -> Error,
) -> Result<(PrivateKey, PublicKey, Option<u64>), Error> {
    #[cfg(feature = "rtl")]
    if args.backend.is_ed25519() {
        return pair_on_gates(alg, of);
    }
    if alg.kind == Kind::Kem {
        let (key, public) = kem::generate(alg).map_err(of)?;
        return Ok((key, public, None));
    }
    let (_, kernels) = args.backend.kernels()?;
    let key = stateless::generate(alg, kernels).map_err(of)?;
    let public = stateless::public(&key, kernels).map_err(of)?;
    Ok((key, public, args.backend.cycles()))
}

/// Returns a new key pair: its seed comes from the system's random numbers, its public key from the
/// simulated core.
#[cfg(feature = "rtl")]
fn pair_on_gates(
    alg: &'static Algorithm,
    of: &impl Fn(hasten_keys::Error) -> Error,
) -> Result<(PrivateKey, PublicKey, Option<u64>), Error> {
    let core = crate::ed25519::core(alg)?;
    let key = stateless::generate(alg, Kernels::best()).map_err(of)?;
    let (public, cycles) = crate::ed25519::public(&core, &key).map_err(of)?;
    Ok((key, public, Some(cycles)))
}

fn in_files(args: &Args, alg: &'static Algorithm, prefix: &Path) -> Result<Row, Error> {
    let begun = Instant::now();
    let of = Error::key(prefix);
    given::no_state(&alg.name)?;
    let passphrase = args.passphrase.of_new(args.encrypt)?;
    let encrypted = passphrase.is_some();
    let names = [".key", ".pub"].map(|ending| files::with_ending(prefix, ending));
    let own = private_key::begin(&names[0])?;
    let shown = Output::begin(&names[1], Wanted::default())?;
    let (key, public, cycles) = pair(args, alg, &of)?;
    let private = private_key::pem(prefix, &key, passphrase.as_deref().map(Vec::as_slice))?;
    let spki = encoding::encode_spki(&public).map_err(&of)?;
    let public = encoding::to_pem("PUBLIC KEY", &spki).map_err(&of)?;
    let _pair = Hold::begin();
    own.finish(private.as_bytes())?;
    shown.finish(public.as_bytes())?;
    let [private_key_file, public_key_file] = names;
    let (sizes, is_kem) = (alg.sizes, alg.kind == Kind::Kem);
    Ok(Row {
        alg: &alg.name,
        public_key_bytes: sizes.public,
        signature_bytes: (!is_kem).then_some(sizes.output),
        ciphertext_bytes: is_kem.then_some(sizes.output),
        encrypted,
        private_key_file,
        public_key_file,
        cycles,
        seconds: begun.elapsed().as_secs_f64(),
        ..Row::default()
    })
}

fn text(row: &Row) -> String {
    let counted = |count| match row.sessions {
        Some(_) => units::counted(count, "session tree", "session trees"),
        None => units::signatures(count),
    };
    let count = row.capacity.map_or(String::new(), |count| counted(count) + ", ");
    let (what, bytes) = match (row.signature_bytes, row.ciphertext_bytes) {
        (_, Some(bytes)) => ("ciphertext", bytes),
        (bytes, None) => ("signature", bytes.unwrap_or(0)),
    };
    let [output, public] = [bytes, row.public_key_bytes].map(|n| grouped(n as u64));
    let closed = if row.encrypted { "under a passphrase" } else { "not encrypted" };
    let mut lines = vec![
        format!("set      {}: {count}{what} {output} B, public key {public} B", row.alg),
        format!("key      {} (secret {closed})", visible(&row.private_key_file)),
        format!("public   {}", visible(&row.public_key_file)),
    ];
    if let (Some(sectors @ 2..), Some(capacity)) = (row.sectors, row.capacity) {
        let each = units::signatures(capacity / u64::from(sectors));
        lines.push(format!("sectors  {sectors} of {each}, with seeds of their own"));
    }
    lines.extend(row.guard.as_ref().map(|guard| format!("guard    {}", visible(guard))));
    lines.extend(row.fleet.as_ref().map(|fleet| format!("fleet    {fleet}")));
    lines.extend(row.cycles.map(|cycles| format!("core     {} clock cycles", grouped(cycles))));
    lines.push(format!("time     {}", units::read_by_people(row.seconds * 1e6)));
    lines.join("\n")
}
