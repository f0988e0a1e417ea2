//! Disks in memory with a volatile cache, served by FUSE as plain files for loop devices. A power
//! cut can lose whatever was written since the last flush: each write whole, in part, or not at
//! all.

use std::ffi::OsStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use fuser::{
    Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo, LockOwner,
    OpenFlags, ReplyAttr, ReplyData, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyWrite, Request,
    WriteFlags,
};
use hasten_store_sim::Dice;

/// Size of a disk in bytes.
pub const SIZE: usize = 32 << 20;
/// Sector size in bytes: a disk writes a sector completely or not at all.
const SECTOR: usize = 512;

/// A disk: its current content, its content at the last flush, and the writes since.
#[derive(Clone)]
pub struct Disk {
    now: Vec<u8>,
    safe: Vec<u8>,
    since: Vec<(usize, Vec<u8>)>,
}

/// What happens to the writes that no flush has made safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// The cache was not volatile: all writes are kept.
    Nothing,
    /// All writes are lost.
    All,
    /// Each write is kept, lost, or kept only in its first sectors.
    Some,
}

impl Disk {
    /// Makes an empty disk.
    pub fn new() -> Self {
        Self { now: vec![0; SIZE], safe: vec![0; SIZE], since: Vec::new() }
    }

    /// Returns the disk as found after the power has returned.
    pub fn after(&self, loss: Loss, dice: &mut Dice) -> Self {
        let mut found = if loss == Loss::Nothing { self.now.clone() } else { self.safe.clone() };
        for (at, bytes) in self.since.iter().filter(|_| loss == Loss::Some) {
            let sectors = bytes.len().div_ceil(SECTOR) as u64;
            let kept = [0, sectors, dice.below(sectors + 1)][dice.below(3) as usize];
            let kept = (kept as usize * SECTOR).min(bytes.len());
            found[*at..*at + kept].copy_from_slice(&bytes[..kept]);
        }
        Self { safe: found.clone(), now: found, since: Vec::new() }
    }

    /// Returns the number of writes that are not safe.
    pub fn unsafe_writes(&self) -> usize {
        self.since.len()
    }

    fn write(&mut self, at: usize, bytes: &[u8]) -> bool {
        let fits = at.checked_add(bytes.len()).is_some_and(|end| end <= SIZE);
        if fits {
            self.now[at..at + bytes.len()].copy_from_slice(bytes);
            self.since.push((at, bytes.to_vec()));
        }
        fits
    }

    fn flush(&mut self) {
        for (at, bytes) in self.since.drain(..) {
            self.safe[at..at + bytes.len()].copy_from_slice(&bytes);
        }
    }
}

/// A planned power cut.
pub struct Cut {
    /// Number of writes and flushes before the cut.
    pub after: u64,
    /// Whether the cut waits for a write that no flush has made safe.
    pub at_risk: bool,
    /// Names of the signatures released so far.
    pub released: Arc<Mutex<Vec<String>>>,
}

/// The state at a cut: the disk, and how many names had been released.
pub struct Left {
    /// The disk with its cache.
    pub disk: Disk,
    /// The number of names that had been released.
    pub released: usize,
}

/// The disks: the first is in use, the others are those found after cuts.
#[derive(Default)]
pub struct Shop {
    /// The disks.
    pub disks: Vec<Disk>,
    /// The planned cut.
    pub cut: Option<Cut>,
    /// The state at the last cut.
    pub left: Option<Left>,
    /// Writes and flushes of the first disk.
    pub writes: u64,
    /// Flushes of the first disk.
    pub flushes: u64,
}

impl Shop {
    /// Cuts the power, if this is the moment, before the disk in use does the next thing.
    fn tick(&mut self) {
        match &mut self.cut {
            Some(cut) if cut.after == 0 && cut.at_risk && self.disks[0].since.is_empty() => {}
            Some(cut) if cut.after == 0 => {
                let released = cut.released.lock().expect("no thread died").len();
                self.left = Some(Left { disk: self.disks[0].clone(), released });
                self.cut = None;
            }
            Some(cut) => cut.after -= 1,
            None => {}
        }
    }

