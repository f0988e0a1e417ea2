//! A cell in a file on another file system: another disk, a USB stick, a directory of another
//! machine.
//!
//! The cell is locked by `PATH.lock`. The word is replaced by renaming a new file. File and
//! directory are synced. The cell detects a restore of the key's own file systems that does not
//! include this one. It does not detect a restore of both. It needs a `flock` that is visible to
//! every user of the file.

use super::cell::{Cell, LONGEST};
use crate::env::parent;
use crate::error::{FileKind, StoreError};
use crate::kind::stands_for;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file that holds the word and a line end.
#[derive(Clone, Debug)]
pub struct FileCell {
    path: PathBuf,
    patience: Duration,
}

impl FileCell {
    /// Creates a cell from the path of the file, whose directory must exist, and the time to wait
    /// for the lock.
    pub fn new(path: impl Into<PathBuf>, patience: Duration) -> FileCell {
        FileCell { path: path.into(), patience }
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(ending);
        name.into()
    }

    /// Waits for the lock, which is released when the file is dropped.
    fn lock(&self) -> std::io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = open(self.beside(".lock"), flags, Mode::RUSR | Mode::WUSR)?;
        let end = Instant::now() + self.patience;
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file.into()),
                Err(rustix::io::Errno::WOULDBLOCK) if Instant::now() < end => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn load(&self) -> std::io::Result<Option<Vec<u8>>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file: File = match open(&self.path, flags, Mode::empty()) {
            Ok(file) => file.into(),
            // Only an existing directory proves that the cell is empty.
            Err(rustix::io::Errno::NOENT) => {
                return std::fs::metadata(parent(&self.path)).map(|_| None);
            }
            Err(error) => return Err(error.into()),
        };
        let mut text = Vec::new();
        file.take(LONGEST as u64 + 2).read_to_end(&mut text)?;
        Ok(Some(text))
    }

    fn replace(&self, word: &str) -> std::io::Result<()> {
        let new = self.beside(".new");
        match std::fs::remove_file(&new) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mut file: File = open(&new, flags, Mode::RUSR | Mode::WUSR)?.into();
        file.write_all(format!("{word}\n").as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&new, &self.path)?;
        sync_dir(parent(&self.path))
    }

    fn try_swap(&self, from: Option<&str>, to: &str) -> std::io::Result<bool> {
        let _held = self.lock()?;
        let held = self.load()?;
        let held = held.as_deref().map(|text| text.strip_suffix(b"\n").unwrap_or(text));
        let same = held == from.map(str::as_bytes);
        if same {
            self.replace(to)?;
        }
        Ok(same)
    }
}

fn sync_dir(path: &Path) -> std::io::Result<()> {
    File::open(path)?.sync_all()
}

impl FileCell {
    /// Returns the word in the file's text, if the text can be that of a cell.
    fn word(&self, text: &[u8]) -> Result<String, StoreError> {
        let line = text.strip_suffix(b"\n").unwrap_or(text);
        let plain = line.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'.');
        match FileKind::of(text) {
            FileKind::Cell | FileKind::Unknown if plain => {
                Ok(String::from_utf8_lossy(line).into_owned())
            }
            found => Err(stands_for(&self.path, found, FileKind::Cell)),
        }
    }
}

impl Cell for FileCell {
    fn read(&self) -> Result<Option<String>, StoreError> {
        let text = self.load().map_err(|_| StoreError::WitnessUnreachable)?;
        text.map(|text| self.word(&text)).transpose()
    }

    fn swap(&self, from: Option<&str>, to: &str) -> Result<bool, StoreError> {
        self.try_swap(from, to).map_err(|_| StoreError::WitnessUnreachable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(place: &Path) -> FileCell {
        FileCell::new(place.join("cell"), Duration::from_secs(5))
    }

    #[test]
    fn of_many_that_race_from_one_word_one_wins() {
        let place = tempfile::tempdir().expect("a directory");
        let mut from = None;
        for round in 0..20 {
            let (held, words) = (from.as_deref(), (0..8).map(|n| format!("{round}.{n}")));
            let won: Vec<String> = std::thread::scope(|scope| {
                let race = |word: String| {
                    let place = place.path();
                    scope.spawn(move || {
                        cell(place).swap(held, &word).expect("asked").then_some(word)
                    })
                };
                let racing: Vec<_> = words.map(race).collect();
                racing.into_iter().filter_map(|one| one.join().expect("a racer")).collect()
            });
            assert_eq!(won.len(), 1, "round {round}");
            assert_eq!(cell(place.path()).read(), Ok(won.first().cloned()));
            from = won.into_iter().next();
        }
    }

    #[test]
    fn a_file_system_that_is_gone_is_silence_and_not_an_empty_cell() {
        let place = tempfile::tempdir().expect("a directory");
        assert_eq!(cell(place.path()).read(), Ok(None));
        let gone = cell(&place.path().join("not/mounted"));
        assert_eq!(gone.read(), Err(StoreError::WitnessUnreachable));
        assert_eq!(gone.swap(None, "1"), Err(StoreError::WitnessUnreachable));
    }

    #[test]
    fn a_file_of_another_kind_is_named_and_not_read_as_a_cell() {
        let place = tempfile::tempdir().expect("a directory");
        for (bytes, found) in [
            (&b"HASTENG2\0\0"[..], FileKind::Guard),
            (b"hasten-config 2\nguard /g\n", FileKind::Config),
            (b"\xff\xfe", FileKind::Unknown),
            (b"", FileKind::Empty),
        ] {
            let file = place.path().join("cell");
            std::fs::write(&file, bytes).expect("written");
            let expected = FileKind::Cell;
            let read = cell(place.path()).read();
            assert_eq!(read, Err(StoreError::OtherKind { file, found, expected }));
        }
    }

    #[test]
    fn links_and_long_files_are_no_words() {
        let place = tempfile::tempdir().expect("a directory");
        std::os::unix::fs::symlink("/etc/hostname", place.path().join("cell")).expect("linked");
        assert_eq!(cell(place.path()).read(), Err(StoreError::WitnessUnreachable));
        std::fs::remove_file(place.path().join("cell")).expect("removed");
        std::fs::write(place.path().join("cell"), vec![b'1'; 1 << 20]).expect("written");
        let read = cell(place.path()).read().expect("read").expect("a word");
        assert!(read.len() <= LONGEST + 2);
    }
}
