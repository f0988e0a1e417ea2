//! All signatures of one key, and the one-time keys that they used.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use hasten_kernels::Kernels;
use hasten_keys::{encoding, encoding::PublicKey, verify::verify};

use crate::walk::Form;

/// What the signatures of one key used.
pub struct Ledger {
    form: Form,
    public: PublicKey,
    uses: HashMap<Vec<u8>, ([u8; 32], PathBuf)>,
    indices: BTreeSet<u64>,
    seen: HashSet<(u64, u64)>,
    /// Number of signatures that verify.
    pub good: u64,
    /// Number of signatures broken off, whose index counts as used.
    pub torn: u64,
    /// Errors: an index or a one-time key used twice, or a complete signature that does not verify.
    pub wrong: Vec<String>,
}

impl Ledger {
    /// Makes the ledger of a key of the set `alg`. Its public key is in the file `pem`.
    pub fn new(alg: &str, pem: &Path) -> Option<Self> {
        let public = encoding::read_public(&std::fs::read(pem).ok()?, None).ok()?;
        Some(Self {
            form: Form::of(alg)?,
            public,
            uses: HashMap::new(),
            indices: BTreeSet::new(),
            seen: HashSet::new(),
            good: 0,
            torn: 0,
            wrong: Vec::new(),
        })
    }

    /// Enters every file of the directory that may be a signature: files named after a signature,
    /// and hidden files.
    pub fn enter_all(&mut self, dir: &Path) {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        for file in files.iter().filter(|file| may_be_signature(file)) {
            self.enter(file);
        }
    }

    /// Enters one file. A file with several names is entered once.
    pub fn enter(&mut self, file: &Path) {
        let Ok(about) = file.symlink_metadata() else { return };
        let Ok(bytes) = std::fs::read(file) else { return };
        if about.is_file() && self.seen.insert((about.dev(), about.ino())) {
            self.enter_bytes(file, &bytes);
        }
    }

    /// Enters the bytes of a signature that came from `file`.
    pub fn enter_bytes(&mut self, file: &Path, bytes: &[u8]) {
        let trail = self.form.trail(bytes);
        let Some(index) = trail.index else { return };
        if !self.indices.insert(index) {
            self.wrong.push(format!("index {index} twice: {}", file.display()));
        }
        for used in trail.uses {
            match self.uses.insert(used.key, (used.value, file.to_owned())) {
                Some((value, other)) if value != used.value => {
                    self.wrong.push(twice(file, &other));
                }
                _ => {}
            }
        }
        match trail.whole {
            true if self.verifies(file, bytes) => self.good += 1,
            true => self.wrong.push(format!("does not verify: {}", file.display())),
            false => self.torn += 1,
        }
    }

    /// Returns the number of indices entered.
    pub fn indices(&self) -> u64 {
        self.indices.len() as u64
    }

    /// Verifies the signature against the message that the file is named after, or else against any
    /// message in its directory.
    pub fn verifies(&self, file: &Path, bytes: &[u8]) -> bool {
        let own = message_of(file);
        let dir = file.parent().into_iter().flat_map(std::fs::read_dir).flatten().flatten();
        let mut messages = own.into_iter().chain(dir.map(|entry| entry.path()));
        messages.any(|message| self.is_of(&message, bytes))
    }

    fn is_of(&self, message: &Path, bytes: &[u8]) -> bool {
        let text = std::fs::read(message).unwrap_or_default();
        text.starts_with(b"message ")
            && verify(&self.public, &mut text.as_slice(), bytes, Kernels::best()) == Ok(())
    }
}

fn twice(file: &Path, other: &Path) -> String {
    format!("a one-time key twice: {} and {}", file.display(), other.display())
}

/// Returns the message that belongs to `NAME.sig`, or to `NAME.sig` with a suffix.
fn message_of(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?;
    Some(file.with_file_name(name.trim_start_matches('.').split(".sig").next()?))
}

fn may_be_signature(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.contains(".sig") || name.contains("partial") || name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_found_by_the_signature_s_name() {
        for name in ["a/m1.sig", "a/m1.sig.12.partial", "a/.m1.sig.Xy"] {
            assert_eq!(message_of(Path::new(name)), Some(PathBuf::from("a/m1")));
        }
    }
}
