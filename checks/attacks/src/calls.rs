//! The system calls that are struck: calls that change or read files, by kind, with the errors that
//! each may return.

use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::libc::{self, c_long};
use nix::unistd::Pid;

/// Kind of a call. All calls of a kind fail in the same ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Opens an existing file.
    Open,
    /// Opens a file and creates it if necessary.
    Create,
    /// Reads from a file.
    Read,
    /// Writes to a file.
    Write,
    /// Makes a file durable.
    Sync,
    /// Changes names: renames, links, removes, or makes a directory.
    Name,
    /// Sets the length of a file, or reserves space for it.
    Length,
    /// Takes a lock.
    Lock,
}

/// The argument of a call that names the file.
enum File {
    Descriptor(usize),
    Name(usize),
    NameIn(usize, usize),
}

/// Returns the kind of a call, or `None` if it touches no file. `arguments` shows whether an `open`
/// creates the file.
pub fn kind(number: u64, arguments: &[u64; 6]) -> Option<Kind> {
    let creates = |flags: u64| flags & libc::O_CREAT as u64 != 0;
    let opened = |flags| if creates(flags) { Kind::Create } else { Kind::Open };
    Some(match number as c_long {
        libc::SYS_open => opened(arguments[1]),
        libc::SYS_openat => opened(arguments[2]),
        libc::SYS_creat => Kind::Create,
        libc::SYS_read | libc::SYS_pread64 => Kind::Read,
        libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_writev => Kind::Write,
        libc::SYS_fsync | libc::SYS_fdatasync => Kind::Sync,
        libc::SYS_rename | libc::SYS_renameat | libc::SYS_renameat2 => Kind::Name,
        libc::SYS_link | libc::SYS_linkat | libc::SYS_unlink | libc::SYS_unlinkat => Kind::Name,
        libc::SYS_mkdir | libc::SYS_mkdirat | libc::SYS_rmdir => Kind::Name,
        libc::SYS_chmod | libc::SYS_fchmod | libc::SYS_fchmodat => Kind::Name,
        libc::SYS_ftruncate | libc::SYS_fallocate => Kind::Length,
        libc::SYS_flock => Kind::Lock,
        _ => return None,
    })
}

impl Kind {
    /// Returns every error that a broken or full disk can return. EINTR is included if a signal can
    /// interrupt the call.
    pub fn errors(self) -> &'static [Errno] {
        match self {
            Self::Open | Self::Read | Self::Lock => &[Errno::EIO, Errno::EINTR],
            Self::Create | Self::Write => &[Errno::EIO, Errno::ENOSPC, Errno::EDQUOT, Errno::EINTR],
            Self::Length => &[Errno::EIO, Errno::ENOSPC, Errno::EDQUOT, Errno::EINTR],
            Self::Sync | Self::Name => &[Errno::EIO, Errno::ENOSPC, Errno::EDQUOT],
        }
    }

    /// Returns true if the call can take effect in part.
    pub fn has_parts(self) -> bool {
        matches!(self, Self::Read | Self::Write)
    }

    /// Returns true if the call can take effect and still return an error, as over a network.
    pub fn may_hide_success(self) -> bool {
        matches!(self, Self::Name | Self::Write | Self::Create | Self::Sync)
    }
}

/// Returns the path that a call works on, or `None` if it cannot be determined.
pub fn path(pid: Pid, number: u64, arguments: &[u64; 6]) -> Option<PathBuf> {
    match file(number) {
        File::Descriptor(at) => descriptor(pid, arguments[at]),
        File::Name(at) => name(pid, arguments[at]),
        File::NameIn(dir, at) => {
            let name = name(pid, arguments[at])?;
            let here = arguments[dir] as i32 == libc::AT_FDCWD || name.is_absolute();
            Some(if here { name } else { descriptor(pid, arguments[dir])?.join(name) })
        }
    }
}

fn file(number: u64) -> File {
    match number as c_long {
        libc::SYS_open | libc::SYS_creat | libc::SYS_rename | libc::SYS_link => File::Name(0),
        libc::SYS_unlink | libc::SYS_mkdir | libc::SYS_rmdir | libc::SYS_chmod => File::Name(0),
        libc::SYS_openat | libc::SYS_renameat | libc::SYS_renameat2 => File::NameIn(0, 1),
        libc::SYS_linkat | libc::SYS_unlinkat | libc::SYS_mkdirat => File::NameIn(0, 1),
        libc::SYS_fchmodat => File::NameIn(0, 1),
        _ => File::Descriptor(0),
    }
}

fn descriptor(pid: Pid, descriptor: u64) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/fd/{}", descriptor as i32)).ok()
}

/// Reads a name from the memory of the process.
fn name(pid: Pid, address: u64) -> Option<PathBuf> {
    let memory = std::fs::File::open(format!("/proc/{pid}/mem")).ok()?;
    let mut bytes = [0_u8; 4096];
    // Reads in two steps, because the second page may not be mapped.
    let first = 4096 - (address as usize & 4095);
    let mut length = memory.read_at(&mut bytes[..first], address).ok()?;
    if !bytes[..length].contains(&0) {
        length += memory.read_at(&mut bytes[length..], address + length as u64).unwrap_or(0);
    }
    let end = bytes[..length].iter().position(|byte| *byte == 0)?;
    Some(Path::new(std::str::from_utf8(&bytes[..end]).ok()?).to_owned())
}
