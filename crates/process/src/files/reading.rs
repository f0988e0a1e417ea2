//! News of files that are being read, for whoever shows how far that is.

use std::fs::Metadata;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Hears of one file until its end; its drop says that nothing more is read of it.
pub trait Reader: Send {
    /// Says that so many more bytes were read.
    fn read(&mut self, bytes: usize);
}

/// Makes the reader of a file of so many bytes, where that is known.
pub type Begin = fn(&Path, Option<u64>) -> Box<dyn Reader>;

static BEGIN: OnceLock<Begin> = OnceLock::new();

/// Has `begin` called for every message that is read from now on. The first one called counts.
pub fn tell_of_reading(begin: Begin) {
    let _ = BEGIN.set(begin);
}

/// A file whose reading is told.
pub(super) struct Told<R> {
    inner: R,
    path: PathBuf,
    total: Option<u64>,
    reader: Option<Box<dyn Reader>>,
}

impl<R> Told<R> {
    /// Returns a file, of which so much is known.
    pub fn new(inner: R, path: &Path, data: Option<&Metadata>) -> Self {
        let total = data.filter(|data| data.is_file()).map(Metadata::len);
        Self { inner, path: path.to_owned(), total, reader: None }
    }

    /// Returns the file, whose reading has ended for now.
    pub fn rest(&mut self) -> &mut R {
        self.reader = None;
        &mut self.inner
    }
}

impl<R: Read> Read for Told<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes);
        match (&read, BEGIN.get()) {
            (Ok(0) | Err(_), _) | (_, None) => self.reader = None,
            (Ok(count), Some(begin)) => {
                self.reader.get_or_insert_with(|| begin(&self.path, self.total)).read(*count);
            }
        }
        read
    }
}
