//! `hasten verify`: verifies signatures with a public key in any format that identifies its
//! algorithm.

mod enclosed;
mod engine;
pub(super) mod key;
mod listed;
mod mistaken;
mod pairs;
mod reuse;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_keys::encoding::PublicKey;
use hasten_keys::fit::{fit, other_form};
use hasten_keys::inspect::What;
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::verify::Form;
use hasten_keys::{Error as KeyError, scan, verify};
use hasten_report::{Summary, grouped, micros};
use serde::Serialize;

use self::key::Named;
use self::pairs::Pair;
use self::reuse::Reused;
use crate::backend::Backend;
use crate::engine::Clock;
use crate::error::Error;
use crate::files::{self, open_regular};
use crate::form::{self, Digest, Format};
use crate::named::{self, Behind, Keys};
use crate::output::{note, print, visible};
use crate::parse::key_algorithm;
use crate::unfit::{Asked, container_of};
use crate::units::read_by_people;
use crate::verdict::Verdict;
use crate::{help, report};

/// Arguments of `hasten verify`.
#[derive(clap::Args)]
#[command(mut_arg("key", |key| key.help(named::PUBLIC)))]
#[command(mut_arg("files", |files| files.help(FILES).value_name("FILE [SIG]")))]
#[command(after_help = include_str!("verify.txt"))]
pub struct Args {
    #[command(flatten)]
    public: Keys,
    /// Algorithm: the key must be one of it; and where its bytes leave that open, they are read so.
    #[arg(long, value_name = "NAME", value_parser = key_algorithm)]
    alg: Option<&'static Algorithm>,
    /// Form of the signature, as 'hasten sign' has it [default: whichever form it has].
    #[arg(long = "format", visible_alias = "form", value_name = "FORM")]
    format: Option<Format>,
    /// Verifies a digest in the place of FILE [default: none, of --format caliptra sha384].
    #[arg(long, value_name = "HOW", help_heading = help::FORMATS)]
    digest: Option<Digest>,
    #[command(flatten)]
    files: Behind,
    /// Verifies several files, each with the signature FILE.sig.
    #[arg(long)]
    each: bool,
    /// Verifies several files, each followed by its signature.
    #[arg(long, conflicts_with = "each")]
    pairs: bool,
    #[command(flatten)]
    list: super::scan::list::From,
    /// Verifies a list of digests, as sha256sum writes it, by its signature LIST.sig or SIG, and
    /// then every file in it.
    #[arg(long, value_name = "LIST", conflicts_with_all = ["each", "pairs", "from"])]
    manifest: Option<PathBuf>,
    #[command(flatten)]
    backend: Backend,
    #[command(flatten)]
    clock: Clock,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Help text of the arguments after the key.
const FILES: &str = "The signed file (- is the standard input) and its signature [default: \
    FILE.sig]; of --format boot the signed image alone";

/// Verdict on one file.
#[derive(Clone, Default, Serialize)]
struct Row {
    good: bool,
    #[serde(skip)]
    verdict: Verdict,
    #[serde(serialize_with = "report::path")]
    file: PathBuf,
    #[serde(serialize_with = "report::path")]
    signature_file: PathBuf,
    /// File of the key that verified it, if several keys were given.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "report::path_if_any")]
    key_file: Option<PathBuf>,
    /// Number of the key in that file, from 1, if the file has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_number: Option<usize>,
    /// The list of digests that was signed in place of the file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "report::path_if_any")]
    listed_in: Option<PathBuf>,
    alg: String,
    /// Form of the signature, if it is not that of the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verify_us: Option<Summary>,
    /// Clock cycles of the simulated core.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u64>,
    /// Time of these cycles, if the core verifies on its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    core_us: Option<Summary>,
    /// Reason why the signature is bad.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Error that prevented this verification, if several files are verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Index that another signature in this call also has, although each verifies.
    #[serde(skip_serializing_if = "Option::is_none")]
    reused: Option<Reused>,
    #[serde(skip)]
    signature: Vec<u8>,
    /// Position of the key that verified the signature, and its name in the output.
    #[serde(skip)]
    by: usize,
    #[serde(skip)]
    by_name: Option<String>,
}

/// Verdict, time, and the clock cycles and time of a simulated core.
struct Said {
    verdict: Result<(), KeyError>,
    took: Duration,
    cycles: Option<u64>,
    core: Option<Duration>,
}

/// Verifies the files. The exit status is the verdict.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let pairs = pairs::of(args)?;
    let keys = key::read_all(&args.public, args.alg)?;
    match &pairs[..] {
        [pair] if args.list.from.is_none() => {
            let row = by_any(args, &keys, pair)?;
            let files = match &pair.content {
                Some(list) => listed::rows(&row, list)?,
                None => Vec::new(),
            };
            show(args, &[vec![row], files].concat())
        }
        pairs => {
            let mut rows: Vec<_> =
                pairs.iter().map(|pair| one_of_several(args, &keys, pair)).collect();
            for (at, named) in keys.iter().enumerate() {
                mark_reused(named, at, &mut rows)?;
            }
            show(args, &rows)
        }
    }
}

