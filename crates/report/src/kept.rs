//! Results stored by tests.

use std::path::Path;

use serde_json::Value;

use crate::{Origin, Report, Unneeded, test_command};

/// Writes the rows of a simulation to the file named by `HASTEN_RESULT`, if it is set.
///
/// `name` is the schema name without the prefix `hasten.` and the version. `variables` are the
/// environment variables that determine what the test does. `test` holds the arguments after
/// `cargo test`.
///
/// # Panics
/// If a row is not JSON or the file cannot be written: a test stores its result or fails.
pub fn keep(name: &str, variables: &[&str], test: &str, rows: &[String]) {
    let Some(file) = std::env::var_os("HASTEN_RESULT") else { return };
    let command =
        test_command(&[variables, &["HASTEN_RESULT"]].concat(), &format!("cargo test {test}"));
    let why = Unneeded::because("cycles of simulation do not depend on one");
    let rows: Vec<Value> =
        rows.iter().map(|row| serde_json::from_str(row).expect("a row is JSON")).collect();
    let schema = format!("hasten.{name}/1");
    let report = Report::new(&schema, command, Origin::checked_out(), why, &rows);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::write(root.join(file), report.by_line()).expect("the result is written");
}
