//! All files in folders, except those that would make the reader wait.
//!
//! Links to files are followed. Links to folders are not followed, so that a loop of links cannot
//! run forever. A link that the user names is followed in any case. Pipes, sockets and devices are
//! not opened. Directories of keys are skipped, because no results are written there.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use hasten_store::is_store;

/// Many names, stored one after the other in memory.
#[derive(Debug, Default)]
pub struct Names {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Names {
    /// Adds a name. Its number is the number of names before it.
    pub fn add(&mut self, name: &Path) {
        self.bytes.extend(name.as_os_str().as_bytes());
        self.ends.push(self.bytes.len());
    }

    /// Returns the name with this number.
    ///
    /// # Panics
    /// If there is no such name.
    pub fn name(&self, number: usize) -> &Path {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Path::new(OsStr::from_bytes(&self.bytes[begin..self.ends[number]]))
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Reason why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotRead {
    /// A pipe, a socket or a device.
    #[error("{0}, which is not opened")]
    Special(&'static str),
    /// A link to a folder.
    #[error("a link to a folder, which is not followed")]
    LinkToFolder,
    /// The directory of a key.
    #[error("the directory of a key, which holds no signatures")]
    Store,
    /// A file that is longer than allowed.
    #[error("longer than {0} bytes")]
    TooLong(u64),
    /// The system's error.
    #[error("{0}")]
    Failed(#[from] io::Error),
}

impl NotRead {
    /// Returns true for a pipe, a socket or a device.
    pub fn is_special(&self) -> bool {
        matches!(self, Self::Special(_))
    }

    /// Returns the kind of the system's error, or an error kind that represents the reason.
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Self::Failed(cause) => cause.kind(),
            Self::TooLong(_) => io::ErrorKind::FileTooLarge,
            _ => io::ErrorKind::InvalidInput,
        }
    }
}

/// A name at which no file was read.
#[derive(Debug)]
pub struct PassedOver {
    /// The name.
    pub path: PathBuf,
    /// The reason.
    pub why: NotRead,
    /// True if the file should have been read: the user named it, or the system refused it.
    pub is_missed: bool,
}

/// A search for files under many names.
#[derive(Debug, Default)]
pub struct Walk {
    /// The regular files that were found.
    pub files: Names,
    /// All other names.
    pub passed: Vec<PassedOver>,
}

impl Walk {
    /// Adds a file, or everything in a folder.
    pub fn add(&mut self, path: &Path) {
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => self.folders(path),
            Ok(data) => self.file(path, &data, true),
            Err(cause) => self.pass(path, cause.into(), true),
        }
    }

    fn pass(&mut self, path: &Path, why: NotRead, is_missed: bool) {
        self.passed.push(PassedOver { path: path.to_owned(), why, is_missed });
    }

    fn folders(&mut self, top: &Path) {
        let mut left = vec![(top.to_owned(), true)];
        while let Some((folder, is_named)) = left.pop() {
            match is_store(&folder) {
                Ok(false) => {}
                Ok(true) => {
                    self.pass(&folder, NotRead::Store, is_named);
                    continue;
                }
                Err(cause) => {
                    self.pass(&folder, cause.into(), true);
                    continue;
                }
            }
            match entries(&folder) {
                Ok(found) => {
                    let below: Vec<_> = found
                        .into_iter()
                        .filter_map(|(path, kind)| self.entry(path, kind))
                        .collect();
                    left.extend(below.into_iter().rev().map(|path| (path, false)));
                }
                Err(cause) => self.pass(&folder, cause.into(), true),
            }
        }
    }

    /// Adds an entry of a folder. Returns it if it is a folder itself.
    fn entry(&mut self, path: PathBuf, kind: FileType) -> Option<PathBuf> {
        if kind.is_dir() {
            return Some(path);
        }
        if kind.is_file() {
            self.files.add(&path);
            return None;
        }
        match fs::metadata(&path) {
            Ok(data) if data.is_dir() => self.pass(&path, NotRead::LinkToFolder, false),
            Ok(data) => self.file(&path, &data, false),
            Err(cause) => self.pass(&path, cause.into(), true),
        }
        None
    }

    fn file(&mut self, path: &Path, data: &Metadata, is_named: bool) {
        match special(data.file_type()) {
            Some(what) => self.pass(path, NotRead::Special(what), is_named),
            None => self.files.add(path),
        }
    }
}

/// Returns the entries of a folder, sorted by name.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, FileType)>> {
    let kind = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.path(), entry.file_type()?))
    };
    let mut found: Vec<_> = fs::read_dir(folder)?.map(kind).collect::<io::Result<_>>()?;
    found.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}

/// Returns a name for a file that is a pipe, a socket or a device.
pub(super) fn special(kind: FileType) -> Option<&'static str> {
    match () {
        () if kind.is_fifo() => Some("a pipe"),
        () if kind.is_socket() => Some("a socket"),
        () if kind.is_block_device() || kind.is_char_device() => Some("a device"),
        () => None,
    }
}

/// Opens a regular file without ever waiting. If it has become a pipe in the meantime, it is
/// refused.
///
/// # Errors
/// [`NotRead`].
pub fn open_regular(path: &Path) -> Result<File, NotRead> {
    if let Some(what) = special(fs::metadata(path)?.file_type()) {
        return Err(NotRead::Special(what));
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).map_err(io::Error::from)?);
    let data = file.metadata()?;
    match special(data.file_type()) {
        Some(what) => Err(NotRead::Special(what)),
        None if data.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
        None => Ok(file),
    }
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// [`NotRead`].
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>, NotRead> {
    let file = open_regular(path)?;
    if file.metadata()?.len() > most {
        return Err(NotRead::TooLong(most));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(NotRead::TooLong(most)) } else { Ok(bytes) }
}
