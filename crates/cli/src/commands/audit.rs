//! `hasten audit`: the record of a stateful key, and comparisons of signatures with it.

mod check;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_store::{Detail, Entry, Options};
use serde::Serialize;

use crate::error::Error;
use crate::named::Key;
use crate::output::visible;
use crate::report;
use crate::store_args::Opening;

/// Shows the record of a stateful key, or checks signatures against it.
#[derive(clap::Subcommand)]
pub enum Audit {
    /// Shows the audit log: what was signed, reserved and changed, by whom and when.
    Show(Show),
    /// Compares signatures with the record: which indices, which files, any twice, any unknown.
    Verify(check::Args),
    /// Sets a damaged record aside, under other names, and begins it anew; the log says so.
    Mend(Box<Mend>),
}

/// Arguments of `hasten audit mend`.
#[derive(clap::Args)]
#[command(after_help = include_str!("audit/mend.txt"))]
pub struct Mend {
    #[command(flatten)]
    key: Key,
    #[command(flatten)]
    opening: Opening,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Mended {
    /// Damage to the record; `None` if the record is intact.
    cause: Option<String>,
    /// Number of the last record that was set aside.
    records: u64,
    files: Vec<PathBuf>,
}

/// Arguments of `hasten audit show`.
#[derive(clap::Args)]
#[command(after_help = include_str!("audit.txt"))]
pub struct Show {
    #[command(flatten)]
    key: Key,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the selected subcommand.
pub fn run(which: &Audit) -> Result<ExitCode, Error> {
    match which {
        Audit::Show(args) => show(&args.key, &Options::new(), args.json),
        Audit::Verify(args) => check::run(args),
        Audit::Mend(args) => mend(args),
    }
}

/// Prints the audit log of the key in `dir`.
pub fn show(dir: &Path, options: &Options, json: bool) -> Result<ExitCode, Error> {
    let entries = options.peek_audit(dir).map_err(|error| Error::key(dir)(error.into()))?;
    let text = || entries.iter().map(line).collect::<Vec<_>>().join("\n");
    report::show(json, "hasten.audit/1", None, &entries, text)
}

/// Sets the record aside if it is damaged.
fn mend(args: &Mend) -> Result<ExitCode, Error> {
    let (dir, opening) = (&args.key, &args.opening);
    let of = Error::key_and_guard(dir, opening.guard.as_deref());
    let aside = opening.options(dir)?.mend_record(dir).map_err(|error| of(error.into()))?;
    let row = aside.map_or(Mended { cause: None, records: 0, files: Vec::new() }, |aside| Mended {
        cause: Some(aside.cause.to_string()),
        records: aside.records,
        files: aside.files,
    });
    report::show(args.json, "hasten.audit-mend/1", None, &[&row], || row.text())
}

impl Mended {
    fn text(&self) -> String {
        let Some(cause) = &self.cause else {
            return "the record holds together: nothing was changed".to_owned();
        };
        let files = self.files.iter().map(|file| format!("set aside  {}", visible(file)));
        let head = format!("damaged    {cause}");
        let tail = format!("begun anew behind record {}, which the log says", self.records);
        std::iter::once(head).chain(files).chain([tail]).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the name of a signed file, with its kind unless it is a plain message.
fn named(signed: &Detail) -> String {
    let file = signed.file.as_deref().unwrap_or("-").escape_debug();
    match signed.purpose.as_deref() {
        None | Some("message") => file.to_string(),
        Some(purpose) => format!("{file} ({})", purpose.escape_debug()),
    }
}

/// Returns a log entry as one line.
fn line(entry: &Entry) -> String {
    let Entry { seq, what, first, count, pid, uid, host, .. } = entry;
    let time = entry.time();
    let signed = entry.signed.as_ref().map_or(String::new(), |signed| {
        let request = signed.request.as_ref().map(|r| format!("  request {}", r.escape_debug()));
        let user = signed.user.as_ref().map(|user| format!("  by {}", user.escape_debug()));
        let (request, user) = (request.unwrap_or_default(), user.unwrap_or_default());
        let file = named(signed);
        format!("  {file}  SHA-256 {}{request}{user}", signed.sha256)
    });
    format!(
        "{seq:<6} {time}  {what:<12} {first:>12} {count:>8}  process {pid} of user {uid} on {host}{signed}"
    )
}
