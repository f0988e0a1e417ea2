//! The operations of a peer, and its files.

use hasten_chore::failure::Failure;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Another implementation, or Hasten. A folder contains `msg`, `pub` and `sig0`, `sig1`, ... in raw
/// encodings.
pub trait Peer {
    /// Returns its name in the report.
    fn name(&self) -> &'static str;
    /// Returns the version that it reports.
    fn version(&self) -> Result<String, Failure>;
    /// Returns true if it supports this parameter set.
    fn has(&self, alg: &str) -> bool;
    /// Returns the number of signatures that it makes with one key in one run. A program that
    /// forgets its state makes one.
    fn count(&self) -> usize;
    /// Reads `msg`, generates a key, and writes `pub` and `count()` signatures.
    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure>;
    /// Verifies every signature in the folders. Returns the good ones.
    fn verify(&self, alg: &str, folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure>;
}

/// Returns `FOLDER/sigN` of each line `FOLDER/sigN good` in a program's output, which has the
/// format of `checks/interop/bouncycastle/src/Peer.java`.
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

/// Returns a set's name with all characters that a file name should not have replaced.
pub fn file_name(alg: &str) -> String {
    alg.replace(['/', '(', ')', ',', '.'], "_")
}
