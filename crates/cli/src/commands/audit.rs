//! `hasten audit`: the record of a stateful key, and whether signatures agree with it.

mod check;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_store::{Entry, Options};

use crate::error::Error;
use crate::report;

/// Shows the record of a stateful key, or checks signatures against it.
#[derive(clap::Subcommand)]
pub enum Audit {
    /// Shows the audit log: what was signed, reserved and changed, by whom and when.
    Show(Show),
    /// Compares signatures with the record: which indices, which files, any twice, any unknown.
    Verify(check::Args),
}

/// Arguments of `hasten audit show`.
#[derive(clap::Args)]
#[command(after_help = include_str!("audit.txt"))]
pub struct Show {
    /// Directory of the key.
    #[arg(value_name = "KEY")]
    key: PathBuf,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the one that was asked for.
pub fn run(which: &Audit) -> Result<ExitCode, Error> {
    match which {
        Audit::Show(args) => show(&args.key, &Options::new(), args.json),
        Audit::Verify(args) => check::run(args),
    }
}

/// Prints the log of the key in `dir`.
pub fn show(dir: &Path, options: &Options, json: bool) -> Result<ExitCode, Error> {
    let entries = options.peek_audit(dir).map_err(|error| Error::key(dir)(error.into()))?;
    let text = || entries.iter().map(line).collect::<Vec<_>>().join("\n");
    report::show(json, "hasten.audit/1", None, &entries, text)
}

/// Returns an entry as one line.
fn line(entry: &Entry) -> String {
    let Entry { seq, what, first, count, pid, uid, host, .. } = entry;
    let time = entry.time();
    let signed = entry.signed.as_ref().map_or(String::new(), |signed| {
        let file = signed.file.as_deref().unwrap_or("-").escape_debug();
        let request = signed.request.as_ref().map(|r| format!("  request {}", r.escape_debug()));
        let user = signed.user.as_ref().map(|user| format!("  by {}", user.escape_debug()));
        let (request, user) = (request.unwrap_or_default(), user.unwrap_or_default());
        format!("  {file}  SHA-256 {}{request}{user}", signed.sha256)
    });
    format!(
        "{seq:<6} {time}  {what:<12} {first:>12} {count:>8}  process {pid} of user {uid} on {host}{signed}"
    )
}
