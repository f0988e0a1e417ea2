//! The source that a program was built from.

use std::process::Command;

use serde::Serialize;
use serde_json::Value;

/// Version, commit and compiler of the program that made a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Origin {
    /// Version of Hasten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Commit of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Commit that added the file, if the program did not record its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_in: Option<String>,
    /// Compiler version; absent if the program does not record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rustc: Option<String>,
}

impl Origin {
    /// Returns the origin recorded by a build script.
    pub fn built(version: &str, commit: &str, rustc: &str) -> Self {
        let some = |text: &str| Some(text.to_owned());
        let (version, commit, rustc) = (some(version), some(commit), some(rustc));
        Self { version, commit, rustc, ..Self::default() }
    }

    /// Returns the origin named in another report.
    pub fn named_in(report: &Value) -> Self {
        let text = |key: &str| report[key].as_str().map(str::to_owned);
        let (version, commit) = (text("version"), text("commit"));
        Self { version, commit, recorded_in: text("recorded_in"), rustc: text("rustc") }
    }

    /// Returns the checked-out commit as origin: for programs that `cargo run` has just built.
    pub fn checked_out() -> Self {
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        Self { version, commit: Some(commit()), ..Self::default() }
    }
}

/// Returns the commit checked out in the current folder, or `unknown`.
pub fn commit() -> String {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    let output = output.ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}
