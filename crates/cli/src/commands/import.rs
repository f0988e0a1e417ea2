//! `hasten import`: makes a key from a private key that another program has made and used.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_keys::registry::Row as Algorithm;
use hasten_keys::stateful::{Foreign, Generation};
use hasten_report::grouped;
use serde::Serialize;
use zeroize::Zeroizing;

use super::{keygen::grow, verify::key};
use crate::backend::Backend;
use crate::error::Error;
use crate::fleet::Member;
use crate::help;
use crate::imports::Register;
use crate::output::{note, visible};
use crate::parse::key_algorithm;
use crate::passphrase::Source;
use crate::store_args::NewPlace;
use crate::{files, report, units};

/// Arguments of `hasten import`.
#[derive(clap::Args)]
#[command(after_help = include_str!("import.txt"))]
pub struct Args {
    /// The private key: a file of hash-sigs or wolfSSL, or PKCS#8 of Bouncy Castle.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Its public key, as the other program wrote it.
    #[arg(short, long, value_name = "FILE")]
    public_key: PathBuf,
    /// Algorithm of the key: where the bytes of the public key leave that open, they are read so.
    #[arg(long, value_name = "NAME", value_parser = key_algorithm)]
    alg: Option<&'static Algorithm>,
    /// The highest index that was ever used, by any copy of the file; 'none' for a key that has
    /// signed nothing.
    #[arg(long, value_name = "N", value_parser = through)]
    burned_through: Through,
    /// How many further indices are given up.
    #[arg(long, value_name = "N", default_value = "8", value_parser = units::count)]
    margin: usize,
    /// Directory of the new key.
    #[arg(short = 'k', long, value_name = "DIR")]
    store: PathBuf,
    #[command(flatten)]
    new: NewPlace,
    #[command(flatten)]
    register: Register,
    /// Indices that one reservation sets aside; those left over at the end of a command are lost.
    #[arg(long, value_name = "N", default_value = "1", value_parser = units::count)]
    reserve: usize,
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

/// The highest index used; `None` if the key has signed nothing.
#[derive(Clone, Copy)]
struct Through(Option<u64>);

fn through(text: &str) -> Result<Through, &'static str> {
    match text {
        "none" => Ok(Through(None)),
        text => Ok(Through(Some(text.parse().map_err(|_| "neither an index nor 'none'")?))),
    }
}

#[derive(Serialize)]
struct Row {
    alg: &'static str,
    capacity: u64,
    burned_through: Option<u64>,
    margin: u64,
    next_index: u64,
    remaining: u64,
    encrypted: bool,
    #[serde(serialize_with = "report::path")]
    private_key_file: PathBuf,
    #[serde(serialize_with = "report::path")]
    public_key_file: PathBuf,
    #[serde(serialize_with = "report::path")]
    guard: PathBuf,
}

/// Makes the key and prints a summary.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let (dir, of_file) = (&args.store, Error::key(&args.file));
    let private = Zeroizing::new(files::read(&args.file)?);
    let public = key::read(&args.public_key, args.alg)?;
    let foreign = Foreign::of(&private, &public).map_err(&of_file)?;
    let (through, margin) = (args.burned_through.0, args.margin as u64);
    let next = foreign.first_usable(through, margin).map_err(of_file)?;
    let register = args.register.folder(dir, &args.new.world())?;
    files::make_folders_above(dir)?;
    let guard = args.new.guard(dir)?;
    let word = args.passphrase.of_new(args.encrypt)?;
    let encrypted = word.is_some();
    let word = word.as_deref().map(Vec::as_slice);
    let options = args.new.options(dir, &guard, &Member::default())?;
    let plan = (next, args.reserve as u64);
    let begun = Generation::import(dir, options, &foreign, plan, &register, word);
    let threads = args.threads.unwrap_or_else(hasten_report::cores);
    grow(dir, begun.map_err(Error::key(dir))?, args.backend.kernels()?.1, threads)?;
    args.new.watch.note_if_near(dir, &guard);
    let (alg, capacity) = (foreign.set().name, foreign.set().capacity());
    let row = Row {
        alg,
        capacity,
        burned_through: through,
        margin,
        next_index: next,
        remaining: capacity - next,
        encrypted,
        private_key_file: dir.clone(),
        public_key_file: dir.join("public.pem"),
        guard,
    };
    report::show(args.json, "hasten.import/1", Some(args.backend.machine()), &[&row], || {
        text(&row)
    })?;
    note(&format!("{} and its copies can still sign: destroy them", args.file.display()));
    Ok(ExitCode::SUCCESS)
}

fn text(row: &Row) -> String {
    let closed = if row.encrypted { "under a passphrase" } else { "not encrypted" };
    format!(
        "set      {}: {}\nkey      {} (secret {closed})\npublic   {}\nburned   0..{}: {} used at most, margin {}\nguard    {}",
        row.alg,
        units::signatures(row.capacity),
        visible(&row.private_key_file),
        visible(&row.public_key_file),
        row.next_index,
        grouped(row.next_index - row.margin),
        row.margin,
        visible(&row.guard),
    )
}
