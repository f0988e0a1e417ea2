//! The work that a peer does, and the files that it leaves.

use hasten_chore::failure::Failure;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Another implementation, or ours. A folder holds `msg`, `pub` and `sig0`, `sig1`, ... in raw
/// encodings.
pub trait Peer {
    /// Returns what it is called in the report.
    fn name(&self) -> &'static str;
    /// Returns its version as it states it.
    fn version(&self) -> Result<String, Failure>;
    /// Returns true if it has this parameter set.
    fn has(&self, alg: &str) -> bool;
    /// Returns signatures of one key that it hands out in one go; a program that forgets its state
    /// gives one.
    fn count(&self) -> usize;
    /// Reads `msg`; makes a key; writes `pub` and `count()` signatures.
    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure>;
    /// Verifies every signature in the folders; those it calls good.
    fn verify(&self, alg: &str, folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure>;
}

/// Returns `FOLDER/sigN` of each line `FOLDER/sigN good`, printed by a program that speaks as
/// `checks/interop/bouncycastle/src/Peer.java` does.
pub fn good_ones(printed: &[u8]) -> Vec<PathBuf> {
    String::from_utf8_lossy(printed)
        .lines()
        .filter_map(|line| line.strip_suffix(" good"))
        .map(PathBuf::from)
        .collect()
}

/// Returns the signatures in a folder, in order.
pub fn signatures(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let io = |error| Failure::Io(folder.to_path_buf(), error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let is_one = path.file_name().and_then(OsStr::to_str).is_some_and(|n| n.starts_with("sig"));
        found.extend(is_one.then_some(path));
    }
    found.sort();
    Ok(found)
}

/// Reads a file of bytes.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::Io(path.to_path_buf(), error))
}

/// Writes a file of bytes.
pub fn write(path: &Path, data: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, data).map_err(|error| Failure::Io(path.to_path_buf(), error))
}

/// Returns a set's name as a file can be called.
pub fn file_name(alg: &str) -> String {
    alg.replace(['/', '(', ')', ',', '.'], "_")
}
