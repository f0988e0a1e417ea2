//! Identity of an open file: its inode, its birth time and its file system.

use super::errno;
use crate::error::Errno;
use crate::filesystem::FileSystem;
use crate::identity::FileIdentity;
use rustix::fs::{self, StatFs};
use rustix::io::retry_on_intr;
use std::os::fd::OwnedFd;

/// Returns the identity of a file. It is unknown on a file system whose numbers may change with
/// every mount.
pub fn of(file: &OwnedFd) -> Result<FileIdentity, Errno> {
    let system = retry_on_intr(|| fs::fstatfs(file)).map_err(errno)?;
    if !lasts(super::kind_of(&system)) {
        return Ok(FileIdentity::default());
    }
    let kind = kind(&system);
    let inode = if has_inodes(kind) { fs::fstat(file).map_err(errno)?.st_ino } else { 0 };
    let volume = u64::from(kind) << 32 | u64::from(number(file, kind)?);
    Ok(FileIdentity { inode, birth_ns: birth_ns(file)?.unwrap_or(0), volume })
}

/// Returns the time of the last change of the file, by the clock of this machine.
pub fn changed_ns(file: &OwnedFd) -> Result<Option<u64>, Errno> {
    let system = retry_on_intr(|| fs::fstatfs(file)).map_err(errno)?;
    if !lasts(super::kind_of(&system)) {
        return Ok(None);
    }
    let stat = fs::fstat(file).map_err(errno)?;
    Ok(Some(nanoseconds(i128::from(stat.st_ctime), i128::from(stat.st_ctime_nsec))))
}

fn lasts(kind: FileSystem) -> bool {
    matches!(kind, FileSystem::Local | FileSystem::Memory(_))
}

/// Returns a time in nanoseconds, never 0. A time before 1970 becomes a very late one.
fn nanoseconds(seconds: i128, nanoseconds: i128) -> u64 {
    ((seconds * 1_000_000_000 + nanoseconds) as u64).max(1)
}

/// Magic numbers of file systems that assign new inode numbers at every mount: the FAT family.
const WITHOUT_INODES: [u32; 2] = [0x4d44, 0x2011_bab0];

fn has_inodes(kind: u32) -> bool {
    !WITHOUT_INODES.contains(&kind)
}

/// Magic numbers of file systems whose id survives a restart: ext2 to ext4, and Btrfs, where a
/// snapshot has another id.
const NUMBERED: [u32; 2] = [0xef53, 0x9123_683e];

/// Returns the id of the file system, folded to 32 bits; 0 if it only identifies a device.
fn number(file: &OwnedFd, kind: u32) -> Result<u32, Errno> {
    if !NUMBERED.contains(&kind) {
        return Ok(0);
    }
    let number = retry_on_intr(|| fs::fstatvfs(file)).map_err(errno)?.f_fsid;
    Ok((number ^ number >> 32) as u32)
}

// The type is a signed word on some machines. Its upper half has no meaning.
#[cfg(not(target_vendor = "apple"))]
fn kind(system: &StatFs) -> u32 {
    system.f_type as u32
}

/// Returns a hash of the kind's name, because its number has no meaning on Apple's systems.
#[cfg(target_vendor = "apple")]
fn kind(system: &StatFs) -> u32 {
    let name = system.f_fstypename.iter().map(|c| c.cast_unsigned()).take_while(|c| *c != 0);
    name.fold(5381, |all: u32, c| all.wrapping_mul(33) ^ u32::from(c))
}

/// Returns the birth time, if file system and kernel know it.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn birth_ns(file: &OwnedFd) -> Result<Option<u64>, Errno> {
    use rustix::fs::{AtFlags, StatxFlags};
    use rustix::io::Errno as Os;
    let found = retry_on_intr(|| fs::statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::BTIME));
    let found = match found {
        Ok(found) => found,
        // An older kernel, or a sandbox that does not know the call.
        Err(Os::NOSYS | Os::PERM) => return Ok(None),
        Err(e) => return Err(errno(e)),
    };
    let time = found.stx_btime;
    let known = found.stx_mask & StatxFlags::BTIME.bits() != 0;
    Ok(known.then(|| nanoseconds(time.tv_sec.into(), time.tv_nsec.into())))
}

#[cfg(target_vendor = "apple")]
fn birth_ns(file: &OwnedFd) -> Result<Option<u64>, Errno> {
    let stat = fs::fstat(file).map_err(errno)?;
    Ok(Some(nanoseconds(stat.st_birthtime.into(), stat.st_birthtime_nsec.into())))
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn birth_ns(_file: &OwnedFd) -> Result<Option<u64>, Errno> {
    Ok(None)
}
