//! Progress reports about files that are being read.

use std::fs::Metadata;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Receives the progress of one file. It is dropped when nothing more is read of the file.
pub trait Reader: Send {
    /// Reports that this many more bytes were read.
    fn read(&mut self, bytes: usize);
}

/// Function that creates the reader for a file. The number is the file's size, if it is known.
pub type Begin = fn(&Path, Option<u64>) -> Box<dyn Reader>;

static BEGIN: OnceLock<Begin> = OnceLock::new();

/// Sets the function that is called for every message read from now on. Only the first call has an
/// effect.
pub fn tell_of_reading(begin: Begin) {
    let _ = BEGIN.set(begin);
}

/// A file whose reading is reported.
pub(super) struct Told<R> {
    inner: R,
    path: PathBuf,
    total: Option<u64>,
    reader: Option<Box<dyn Reader>>,
}

impl<R> Told<R> {
    /// Wraps a file. `data` is its metadata, if known.
    pub fn new(inner: R, path: &Path, data: Option<&Metadata>) -> Self {
        let total = data.filter(|data| data.is_file()).map(Metadata::len);
        Self { inner, path: path.to_owned(), total, reader: None }
    }

    /// Returns the file, and ends the report for now.
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
