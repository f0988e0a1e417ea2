//! Names under which a result may be written: of nothing, or of a regular file that may go.
//!
//! Never those of a file in a key's directory, of a guard, of an outside witness, or of a file that
//! the command reads.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::{Error, NoOutput};

/// Holds what the pages of a guard begin with, of every version.
const GUARD: &[u8; 7] = b"HASTENG";
/// Where they begin.
const PAGES: [u64; 2] = [0, 4096];
/// No word of a witness is longer, its line end included.
const LONGEST_WORD: u64 = 256;

/// A file, whatever its name: its device and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity(u64, u64);

impl Identity {
    /// Returns the identity of an open file.
    pub fn of(data: &Metadata) -> Self {
        Self(data.dev(), data.ino())
    }

    /// Returns the identity of the file under a name, if there is one.
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|data| Self::of(&data))
    }
}

/// Says what becomes of a file that has the name already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Old {
    /// It stays: the command replaces nothing.
    #[default]
    Stays,
    /// It stays, for nobody forced the command.
    Unforced,
    /// It is replaced.
    Goes,
}

impl Old {
    /// Returns that it is replaced if that was forced, and stays otherwise.
    pub fn forced(force: bool) -> Self {
        if force { Self::Goes } else { Self::Unforced }
    }
}

fn refused(path: &Path, why: NoOutput) -> Error {
    Error::Output { path: path.to_owned(), why }
}

/// Returns the directory and the last part of a path that can be the name of a file.
///
/// # Errors
/// [`NoOutput::Directory`] for any other path.
pub fn parted(path: &Path) -> Result<(PathBuf, std::ffi::OsString), Error> {
    let name = path.file_name().filter(|_| !path.as_os_str().as_bytes().ends_with(b"/"));
    let name = name.ok_or_else(|| refused(path, NoOutput::Directory))?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((dir.to_owned(), name.to_owned()))
}

/// Refuses a name under which nothing may be written. `old`: whether a regular file goes;
/// `keep`: none of these does.
///
/// # Errors
/// [`Error::Output`] with the reason, or the system's error.
pub fn check(path: &Path, old: Old, keep: &[Identity]) -> Result<(), Error> {
    let (dir, _) = parted(path)?;
    if let Some(store) = store_above(&dir) {
        return Err(refused(path, NoOutput::InStore(store)));
    }
    match fs::symlink_metadata(path) {
        Ok(data) => may_go(path, &data, old, keep).map_err(|why| refused(path, why)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(cause) => Err(Error::file(path, "writing")(cause)),
    }
}

/// Says why what stands under the name stays there.
fn may_go(path: &Path, data: &Metadata, old: Old, keep: &[Identity]) -> Result<(), NoOutput> {
    regular(data)?;
    if keep.contains(&Identity::of(data)) {
        return Err(NoOutput::Input);
    }
    if is_guard(path) {
        return Err(NoOutput::Guard);
    }
    if is_witness(path) {
        return Err(NoOutput::Witness);
    }
    match old {
        Old::Goes => Ok(()),
        Old::Unforced => Err(NoOutput::Exists),
        Old::Stays => Err(NoOutput::Taken),
    }
}

/// Refuses what is no regular file.
fn regular(data: &Metadata) -> Result<(), NoOutput> {
    let kind = data.file_type();
    Err(match () {
        () if kind.is_file() => return Ok(()),
        () if kind.is_symlink() => NoOutput::Link,
        () if kind.is_dir() => NoOutput::Directory,
        () if kind.is_fifo() => NoOutput::Special("a pipe"),
        () if kind.is_socket() => NoOutput::Special("a socket"),
        () => NoOutput::Special("a device"),
    })
}

/// Returns whether a page of the file begins as those of a guard do. Whatever cannot be read is not
/// replaced.
fn is_guard(path: &Path) -> bool {
    let page = |file: &mut File, at: u64| {
        let mut word = [0; GUARD.len()];
        file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut word)).map(|()| word)
    };
    match File::open(path) {
        Ok(mut file) => {
            PAGES.iter().any(|at| page(&mut file, *at).is_ok_and(|word| word == *GUARD))
        }
        Err(_) => true,
    }
}

/// Returns whether the file holds the word of an outside witness, or is the lock beside one.
fn is_witness(path: &Path) -> bool {
    let lock = path.extension() == Some(OsStr::new("lock"));
    holds_word(path) || (lock && holds_word(&path.with_extension("")))
}

fn holds_word(path: &Path) -> bool {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST_WORD).read_to_string(&mut text));
    read.is_ok() && text.strip_suffix('\n').is_some_and(hasten_store::is_word)
}

/// Returns the directory of a key that `dir` is, or lies in.
fn store_above(dir: &Path) -> Option<PathBuf> {
    let whole = fs::canonicalize(dir).ok()?;
    whole.ancestors().find(|dir| is_store(dir)).map(Path::to_owned)
}

/// Returns whether the directory is that of a key, also of one that is being made.
fn is_store(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).symlink_metadata().is_ok_and(|data| data.is_file());
    has("config") && (has("log.0") || has("log.1") || has("lock"))
}
