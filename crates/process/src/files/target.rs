//! Names under which a result may be written: a free name, or that of a regular file that may be
//! replaced.
//!
//! A result never replaces a file in a key's directory, a guard, a witness cell, or a file that the
//! command reads.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::walk::special;
use crate::{Error, NoOutput};

/// First bytes of the pages of a guard, in every version.
const GUARD: &[u8; 7] = b"HASTENG";
/// Offsets of the pages.
const PAGES: [u64; 2] = [0, 4096];
/// Largest length of a witness word, including the line end.
const LONGEST_WORD: u64 = 256;

/// Identity of a file, independent of its name: its device and its inode number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity(u64, u64);

impl Identity {
    /// Returns the identity of a file from its metadata.
    pub fn of(data: &Metadata) -> Self {
        Self(data.dev(), data.ino())
    }

    /// Returns the identity of the file at a path, if it exists.
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|data| Self::of(&data))
    }
}

/// Treatment of an existing file of the same name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Old {
    /// The file remains: the command replaces nothing.
    #[default]
    Stays,
    /// The file remains, because the user did not force the command.
    Unforced,
    /// The file is replaced.
    Goes,
}

impl Old {
    /// Returns [`Old::Goes`] if replacing was forced, otherwise [`Old::Unforced`].
    pub fn forced(force: bool) -> Self {
        if force { Self::Goes } else { Self::Unforced }
    }
}

fn refused(path: &Path, why: NoOutput) -> Error {
    Error::Output { path: path.to_owned(), why }
}

/// Returns the directory and the last component of a path that can be the name of a file.
///
/// # Errors
/// [`NoOutput::Directory`] for any other path.
pub fn parted(path: &Path) -> Result<(PathBuf, std::ffi::OsString), Error> {
    let name = path.file_name().filter(|_| !path.as_os_str().as_bytes().ends_with(b"/"));
    let name = name.ok_or_else(|| refused(path, NoOutput::Directory))?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((dir.to_owned(), name.to_owned()))
}

/// Returns an error if nothing may be written at `path`. `old` is the treatment of an existing
/// regular file. The files in `keep` are never replaced.
///
/// # Errors
/// [`Error::Output`] with the reason, or the system's error.
pub fn check(path: &Path, old: Old, keep: &[Identity]) -> Result<(), Error> {
    let (dir, _) = parted(path)?;
    if let Some(store) = store_above(&dir).map_err(Error::file(&dir, "entering"))? {
        return Err(refused(path, NoOutput::InStore(store)));
    }
    match fs::symlink_metadata(path) {
        Ok(data) => {
            let stays = may_go(path, &data, old, keep).map_err(Error::file(path, "reading"))?;
            stays.map_err(|why| refused(path, why))
        }
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(cause) => Err(Error::file(path, "writing")(cause)),
    }
}

/// Returns the reason why the existing file at `path` must not be replaced, if there is one.
/// Returns an error if its kind cannot be determined. The file is then not replaced.
fn may_go(
    path: &Path,
    data: &Metadata,
    old: Old,
    keep: &[Identity],
) -> io::Result<Result<(), NoOutput>> {
    Ok(match regular(data) {
        Err(why) => Err(why),
        Ok(()) if keep.contains(&Identity::of(data)) => Err(NoOutput::Input),
        Ok(()) if is_guard(path)? => Err(NoOutput::Guard),
        Ok(()) if is_witness(path)? => Err(NoOutput::Witness),
        Ok(()) => match old {
            Old::Goes => Ok(()),
            Old::Unforced => Err(NoOutput::Exists),
            Old::Stays => Err(NoOutput::Taken),
        },
    })
}

/// Returns an error for anything that is not a regular file.
fn regular(data: &Metadata) -> Result<(), NoOutput> {
    let kind = data.file_type();
    Err(match () {
        () if kind.is_file() => return Ok(()),
        () if kind.is_symlink() => NoOutput::Link,
        () if kind.is_dir() => NoOutput::Directory,
        () => NoOutput::Special(special(kind).unwrap_or("no regular file")),
    })
}

/// Returns true if a page of the file begins like one of a guard. A file that cannot be opened
/// counts as a guard, so that it is not replaced.
fn is_guard(path: &Path) -> io::Result<bool> {
    let Ok(mut file) = File::open(path) else { return Ok(true) };
    for at in PAGES {
        let mut word = [0; GUARD.len()];
        file.seek(SeekFrom::Start(at))?;
        match file.read_exact(&mut word) {
            Ok(()) if word == *GUARD => return Ok(true),
            Ok(()) => {}
            Err(short) if short.kind() == io::ErrorKind::UnexpectedEof => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(false)
}

/// Returns true if the file is a witness cell, or the lock of one.
fn is_witness(path: &Path) -> io::Result<bool> {
    let lock = path.extension() == Some(OsStr::new("lock"));
    Ok(holds_word(path)? || (lock && holds_word(&path.with_extension(""))?))
}

fn holds_word(path: &Path) -> io::Result<bool> {
    let mut bytes = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(LONGEST_WORD).read_to_end(&mut bytes)?,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(cause) => return Err(cause),
    };
    let text = std::str::from_utf8(&bytes).ok().and_then(|text| text.strip_suffix('\n'));
    Ok(text.is_some_and(hasten_store::is_word))
}

/// Returns the key directory that is `dir` itself or contains it. Returns `None` if there is none,
/// or if `dir` does not exist.
fn store_above(dir: &Path) -> io::Result<Option<PathBuf>> {
    let whole = match fs::canonicalize(dir) {
        Ok(whole) => whole,
        Err(cause) if is_absence(&cause) => return Ok(None),
        Err(cause) => return Err(cause),
    };
    for dir in whole.ancestors() {
        if hasten_store::is_store(dir)? {
            return Ok(Some(dir.to_owned()));
        }
    }
    Ok(None)
}

/// Returns true if the error means that nothing of this name exists.
fn is_absence(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// The first page of a process's memory cannot be read. It stands for a failing disk.
    #[test]
    fn a_file_that_cannot_be_read_is_not_replaced() {
        let unreadable = Path::new("/proc/self/mem");
        assert!(is_guard(unreadable).is_err() && is_witness(unreadable).is_err());
        let data = fs::symlink_metadata(unreadable).expect("it is there");
        assert!(may_go(unreadable, &data, Old::Goes, &[]).is_err());
    }

    #[test]
    fn a_folder_that_cannot_be_looked_at_may_be_a_key() {
        let long = "d".repeat(4096);
        assert!(
            hasten_store::is_store(Path::new(&long)).is_err()
                && store_above(Path::new(&long)).is_err()
        );
        assert_eq!(hasten_store::is_store(Path::new("/proc/self/none")).ok(), Some(false));
    }
}
