//! The mark of a subscriber: a file with the newest tree of which a message was delivered.
//!
//! The file is one line of text: "hasten-mark-1", the SHA-256 of the identity's public key, the
//! number of the tree, and the first eight bytes of the SHA-256 of the line so far. The file is
//! replaced as a whole and is durable before the first message of its tree is delivered. A lock
//! file next to it (`FILE.lock`), held as long as the process lives, keeps a second subscriber out.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use hasten_hbs::PublicKey;
use hasten_process::files::{self, Old, Wanted};

use sha2::{Digest as _, Sha256};

use crate::Error;

const NAME: &str = "hasten-mark-1";
/// Largest length of the line, including its end: the name, a digest, a number and a checksum.
const LONGEST: usize = 13 + 1 + 64 + 1 + 20 + 1 + 16 + 1;

/// A mark that this process holds.
pub struct Mark {
    path: PathBuf,
    identity: String,
    tree: u64,
    /// True if there was no mark before.
    pub is_new: bool,
    /// The lock file, locked until the process ends.
    _lock: File,
}

impl Mark {
    /// Opens the mark of `key` at `path`, or creates it with the number `least`. A mark that names
    /// an earlier tree is raised to `least`.
    ///
    /// # Errors
    /// An error for a file that is not a mark, is the mark of another identity or is in use; errors
    /// of files.
    pub fn open(path: &Path, key: &PublicKey, least: u64) -> Result<Self, Error> {
        files::check(path, Old::Goes, &[])?;
        let (path, identity) = (path.to_owned(), hex(&Sha256::digest(key.as_bytes())));
        let lock = lock(&path)?;
        let kept = read(&path, &identity)?;
        let (tree, is_new) = (kept.unwrap_or(least), kept.is_none());
        let mut mark = Self { path, identity, tree, is_new, _lock: lock };
        if is_new {
            mark.write(least)?;
        }
        mark.raise(least)?;
        Ok(mark)
    }

    /// Returns the number of the tree.
    pub const fn tree(&self) -> u64 {
        self.tree
    }

    /// Raises the mark to `tree`, durably, before a message of that tree is delivered.
    ///
    /// # Errors
    /// Errors of files.
    pub fn raise(&mut self, tree: u64) -> Result<(), Error> {
        if tree > self.tree { self.write(tree) } else { Ok(()) }
    }

    fn write(&mut self, tree: u64) -> Result<(), Error> {
        let wanted = Wanted { secret: true, old: Old::Goes, ..Wanted::default() };
        files::write(&self.path, wanted, line(&self.identity, tree).as_bytes())?;
        self.tree = tree;
        Ok(())
    }
}

/// Takes the lock of the mark.
fn lock(mark: &Path) -> Result<File, Error> {
    let path = files::with_ending(mark, ".lock");
    let failed = |cause| Error::Process(hasten_process::Error::file(&path, "locking")(cause));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    let file = options.open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::MarkInUse(mark.to_owned())),
        Err(TryLockError::Error(cause)) => Err(failed(cause)),
    }
}

/// Returns the number of the tree in the file; `None` if the file does not exist.
fn read(path: &Path, identity: &str) -> Result<Option<u64>, Error> {
    if std::fs::symlink_metadata(path).is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound) {
        return Ok(None);
    }
    let bytes = files::read(path)?;
    let not = || Error::NotAMark(path.to_owned());
    let (named, tree) = parse(&bytes).ok_or_else(not)?;
    match named == identity {
        true => Ok(Some(tree)),
        false => Err(Error::MarkOfOther(path.to_owned())),
    }
}

/// Returns bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn line(identity: &str, tree: u64) -> String {
    let text = format!("{NAME} {identity} {tree}");
    let check = hex(&Sha256::digest(text.as_bytes())[..8]);
    format!("{text} {check}\n")
}

/// Parses identity and tree. Returns `None` unless the bytes are in their canonical form.
fn parse(bytes: &[u8]) -> Option<(&str, u64)> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST)?;
    let mut words = text.split(' ').skip(1);
    let (identity, tree) = (words.next()?, words.next()?.parse().ok()?);
    (line(identity, tree) == text).then_some((identity, tree))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// Returns a public key of LMS_SHA256_M24_H5 with LMOTS_SHA256_N24_W8.
    fn key(seed: u8) -> PublicKey {
        let raw = [&[0, 0, 0, 10, 0, 0, 0, 8][..], &[seed; 40]].concat();
        PublicKey::from_lms_bytes(&raw).unwrap()
    }

    #[test]
    fn a_mark_survives_and_never_falls() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("mark");
        let mut mark = Mark::open(&path, &key(1), 2).unwrap();
        assert_eq!(mark.tree(), 2);
        for (tree, kept) in [(3, 3), (2, 3), (3, 3), (u64::MAX, u64::MAX)] {
            mark.raise(tree).unwrap();
            assert_eq!(mark.tree(), kept);
        }
        drop(mark);
        assert_eq!(Mark::open(&path, &key(1), 7).unwrap().tree(), u64::MAX);
        for name in ["mark", "mark.lock"] {
            let mode = std::fs::metadata(place.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }

    #[test]
    fn one_process_holds_a_mark() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("mark");
        let mark = Mark::open(&path, &key(1), 0).unwrap();
        let second = Mark::open(&path, &key(1), 0);
        assert!(matches!(second, Err(Error::MarkInUse(_))));
        drop(mark);
        assert!(Mark::open(&path, &key(1), 0).is_ok());
    }

    #[test]
    fn every_other_file_is_refused_and_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("mark");
        drop(Mark::open(&path, &key(1), 300).unwrap());
        let other = Mark::open(&path, &key(2), 0);
        assert!(matches!(other, Err(Error::MarkOfOther(_))));
        let whole = std::fs::read(&path).unwrap();
        let mut bad: Vec<_> = (0..whole.len()).map(|cut| whole[..cut].to_vec()).collect();
        bad.extend((0..whole.len()).map(|at| {
            let mut bad = whole.clone();
            bad[at] ^= 1;
            bad
        }));
        bad.push([&whole[..], b"\n"].concat());
        bad.push(vec![b' '; 100_000]);
        for bytes in bad {
            std::fs::write(&path, &bytes).unwrap();
            let refused = Mark::open(&path, &key(1), 0);
            assert!(matches!(refused, Err(Error::NotAMark(_))));
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }
}
