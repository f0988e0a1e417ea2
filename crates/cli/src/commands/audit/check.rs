//! `hasten audit verify`: signatures against the record.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_keys::audit::{Answer, Compared, Record, Verdict};
use hasten_keys::found::Found;
use hasten_keys::verify::each_part;
use hasten_store::{Detail, Gap};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::files;
use crate::found::is_good;
use crate::output::note;
use crate::report;

/// Arguments of `hasten audit verify`.
#[derive(clap::Args)]
#[command(after_help = include_str!("check.txt"))]
pub struct Args {
    /// Directory of the key.
    #[arg(value_name = "KEY")]
    key: PathBuf,
    /// The signatures.
    #[arg(value_name = "SIG", required = true)]
    signatures: Vec<PathBuf>,
    /// Counts it as wrong, too, if a recorded signature is not among them.
    #[arg(long)]
    complete: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row<'r> {
    verdict: &'static str,
    signature_file: Option<&'r Path>,
    index: Option<u64>,
    /// Holds what the record tells of this index.
    recorded: Option<&'r Detail>,
    /// Why there is no record, of what is unrecorded or unknown.
    reason: Option<&'static str>,
}

impl<'r> From<&'r Compared> for Row<'r> {
    fn from(one: &'r Compared) -> Self {
        Self {
            verdict: one.verdict.name(),
            signature_file: one.file.as_deref(),
            index: one.index,
            recorded: one.recorded.as_ref(),
            reason: one.reason,
        }
    }
}

/// Compares and prints.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let record = Record::of(&args.key).map_err(Error::key(&args.key))?;
    let each: Result<Vec<_>, Error> =
        args.signatures.iter().map(|file| compare(&record, file)).collect();
    let all = record.together(each?);
    let rows: Vec<Row> = all.iter().map(Row::from).collect();
    report::show(args.json, "hasten.audit-verify/1", None, &rows, || text(&all))?;
    let wrong = |one: &Compared| match one.verdict {
        Verdict::Good | Verdict::Unseen | Verdict::Unrecorded => false,
        Verdict::Missing => args.complete,
        _ => true,
    };
    say_uncompared(&all);
    Ok(ExitCode::from(u8::from(all.iter().any(wrong))))
}

/// Says how many files could not be compared, and why.
fn say_uncompared(all: &[Compared]) {
    let count = |verdict| all.iter().filter(|one| one.verdict == verdict).count();
    if count(Verdict::Unseen) > 0 {
        note("of what is unseen the index alone was compared: its signed file is not beside it");
    }
    let (some, all) = (count(Verdict::Unrecorded), all.len() - count(Verdict::Missing));
    if some > 0 {
        note(&format!("{some} of {all} unrecorded: {}", Gap::Before.reason()));
    }
}

fn compare(record: &Record, file: &Path) -> Result<Compared, Error> {
    let found = Found::of(&record.public, files::read(file)?);
    record.compare(file, &found, || {
        signed_file(file).map(|message| answer(record, &found, &message)).transpose()
    })
}

/// Reads the message of a signature.
fn answer(record: &Record, found: &Found, message: &Path) -> Result<Answer, Error> {
    let mut hash = Sha256::new();
    let mut part = |part: &[u8]| hash.update(part);
    each_part(&mut *files::open(message)?, &mut part).map_err(Error::key(message))?;
    let is_good = is_good(found, &record.public, message)?;
    Ok(Answer { is_good, sha256: hash.finalize().into() })
}

/// Returns the file that a signature belongs to, if it lies beside it.
fn signed_file(signature: &Path) -> Option<PathBuf> {
    let endings = ["sig", "p7s", "p7m", "cose", "dual"];
    let named = signature.extension().is_some_and(|ending| endings.iter().any(|e| ending == *e));
    Some(signature.with_extension("")).filter(|message| named && message.is_file())
}

fn text(all: &[Compared]) -> String {
    let line = |row: &Compared| {
        let index = row.index.map_or("-".to_owned(), |index| index.to_string());
        let shown = row.file.as_deref().map(|file| file.display().to_string());
        let told = row.recorded.as_ref().map_or(String::new(), |detail| {
            let file = detail.file.as_deref().unwrap_or("-").escape_debug();
            let request =
                detail.request.as_ref().map(|id| format!("  request {}", id.escape_debug()));
            format!("  signed {file}{}", request.unwrap_or_default())
        });
        let shown = shown.unwrap_or_default();
        let unknown = row.reason.filter(|_| row.verdict == Verdict::Unknown);
        let told = unknown.map_or(told, |reason| format!("  {reason}"));
        format!("{:<10} index {index:<10} {shown}{told}", row.verdict.name())
    };
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}
