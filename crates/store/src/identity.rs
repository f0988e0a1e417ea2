//! Which key a state, a guard or a service belongs to.

/// Names a key: what its files and its state are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Random, given when the key's store was made; shared by all its shards and signers.
    pub key_id: [u8; 16],
    /// SHA-256 of the public key; all zero until it was bound.
    pub public: [u8; 32],
}

impl Identity {
    /// Returns whether a public key was bound.
    pub fn is_bound(&self) -> bool {
        self.public != [0; 32]
    }

    /// Returns whether both public keys are known and differ: then one of two things belongs to
    /// another key.
    pub fn contradicts(&self, public: &[u8; 32]) -> bool {
        self.is_bound() && *public != [0; 32] && self.public != *public
    }
}

/// Names a file by what a copy of it does not have. A number of 0 is not known, and not compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileIdentity {
    /// Number of its inode.
    pub inode: u64,
    /// When it was made, in nanoseconds since the Unix epoch.
    pub birth_ns: u64,
    /// Kind of its file system, and a number of it that outlasts a restart.
    pub volume: u64,
}

impl FileIdentity {
    /// Returns whether anything is known that a copy on the same file system does not have.
    pub fn is_known(&self) -> bool {
        self.inode != 0 || self.birth_ns != 0
    }

    /// Returns whether something that is known of both differs: then they are two files.
    pub fn contradicts(&self, other: &FileIdentity) -> bool {
        let differ = |a: u64, b: u64| a != 0 && b != 0 && a != b;
        differ(self.inode, other.inode)
            || differ(self.birth_ns, other.birth_ns)
            || differ(self.volume, other.volume)
    }
}
