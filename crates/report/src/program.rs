//! Arguments and output of the small measurement programs.

use std::path::Path;

use serde::Serialize;

use crate::{Machine, Origin, Report, published_command};

/// Returns the argument after `name` on the command line.
pub fn argument(name: &str) -> Option<String> {
    std::env::args().skip_while(|word| word != name).nth(1)
}

/// Returns the number after `name` on the command line, or `otherwise`.
pub fn number(name: &str, otherwise: u64) -> u64 {
    argument(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Prints a report of `rows` measured on this machine, and writes it to the file given by `--json`.
///
/// `program` is the command without its arguments:
/// `cargo run --release -p CRATE --example NAME --`.
///
/// # Errors
/// Errors of writing the file.
pub fn publish<Row: Serialize>(
    schema: &str,
    program: &str,
    machine: Machine,
    rows: &[Row],
) -> std::io::Result<()> {
    let command = published_command(program);
    let text = Report::new(schema, command, Origin::checked_out(), machine, rows).json();
    println!("{text}");
    match argument("--json").filter(|file| !file.starts_with("--")) {
        Some(file) => std::fs::write(Path::new(&file), text + "\n"),
        None => Ok(()),
    }
}
