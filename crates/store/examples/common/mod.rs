//! What the measuring examples share: arguments and the frame of a report.

use serde_json::{Value, json};
use std::process::Command;

/// The value behind `name` on the command line.
pub fn argument(name: &str) -> Option<String> {
    std::env::args().skip_while(|a| a != name).nth(1)
}

/// The number behind `name`.
pub fn number(name: &str, otherwise: u64) -> u64 {
    argument(name).and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Prints the report, and writes it to the file behind `--json`.
pub fn publish(schema: &str, command: &str, rows: Vec<Value>) {
    let text = report(schema, command, rows);
    print!("{text}");
    if let Some(path) = argument("--json") {
        std::fs::write(path, text).expect("the report is written");
    }
}

/// Returns the report: the rows in the frame that every published measurement has.
pub fn report(schema: &str, command: &str, rows: Vec<Value>) -> String {
    let report = json!({
        "schema": schema,
        "command": command,
        "version": env!("CARGO_PKG_VERSION"),
        "commit": commit(),
        "machine": { "cpu": cpu(), "cores": std::thread::available_parallelism().map_or(0, |n| n.get()) },
        "rows": rows,
    });
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}

/// The commit that is checked out.
pub fn commit() -> String {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default()
}

/// The processor's name for itself.
pub fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|l| l.strip_prefix("model name")).unwrap_or_default();
    model.trim_start_matches([' ', '\t', ':']).to_owned()
}
