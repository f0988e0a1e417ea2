//! `hasten audit verify`: signatures against the record.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_keys::encoding::PublicKey;
use hasten_keys::stateful::read_public_of;
use hasten_keys::verify::each_part;
use hasten_store::{Detail, Gap, Gaps, Options};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::files;
use crate::found::Found;
use crate::output::{hex, note};
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

/// The verdict on a signature.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Good,
    Unseen,
    Bad,
    Other,
    Twice,
    Unrecorded,
    Unknown,
    Missing,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Unseen => "unseen",
            Self::Bad => "bad",
            Self::Other => "other",
            Self::Twice => "twice",
            Self::Unrecorded => "unrecorded",
            Self::Unknown => "unknown",
            Self::Missing => "missing",
        }
    }
}

#[derive(Serialize)]
struct Row {
    verdict: Verdict,
    signature_file: Option<PathBuf>,
    index: Option<u64>,
    /// Holds what the record tells of this index.
    recorded: Option<Detail>,
    /// Why there is no record, of what is unrecorded or unknown.
    reason: Option<&'static str>,
    #[serde(skip)]
    bytes: [u8; 32],
}

/// The record of a key.
struct Record {
    public: PublicKey,
    told: BTreeMap<u64, Detail>,
    gaps: Gaps,
}

/// Compares and prints.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let record = Record::of(&args.key)?;
    let rows: Result<Vec<Row>, Error> =
        args.signatures.iter().map(|file| record.row(file)).collect();
    let mut rows = rows?;
    mark_twice(&mut rows);
    rows.extend(record.missing(&rows));
    report::show(args.json, "hasten.audit-verify/1", None, &rows, || text(&rows))?;
    let wrong = |row: &Row| match row.verdict {
        Verdict::Good | Verdict::Unseen | Verdict::Unrecorded => false,
        Verdict::Missing => args.complete,
        _ => true,
    };
    say_uncompared(&rows);
    Ok(ExitCode::from(u8::from(rows.iter().any(wrong))))
}

/// Says how many files could not be compared, and why.
fn say_uncompared(rows: &[Row]) {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    if count(Verdict::Unseen) > 0 {
        note("of what is unseen the index alone was compared: its signed file is not beside it");
    }
    let (some, all) = (count(Verdict::Unrecorded), rows.len() - count(Verdict::Missing));
    if some > 0 {
        note(&format!("{some} of {all} unrecorded: {}", Gap::Before.reason()));
    }
}

impl Record {
    fn of(dir: &Path) -> Result<Self, Error> {
        let of = Error::key(dir);
        let public = read_public_of(dir).map_err(&of)?;
        let entries = Options::new().peek_audit(dir).map_err(|error| of(error.into()))?;
        let gaps = Gaps::of(&entries);
        let told = entries.into_iter().filter_map(|entry| entry.signed);
        let told = told.map(|detail| (detail.index, detail)).collect();
        Ok(Self { public, told, gaps })
    }

    fn row(&self, file: &Path) -> Result<Row, Error> {
        let found = Found::of(&self.public, files::read(file)?);
        let index = self.public.index_in(&found.signature);
        let recorded = index.and_then(|index| self.told.get(&index)).cloned();
        let gap = index.filter(|_| recorded.is_none()).map(|index| self.gaps.at(index));
        let verdict = match (&recorded, gap) {
            (Some(detail), _) => self.verdict(file, &found, detail)?,
            (None, Some(Gap::Before)) => self.unrecorded(file, &found)?,
            (None, Some(_)) => Verdict::Unknown,
            (None, None) => Verdict::Bad,
        };
        let reason = gap.filter(|_| verdict != Verdict::Bad).map(Gap::reason);
        let (bytes, file) = (Sha256::digest(&found.signature).into(), Some(file.to_owned()));
        Ok(Row { verdict, signature_file: file, index, recorded, reason, bytes })
    }

    /// Judges an index that was used before there were signing records.
    fn unrecorded(&self, file: &Path, found: &Found) -> Result<Verdict, Error> {
        let bad = match signed_file(file) {
            Some(message) => !found.is_good(&self.public, &message)?,
            None => false,
        };
        Ok(if bad { Verdict::Bad } else { Verdict::Unrecorded })
    }

    /// Judges an index that is recorded.
    fn verdict(&self, file: &Path, found: &Found, detail: &Detail) -> Result<Verdict, Error> {
        let Some(message) = signed_file(file) else { return Ok(Verdict::Unseen) };
        let of = Error::key(&message);
        let mut hash = Sha256::new();
        let mut part = |part: &[u8]| hash.update(part);
        each_part(&mut *files::open(&message)?, &mut part).map_err(&of)?;
        let same = hex(&hash.finalize()) == detail.sha256;
        Ok(match (found.is_good(&self.public, &message)?, same) {
            (false, _) => Verdict::Bad,
            (true, false) => Verdict::Other,
            (true, true) => Verdict::Good,
        })
    }

    /// Returns what is recorded and of which no signature was given.
    fn missing(&self, rows: &[Row]) -> Vec<Row> {
        let given = |index: &u64| rows.iter().any(|row| row.index == Some(*index));
        let gone = self.told.iter().filter(|(index, _)| !given(index));
        gone.map(|(index, detail)| Row {
            verdict: Verdict::Missing,
            signature_file: None,
            index: Some(*index),
            recorded: Some(detail.clone()),
            reason: None,
            bytes: [0; 32],
        })
        .collect()
    }
}

/// Returns the file that a signature belongs to, if it lies beside it.
fn signed_file(signature: &Path) -> Option<PathBuf> {
    let endings = ["sig", "p7s", "p7m", "cose"];
    let named = signature.extension().is_some_and(|ending| endings.iter().any(|e| ending == *e));
    Some(signature.with_extension("")).filter(|message| named && message.is_file())
}

/// Finds two different signatures with one index: each of them is said.
fn mark_twice(rows: &mut [Row]) {
    let mut seen: BTreeMap<u64, Vec<[u8; 32]>> = BTreeMap::new();
    for row in rows.iter() {
        let with = row.index.map(|index| seen.entry(index).or_default());
        with.into_iter().for_each(|all| {
            if !all.contains(&row.bytes) {
                all.push(row.bytes);
            }
        });
    }
    let twice = |row: &&mut Row| row.index.is_some_and(|index| seen[&index].len() > 1);
    rows.iter_mut().filter(twice).for_each(|row| row.verdict = Verdict::Twice);
}

fn text(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let index = row.index.map_or("-".to_owned(), |index| index.to_string());
        let shown = row.signature_file.as_deref().map(|file| file.display().to_string());
        let told = row.recorded.as_ref().map_or(String::new(), |detail| {
            let file = detail.file.as_deref().unwrap_or("-").escape_debug();
            let request =
                detail.request.as_ref().map(|id| format!("  request {}", id.escape_debug()));
            format!("  signed {file}{}", request.unwrap_or_default())
        });
        let shown = shown.unwrap_or_default();
        let unknown = row.reason.filter(|_| row.verdict == Verdict::Unknown);
        let told = unknown.map_or(told, |reason| format!("  {reason}"));
        format!("{:<10} index {index:<10} {shown}{told}", row.verdict.word())
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
