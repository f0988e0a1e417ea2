//! Which crates may use the module `hazmat` of `hasten-hbs`: those that measure, but none that
//! signs for users. Cargo unifies features over the whole program, so once one crate enables the
//! feature, the tool's signing commands could use the module too.

use hasten_chore::failure::{Failure, read};
use std::path::{Path, PathBuf};

/// Folders that may name `hazmat`, relative to the root of the workspace.
const MAY: [&str; 4] =
    ["crates/hbs/", "crates/model/src/", "crates/xtask/src/layers/", "crates/measure/src/"];

/// Returns a message for each source file of a crate that names `hazmat` but may not.
pub fn faults(root: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for krate in entries(&root.join("crates"))? {
        let source = krate.join("src");
        let mut open = if source.is_dir() { vec![source] } else { Vec::new() };
        while let Some(folder) = open.pop() {
            for path in entries(&folder)? {
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
                    found.extend(fault(&name, &read(&path)?));
                }
            }
        }
    }
    Ok(found)
}

fn fault(name: &str, text: &str) -> Option<String> {
    let names = text.contains("hasten_hbs::") && text.contains("hazmat::");
    let may = MAY.iter().any(|place| name.starts_with(place));
    (names && !may).then(|| format!("{name} must not use what `hazmat` holds"))
}

/// Returns the entries of a folder.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::Io(folder.to_owned(), error);
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signing_command_must_not_name_it() {
        let text = "use hasten_hbs::{Set, hazmat::Throwaway};";
        assert!(fault("crates/cli/src/commands/sign/stateful.rs", text).is_some());
        assert!(fault("crates/keys/src/stateful/key.rs", text).is_some());
        assert_eq!(fault("crates/measure/src/schemes/rungs.rs", text), None);
        assert_eq!(fault("crates/cli/src/commands/sign/stateful.rs", "feature = \"hazmat\""), None);
    }
}
