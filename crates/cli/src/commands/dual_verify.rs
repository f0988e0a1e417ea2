//! `hasten dual verify`: both signatures of a file.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use hasten_kernels::Kernels;
use hasten_keys::Error as KeyError;
use hasten_keys::dual::{Dual, DualError, Pair};
use hasten_report::{Summary, micros};
use serde::Serialize;

use crate::commands::verify::key;
use crate::error::Error;
use crate::{files, report};

/// Arguments of `hasten dual verify`.
#[derive(clap::Args)]
pub struct Args {
    /// The first public key: the one with a state.
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
    /// Says what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Verifies; the status says how it went.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let (first, second) = (key::read(&args.public, None)?, key::read(&args.second, None)?);
    let pair = Pair::new(&first, &second).map_err(Error::key(&args.second))?;
    let path = args.signature.clone().unwrap_or_else(|| files::with_ending(&args.file, ".dual"));
    let file = files::read(&path)?;
    let begun = Instant::now();
    let wrong = match pair.verify(&file, &mut *files::open(&args.file)?, Kernels::best()) {
        Ok(()) => None,
        Err(KeyError::Dual(DualError::NotDual)) => {
            return Err(Error::key(&path)(DualError::NotDual.into()));
        }
        Err(KeyError::Dual(why)) => Some(why),
        Err(error) => return Err(Error::key(&args.file)(error)),
    };
    let took = Summary::constant(micros(begun.elapsed()));
    let half = Dual::read(&file).map(|read| read.halves[0]).unwrap_or_default();
    let row = Row {
        good: wrong.is_none(),
        file: args.file.clone(),
        signature_file: path,
        alg: first.name_in(half),
        second_alg: second.row.name.clone(),
        index: first.index_in(half),
        verify_us: took,
        error: wrong.map(|why| why.to_string()),
    };
    report::show(args.json, "hasten.dual-verify/1", None, &[&row], || text(&row))?;
    Ok(if row.good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(row: &Row) -> String {
    if let Some(error) = &row.error {
        return format!("BAD SIGNATURE  {error}");
    }
    let index = row.index.map_or(String::new(), |index| format!("  index {index}"));
    format!("good  {}{index} and {}  {:.1} us", row.alg, row.second_alg, row.verify_us.min)
}
