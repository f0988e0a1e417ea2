//! The subjects of commits.

use super::Finding;
use hasten_chore::failure::Failure;
use std::path::Path;
use std::process::Command;

/// The longest subject.
const SUBJECT: usize = 72;

/// Returns the commits after `base` whose subject is too long. A clone without history has none.
pub fn findings(root: &Path, base: &str) -> Result<Vec<Finding>, Failure> {
    let range = format!("{base}..HEAD");
    let output = Command::new("git")
        .args(["log", "--format=%h %s", &range])
        .current_dir(root)
        .output()
        .map_err(|error| Failure::Tool(format!("git log: {error}")))?;
    if !output.status.success() {
        let why = format!("there is no commit {base} here");
        hasten_report::skipped("commits", &why, "git fetch --unshallow");
    }
    Ok(too_long(&String::from_utf8_lossy(&output.stdout)))
}

/// Returns a finding for each line `HASH SUBJECT` with too long a subject.
pub fn too_long(log: &str) -> Vec<Finding> {
    log.lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(_, subject)| subject.chars().count() > SUBJECT)
        .map(|(hash, subject)| Finding {
            file: format!("commit {hash}"),
            line: 0,
            rule: "subject",
            text: subject.to_string(),
        })
        .collect()
}