/// Turns good verdicts into bad ones for signatures by the same key that share an index.
fn mark_reused(named: &Named, by: usize, rows: &mut [Row]) -> Result<(), Error> {
    let good: Vec<usize> =
        (0..rows.len()).filter(|at| rows[*at].good && rows[*at].by == by).collect();
    let signatures = good.iter().map(|at| &rows[*at].signature[..]);
    let reused = scan::reused_among(&named.key, signatures).map_err(Error::key(&named.path))?;
    for index in reused {
        let having: Vec<_> = index.files.iter().map(|one| good[one.file as usize]).collect();
        let files = having.iter().map(|at| rows[*at].signature_file.clone()).collect();
        let reused = Reused::new(&index, files);
        for at in having {
            (rows[at].good, rows[at].verdict) = (false, Verdict::Bad);
            rows[at].reused = Some(reused.clone());
        }
    }
    Ok(())
}

/// Verifies one of several files. An error becomes a row, so that the others are verified too.
fn one_of_several(args: &Args, keys: &[Named], pair: &Pair) -> Row {
    by_any(args, keys, pair).unwrap_or_else(|error| Row {
        file: pair.file.clone(),
        signature_file: pair.signature.clone(),
        alg: keys[0].key.name_in(&[]),
        error: Some(error.to_string()),
        ..Row::default()
    })
}

/// Tries every key until one of them verifies the signature. Otherwise the signature is bad if it
/// fits one of the keys. If it fits none, the first key's error is returned.
fn by_any(args: &Args, keys: &[Named], pair: &Pair) -> Result<Row, Error> {
    let written = files::read(&pair.signature).map_err(|error| pair.unread(error.into()))?;
    let (mut said, mut bad, mut refused) = (String::new(), None, None);
    let mut say = |text: String| {
        if text != said {
            note(&text);
            said = text;
        }
    };
    if let [only] = keys {
        return one(args, only, pair, &written, &mut say);
    }
    if pair.content.is_none() && open_regular(&pair.file).is_err_and(|why| why.is_special()) {
        return Err(Error::ReadOnce(pair.file.clone()));
    }
    for (by, named) in keys.iter().enumerate() {
        let row = match one(args, named, pair, &written, &mut say) {
            Ok(row) => row,
            Err(error) => {
                refused.get_or_insert(error);
                continue;
            }
        };
        if row.good {
            let (key_file, by_name) = (Some(named.path.clone()), Some(named.text()));
            return Ok(Row { by, by_name, key_file, key_number: named.number, ..row });
        }
        let by_name = Some(format!("none of {} keys", keys.len()));
        bad.get_or_insert(Row { by_name, ..row });
    }
    match (bad, refused) {
        (Some(row), _) => Ok(row),
        (None, Some(first)) => Err(Error::NoneOfKeys { count: keys.len(), first: Box::new(first) }),
        (None, None) => Err(Error::key(&pair.signature)(KeyError::NotAKey)),
    }
}

fn one(
    args: &Args,
    named: &Named,
    pair: &Pair,
    written: &[u8],
    say: &mut dyn FnMut(String),
) -> Result<Row, Error> {
    let key = &named.key;
    let asked = pair.asked(key);
    let format = args.format.map_or_else(|| form_of(&asked, written, say), Ok)?;
    let (signature, said) = match format {
        format if format.is_enclosing() => {
            enclosed::ask(args, format, (&named.path, &asked), pair, written)?
        }
        _ => {
            let signature = key::in_form(&named.path, format, &asked, written)?;
            let digest = format.digest(args.digest);
            let mut message = form::digested(pair.open()?, &pair.file, digest)?;
            let said = ask(args, key, (&pair.file, &mut *message), &signature)?;
            if Verdict::of(said.verdict.as_ref().map(drop)) == Verdict::Bad {
                mistaken::must_be_none(args, format, &asked, &signature)?;
            }
            (signature, said)
        }
    };
    let verdict = Verdict::of(said.verdict.as_ref().map(drop));
    let reason = match said.verdict {
        Err(error) if verdict == Verdict::Unanswered => {
            return Err(Error::key(about(named, pair, &error))(error));
        }
        said => said.err().map(|error| error.to_string()),
    };
    let constant = |time| Summary::constant(micros(time));
    Ok(Row {
        good: verdict == Verdict::Good,
        verdict,
        file: pair.file.clone(),
        signature_file: pair.signature.clone(),
        alg: key.name_in(&signature),
        format: (format != Format::Raw).then(|| format.name()),
        index: key.index_in(&signature),
        verify_us: Some(constant(said.took)),
        cycles: said.cycles,
        core_us: said.core.map(constant),
        reason,
        signature: signature.into_owned(),
        ..Row::default()
    })
}

