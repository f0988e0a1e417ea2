//! Messages, which are read twice: once to be signed and once to check the signature.
//!
//! A pipe is copied first, to memory or, if it is longer, to a file without a name. A slow writer
//! to the pipe therefore does not delay others who want to use the same key.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use tempfile::SpooledTempFile;

use super::is_stream;
use super::reading::Told;
use super::target::Identity;
use crate::Error;

/// Largest size of a copied message in memory, in bytes. A longer message is copied to the disk.
const IN_MEMORY: usize = 4 << 20;

/// An open message.
pub struct Message {
    source: Told<Source>,
    /// Offset at which the message begins.
    start: u64,
    /// Identity of the file, if the message is a regular file.
    pub identity: Option<Identity>,
    /// SHA-256 of the original file, if the message is its digest.
    pub whole: Option<[u8; 32]>,
}

enum Source {
    File(File),
    Copy(SpooledTempFile),
}

impl Message {
    /// Opens a message. A pipe is read to its end.
    ///
    /// # Errors
    /// The system's error, or an error for a directory.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = || Error::file(path, "reading");
        let mut file = match is_stream(path) {
            true => File::from(io::stdin().as_fd().try_clone_to_owned().map_err(failed())?),
            false => File::open(path).map_err(failed())?,
        };
        let data = file.metadata().map_err(failed())?;
        if data.is_dir() {
            return Err(failed()(io::ErrorKind::IsADirectory.into()));
        }
        let identity = data.is_file().then(|| Identity::of(&data));
        if !data.is_file() && !data.file_type().is_block_device() {
            let source = Source::Copy(copy(Told::new(file, path, None), path)?);
            let source = Told::new(source, path, None);
            return Ok(Self { source, start: 0, identity, whole: None });
        }
        let start = file.stream_position().map_err(failed())?;
        let source = Told::new(Source::File(file), path, Some(&data));
        Ok(Self { source, start, identity, whole: None })
    }

    /// Returns a message with the digest that is signed instead of the file, and the file's
    /// SHA-256.
    ///
    /// # Errors
    /// The system's error, if there is no space for the copy.
    pub fn digested(self, digest: &[u8], whole: [u8; 32], path: &Path) -> Result<Self, Error> {
        let source = Told::new(Source::Copy(copy(digest, path)?), path, None);
        Ok(Self { source, start: 0, identity: self.identity, whole: Some(whole) })
    }

    /// Returns to the beginning of the message.
    ///
    /// # Errors
    /// The system's error.
    pub fn again(&mut self) -> io::Result<()> {
        let start = SeekFrom::Start(self.start);
        match self.source.rest() {
            Source::File(file) => file.seek(start).map(drop),
            Source::Copy(copy) => copy.seek(start).map(drop),
        }
    }
}

impl Read for Message {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.source.read(bytes)
    }
}

impl Read for Source {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(bytes),
            Self::Copy(copy) => copy.read(bytes),
        }
    }
}

fn copy(mut from: impl Read, path: &Path) -> Result<SpooledTempFile, Error> {
    let mut copy = tempfile::spooled_tempfile(IN_MEMORY);
    io::copy(&mut from, &mut copy).map_err(Error::file(path, "copying"))?;
    copy.rewind().map_err(Error::file(path, "copying"))?;
    Ok(copy)
}
