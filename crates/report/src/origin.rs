//! The source that a program was built from.

use std::process::Command;

use serde_json::Value;

/// Version, commit and compiler of the program that made a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// Version of Hasten.
    pub version: String,
    /// Commit of the source.
    pub commit: String,
    /// Compiler; absent where the program does not record it.
    pub rustc: Option<String>,
}

impl Origin {
    /// Returns the origin that a build script has recorded.
    pub fn built(version: &str, commit: &str, rustc: &str) -> Self {
        let (version, commit) = (version.to_owned(), commit.to_owned());
        Self { version, commit, rustc: Some(rustc.to_owned()) }
    }

    /// Returns the origin that another program's report names.
    pub fn named_in(report: &Value) -> Self {
        let text = |key: &str| report[key].as_str().map(str::to_owned);
        let named = |key: &str| text(key).unwrap_or_else(|| "unknown".to_owned());
        Self { version: named("version"), commit: named("commit"), rustc: text("rustc") }
    }

    /// Returns the commit that is checked out: for programs that `cargo run` has just built.
    pub fn checked_out() -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), commit: commit(), rustc: None }
    }
}

/// Returns the commit that is checked out in the current folder, or `unknown`.
pub fn commit() -> String {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    let output = output.ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}
