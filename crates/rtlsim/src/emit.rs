//! Writes the generated files of `rtl/`, or compares them with the existing ones.

use std::path::Path;
use std::process::ExitCode;

/// Writes the files, each given as a path below `rtl/` and a text. With the argument `--check` it
/// changes nothing, prints the paths of stale files, and fails if there are any.
#[must_use]
pub fn run(files: Vec<(&'static str, String)>) -> ExitCode {
    let rtl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl");
    let check = std::env::args().skip(1).any(|argument| argument == "--check");
    let mut status = ExitCode::SUCCESS;
    for (path, text) in files {
        let file = rtl.join(path);
        if std::fs::read_to_string(&file).is_ok_and(|old| old == text) {
            continue;
        }
        println!("{path}");
        if check {
            status = ExitCode::FAILURE;
        } else if let Err(error) = std::fs::write(&file, text) {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    }
    status
}
