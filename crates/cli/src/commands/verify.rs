//! `hasten verify`: good or bad, by any public key that says what it is.

mod enclosed;
mod engine;
pub(super) mod key;
mod pairs;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_keys::encoding::PublicKey;
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::{Error as KeyError, verify};
use hasten_report::{Summary, grouped, micros};
use serde::Serialize;

use self::pairs::Pair;
use crate::backend::Backend;
use crate::engine::Clock;
use crate::error::{Error, USAGE};
use crate::files;
use crate::form::{self, Digest, Format};
use crate::output::print;
use crate::parse::key_algorithm;
use crate::report;

/// Arguments of `hasten verify`.
#[derive(clap::Args)]
#[command(after_help = include_str!("verify.txt"))]
pub struct Args {
    /// Public key.
    #[arg(short = 'p', long = "pub", value_name = "PUB")]
    public: PathBuf,
    /// Algorithm: the key must be one of it; and where its bytes leave that open, they are read so.
    #[arg(long, value_name = "NAME", value_parser = key_algorithm)]
    alg: Option<&'static Algorithm>,
    /// Form of the signature, where it is not that of the public key: as 'hasten sign' has it.
    #[arg(long = "format", visible_alias = "form", value_name = "FORM", default_value = "raw")]
    format: Format,
    /// Verifies a digest in the place of FILE [default: none, of --format caliptra sha384].
    #[arg(long, value_name = "HOW")]
    digest: Option<Digest>,
    /// The signed file (- is the standard input) and its signature [default: FILE.sig]; of --format
    /// boot the signed image alone.
    #[arg(value_name = "FILE [SIG]", required = true)]
    files: Vec<PathBuf>,
    /// Verifies several files, each with the signature FILE.sig.
    #[arg(long)]
    each: bool,
    /// Verifies several files, each followed by its signature.
    #[arg(long, conflicts_with = "each")]
    pairs: bool,
    #[command(flatten)]
    backend: Backend,
    #[command(flatten)]
    clock: Clock,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// One verdict.
#[derive(Default, Serialize)]
struct Row {
    good: bool,
    #[serde(serialize_with = "report::path")]
    file: PathBuf,
    #[serde(serialize_with = "report::path")]
    signature_file: PathBuf,
    alg: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verify_us: Option<Summary>,
    /// Clock cycles of the simulated core.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u64>,
    /// Their time, where the core is one that verifies by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    core_us: Option<Summary>,
    /// For several: why this one could not be asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Holds what was said, how long that took, and the clock cycles of a simulated core.
struct Said {
    verdict: Result<(), KeyError>,
    took: Duration,
    cycles: Option<u64>,
    core: Option<Duration>,
}

/// Verifies; the status says how it went.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let pairs = pairs::of(args)?;
    let key = key::read(&args.public, args.alg)?;
    match &pairs[..] {
        [pair] => {
            let row = one(args, &key, pair)?;
            show(args, &[row])
        }
        pairs => {
            let rows: Vec<_> = pairs.iter().map(|pair| one_of_several(args, &key, pair)).collect();
            show(args, &rows)
        }
    }
}

/// Asks about one of several; an error is a row, and the others are asked about too.
fn one_of_several(args: &Args, key: &PublicKey, pair: &Pair) -> Row {
    one(args, key, pair).unwrap_or_else(|error| Row {
        file: pair.file.clone(),
        signature_file: pair.signature.clone(),
        alg: key.name_in(&[]),
        error: Some(error.to_string()),
        ..Row::default()
    })
}

fn one(args: &Args, key: &PublicKey, pair: &Pair) -> Result<Row, Error> {
    let written = files::read(&pair.signature)?;
    let (signature, said) = match args.format {
        format if format.is_enclosing() => enclosed::ask(args, key, pair, &written)?,
        _ => {
            let signature = key::in_form(args, key, &written)?;
            let mut message = form::open(&pair.file, args.format.digest(args.digest))?;
            let said = ask(args, key, (&pair.file, &mut *message), &signature)?;
            (signature, said)
        }
    };
    let good = match said.verdict {
        Ok(()) => true,
        Err(KeyError::BadSignature) => false,
        Err(error @ (KeyError::Io(_) | KeyError::TooLong)) => {
            return Err(Error::key(&pair.file)(error));
        }
        Err(error) => return Err(Error::key(&args.public)(error)),
    };
    if !good && args.format == Format::Raw {
        key::say_other_form(key, &signature);
    }
    let constant = |time| Summary::constant(micros(time));
    Ok(Row {
        good,
        file: pair.file.clone(),
        signature_file: pair.signature.clone(),
        alg: key.name_in(&signature),
        index: key.index_in(&signature),
        verify_us: Some(constant(said.took)),
        cycles: said.cycles,
        core_us: said.core.map(constant),
        error: None,
    })
}

/// Asks the kernels, or the core that verifies by itself.
fn ask(
    args: &Args,
    key: &PublicKey,
    (file, message): (&Path, &mut dyn Read),
    signature: &[u8],
) -> Result<Said, Error> {
    #[cfg(feature = "rtl")]
    if args.backend.is_ed25519() {
        return engine::by_ed25519(key, (file, message), signature);
    }
    let (_, kernels) = args.backend.beside()?;
    if args.backend.is_engine() {
        return engine::by_engine(args, key, (file, message), signature);
    }
    let begun = Instant::now();
    let verdict = verify::verify(key, message, signature, kernels);
    Ok(Said { verdict, took: begun.elapsed(), cycles: args.backend.cycles(), core: None })
}

/// Prints the rows; the status: 1 if a signature is bad, 2 if none is and one could not be asked
/// about.
fn show(args: &Args, rows: &[Row]) -> Result<ExitCode, Error> {
    print(&match args.json {
        true => report::new("hasten.verify/1", Some(args.backend.machine()), rows).json(),
        false => text(rows),
    })?;
    let bad = rows.iter().any(|row| !row.good && row.error.is_none());
    Ok(match (bad, rows.iter().all(|row| row.good)) {
        (true, _) => ExitCode::FAILURE,
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(USAGE),
    })
}

fn text(rows: &[Row]) -> String {
    if let [row] = rows {
        return line(row);
    }
    let named = rows.iter().map(|row| match &row.error {
        Some(error) => format!("{}: {error}", row.file.display()),
        None => format!("{}: {}", row.file.display(), line(row)),
    });
    let count = |of: fn(&&Row) -> bool| grouped(rows.iter().filter(of).count() as u64);
    let (good, unasked) = (count(|row| row.good), count(|row| row.error.is_some()));
    let bad = count(|row| !row.good && row.error.is_none());
    let sum = format!("{good} good, {bad} bad, {unasked} could not be asked about");
    named.chain([sum]).collect::<Vec<_>>().join("\n")
}

fn line(row: &Row) -> String {
    let index = row.index.map_or(String::new(), |index| format!("  index {index}"));
    let verdict = if row.good { "good" } else { "BAD SIGNATURE" };
    let took = row.verify_us.map_or(String::new(), |took| format!("  {:.1} us", took.min));
    let cycles =
        row.cycles.map_or(String::new(), |cycles| format!("  {} clock cycles", grouped(cycles)));
    let core = row.core_us.map_or(String::new(), |core| format!(", {:.1} us", core.min));
    format!("{verdict}  {}{index}{took}{cycles}{core}", row.alg)
}
