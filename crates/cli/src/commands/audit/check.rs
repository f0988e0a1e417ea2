//! `hasten audit verify`: signatures against the record.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_kernels::Kernels;
use hasten_keys::encoding::PublicKey;
use hasten_keys::stateful::read_public_of;
use hasten_keys::verify::{each_part, verify};
use hasten_store::{Detail, Options};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::commands::verify::key;
use crate::error::Error;
use crate::files;
use crate::output::{note, print};
use crate::report::Report;

/// Arguments of `hasten audit verify`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hasten audit verify keys/fw release/*.sig\n  \
    hasten audit verify keys/fw release/*.sig --complete --json\n\n\
    The record's own chain is checked first. Each signature is then looked up by its index; where\n\
    the signed file lies beside it (its name without .sig), the signature is verified and the\n\
    file's SHA-256 is compared with the one recorded. Verdicts: good; unseen (the signed file is\n\
    not here, the index is recorded); bad (does not verify, or is no signature of this key); other\n\
    (the record says that the index signed something else); twice (two different signatures with\n\
    one index); unknown (the index was never recorded). Status 0 if all are good or unseen, 1 if\n\
    not, 2 if the record does not hold together or cannot be read.")]
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

/// What is said about a signature.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Good,
    Unseen,
    Bad,
    Other,
    Twice,
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
    /// What the record tells of this index.
    recorded: Option<Detail>,
    #[serde(skip)]
    bytes: [u8; 32],
}

/// The record of a key.
struct Record {
    public: PublicKey,
    told: BTreeMap<u64, Detail>,
}

/// Compares and prints.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let record = Record::of(&args.key)?;
    let rows: Result<Vec<Row>, Error> =
        args.signatures.iter().map(|file| record.row(file)).collect();
    let mut rows = rows?;
    mark_twice(&mut rows);
    rows.extend(record.missing(&rows));
    print(&match args.json {
        true => Report::new("hasten.audit-verify/1", None, &rows).json(),
        false => text(&rows),
    })?;
    let wrong = |row: &Row| match row.verdict {
        Verdict::Good | Verdict::Unseen => false,
        Verdict::Missing => args.complete,
        _ => true,
    };
    if rows.iter().any(|row| row.verdict == Verdict::Unseen) {
        note("of what is unseen the index alone was compared: its signed file is not beside it");
    }
    Ok(ExitCode::from(u8::from(rows.iter().any(wrong))))
}

impl Record {
    fn of(dir: &Path) -> Result<Self, Error> {
        let of = Error::key(dir);
        let public = read_public_of(dir).map_err(&of)?;
        let entries = Options::new().peek_audit(dir).map_err(|error| of(error.into()))?;
        let told = entries.into_iter().filter_map(|entry| entry.signed);
        Ok(Self { public, told: told.map(|detail| (detail.index, detail)).collect() })
    }

    fn row(&self, file: &Path) -> Result<Row, Error> {
        let signature = files::read(file)?;
        let index = key::index(&self.public, &signature);
        let recorded = index.and_then(|index| self.told.get(&index)).cloned();
        let verdict = match (index, &recorded) {
            (None, _) => Verdict::Bad,
            (Some(_), None) => Verdict::Unknown,
            (Some(_), Some(detail)) => self.verdict(file, &signature, detail)?,
        };
        let bytes = Sha256::digest(&signature).into();
        Ok(Row { verdict, signature_file: Some(file.to_owned()), index, recorded, bytes })
    }

    /// Of an index that is recorded.
    fn verdict(&self, file: &Path, signature: &[u8], detail: &Detail) -> Result<Verdict, Error> {
        let message = file.with_extension("");
        let named = file.extension().is_some_and(|ending| ending == "sig");
        if !named || !message.is_file() {
            return Ok(Verdict::Unseen);
        }
        let of = Error::key(&message);
        let mut hash = Sha256::new();
        let mut part = |part: &[u8]| hash.update(part);
        each_part(&mut *files::open(&message)?, &mut part).map_err(&of)?;
        let same = hex(&hash.finalize()) == detail.sha256;
        let read = &mut *files::open(&message)?;
        let good = verify(&self.public, read, signature, Kernels::best()).is_ok();
        Ok(match (good, same) {
            (false, _) => Verdict::Bad,
            (true, false) => Verdict::Other,
            (true, true) => Verdict::Good,
        })
    }

    /// What is recorded and of which no signature was given.
    fn missing(&self, rows: &[Row]) -> Vec<Row> {
        let given = |index: &u64| rows.iter().any(|row| row.index == Some(*index));
        let gone = self.told.iter().filter(|(index, _)| !given(index));
        gone.map(|(index, detail)| Row {
            verdict: Verdict::Missing,
            signature_file: None,
            index: Some(*index),
            recorded: Some(detail.clone()),
            bytes: [0; 32],
        })
        .collect()
    }
}

/// Two different signatures with one index: each of them is said.
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
        format!("{:<8} index {index:<10} {shown}{told}", row.verdict.word())
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
