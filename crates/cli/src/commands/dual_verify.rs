//! `hasten dual verify`: verifies both signatures in a file.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use hasten_kernels::Kernels;
use hasten_keys::Error as KeyError;
use hasten_keys::dual::{Dual, DualError, Pair};
use hasten_keys::encoding::PublicKey;
use hasten_keys::fit::fit;
use hasten_report::{Summary, micros};
use serde::Serialize;

use crate::commands::verify::key;
use crate::error::Error;
use crate::unfit::no_container;
use crate::units::read_by_people;
use crate::verdict::Verdict;
use crate::{files, report};

/// Arguments of `hasten dual verify`.
#[derive(clap::Args)]
pub struct Args {
    /// The first public key: that of the key with a state, if one has one.
    #[arg(short = 'p', long = "pub", value_name = "PUB")]
    public: PathBuf,
    /// The second public key.
    #[arg(long, value_name = "PUB")]
    second: PathBuf,
    /// The file that was signed.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Both signatures [default: FILE.dual].
    #[arg(value_name = "SIG")]
    signature: Option<PathBuf>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    good: bool,
    #[serde(serialize_with = "report::path")]
    file: PathBuf,
    #[serde(serialize_with = "report::path")]
    signature_file: PathBuf,
    alg: String,
    second_alg: String,
    index: Option<u64>,
    verify_us: Summary,
    /// Reason why the signatures are bad.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Verifies both signatures. The exit status is the verdict.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let (first, second) = (key::read(&args.public, None)?, key::read(&args.second, None)?);
    let pair = Pair::new(&first, &second).map_err(Error::key(&args.second))?;
    let path = args.signature.clone().unwrap_or_else(|| files::with_ending(&args.file, ".dual"));
    let file = files::read(&path)?;
    let begun = Instant::now();
    let end = pair.verify(&file, &mut *files::open(&args.file)?, Kernels::best());
    let wrong = match end {
        Ok(()) => None,
        Err(error @ (KeyError::Io(_) | KeyError::TooLong)) => {
            return Err(Error::key(&args.file)(error));
        }
        Err(KeyError::Dual(why)) if is_looked_at([&first, &second], &pair, &file, why) => Some(why),
        Err(error @ KeyError::Dual(_)) if Dual::read(&file).is_ok() => {
            return Err(Error::key(&path)(error));
        }
        Err(error) => return Err(no_container(&path, &file, error)),
    };
    let verdict = if wrong.is_none() { Verdict::Good } else { Verdict::Bad };
    let took = Summary::constant(micros(begun.elapsed()));
    let half = Dual::read(&file).map(|read| read.halves[0]).unwrap_or_default();
    let row = Row {
        good: verdict == Verdict::Good,
        file: args.file.clone(),
        signature_file: path,
        alg: first.name_in(half),
        second_alg: second.row.name.clone(),
        index: first.index_in(half),
        verify_us: took,
        error: wrong.map(|why| why.to_string()),
    };
    report::show(args.json, "hasten.dual-verify/1", None, &[&row], || text(&row))?;
    Ok(verdict.status())
}

/// Returns true if a rejected file contains a signature of each key, so that the rejection is a
/// verdict on the signatures. If a length field is wrong, both signatures must still be complete.
fn is_looked_at(keys: [&PublicKey; 2], pair: &Pair<'_>, file: &[u8], why: DualError) -> bool {
    let fits = |dual: Dual<'_>| {
        let halves = keys.into_iter().zip(dual.halves);
        halves.into_iter().all(|(key, half)| fit(key, half).is_ok())
    };
    match why {
        DualError::HalfMissing | DualError::TooLong => pair.is_whole_in(file),
        DualError::Swapped => true,
        why if Verdict::of(Err(&why.into())) == Verdict::Bad => Dual::read(file).is_ok_and(fits),
        _ => false,
    }
}

fn text(row: &Row) -> String {
    if let Some(error) = &row.error {
        return format!("BAD SIGNATURE  {error}");
    }
    let index = row.index.map_or(String::new(), |index| format!("  index {index}"));
    let took = read_by_people(row.verify_us.min);
    format!("good  {}{index} and {}  {took}", row.alg, row.second_alg)
}
