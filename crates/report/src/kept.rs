//! Results that a test keeps.

use std::path::Path;

use serde_json::Value;

use crate::{Origin, Report, Unneeded, test_command};

/// Writes the rows of a simulation into the file that `HASTEN_RESULT` names, if it names one.
///
/// `name` is the schema without `hasten.` and version, `variables` are those that decide what the
/// test does, and `test` follows `cargo test`.
///
/// # Panics
/// If a row is no JSON or the file cannot be written: a test keeps its result or fails.
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
