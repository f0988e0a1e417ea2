//! The interface of the store to the operating system: files, locks, a clock, a process id,
//! randomness.
//!
//! Every access goes through [`Env`], so that the whole store can run on a simulated disk (the
//! crate `hasten-store-sim`). The real implementation is [`Os`](crate::Os).

use crate::error::{Call, Errno, StoreError};
use crate::filesystem::FileSystem;
use crate::identity::FileIdentity;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An open file. Reads and writes take an offset; there is no cursor.
pub trait File: Send + Sync {
    /// Reads at offset `at`. Returns fewer bytes than requested only at the end of the file.
    fn read_at(&self, buf: &mut [u8], at: u64) -> Result<usize, Errno>;
    /// Writes at offset `at`. May write fewer bytes than requested, but at least one.
    fn write_at(&self, buf: &[u8], at: u64) -> Result<usize, Errno>;
    /// Returns the length in bytes.
    fn size(&self) -> Result<u64, Errno>;
    /// Returns the number of names of the file: 0 after it was removed, or another file was renamed
    /// over it.
    fn links(&self) -> Result<u64, Errno> {
        Ok(1)
    }
    /// Returns the identity of the file, by properties that a copy does not have.
    fn identity(&self) -> Result<FileIdentity, Errno> {
        Ok(FileIdentity::default())
    }
    /// Returns the time of the last change of content, mode, owner or name of the file
    /// (`st_ctime`), in nanoseconds since the Unix epoch; `None` if it is unknown.
    fn changed_ns(&self) -> Result<Option<u64>, Errno> {
        Ok(None)
    }
    /// Truncates the file, or extends it with zeros.
    fn set_size(&self, size: u64) -> Result<(), Errno>;
    /// Makes content and length durable.
    fn sync(&self) -> Result<(), Errno>;
    /// Tries to take the exclusive lock of this file. Returns false if another open file holds it.
    /// The lock is released when the file is dropped.
    fn try_lock(&self) -> Result<bool, Errno>;
    /// Releases the lock, even if others share this open file, such as a permit or a forked child.
    /// An implementation that cannot do that releases the lock when the file is dropped.
    fn unlock(&self) -> Result<(), Errno> {
        Ok(())
    }
}

/// Owner, mode and kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// True for a directory.
    pub is_dir: bool,
    /// True if the file belongs to the effective user of this process.
    pub ours: bool,
    /// Permission bits.
    pub mode: u32,
}

/// The operating system as a store uses it.
pub trait Env: Send + Sync {
    /// Returns a feature that a store needs and this system lacks, if any. No store is then created
    /// or opened ([`StoreError::Lacks`]).
    fn lacks(&self) -> Option<&'static str> {
        None
    }
    /// Opens an existing regular file for reading and writing; never follows a link.
    fn open(&self, path: &Path) -> Result<Box<dyn File>, Errno>;
    /// Opens a file as [`Env::open`] does, but for reading only.
    fn open_read(&self, path: &Path) -> Result<Box<dyn File>, Errno>;
    /// Creates a new file (mode 0600) or fails with `EEXIST`.
    fn create(&self, path: &Path) -> Result<Box<dyn File>, Errno>;
    /// Creates a directory (mode 0700) or fails with `EEXIST`.
    fn make_dir(&self, path: &Path) -> Result<(), Errno>;
    /// Renames within one file system. Replaces a file or an empty directory, never a directory
    /// with content.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), Errno>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> Result<(), Errno>;
    /// Returns the directory `path` as an absolute path without symbolic links.
    fn resolve(&self, path: &Path) -> Result<PathBuf, Errno>;
    /// Returns owner, mode and kind of a file. Does not follow a symbolic link.
    fn stat(&self, path: &Path) -> Result<Stat, Errno>;
    /// Returns true if a directory has no entries.
    fn is_empty(&self, dir: &Path) -> Result<bool, Errno>;
    /// Returns the file system that holds the file.
    fn filesystem(&self, path: &Path) -> Result<FileSystem, Errno>;
    /// Returns a name of this process, without blanks, by which another process can tell whether it
    /// has ended.
    fn mark(&self) -> String;
    /// Returns true if the process with this [`mark`](Env::mark) has certainly ended. In case of
    /// doubt returns false.
    fn has_ended(&self, mark: &str) -> bool;
    /// Makes a directory's entries durable.
    fn sync_dir(&self, path: &Path) -> Result<(), Errno>;
    /// Returns the id of the calling process.
    fn pid(&self) -> u32;
    /// Returns the process-id namespace of the calling process; 0 if it is unknown. A fork in
    /// another namespace can have the same process id.
    fn namespace(&self) -> u64 {
        0
    }
    /// Returns the start time of the calling process in ticks of the system; 0 if it is unknown. It
    /// distinguishes two processes that had the same id one after the other.
    fn started(&self) -> u64 {
        0
    }
    /// Returns the id of the calling user.
    fn uid(&self) -> u32;
    /// Returns the name of this host.
    fn host(&self) -> String;
    /// Returns the wall clock in milliseconds since the Unix epoch: for the audit log, and for the
    /// limit of the guard's change time.
    fn wall_ms(&self) -> u64;
    /// Reads a clock that never goes backwards and counts suspended time.
    fn monotonic(&self) -> Duration;
    /// Fills `out` with fresh random bytes.
    fn random(&self, out: &mut [u8]) -> Result<(), Errno>;
    /// Sleeps for this time.
    fn sleep(&self, time: Duration);
}

/// Writes all of `buf`, continuing after short writes.
pub(crate) fn write_all(file: &dyn File, mut buf: &[u8], mut at: u64) -> Result<(), StoreError> {
    while !buf.is_empty() {
        let n = file.write_at(buf, at).map_err(StoreError::io(Call::Write))?;
        if n == 0 {
            return Err(StoreError::io(Call::Write)(Errno::IO));
        }
        buf = &buf[n..];
        at += n as u64;
    }
    Ok(())
}

/// Reads up to `buf.len()` bytes and returns the number read. The rest of `buf`, beyond the end of
/// the file, is unchanged.
pub(crate) fn read_up_to(file: &dyn File, buf: &mut [u8], at: u64) -> Result<usize, StoreError> {
    let mut done = 0;
    while done < buf.len() {
        let n =
            file.read_at(&mut buf[done..], at + done as u64).map_err(StoreError::io(Call::Read))?;
        if n == 0 {
            break;
        }
        done += n;
    }
    Ok(done)
}

/// Makes the content of `file` durable.
pub(crate) fn sync(file: &dyn File) -> Result<(), StoreError> {
    file.sync().map_err(StoreError::io(Call::Sync))
}

/// Returns `path` as an absolute path whose directory has no symbolic links, so that it names the
/// same file in every working directory. The last component is not resolved: [`Env::open`] refuses
/// a link.
pub(crate) fn absolute(env: &dyn Env, path: &Path) -> Result<PathBuf, StoreError> {
    let name = path.file_name().ok_or(StoreError::GuardPath)?;
    Ok(env
        .resolve(parent(path))
        .map_err(|e| StoreError::io(Call::Open)(e).at(parent(path)))?
        .join(name))
}

/// Returns the directory that holds `path`.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    }
}

/// Returns a random id for a key, a store or a session.
pub(crate) fn random_id(env: &dyn Env) -> Result<[u8; 16], StoreError> {
    let mut id = [0; 16];
    env.random(&mut id).map_err(StoreError::io(Call::Random))?;
    Ok(id)
}
