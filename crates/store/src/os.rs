//! The real operating system: one `rustix` call per operation. Linux and Apple's systems differ in
//! syncing, in the clock and in the kind of a file system.

mod identity;
mod process;

use crate::env::{Env, File, Stat};
use crate::error::Errno;
use crate::filesystem::FileSystem;
use crate::identity::FileIdentity;
use rustix::fs::{self, AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::retry_on_intr;
use rustix::time::{ClockId, clock_gettime};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The operating system. Use a local file system: locks and syncs of network file systems give
/// weaker guarantees.
#[derive(Clone, Copy, Debug, Default)]
pub struct Os;

impl Os {
    /// Returns an error if this process must not write a file up to byte `end` (`RLIMIT_FSIZE`).
    /// For such a write the system sends SIGXFSZ, which ends a process that does not handle it, and
    /// a library must not change the signal handling of its host.
    ///
    /// # Errors
    /// [`Errno::TOO_LARGE`].
    pub fn may_reach(end: u64) -> Result<(), Errno> {
        let most = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
        if most.is_some_and(|most| end > most) { Err(Errno::TOO_LARGE) } else { Ok(()) }
    }
}

struct OsFile(OwnedFd);

fn errno(e: rustix::io::Errno) -> Errno {
    Errno(e.raw_os_error())
}

fn file(fd: rustix::io::Result<OwnedFd>) -> Result<Box<dyn File>, Errno> {
    Ok(Box::new(OsFile(fd.map_err(errno)?)))
}

/// Opens a regular file. `O_NONBLOCK` prevents waiting if the path names a pipe.
fn regular(path: &Path, access: OFlags) -> Result<Box<dyn File>, Errno> {
    let flags = access | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let fd = match retry_on_intr(|| fs::open(path, flags, Mode::empty())) {
        Err(rustix::io::Errno::ISDIR) => return Err(Errno::INVALID),
        opened => opened.map_err(errno)?,
    };
    let kind = FileType::from_raw_mode(fs::fstat(&fd).map_err(errno)?.st_mode);
    if kind == FileType::RegularFile { Ok(Box::new(OsFile(fd))) } else { Err(Errno::INVALID) }
}

fn time(clock: ClockId) -> Duration {
    let t = clock_gettime(clock);
    Duration::new(u64::try_from(t.tv_sec).unwrap_or(0), u32::try_from(t.tv_nsec).unwrap_or(0))
}

/// Makes data durable, and the metadata that is needed to read it back, such as a changed length.
#[cfg(not(target_vendor = "apple"))]
fn sync_data(fd: &OwnedFd) -> rustix::io::Result<()> {
    fs::fdatasync(fd)
}

/// Makes data durable. On Apple's systems `fsync` leaves it in the cache of the disk: see fcntl(2),
/// `F_FULLFSYNC`, which Rust's `File::sync_all` uses too.
#[cfg(target_vendor = "apple")]
fn sync_data(fd: &OwnedFd) -> rustix::io::Result<()> {
    fs::fcntl_fullfsync(fd)
}

#[cfg(not(target_vendor = "apple"))]
fn sync_entries(dir: &OwnedFd) -> rustix::io::Result<()> {
    fs::fsync(dir)
}

#[cfg(target_vendor = "apple")]
fn sync_entries(dir: &OwnedFd) -> rustix::io::Result<()> {
    fs::fcntl_fullfsync(dir)
}

/// Clock that counts suspended time. `CLOCK_MONOTONIC` does so on Apple's systems: see
/// clock_gettime(3) there.
#[cfg(not(target_vendor = "apple"))]
const COUNTS_SLEEP: ClockId = ClockId::Boottime;
#[cfg(target_vendor = "apple")]
const COUNTS_SLEEP: ClockId = ClockId::Monotonic;

// The type is a signed word on some machines. Its upper half has no meaning.
#[cfg(not(target_vendor = "apple"))]
fn kind_of(found: &fs::StatFs) -> FileSystem {
    FileSystem::of_magic(found.f_type as u32)
}

/// Returns the kind by its name, because magic numbers have no meaning on Apple's systems.
#[cfg(target_vendor = "apple")]
fn kind_of(found: &fs::StatFs) -> FileSystem {
    const MNT_LOCAL: u32 = 0x1000;
    let name: Vec<u8> =
        found.f_fstypename.iter().map(|c| c.cast_unsigned()).take_while(|c| *c != 0).collect();
    FileSystem::of_name(&name, found.f_flags & MNT_LOCAL != 0)
}

/// Returns the permission bits. On Apple's systems `st_mode` has 16 bits.
#[allow(clippy::useless_conversion)]
fn mode(stat: &fs::Stat) -> u32 {
    u32::from(stat.st_mode) & 0o7777
}

impl File for OsFile {
    fn read_at(&self, buf: &mut [u8], at: u64) -> Result<usize, Errno> {
        retry_on_intr(|| rustix::io::pread(&self.0, &mut *buf, at)).map_err(errno)
    }

    fn write_at(&self, buf: &[u8], at: u64) -> Result<usize, Errno> {
        Os::may_reach(at.saturating_add(buf.len() as u64))?;
        retry_on_intr(|| rustix::io::pwrite(&self.0, buf, at)).map_err(errno)
    }

    fn size(&self) -> Result<u64, Errno> {
        let stat = fs::fstat(&self.0).map_err(errno)?;
        Ok(u64::try_from(stat.st_size).unwrap_or(0))
    }

    fn links(&self) -> Result<u64, Errno> {
        Ok(fs::fstat(&self.0).map_err(errno)?.st_nlink as u64)
    }

    fn identity(&self) -> Result<FileIdentity, Errno> {
        identity::of(&self.0)
    }

    fn changed_ns(&self) -> Result<Option<u64>, Errno> {
        identity::changed_ns(&self.0)
    }

    fn set_size(&self, size: u64) -> Result<(), Errno> {
        Os::may_reach(size)?;
        retry_on_intr(|| fs::ftruncate(&self.0, size)).map_err(errno)
    }

    fn sync(&self) -> Result<(), Errno> {
        retry_on_intr(|| sync_data(&self.0)).map_err(errno)
    }

    fn try_lock(&self) -> Result<bool, Errno> {
        match retry_on_intr(|| fs::flock(&self.0, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
            Err(e) => Err(errno(e)),
        }
    }

    fn unlock(&self) -> Result<(), Errno> {
        retry_on_intr(|| fs::flock(&self.0, FlockOperation::Unlock)).map_err(errno)
    }
}

impl Env for Os {
    fn open(&self, path: &Path) -> Result<Box<dyn File>, Errno> {
        regular(path, OFlags::RDWR)
    }

    fn open_read(&self, path: &Path) -> Result<Box<dyn File>, Errno> {
        regular(path, OFlags::RDONLY)
    }

    fn create(&self, path: &Path) -> Result<Box<dyn File>, Errno> {
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::CREATE | OFlags::EXCL;
        file(retry_on_intr(|| fs::open(path, flags, Mode::RUSR | Mode::WUSR)))
    }

    fn make_dir(&self, path: &Path) -> Result<(), Errno> {
        fs::mkdir(path, Mode::RWXU).map_err(errno)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), Errno> {
        fs::rename(from, to).map_err(errno)
    }

    fn remove(&self, path: &Path) -> Result<(), Errno> {
        fs::unlinkat(fs::CWD, path, AtFlags::empty()).map_err(errno)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Errno> {
        std::fs::canonicalize(path).map_err(|e| Errno(e.raw_os_error().unwrap_or(Errno::IO.0)))
    }

    fn is_empty(&self, dir: &Path) -> Result<bool, Errno> {
        let mut entries =
            std::fs::read_dir(dir).map_err(|e| Errno(e.raw_os_error().unwrap_or(5)))?;
        Ok(entries.next().is_none())
    }

    fn stat(&self, path: &Path) -> Result<Stat, Errno> {
        let stat = retry_on_intr(|| fs::lstat(path)).map_err(errno)?;
        Ok(Stat {
            is_dir: FileType::from_raw_mode(stat.st_mode) == FileType::Directory,
            ours: stat.st_uid == rustix::process::geteuid().as_raw(),
            mode: mode(&stat),
        })
    }

    fn filesystem(&self, path: &Path) -> Result<FileSystem, Errno> {
        Ok(kind_of(&retry_on_intr(|| fs::statfs(path)).map_err(errno)?))
    }

    fn mark(&self) -> String {
        process::mark(self.pid())
    }

    fn has_ended(&self, mark: &str) -> bool {
        process::has_ended(mark)
    }

    fn sync_dir(&self, path: &Path) -> Result<(), Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = retry_on_intr(|| fs::open(path, flags, Mode::empty())).map_err(errno)?;
        retry_on_intr(|| sync_entries(&dir)).map_err(errno)
    }

    fn pid(&self) -> u32 {
        rustix::process::getpid().as_raw_nonzero().get().unsigned_abs()
    }

    fn namespace(&self) -> u64 {
        fs::stat("/proc/self/ns/pid").map_or(0, |stat| stat.st_ino)
    }

    fn started(&self) -> u64 {
        process::started()
    }

    fn uid(&self) -> u32 {
        rustix::process::getuid().as_raw()
    }

    fn host(&self) -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }

    fn wall_ms(&self) -> u64 {
        u64::try_from(time(ClockId::Realtime).as_millis()).unwrap_or(u64::MAX)
    }

    fn monotonic(&self) -> Duration {
        time(COUNTS_SLEEP)
    }

    fn random(&self, out: &mut [u8]) -> Result<(), Errno> {
        getrandom::fill(out).map_err(|e| Errno(e.raw_os_error().unwrap_or(5)))
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}
