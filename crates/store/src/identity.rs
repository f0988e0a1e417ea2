//! Identities of keys and of files.

/// Identity of a key, by which its files and its state are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Random id, chosen when the key's store was created. All shards and signers of the key share
    /// it.
    pub key_id: [u8; 16],
    /// SHA-256 of the public key; all zero until the public key was bound.
    pub public: [u8; 32],
}

impl Identity {
    /// Returns true if a public key was bound.
    pub fn is_bound(&self) -> bool {
        self.public != [0; 32]
    }

    /// Returns true if both public keys are known and differ, so that they belong to different
    /// keys.
    pub fn contradicts(&self, public: &[u8; 32]) -> bool {
        self.is_bound() && *public != [0; 32] && self.public != *public
    }
}

/// Identity of a file, by properties that a copy does not have. The value 0 means unknown, and is
/// not compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileIdentity {
    /// Inode number.
    pub inode: u64,
    /// Birth time, in nanoseconds since the Unix epoch.
    pub birth_ns: u64,
    /// Kind of the file system, and its number if that number survives a restart.
    pub volume: u64,
}

impl FileIdentity {
    /// Returns true if a property is known that a copy on the same file system does not share.
    pub fn is_known(&self) -> bool {
        self.inode != 0 || self.birth_ns != 0
    }

    /// Returns true if a property that is known for both differs, so that they are two files.
    pub fn contradicts(&self, other: &FileIdentity) -> bool {
        let differ = |a: u64, b: u64| a != 0 && b != 0 && a != b;
        differ(self.inode, other.inode)
            || differ(self.birth_ns, other.birth_ns)
            || differ(self.volume, other.volume)
    }
}
