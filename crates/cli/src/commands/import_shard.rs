//! `hasten import-shard`: makes a key with its own guard from a file of another machine.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_keys::stateful::{Sealed, SealedShard, import_shard};
use hasten_report::grouped;
use hasten_store::Options;
use serde::Serialize;

use crate::error::Error;
use crate::fleet::Member;
use crate::imports::Register;
use crate::output::{note, visible};
use crate::passphrase::Source;
use crate::store_args::{self, NewPlace};
use crate::{files, report};

/// Arguments of `hasten import-shard`.
#[derive(clap::Args)]
#[command(after_help = include_str!("import_shard.txt"))]
pub struct Args {
    /// The file that 'hasten export-shard' has written; it is erased when the key is whole.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Directory of the new key.
    #[arg(short = 'k', long, value_name = "DIR")]
    store: PathBuf,
    #[command(flatten)]
    new: NewPlace,
    #[command(flatten)]
    register: Register,
    #[cfg(feature = "etcd")]
    #[command(flatten)]
    access: crate::etcd::Access,
    #[command(flatten)]
    passphrase: Source,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    alg: String,
    first: u64,
    count: u64,
    encrypted: bool,
    #[serde(serialize_with = "report::path")]
    store: PathBuf,
    #[serde(serialize_with = "report::path")]
    guard: PathBuf,
    witness: bool,
    /// True if the file was erased.
    file_erased: bool,
}

/// Makes the key and prints a summary.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let (dir, of_file) = (&args.store, Error::key(&args.file));
    let file = zeroize::Zeroizing::new(files::read(&args.file)?);
    let register = args.register.folder(dir, &args.new.world())?;
    files::make_folders_above(dir)?;
    let guard = args.new.guard(dir)?;
    let sealed = SealedShard::read_on(&file, &args.new.world(), &register).map_err(&of_file)?;
    let encrypted = sealed.is_encrypted();
    if !encrypted {
        args.passphrase.note_unneeded(&args.file);
    }
    let word = encrypted.then(|| args.passphrase.existing()).transpose()?;
    let shard = sealed.open(word.as_deref().map(Vec::as_slice)).map_err(&of_file)?;
    let options = args.new.options(dir, &guard, &reached(args))?;
    let status = import_shard(&shard, dir, options, &register);
    let status = status.map_err(Error::key(dir))?;
    args.new.watch.note_if_near(dir, &guard);
    let erased = Options::new().erase_carried(&args.file);
    let row = Row {
        alg: Sealed::of_store(dir).map_err(Error::key(dir))?.set().to_owned(),
        first: status.start,
        count: status.end - status.start,
        encrypted,
        store: dir.clone(),
        guard,
        witness: args.new.watch.is_given(),
        file_erased: matches!(erased, Ok(true)),
    };
    report::show(args.json, "hasten.import-shard/1", None, &[&row], || text(&row))?;
    if matches!(erased, Ok(false)) {
        note(&format!("{} cannot be written to: destroy it", args.file.display()));
    }
    store_args::memory_note(&status).into_iter().for_each(note);
    if !row.witness {
        note("the shard has no outside witness: a clone of its machine cannot be detected");
    }
    erased.map_err(|error| of_file(error.into()))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the options for access to a witness in etcd.
#[cfg(feature = "etcd")]
fn reached(args: &Args) -> Member {
    let mut member = Member::default();
    member.access = args.access.clone();
    member
}

#[cfg(not(feature = "etcd"))]
fn reached(_args: &Args) -> Member {
    Member::default()
}

fn text(row: &Row) -> String {
    let Row { alg, first, count, store, guard, .. } = row;
    format!(
        "set        {alg}\nkey        {} (secret {})\nindices    {first}..{}: {}\nguard      {}\nfile       {}",
        visible(store),
        if row.encrypted { "encrypted" } else { "not encrypted" },
        first + count,
        grouped(*count),
        visible(guard),
        if row.file_erased { "erased" } else { "still there" },
    )
}