    fn write(&mut self, disk: usize, at: usize, bytes: &[u8]) -> bool {
        if disk == 0 {
            self.tick();
            self.writes += 1;
        }
        self.disks.get_mut(disk).is_some_and(|disk| disk.write(at, bytes))
    }

    fn flush(&mut self, disk: usize) {
        if disk == 0 {
            self.tick();
            self.flushes += 1;
        }
        if let Some(disk) = self.disks.get_mut(disk) {
            disk.flush();
        }
    }
}

/// A directory in which the disks are files: `0`, `1` and so on.
pub struct Files(pub Arc<Mutex<Shop>>);

const LASTING: Duration = Duration::from_secs(3600);

impl Files {
    fn shop(&self) -> std::sync::MutexGuard<'_, Shop> {
        self.0.lock().expect("no thread died")
    }
}

impl Filesystem for Files {
    fn lookup(&self, _: &Request, _: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let disk = name.to_str().and_then(|name| name.parse::<u64>().ok());
        match disk.filter(|disk| *disk < self.shop().disks.len() as u64) {
            Some(disk) => reply.entry(&LASTING, &attributes(disk + 2), Generation(0)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _: &Request, ino: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        reply.attr(&LASTING, &attributes(ino.into()));
    }

    /// Disables the kernel's own cache: writes arrive here at once.
    fn open(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        reply.opened(FileHandle(0), FopenFlags::FOPEN_DIRECT_IO);
    }

    fn read(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let from = (offset as usize).min(SIZE);
        let to = (from + size as usize).min(SIZE);
        match self.shop().disks.get(number(ino)) {
            Some(disk) => reply.data(&disk.now[from..to]),
            None => reply.error(Errno::EIO),
        }
    }

    fn write(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        match self.shop().write(number(ino), offset as usize, data) {
            true => reply.written(data.len() as u32),
            false => reply.error(Errno::EIO),
        }
    }

    fn fsync(&self, _: &Request, ino: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.shop().flush(number(ino));
        reply.ok();
    }
}

/// Returns the number of the disk with an inode. The directory is inode 1, the first file 2.
fn number(ino: INodeNo) -> usize {
    (u64::from(ino) as usize).saturating_sub(2)
}

fn attributes(ino: u64) -> FileAttr {
    let is_folder = ino == 1;
    FileAttr {
        ino: INodeNo(ino),
        size: if is_folder { 0 } else { SIZE as u64 },
        blocks: if is_folder { 0 } else { (SIZE / SECTOR) as u64 },
        atime: UNIX_EPOCH,
        mtime: UNIX_EPOCH,
        ctime: UNIX_EPOCH,
        crtime: UNIX_EPOCH,
        kind: if is_folder { FileType::Directory } else { FileType::RegularFile },
        perm: 0o700,
        nlink: 1,
        uid: 0,
        gid: 0,
        rdev: 0,
        blksize: 4096,
        flags: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flush_makes_safe_and_nothing_else_does() {
        let (mut disk, mut dice) = (Disk::new(), Dice(1));
        assert!(disk.write(4096, &[1; 1024]));
        disk.flush();
        assert!(disk.write(4096, &[2; 1024]));
        assert!(!disk.write(SIZE - 1, &[3; 2]), "behind the end");
        assert_eq!(disk.after(Loss::All, &mut dice).now[4096..5120], [1; 1024]);
        assert_eq!(disk.after(Loss::Nothing, &mut dice).now[4096..5120], [2; 1024]);
        let torn = |_| disk.after(Loss::Some, &mut dice).now[4096..5120].to_vec();
        let found: std::collections::BTreeSet<Vec<u8>> = (0..100).map(torn).collect();
        // All, none, or the first sector. Each is missing from 100 tries with probability at most
        // (1 - 1/9)^100 < 10^-5.
        assert_eq!(found.len(), 3);
    }
}
