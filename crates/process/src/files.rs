//! Files by name, with `-` for the standard streams; results appear whole or not at all.
//!
//! A result gets its name only when it is whole and durable. No file in the directory of a key, no
//! guard, no word of an outside witness and no file that the command reads is ever replaced, and
//! nothing unfinished is left when the process is asked to end.

mod message;
mod output;
mod several;
mod target;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use self::message::Message;
pub use self::output::{Output, Wanted};
pub use self::several::{Planned, look};
pub use self::target::{Identity, Old, check, parted};
use crate::Error;

/// Keys and signatures are no longer than this, in bytes.
const MOST: u64 = 64 << 20;

/// Returns whether the name stands for a standard stream.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a message.
///
/// # Errors
/// The system's, and that it is a directory.
pub fn open(path: &Path) -> Result<Box<dyn Read>, Error> {
    if is_stream(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(Error::file(path, "reading"))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(Error::file(path, "reading")(io::ErrorKind::IsADirectory.into()));
    }
    Ok(Box::new(file))
}

/// Reads a key or a signature whole.
///
/// # Errors
/// The system's, and that it is longer than 64 MiB.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(MOST + 1).read_to_end(&mut bytes);
    read.map_err(Error::file(path, "reading"))?;
    if bytes.len() as u64 > MOST {
        return Err(Error::file(path, "reading")(io::ErrorKind::FileTooLarge.into()));
    }
    Ok(bytes)
}

/// Writes a file whole.
///
/// # Errors
/// As [`Output::begin`] and [`Output::finish`].
pub fn write(path: &Path, wanted: Wanted<'_>, bytes: &[u8]) -> Result<(), Error> {
    Output::begin(path, Wanted { bytes: bytes.len(), ..wanted })?.finish(bytes)
}

/// Refuses a name that is taken, before anything is computed for it.
///
/// # Errors
/// As [`check`].
pub fn must_be_new(path: &Path) -> Result<(), Error> {
    target::check(path, Old::Stays, &[])
}

/// Returns the same path with `ending` appended to its last part.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
