//! Kinds of file systems, and whether they guarantee what a state needs: reliable locks, and the
//! same content for all.
//!
//! On a shared file system, two sessions may both get the lock. On a layered file system, every
//! container of an image starts with the same key and the same guard. Both are refused, unless the
//! user accepts them or an outside witness detects what the locks do not.

/// The kind of file system that holds a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSystem {
    /// A disk of this machine.
    Local,
    /// Memory of this machine: the content is lost when it stops.
    Memory(&'static str),
    /// Another machine, or a program: locks may be valid for one mount only.
    Shared(&'static str),
    /// A layer over an image: every container starts from the same content.
    Layered(&'static str),
}

use FileSystem::{Layered, Memory, Shared};

/// Magic numbers of `statfs(2)`, as `linux/magic.h` and the file systems' own headers name them.
const KINDS: [(u32, FileSystem); 27] = [
    (0x6969, Shared("NFS")),
    (0x517b, Shared("SMB")),
    (0xff53_4d42, Shared("CIFS")),
    (0xfe53_4d42, Shared("SMB")),
    (0x564c, Shared("NCP")),
    (0x7375_7245, Shared("Coda")),
    (0x5346_414f, Shared("AFS")),
    (0x6b41_4653, Shared("AFS")),
    (0x00c3_6400, Shared("Ceph")),
    (0x0bd0_0bd0, Shared("Lustre")),
    (0x0116_1970, Shared("GFS2")),
    (0x7461_636f, Shared("OCFS2")),
    (0x6573_5546, Shared("FUSE")),
    (0x0102_1997, Shared("9p")),
    (0x786f_4256, Shared("vboxsf")),
    (0xbacb_acbc, Shared("vmhgfs")),
    (0x7c7c_6673, Shared("prlfs")),
    (0x4750_4653, Shared("GPFS")),
    (0xaad7_aaea, Shared("PanFS")),
    (0x1983_0326, Shared("BeeGFS")),
    (0x2003_0528, Shared("OrangeFS")),
    (0x6163_6673, Shared("ACFS")),
    (0x794c_7630, Layered("overlay")),
    (0x6175_6673, Layered("aufs")),
    (0xf15f_083d, Layered("unionfs")),
    (0x0102_1994, Memory("tmpfs")),
    (0x8584_58f6, Memory("ramfs")),
];

impl FileSystem {
    /// Returns the kind with this magic number. An unknown number counts as local.
    pub fn of_magic(magic: u32) -> FileSystem {
        let found = KINDS.iter().find(|(number, _)| *number == magic);
        found.map_or(FileSystem::Local, |(_, kind)| *kind)
    }

    /// Returns the kind with this name on Apple's systems. `local` is the mount flag `MNT_LOCAL`,
    /// which decides if the name is unknown.
    #[cfg_attr(not(any(target_vendor = "apple", test)), allow(dead_code))]
    pub fn of_name(name: &[u8], local: bool) -> FileSystem {
        match name {
            b"macfuse" | b"osxfuse" | b"fusefs" => Shared("FUSE"),
            b"nfs" => Shared("NFS"),
            b"smbfs" => Shared("SMB"),
            b"tmpfs" => Memory("tmpfs"),
            b"unionfs" => Layered("unionfs"),
            _ if local => FileSystem::Local,
            _ => Shared("another machine"),
        }
    }

    /// Returns its name; `None` for a local disk.
    pub fn name(self) -> Option<&'static str> {
        match self {
            FileSystem::Local => None,
            Memory(name) | Shared(name) | Layered(name) => Some(name),
        }
    }

    /// Returns true if a held lock excludes all other processes.
    pub fn locks_hold(self) -> bool {
        matches!(self, FileSystem::Local | Memory(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_their_numbers() {
        let cases = [
            (0xef53, FileSystem::Local),
            (0x9123_683e, FileSystem::Local),
            (0x6969, Shared("NFS")),
            (0x6573_5546, Shared("FUSE")),
            (0x794c_7630, Layered("overlay")),
            (0x0102_1994, Memory("tmpfs")),
        ];
        for (magic, kind) in cases {
            assert_eq!(FileSystem::of_magic(magic), kind);
        }
        let named = [
            (&b"apfs"[..], true, FileSystem::Local),
            (b"apfs", false, Shared("another machine")),
            (b"macfuse", true, Shared("FUSE")),
            (b"smbfs", false, Shared("SMB")),
        ];
        for (name, local, kind) in named {
            assert_eq!(FileSystem::of_name(name, local), kind);
        }
        assert!(Memory("tmpfs").locks_hold() && !Layered("overlay").locks_hold());
    }
}
