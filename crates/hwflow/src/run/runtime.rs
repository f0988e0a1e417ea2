//! Verilator's own object files, which are the same in every bench. They are compiled once, and
//! copied into the folder of each bench before it is built. For a small core, this saves half of
//! the compile time.

use crate::core::tool;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Returns the folder for object files of the pinned Verilator, compiled with these flags.
pub fn kept(flags: &[&str]) -> Result<PathBuf, Failure> {
    let mut hasher = DefaultHasher::new();
    read(&checkout::root()?.join("flow/requirements.txt"))?.hash(&mut hasher);
    flags.hash(&mut hasher);
    tool::work(&format!("runtime/{:016x}", hasher.finish()))
}

/// Copies the kept object files into the folder of a bench, and returns options that tell make to
/// use them unchanged. There are none before the first bench was built.
pub fn lend(kept: &Path, bench: &Path) -> Result<Vec<String>, Failure> {
    let lent = |object: &PathBuf| {
        copy(object, bench)?;
        Ok(format!("--assume-old={}", object.file_name().unwrap_or_default().to_string_lossy()))
    };
    objects(kept)?.iter().map(lent).collect()
}

/// Keeps the object files of a finished bench that are not kept yet.
pub fn keep(bench: &Path, kept: &Path) -> Result<(), Failure> {
    let is_new = |object: &&PathBuf| !kept.join(object.file_name().unwrap_or_default()).exists();
    objects(bench)?.iter().filter(is_new).try_for_each(|object| copy(object, kept))
}

/// Copies a file atomically, because others may copy the same file at once.
fn copy(file: &Path, folder: &Path) -> Result<(), Failure> {
    let target = folder.join(file.file_name().unwrap_or_default());
    let fresh = target.with_extension(std::process::id().to_string());
    let copied = std::fs::copy(file, &fresh).and_then(|_| std::fs::rename(&fresh, &target));
    copied.map_err(|error| Failure::Io(target, error))
}

/// Returns the object files of the runtime in a folder.
fn objects(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = folder.read_dir().map_err(|error| Failure::Io(folder.into(), error))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| is_of_the_runtime(path));
    found.sort();
    Ok(found)
}

fn is_of_the_runtime(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("verilated") && name.ends_with(".o")
}

#[cfg(test)]
mod tests {
    use super::{keep, lend};

    #[test]
    fn objects_of_the_runtime_alone_are_kept_and_lent() {
        let [first, kept, second] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        assert!(lend(kept.path(), first.path()).unwrap().is_empty());
        for name in ["verilated.o", "verilated_save.o", "Vtop__ALL.o", "verilated.d"] {
            std::fs::write(first.path().join(name), "first").unwrap();
        }
        std::fs::write(kept.path().join("verilated_save.o"), "kept").unwrap();
        std::fs::write(second.path().join("verilated.o"), "of an older Verilator").unwrap();
        keep(first.path(), kept.path()).unwrap();
        let flags = lend(kept.path(), second.path()).unwrap();
        assert_eq!(flags, ["--assume-old=verilated.o", "--assume-old=verilated_save.o"]);
        let read = |name: &str| std::fs::read_to_string(second.path().join(name)).unwrap();
        assert_eq!(
            (read("verilated.o"), read("verilated_save.o")),
            ("first".into(), "kept".into())
        );
        assert_eq!(second.path().read_dir().unwrap().count(), 2);
    }
}
