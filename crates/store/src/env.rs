//! The demands of the store on the world: files, locks, a clock, a process id, randomness.
//!
//! Everything goes through [`Env`], so that a simulated disk (the crate `hasten-store-sim`) can
//! stand under the whole store. The real one is [`Os`](crate::Os).

use crate::error::{Call, Errno, StoreError};
use crate::filesystem::FileSystem;
use crate::identity::FileIdentity;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An open file. Reads and writes name their offset; there is no cursor.
pub trait File: Send + Sync {
    /// Reads at `at`; fewer bytes than asked only at the end of the file.
    fn read_at(&self, buf: &mut [u8], at: u64) -> Result<usize, Errno>;
    /// Writes at `at`; may write less than asked (at least one byte).
    fn write_at(&self, buf: &[u8], at: u64) -> Result<usize, Errno>;
    /// Returns the length in bytes.
    fn size(&self) -> Result<u64, Errno>;
    /// Returns how many names the file has: none once it was removed, or another was moved over it.
    fn links(&self) -> Result<u64, Errno> {
        Ok(1)
    }
    /// Returns which file this is, by what no copy of it has.
    fn identity(&self) -> Result<FileIdentity, Errno> {
        Ok(FileIdentity::default())
    }
    /// Returns when content, mode, owner or a name of the file was last changed (`st_ctime`), in
    /// nanoseconds since the Unix epoch; `None` where that is not known.
    fn changed_ns(&self) -> Result<Option<u64>, Errno> {
        Ok(None)
    }
    /// Cuts or extends (with zeros).
    fn set_size(&self, size: u64) -> Result<(), Errno>;
    /// Makes content and length durable.
    fn sync(&self) -> Result<(), Errno>;
    /// Takes the exclusive lock of this file; `false` if another open file holds it. Released when
    /// the file is dropped.
    fn try_lock(&self) -> Result<bool, Errno>;
    /// Lets the lock go, whoever else has this open file: a permit, or the child of a fork. Where a
    /// file cannot do that, the lock is let go when the file is dropped.
    fn unlock(&self) -> Result<(), Errno> {
        Ok(())
    }
}

/// Owner, mode and kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// A directory.
    pub is_dir: bool,
    /// It belongs to the user in whose name this process acts.
    pub ours: bool,
    /// Its permission bits.
    pub mode: u32,
}

/// The world under a store.
pub trait Env: Send + Sync {
    /// Returns what this world lacks of that which a store rests on. Then none is made or opened
    /// ([`StoreError::Lacks`]).
    fn lacks(&self) -> Option<&'static str> {
        None
    }
    /// Opens an existing regular file for reading and writing; never follows a link.
    fn open(&self, path: &Path) -> Result<Box<dyn File>, Errno>;
    /// Opens as [`Env::open`] does, and asks for reading only.
    fn open_read(&self, path: &Path) -> Result<Box<dyn File>, Errno>;
    /// Makes a new file (mode 0600) or fails with `EEXIST`.
    fn create(&self, path: &Path) -> Result<Box<dyn File>, Errno>;
    /// Makes a directory (mode 0700) or fails with `EEXIST`.
    fn make_dir(&self, path: &Path) -> Result<(), Errno>;
    /// Renames within one file system. Replaces a file or an empty directory, never a directory
    /// with content.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), Errno>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> Result<(), Errno>;
    /// Returns the directory `path` as an absolute path without symbolic links.
    fn resolve(&self, path: &Path) -> Result<PathBuf, Errno>;
    /// Returns owner, mode and kind of a file; a link is not followed.
    fn stat(&self, path: &Path) -> Result<Stat, Errno>;
    /// Returns whether a directory has no entries.
    fn is_empty(&self, dir: &Path) -> Result<bool, Errno>;
    /// Returns the file system that holds the file.
    fn filesystem(&self, path: &Path) -> Result<FileSystem, Errno>;
    /// Names this process so that another can tell whether it has ended; without a blank.
    fn mark(&self) -> String;
    /// Returns whether the process with this [`mark`](Env::mark) has ended for certain. In doubt
    /// `false`.
    fn has_ended(&self, mark: &str) -> bool;
    /// Makes a directory's entries durable.
    fn sync_dir(&self, path: &Path) -> Result<(), Errno>;
    /// Returns the number of the calling process.
    fn pid(&self) -> u32;
    /// Returns the namespace of process ids in which the calling process is; 0 where none can be
    /// told. A fork in another one can have the same number.
    fn namespace(&self) -> u64 {
        0
    }
    /// Returns when the calling process was started, in ticks of the system; 0 where it cannot be
    /// told. It tells two processes apart that had one number, one after the other.
    fn started(&self) -> u64 {
        0
    }
    /// Returns the number of the calling user.
    fn uid(&self) -> u32;
    /// Returns this host's name.
    fn host(&self) -> String;
    /// Returns the wall clock in milliseconds since the Unix epoch. For the audit log; nothing is
    /// decided by it.
    fn wall_ms(&self) -> u64;
    /// Reads a clock that never goes back and counts suspended time.
    fn monotonic(&self) -> Duration;
    /// Fills with fresh random bytes.
    fn random(&self, out: &mut [u8]) -> Result<(), Errno>;
    /// Lets this time pass.
    fn sleep(&self, time: Duration);
}

/// Writes all of `buf`, going on after short writes.
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

/// Reads up to `buf.len()` bytes; what lies behind the end of the file is left as it was. Returns
/// the number read.
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

/// Returns `path` absolute, and its directory without symbolic links: it names the same file
/// whatever the working directory is. The last part is never followed: [`Env::open`] refuses a
/// link.
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

/// Returns a fresh random name of a key, a store or a session.
pub(crate) fn random_id(env: &dyn Env) -> Result<[u8; 16], StoreError> {
    let mut id = [0; 16];
    env.random(&mut id).map_err(StoreError::io(Call::Random))?;
    Ok(id)
}
