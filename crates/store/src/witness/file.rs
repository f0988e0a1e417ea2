//! A cell in a file on another file system: another disk, a stick, a directory of another machine.
//!
//! The lock is that of `PATH.lock`; the word is replaced by renaming, synced, file and directory.
//! It notices what takes back the key's own file systems and not this one. It does not notice what
//! takes back both, and it needs `flock` that every user of the file sees.

use super::cell::{Cell, LONGEST};
use crate::env::parent;
use crate::error::StoreError;
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
    /// Takes the file's path, whose directory must be there, and how long to wait for the lock.
    pub fn new(path: impl Into<PathBuf>, patience: Duration) -> FileCell {
        FileCell { path: path.into(), patience }
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(ending);
        name.into()
    }

    /// Waits for the lock, which is gone when the file is dropped.
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

    fn load(&self) -> std::io::Result<Option<String>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file: File = match open(&self.path, flags, Mode::empty()) {
            Ok(file) => file.into(),
            // Only a directory that is there can say that it holds no word.
            Err(rustix::io::Errno::NOENT) => {
                return std::fs::metadata(parent(&self.path)).map(|_| None);
            }
            Err(error) => return Err(error.into()),
        };
        let mut text = String::new();
        file.take(LONGEST as u64 + 2).read_to_string(&mut text)?;
        Ok(Some(text.strip_suffix('\n').unwrap_or(&text).to_owned()))
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
        let same = self.load()?.as_deref() == from;
        if same {
            self.replace(to)?;
        }
        Ok(same)
    }
}

fn sync_dir(path: &Path) -> std::io::Result<()> {
    File::open(path)?.sync_all()
}

impl Cell for FileCell {
    fn read(&self) -> Result<Option<String>, StoreError> {
        self.load().map_err(|_| StoreError::WitnessUnreachable)
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
