//! `hasten audit verify`: compares signatures with the record.

use std::path::Path;
use std::process::ExitCode;

use hasten_kernels::Kernels;
use hasten_keys::audit::{Answer, Compared, Record, Verdict};
use hasten_keys::found::Found;
use hasten_keys::stateful::fleet_of;
use hasten_report::grouped;
use hasten_store::{Detail, Gap};
use serde::Serialize;

use super::named;
use crate::error::Error;
use crate::files::{self, Message};
use crate::found::signed_file;
use crate::named::{Behind, Key};
use crate::output::{note, visible};
use crate::report;
use crate::verdict;

/// Arguments of `hasten audit verify`.
#[derive(clap::Args)]
#[command(mut_arg("files", |files| files.help(SIGNATURES).value_name("SIG")))]
#[command(after_help = include_str!("check.txt"))]
pub struct Args {
    #[command(flatten)]
    key: Key,
    #[command(flatten)]
    signatures: Behind,
    /// Names every recorded signature that is not among them, and counts it as wrong.
    #[arg(long)]
    complete: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Help text of the arguments after the key.
const SIGNATURES: &str =
    "Signatures: alone, in CMS or COSE, dual, images for a boot ROM, certificates, requests";

#[derive(Serialize)]
struct Row<'r> {
    verdict: &'static str,
    signature_file: Option<&'r Path>,
    index: Option<u64>,
    /// Record of this index, if there is one.
    recorded: Option<&'r Detail>,
    /// Reason why there is no record.
    reason: Option<&'static str>,
    /// Number of missing signatures, in the row that counts them without naming them.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
}

impl Row<'_> {
    /// Returns the row that counts missing signatures without naming them.
    fn missing(count: usize) -> Self {
        Self {
            verdict: Verdict::Missing.name(),
            signature_file: None,
            index: None,
            recorded: None,
            reason: Some(NOT_AMONG),
            count: Some(count),
        }
    }
}

/// Reason in the row of missing signatures that are not named.
const NOT_AMONG: &str = "recorded, and not among the signatures given: --complete names them";

impl<'r> From<&'r Compared> for Row<'r> {
    fn from(one: &'r Compared) -> Self {
        Self {
            verdict: one.verdict.name(),
            signature_file: one.file.as_deref(),
            index: one.index,
            recorded: one.recorded.as_ref(),
            reason: one.reason,
            count: None,
        }
    }
}

/// Compares the signatures with the record and prints the result.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    args.signatures.must_be_named(&args.key, "hasten audit verify KEY SIG...")?;
    let elsewhere = fleet_of(&args.key).map_err(Error::key(&args.key))?;
    if elsewhere.is_some() {
        return Err(Error::NoRecord(args.key.to_path_buf()));
    }
    let record = Record::of(&args.key).map_err(Error::key(&args.key))?;
    let mut each = Vec::new();
    for file in args.signatures.iter() {
        each.extend(compare(&record, file)?);
    }
    let mut all = record.together(each);
    let given = all.iter().position(|one| one.verdict == Verdict::Missing).unwrap_or(all.len());
    let missing = all.len() - given;
    if !args.complete {
        all.truncate(given);
    }
    let unnamed = (!args.complete && missing > 0).then_some(missing);
    let rows: Vec<Row> = all.iter().map(Row::from).chain(unnamed.map(Row::missing)).collect();
    report::show(args.json, "hasten.audit-verify/1", None, &rows, || text(&all, unnamed))?;
    say_uncompared(&all[..given]);
    Ok(verdict::Verdict::of_all(all.iter().map(judged)).status())
}

/// Returns the verdict on one signature.
fn judged(one: &Compared) -> verdict::Verdict {
    match one.verdict {
        _ if one.accuses() || one.verdict == Verdict::Missing => verdict::Verdict::Bad,
        Verdict::NoSignature => verdict::Verdict::Unanswered,
        _ => verdict::Verdict::Good,
    }
}

/// Prints notes on signatures that could not be compared in full, and on another copy of the key.
fn say_uncompared(given: &[Compared]) {
    let count = |verdict| given.iter().filter(|one| one.verdict == verdict).count();
    if count(Verdict::Unseen) > 0 {
        note("of what is unseen the index alone was compared: its signed file is not beside it");
    }
    let (some, all) = (count(Verdict::Unrecorded), given.len());
    if some > 0 {
        note(&format!("{some} of {all} unrecorded: {}", Gap::Before.reason()));
    }
    if given.iter().any(|one| one.is_of_copy) {
        note(
            "another copy of the key signs: find it and end it, this key's next signatures use its indices again",
        );
    }
}

/// Compares every signature in a file. A file with certificates may have several.
fn compare(record: &Record, file: &Path) -> Result<Vec<Compared>, Error> {
    let found = Found::each(&record.public, files::read(file)?);
    let all: Result<Vec<_>, Error> = found
        .iter()
        .map(|found| record.compare(file, found, || answer(record, found, file)))
        .collect();
    let mut all = all?;
    // A file with a certificate of this key may also contain the certificates of the authorities
    // above it. Their signatures, by other keys, are not reported.
    if all.iter().any(|one| one.verdict != Verdict::Foreign) {
        all.retain(|one| one.verdict != Verdict::Foreign);
    }
    all.dedup_by(|one, other| one.verdict == Verdict::Foreign && other.verdict == one.verdict);
    Ok(all)
}

/// Verifies a signature if its message is in the same file or next to it. A signature that is in no
/// structure may also be of the message's SHA-384 digest.
fn answer(record: &Record, found: &Found, file: &Path) -> Result<Option<Answer>, Error> {
    let kernels = Kernels::best();
    let Some(path) = signed_file(file) else {
        return found.answer(&record.public, None, kernels).map_err(Error::key(file));
    };
    let of = Error::key(&path);
    let mut message = Message::open(&path)?;
    let answer = found.answer(&record.public, Some(&mut message), kernels).map_err(&of)?;
    if answer.as_ref().is_none_or(|answer| answer.is_good) {
        return Ok(answer);
    }
    message.again().map_err(|cause| of(cause.into()))?;
    let of_digest = found.answer_of_digest(&record.public, &mut message, kernels).map_err(of)?;
    Ok(if of_digest.is_good { Some(of_digest) } else { answer })
}

fn text(all: &[Compared], unnamed: Option<usize>) -> String {
    let line = |row: &Compared| {
        let index = row.index.map_or("-".to_owned(), |index| index.to_string());
        let shown = row.file.as_deref().map(visible);
        let told = row.recorded.as_ref().map_or(String::new(), |detail| {
            let request =
                detail.request.as_ref().map(|id| format!("  request {}", id.escape_debug()));
            format!("  signed {}{}", named(detail), request.unwrap_or_default())
        });
        let shown = shown.unwrap_or_default();
        let unknown = row.reason.filter(|_| row.verdict != Verdict::Unrecorded);
        let told = unknown.map_or(told, |reason| format!("  {reason}"));
        format!("{:<10} index {index:<10} {shown}{told}", row.verdict.name())
    };
    let counted = unnamed.map(|count| {
        let count = grouped(count as u64);
        format!("{:<10} {count} {NOT_AMONG}", Verdict::Missing.name())
    });
    all.iter().map(line).chain(counted).collect::<Vec<_>>().join("\n")
}
