//! Results as JSON: an object with schema, origin, machine and rows.

use std::path::Path;
use std::process::ExitCode;

use hasten_report::{Failure, Origin, Report, command};
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;
use crate::{files, memory, output};

pub use hasten_report::{Machine, path, path_if_any, paths};

/// Returns a report of `rows` under `schema`, with the arguments of this command.
pub fn new<'r, Row: Serialize>(
    schema: &str,
    machine: Option<Machine>,
    rows: &'r [Row],
) -> Report<'r, Row> {
    let machine = machine.unwrap_or_else(Machine::this);
    Report {
        memory_locked: memory::locked(),
        notes: output::kept_notes(),
        ..Report::new(schema, command("hasten"), origin(), machine, rows)
    }
}

/// Prints `rows` as a report under `schema` if JSON is requested, and as text otherwise. Returns
/// the exit status of success.
pub fn show<Row: Serialize>(
    json: bool,
    schema: &str,
    machine: Option<Machine>,
    rows: &[Row],
    text: impl FnOnce() -> String,
) -> Result<ExitCode, Error> {
    output::print(&if json { new(schema, machine, rows).json() } else { text() })?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a report from a file.
pub fn read(path: &Path) -> Result<Value, Error> {
    let failed = |cause| Error::File { path: path.to_owned(), doing: "reading", cause };
    serde_json::from_str(&files::read_text(path)?).map_err(|cause| failed(cause.into()))
}

/// Returns the origin of this program: its version, commit and compiler.
fn origin() -> Origin {
    Origin::built(env!("CARGO_PKG_VERSION"), env!("HASTEN_COMMIT"), env!("HASTEN_RUSTC"))
}

/// Returns an error of this command as one line of JSON.
pub fn failure(error: &str, hint: Option<&str>, kind: &str, status: u8) -> String {
    Failure::new((command("hasten"), origin()), (error, hint), kind, status).line()
}
