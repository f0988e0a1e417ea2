//! A file that gets its name only when it is complete and durable.
//!
//! Until then it has no name, if the file system supports that. Otherwise it has a new name that
//! nobody can guess. No link is followed, no existing file is opened, and nothing remains when the
//! command is interrupted.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::is_stream;
use super::target::{self, Identity, Old};
use crate::{Error, NoOutput, interrupt};

/// Properties of the file to be written.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'w> {
    /// True if other users must not read it.
    pub secret: bool,
    /// Treatment of an existing regular file of this name.
    pub old: Old,
    /// Files that are never replaced, because the command reads them.
    pub keep: &'w [Identity],
    /// Largest length of the file. Space for it is reserved at once.
    pub bytes: usize,
}

impl Wanted<'_> {
    /// Returns the properties of a file that replaces an existing one only if `force` is set.
    pub fn forced(force: bool) -> Self {
        Self { old: Old::forced(force), ..Self::default() }
    }
}

/// Destination of a result.
pub enum Output {
    /// Standard output.
    Stream,
    /// A file.
    File(Unnamed),
}

/// A file that does not have its name yet.
pub struct Unnamed {
    path: PathBuf,
    dir: OwnedFd,
    name: OsString,
    /// The temporary name, if one was needed.
    partial: Option<PathBuf>,
    file: File,
    old: Old,
}

impl Output {
    /// Begins the file `path` and reserves space for it. An existing file of that name remains
    /// until the end.
    ///
    /// # Errors
    /// The reason why the file must not be written, or the system's error.
    pub fn begin(path: &Path, wanted: Wanted<'_>) -> Result<Self, Error> {
        if is_stream(path) {
            return Ok(Self::Stream);
        }
        interrupt::attend()?;
        target::check(path, wanted.old, wanted.keep)?;
        let unnamed = Unnamed::make(path, wanted)?;
        unnamed.judge(wanted.secret)?;
        unnamed.make_room(wanted.bytes)?;
        Ok(Self::File(unnamed))
    }

    /// Writes all bytes, durably, and gives the file its name.
    ///
    /// # Errors
    /// The system's error, or an error if the name was taken in the meantime.
    pub fn finish(self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Self::Stream => {
                let mut out = io::stdout().lock();
                let written = out.write_all(bytes).and_then(|()| out.flush());
                written.map_err(Error::system("writing the result"))
            }
            Self::File(file) => file.finish(bytes),
        }
    }
}

impl Unnamed {
    fn make(path: &Path, wanted: Wanted<'_>) -> Result<Self, Error> {
        let (folder, name) = target::parted(path)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let failed = |errno: Errno| Error::file(path, "writing")(errno.into());
        let dir = rustix::fs::open(&folder, flags, Mode::empty()).map_err(failed)?;
        let mode = Mode::from_raw_mode(if wanted.secret { 0o600 } else { 0o644 });
        let (file, partial) = match nameless(&dir, mode) {
            Some(file) => (file, None),
            None => {
                let partial = folder.join(unguessable()?);
                let file = fresh(&dir, &partial, mode).map_err(Error::file(path, "writing"))?;
                (file, Some(partial))
            }
        };
        Ok(Self { path: path.to_owned(), dir, name, partial, file, old: wanted.old })
    }

    /// Returns an error if the file system does not keep a secret file secret.
    fn judge(&self, secret: bool) -> Result<(), Error> {
        if secret { keeps_secrets(&self.file, &self.path) } else { Ok(()) }
    }

