//! Files that a step generates. Those of a core are in its folder `gen/`.

use crate::core::options::Options;
use crate::core::tool;
use hasten_chore::failure::{self, Failure};
use std::path::{Path, PathBuf};

/// Returns the folder for generated files of the core in the folder `core`.
pub fn folder(core: &Path) -> PathBuf {
    core.join("gen")
}

/// Writes the files that differ, or reports them as stale with `--check`. The report has the number
/// of files followed by `said`.
pub fn keep(
    step: &'static str,
    files: &[(PathBuf, String)],
    said: &str,
    options: &Options,
) -> Result<(), Failure> {
    let differs = |(path, text): &&(PathBuf, String)| {
        std::fs::read_to_string(path).map_or(true, |old| old != *text)
    };
    let mut stale = Vec::new();
    for (path, text) in files.iter().filter(differs) {
        if options.check {
            stale.push(format!("{}: run cargo xtask {step}", path.display()));
        } else {
            make_folder(path)?;
            tool::write(path, text)?;
        }
    }
    failure::report(step, format!("{} {said}", files.len()), stale)
}

/// Creates the folder of a file.
fn make_folder(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| Failure::Io(folder.into(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_file_fails_a_check_until_it_is_written() {
        let path = std::env::temp_dir().join(format!("hasten-generated-{}", std::process::id()));
        let files = [(path.clone(), "new".to_string())];
        let run =
            |check| keep("hw plots", &files, "files", &Options { check, ..Options::default() });
        std::fs::write(&path, "old").unwrap();
        assert!(run(true).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        run(false).unwrap();
        run(true).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(run(true).is_err());
    }
}
