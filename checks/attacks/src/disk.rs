//! Disks in memory with a volatile cache, served by FUSE as plain files, on which loop devices
//! stand. Whatever was written since the last flush can be lost when the power is cut, each write
//! whole, in part, or not.

use std::ffi::OsStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use fuser::{
    Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo, LockOwner,
    OpenFlags, ReplyAttr, ReplyData, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyWrite, Request,
    WriteFlags,
};
use hasten_store_sim::Dice;

/// Bytes of a disk.
pub const SIZE: usize = 32 << 20;
/// Holds what a disk writes whole or not at all.
const SECTOR: usize = 512;

/// A disk: what it answers, what is safe, and what was written since.
#[derive(Clone)]
pub struct Disk {
    now: Vec<u8>,
    safe: Vec<u8>,
    since: Vec<(usize, Vec<u8>)>,
}

/// Says what happens to writes that no flush has made safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// The cache was not volatile: all are there.
    Nothing,
    /// None is there.
    All,
    /// Each is there, or not, or only its first sectors.
    Some,
}

impl Disk {
    /// Makes an empty disk.
    pub fn new() -> Self {
        Self { now: vec![0; SIZE], safe: vec![0; SIZE], since: Vec::new() }
    }

    /// Returns the disk as it is found when the power is back.
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

    /// Returns how many writes are not safe.
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

/// A cut that waits for its moment.
pub struct Cut {
    /// Writes and flushes until it falls.
    pub after: u64,
    /// True if it waits for a write that no flush has made safe.
    pub at_risk: bool,
    /// Says how much had been released at that moment.
    pub released: Arc<Mutex<Vec<String>>>,
}

/// Holds what a cut left: the disk, and how many names had been released.
pub struct Left {
    /// The disk with its cache.
    pub disk: Disk,
    /// The length of the list of what had been released.
    pub released: usize,
}

/// The disks: the first is the one in use, the others are found after cuts.
#[derive(Default)]
pub struct Shop {
    /// The disks.
    pub disks: Vec<Disk>,
    /// The cut that is due.
    pub cut: Option<Cut>,
    /// Holds what the last cut left.
    pub left: Option<Left>,
    /// Writes and flushes of the first disk.
    pub writes: u64,
    /// Flushes of the first disk.
    pub flushes: u64,
}

impl Shop {
    /// Lets the power be cut, if this is the moment, before the disk in use does the next thing.
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

/// The folder in which the disks are files: `0`, `1` and so on.
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

    /// Writes without a cache of the kernel's own: what is written arrives here at once.
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

/// Returns the disk of an inode: the first file is number 2, behind the folder.
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
        // Whole, none, the first sector: each fails to come in 100 tries with (1 - 1/9)^100 < 10^-5
        // at most.
        assert_eq!(found.len(), 3);
    }
}
