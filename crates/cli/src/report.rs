//! Results as JSON: an object with schema, origin, machine and rows.

use std::path::Path;
use std::process::ExitCode;

use hasten_report::{Origin, Report, command};
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;
use crate::{memory, output};

pub use hasten_report::Machine;

/// Returns a report of `rows` under `schema`, with the arguments actually given.
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

/// Prints `rows`: as a report under `schema` where JSON is asked for, else as text. Gives the
/// status of a command that is done.
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

/// Reads a report in a file.
pub fn read(path: &Path) -> Result<Value, Error> {
    let failed = |cause| Error::File { path: path.to_owned(), doing: "reading", cause };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    serde_json::from_str(&text).map_err(|cause| failed(cause.into()))
}

/// Returns the source that this program was built from.
fn origin() -> Origin {
    Origin::built(env!("CARGO_PKG_VERSION"), env!("HASTEN_COMMIT"), env!("HASTEN_RUSTC"))
}

/// Returns whether the command line asks for JSON, even where it is wrong otherwise.
pub fn is_asked_for() -> bool {
    let mut words = std::env::args_os().skip(1).take_while(|word| word != "--");
    words.any(|word| word == "--json")
}

/// An error as JSON, on one line.
#[derive(Serialize)]
pub struct Failure<'e> {
    schema: &'static str,
    command: String,
    version: &'static str,
    commit: &'static str,
    /// The sentence.
    error: &'e str,
    /// Holds what can be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'e str>,
    /// A word for programs.
    kind: &'static str,
    /// The status of the process.
    status: u8,
}

impl<'e> Failure<'e> {
    /// Describes an error of this command.
    pub fn new(error: &'e str, hint: Option<&'e str>, kind: &'static str, status: u8) -> Self {
        Self {
            schema: "hasten.error/1",
            command: command("hasten"),
            version: env!("CARGO_PKG_VERSION"),
            commit: env!("HASTEN_COMMIT"),
            error,
            hint,
            kind,
            status,
        }
    }

    /// Returns it as one line of JSON.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("strings and a number")
    }
}

/// Writes a path; bytes that are no UTF-8 become U+FFFD, for JSON has text alone.
pub fn path<S: serde::Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

/// Writes a path that may be absent.
pub fn path_if_any<S: serde::Serializer>(
    path: &Option<std::path::PathBuf>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match path {
        Some(at) => self::path(at, to),
        None => to.serialize_none(),
    }
}