/// Returns the file that an error is about: the signed file, the key or the signature.
fn about<'p>(named: &'p Named, pair: &'p Pair, error: &KeyError) -> &'p Path {
    match error {
        KeyError::Io(_) | KeyError::TooLong | KeyError::TooLongToAttach => &pair.file,
        KeyError::Detached
        | KeyError::NotCose
        | KeyError::NotCms
        | KeyError::NotBoot
        | KeyError::OtherDigest
        | KeyError::SeveralSigners => &pair.signature,
        _ => &named.path,
    }
}

/// Returns the form of a signature, with a note if it is not that of the key.
fn form_of(
    asked: &Asked<'_>,
    written: &[u8],
    say: &mut dyn FnMut(String),
) -> Result<Format, Error> {
    if fit(asked.key, written).is_ok() {
        return Ok(Format::Raw);
    }
    let (what, format) = match other_form(asked.key, written) {
        Some(Form::Lms) => ("a bare signature of LMS", Format::Lms),
        Some(Form::Hss) => ("a signature in the form of HSS", Format::Hss),
        None => match container_of(written) {
            Some(What::Cms) => ("a signature in CMS", Format::Cms),
            Some(What::Cose) => ("a signature in COSE", Format::Cose),
            Some(What::BootImage) => ("a signed image for a boot ROM", Format::Boot),
            _ => return Ok(Format::Raw),
        },
    };
    let name = visible(asked.signature);
    say(format!("{name} is {what}: read as with --format {}", format.name()));
    Ok(format)
}

/// Verifies with the kernels, or with a core that verifies on its own.
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

/// Prints the rows. Returns the exit status of the worst verdict.
fn show(args: &Args, rows: &[Row]) -> Result<ExitCode, Error> {
    print(&match args.json {
        true => report::new("hasten.verify/1", Some(args.backend.machine()), rows).json(),
        false => text(rows),
    })?;
    Ok(Verdict::of_all(rows.iter().map(|row| row.verdict)).status())
}

fn is_bad(row: &Row) -> bool {
    row.verdict == Verdict::Bad && row.reused.is_none()
}

fn text(rows: &[Row]) -> String {
    if let [row] = rows {
        return line(row);
    }
    let named = rows.iter().map(|row| match &row.error {
        Some(error) => format!("{}: {}", visible(&row.file), hasten_store::visible(error)),
        None => format!("{}: {}", visible(&row.file), line(row)),
    });
    let count = |of: fn(&&Row) -> bool| grouped(rows.iter().filter(of).count() as u64);
    let (good, unasked) = (count(|row| row.good), count(|row| row.error.is_some()));
    let bad = count(|row| is_bad(row));
    let reused = match rows.iter().any(|row| row.reused.is_some()) {
        true => format!("{} reused, ", count(|row| row.reused.is_some())),
        false => String::new(),
    };
    let sum = format!("{good} good, {bad} bad, {reused}{unasked} could not be asked about");
    named.chain([sum]).collect::<Vec<_>>().join("\n")
}

fn line(row: &Row) -> String {
    if let Some(reused) = &row.reused {
        return reused.text(&row.alg);
    }
    let index = row.index.map_or(String::new(), |index| format!("  index {index}"));
    let verdict = match (row.good, &row.listed_in) {
        (true, _) => "good",
        (false, None) => "BAD SIGNATURE",
        (false, Some(_)) => "CHANGED since it was listed",
    };
    let by = row.by_name.as_ref().map_or(String::new(), |name| format!("  by {name}"));
    let took =
        row.verify_us.map_or(String::new(), |took| format!("  {}", read_by_people(took.min)));
    let cycles =
        row.cycles.map_or(String::new(), |cycles| format!("  {} clock cycles", grouped(cycles)));
    let core = row.core_us.map_or(String::new(), |core| format!(", {}", read_by_people(core.min)));
    format!("{verdict}  {}{index}{took}{cycles}{core}{by}", row.alg)
}
