//! Results as JSON: an object with schema, origin, machine and rows.

use serde::Serialize;

use crate::cpu;

/// Where and with what a result was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// The kernels' backend.
    pub backend: &'static str,
    /// Cores the process could use.
    pub cores: usize,
}

impl Machine {
    /// This machine, with the backend in use.
    pub fn this(backend: &'static str) -> Self {
        Self { cpu: cpu::name(), backend, cores: cpu::cores() }
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
    /// Where it ran; absent where nothing was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
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
            machine,
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

/// The command line, with the program under its plain name.
fn command() -> String {
    let words = std::env::args().skip(1);
    ["hasten".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
