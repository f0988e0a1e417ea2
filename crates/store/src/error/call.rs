//! Operations that may fail, and the error numbers of the operating system.

use serde::Serialize;

/// The error number of the operating system, as a call on an [`Env`](crate::Env) returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

/// Returns this system's number of the error.
#[cfg(unix)]
const fn of(error: rustix::io::Errno) -> Errno {
    Errno(error.raw_os_error())
}

#[cfg(unix)]
impl Errno {
    /// `EIO`: the device failed.
    pub const IO: Errno = of(rustix::io::Errno::IO);
    /// `ENOENT`: no such file.
    pub const NOT_FOUND: Errno = of(rustix::io::Errno::NOENT);
    /// `EEXIST`: the file exists.
    pub const EXISTS: Errno = of(rustix::io::Errno::EXIST);
    /// `ENOSPC`: no space left.
    pub const NO_SPACE: Errno = of(rustix::io::Errno::NOSPC);
    /// `EFBIG`: more than this process may write into one file.
    pub const TOO_LARGE: Errno = of(rustix::io::Errno::FBIG);
    /// `ENOTDIR`: not a directory.
    pub const NOT_A_DIRECTORY: Errno = of(rustix::io::Errno::NOTDIR);
    /// `EINVAL`: not a file of the expected kind.
    pub const INVALID: Errno = of(rustix::io::Errno::INVAL);
    /// `ELOOP`: a symbolic link, which is not followed.
    pub const LINK: Errno = of(rustix::io::Errno::LOOP);
    /// `ENOTEMPTY`: the directory is not empty.
    pub const NOT_EMPTY: Errno = of(rustix::io::Errno::NOTEMPTY);
    /// `ENOTSUP`: not supported by the system.
    pub const UNSUPPORTED: Errno = of(rustix::io::Errno::NOTSUP);
}

/// The numbers of Windows, as `winerror.h` names them.
#[cfg(not(unix))]
impl Errno {
    /// `ERROR_GEN_FAILURE`: the device failed.
    pub const IO: Errno = Errno(31);
    /// `ERROR_FILE_NOT_FOUND`: no such file.
    pub const NOT_FOUND: Errno = Errno(2);
    /// `ERROR_FILE_EXISTS`: the file exists.
    pub const EXISTS: Errno = Errno(80);
    /// `ERROR_DISK_FULL`: no space left.
    pub const NO_SPACE: Errno = Errno(112);
    /// `ERROR_FILE_TOO_LARGE`: more than one file may hold.
    pub const TOO_LARGE: Errno = Errno(223);
    /// `ERROR_DIRECTORY`: not a directory.
    pub const NOT_A_DIRECTORY: Errno = Errno(267);
    /// `ERROR_INVALID_PARAMETER`: not a file of the expected kind.
    pub const INVALID: Errno = Errno(87);
    /// `ERROR_CANT_RESOLVE_FILENAME`: a symbolic link, which is not followed.
    pub const LINK: Errno = Errno(1921);
    /// `ERROR_DIR_NOT_EMPTY`: the directory is not empty.
    pub const NOT_EMPTY: Errno = Errno(145);
    /// `ERROR_NOT_SUPPORTED`: not supported by the system.
    pub const UNSUPPORTED: Errno = Errno(50);
}

/// The operation in which an error of the operating system occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// Opening or creating a file.
    Open,
    /// Reading a file.
    Read,
    /// Writing a file.
    Write,
    /// Making a file's content durable.
    Sync,
    /// Making a directory's entries durable.
    SyncDir,
    /// Creating a directory.
    MakeDir,
    /// Renaming a file or directory.
    Rename,
    /// Removing a file.
    Remove,
    /// Taking a lock.
    Lock,
    /// Asking for a file's owner and mode.
    Stat,
    /// Asking for the file system's kind.
    FileSystem,
    /// Reading the system's random generator.
    Random,
}

impl Call {
    /// Returns the step, in words.
    pub(super) fn doing(self) -> &'static str {
        match self {
            Self::Open => "opening",
            Self::Read => "reading",
            Self::Write => "writing",
            Self::Sync => "making durable",
            Self::SyncDir => "making durable the directory entries of",
            Self::MakeDir => "making the directory",
            Self::Rename => "renaming",
            Self::Remove => "removing",
            Self::Lock => "locking",
            Self::Random => "asking the system for random bytes",
            Self::Stat => "asking for owner and mode of",
            Self::FileSystem => "asking for the file system of",
        }
    }
}
