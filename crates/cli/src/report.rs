//! Results as JSON: an object with schema, origin, machine and rows.

use serde::Serialize;

use crate::{cpu, output, secrets};

/// Where and with what a result was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// The kernels' backend; absent where they computed nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<&'static str>,
    /// Cores the process could use.
    pub cores: usize,
}

impl Machine {
    /// This machine, with the backend in use.
    pub fn this(backend: &'static str) -> Self {
        Self { backend: Some(backend), ..Self::alone() }
    }

    /// This machine, where no backend computed.
    pub fn alone() -> Self {
        Self { cpu: cpu::name(), backend: None, cores: cpu::cores() }
    }
}

/// A result: what every `--json` prints.
#[derive(Serialize)]
pub struct Report<'r, Row: Serialize> {
    /// `hasten.NAME/1`.
    pub schema: &'static str,
    /// The command that made it.
    pub command: String,
    /// Version of Hasten.
    pub version: &'static str,
    /// Commit it was built from.
    pub commit: &'static str,
    /// Compiler it was built with.
    pub rustc: &'static str,
    /// Where it ran.
    pub machine: Machine,
    /// Whether the memory could be locked, where the command held a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_locked: Option<bool>,
    /// Remarks, where the report stands on the error stream.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// One entry per row of the table.
    pub rows: &'r [Row],
}

impl<'r, Row: Serialize> Report<'r, Row> {
    /// A report of `rows` under `schema`.
    pub fn new(schema: &'static str, machine: Option<Machine>, rows: &'r [Row]) -> Self {
        Self {
            schema,
            command: command(),
            version: env!("CARGO_PKG_VERSION"),
            commit: env!("HASTEN_COMMIT"),
            rustc: env!("HASTEN_RUSTC"),
            machine: machine.unwrap_or_else(Machine::alone),
            memory_locked: secrets::locked(),
            notes: output::kept_notes(),
            rows,
        }
    }

    /// The report as one line of JSON, for results that come one by one.
    #[cfg(feature = "aws-lc")]
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("rows have string keys and finite numbers")
    }

    /// The report as indented JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("rows have string keys and finite numbers")
    }
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
    /// What can be done.
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
            command: command(),
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
pub fn path<S: serde::Serializer>(path: &std::path::Path, to: S) -> Result<S::Ok, S::Error> {
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

/// The command line, with the program under its plain name.
fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    ["hasten".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
