//! Files by name, with `-` for the standard streams. A result appears completely or not at all.
//!
//! A result gets its name only when it is complete and durable. No file in the directory of a key,
//! no guard, no witness cell and no file that the command reads is ever replaced. No unfinished
//! file remains when the process is asked to end.

mod message;
mod output;
mod reading;
mod several;
mod sums;
mod target;
mod walk;

use std::fs::{DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use self::message::Message;
pub use self::output::{Output, Wanted, keeps_secrets};
use self::reading::Told;
pub use self::reading::{Begin, Reader, tell_of_reading};
pub use self::several::{Planned, look};
pub use self::sums::{Listed, UnfitList, folder_of, line_of, read_list};
pub use self::target::{Identity, Old, check, parted};
pub use self::walk::{Names, NotRead, PassedOver, Walk, open_regular, read_regular};
use crate::Error;

/// Largest size of a key or a signature, in bytes.
pub const MOST: u64 = 64 << 20;

/// Handles the signal for a file that grows beyond the limit of this process (SIGXFSZ), which would
/// end the process without a message. The write then fails with an error. Programs that the process
/// starts do not inherit this.
///
/// # Errors
/// The system's error.
pub fn survive_limit() -> Result<(), Error> {
    let noticed = Arc::new(AtomicBool::new(false));
    let taken = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, noticed);
    taken.map(drop).map_err(Error::system("listening for the limit of files"))
}

/// Returns true if the name stands for a standard stream.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a message for reading.
///
/// # Errors
/// The system's error, or an error for a directory.
pub fn open(path: &Path) -> Result<Box<dyn Read>, Error> {
    if is_stream(path) {
        return Ok(Box::new(Told::new(io::stdin().lock(), path, None)));
    }
    let file = File::open(path).map_err(Error::file(path, "reading"))?;
    let data = file.metadata().ok();
    if data.as_ref().is_some_and(|data| data.is_dir()) {
        return Err(Error::file(path, "reading")(io::ErrorKind::IsADirectory.into()));
    }
    Ok(Box::new(Told::new(file, path, data.as_ref())))
}

/// Reads a key or a signature completely.
///
/// # Errors
/// The system's error, or an error for a file longer than 64 MiB.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(MOST + 1).read_to_end(&mut bytes);
    read.map_err(Error::file(path, "reading"))?;
    if bytes.len() as u64 > MOST {
        return Err(Error::file(path, "reading")(io::ErrorKind::FileTooLarge.into()));
    }
    Ok(bytes)
}

/// Reads a text completely, such as a configuration or a report.
///
/// # Errors
/// As [`read`], or an error if the text is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Error> {
    let other = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8");
    String::from_utf8(read(path)?).map_err(other).map_err(Error::file(path, "reading"))
}

/// Writes a complete file.
///
/// # Errors
/// As [`Output::begin`] and [`Output::finish`].
pub fn write(path: &Path, wanted: Wanted<'_>, bytes: &[u8]) -> Result<(), Error> {
    Output::begin(path, Wanted { bytes: bytes.len(), ..wanted })?.finish(bytes)
}

/// Creates the missing folders above a new key, durably, as `mkdir -p` does.
///
/// # Errors
/// The system's error.
pub fn make_folders_above(path: &Path) -> Result<(), Error> {
    let above = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    let missing: Vec<_> = above.take_while(|folder| !folder.exists()).collect();
    for folder in missing.into_iter().rev() {
        let failed = || Error::file(folder, "making the folder");
        match DirBuilder::new().mode(0o755).create(folder) {
            Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => {
                return Err(failed()(cause));
            }
            _ => {}
        }
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = File::open(parent.unwrap_or(Path::new("."))).map_err(failed())?;
        parent.sync_all().map_err(failed())?;
    }
    Ok(())
}

/// Returns an error if the name is taken, before anything is computed for it.
///
/// # Errors
/// As [`check`].
pub fn must_be_new(path: &Path) -> Result<(), Error> {
    target::check(path, Old::Stays, &[])
}

/// Returns the path with `ending` appended to its last component.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