    /// Reserves the space in the file system now, so that a full file system is detected before
    /// anything is lost.
    fn make_room(&self, bytes: usize) -> Result<(), Error> {
        let size = bytes as u64;
        if size == 0 {
            return Ok(());
        }
        match reserve(&self.file, size) {
            Ok(()) => Ok(()),
            Err(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => {
                Err(self.refused(NoOutput::NoRoom { needed: size }))
            }
            Err(_) => self.fill(bytes),
        }
    }

    /// Reserves the space by writing zeros, if the file system has no other way.
    fn fill(&self, bytes: usize) -> Result<(), Error> {
        use std::os::unix::fs::FileExt;
        self.file.write_all_at(&vec![0; bytes], 0).map_err(Error::file(&self.path, "writing"))
    }

    fn finish(mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = self.written(bytes).and_then(|()| Ok(self.named()?));
        match written {
            Ok(()) => Ok(()),
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Err(self
                .refused(if self.old == Old::Stays { NoOutput::Taken } else { NoOutput::Exists })),
            Err(cause) => Err(Error::file(&self.path, "writing")(cause)),
        }
    }

    fn written(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.set_len(bytes.len() as u64)?;
        self.file.sync_all()
    }

    /// Gives the file its name, and makes the name durable.
    fn named(&mut self) -> Result<(), Errno> {
        match (&self.partial, self.old == Old::Goes) {
            (Some(partial), force) => move_in(&self.dir, last(partial), &self.name, force)?,
            (None, false) => link(&self.file, &self.dir, &self.name)?,
            (None, true) => {
                let partial = unguessable().map_err(|_| Errno::IO)?;
                link(&self.file, &self.dir, &partial)?;
                let moved = move_in(&self.dir, &partial, &self.name, true);
                if moved.is_err() {
                    let _ = remove(&self.dir, &partial);
                }
                moved?;
            }
        }
        self.partial.take().iter().for_each(|partial| interrupt::ended(partial));
        sync_entries(&self.dir)
    }

    fn refused(&self, why: NoOutput) -> Error {
        Error::Output { path: self.path.clone(), why }
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        if let Some(partial) = self.partial.take() {
            // The file did not get its name, so nobody needs it.
            let _ = remove(&self.dir, last(&partial));
            interrupt::ended(&partial);
        }
    }
}

fn last(path: &Path) -> &OsStr {
    path.file_name().unwrap_or_default()
}

fn remove(dir: &OwnedFd, name: &OsStr) -> Result<(), Errno> {
    rustix::fs::unlinkat(dir, name, AtFlags::empty())
}

#[cfg(target_os = "linux")]
fn reserve(file: &File, size: u64) -> Result<(), Errno> {
    rustix::fs::fallocate(file, rustix::fs::FallocateFlags::KEEP_SIZE, 0, size)
}

/// Always fails, so that the space is reserved by writing.
#[cfg(not(target_os = "linux"))]
fn reserve(_file: &File, _size: u64) -> Result<(), Errno> {
    Err(Errno::OPNOTSUPP)
}

#[cfg(not(target_vendor = "apple"))]
fn sync_entries(dir: &OwnedFd) -> Result<(), Errno> {
    rustix::fs::fsync(dir)
}

/// Makes names durable. On Apple's systems `fsync` leaves them in the disk's cache.
#[cfg(target_vendor = "apple")]
fn sync_entries(dir: &OwnedFd) -> Result<(), Errno> {
    rustix::fs::fcntl_fullfsync(dir)
}

/// Returns `None`, because this system has no files without a name.
#[cfg(not(target_os = "linux"))]
fn nameless(_dir: &OwnedFd, _mode: Mode) -> Option<File> {
    None
}

/// Creates a file without a name, if the file system supports it and a name can be given later.
#[cfg(target_os = "linux")]
fn nameless(dir: &OwnedFd, mode: Mode) -> Option<File> {
    // Debug builds can be tested as on a file system that does not support such files.
    if cfg!(debug_assertions) && std::env::var_os("HASTEN_TEST_NAMED").is_some() {
        return None;
    }
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(dir, ".", flags, mode).ok()?);
    std::fs::metadata(descriptor(&file)).is_ok().then_some(file)
}

/// Creates a new file. Fails if it exists.
fn fresh(dir: &OwnedFd, partial: &Path, mode: Mode) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let make = || rustix::fs::openat(dir, last(partial), flags, mode);
    Ok(File::from(interrupt::begun(partial, make)?))
}

/// Returns the path of an open file in `/proc`.
fn descriptor(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_fd().as_raw_fd())
}

/// Gives a name to a file that has none. Fails if the name is taken.
fn link(file: &File, dir: &OwnedFd, name: &OsStr) -> Result<(), Errno> {
    rustix::fs::linkat(CWD, descriptor(file), dir, name, AtFlags::SYMLINK_FOLLOW)
}

/// Gives a file its final name. Fails if the name is taken, unless the file may be replaced.
fn move_in(dir: &OwnedFd, from: &OsStr, to: &OsStr, force: bool) -> Result<(), Errno> {
    if force {
        return rustix::fs::renameat(dir, from, dir, to);
    }
    match rustix::fs::renameat_with(dir, from, dir, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => {}
        done => return done,
    }
    // The file system does not support this renaming. The file gets a second name, and the first is
    // removed.
    match rustix::fs::linkat(dir, from, dir, to, AtFlags::empty()) {
        Ok(()) => remove(dir, from),
        Err(Errno::PERM | Errno::OPNOTSUPP) => rustix::fs::renameat(dir, from, dir, to),
        Err(errno) => Err(errno),
    }
}

/// Returns a name that nobody can guess, short enough for every file system.
fn unguessable() -> Result<OsString, Error> {
    let mut bytes = [0; 12];
    let failed = |error: getrandom::Error| Error::system("asking for random numbers")(error.into());
    getrandom::fill(&mut bytes).map_err(failed)?;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(OsString::from(format!(".{hex}.partial")))
}

/// Returns an error if a file that is open for writing belongs to another user than that of this
/// process, or if other users can read it.
///
/// # Errors
/// [`NoOutput::Readable`], [`NoOutput::Owner`], or a failed call.
pub fn keeps_secrets(file: &File, path: &Path) -> Result<(), Error> {
    let data = file.metadata().map_err(Error::file(path, "writing"))?;
    let why = match () {
        () if data.mode() & 0o077 != 0 => NoOutput::Readable,
        () if data.uid() != rustix::process::geteuid().as_raw() => NoOutput::Owner,
        () => return Ok(()),
    };
    Err(Error::Output { path: path.to_owned(), why })
}
