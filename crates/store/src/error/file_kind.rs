//! Kinds of files, for error messages about a file in the wrong place.

use std::fmt;

/// A kind of file that a store, its key or its fleet has.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The guard of a store.
    Guard,
    /// The guard of one signer of a fleet.
    SignerGuard,
    /// The cell of an outside witness.
    Cell,
    /// A log file.
    Log,
    /// The archive of the log.
    Archive,
    /// The entries of the signing record.
    Signed,
    /// The configuration of a store.
    Config,
    /// The stamp of a guard: its change time, as noted by its store.
    Stamp,
    /// The grant of a shard that is not finished.
    Grant,
    /// An exported shard, or only its header, in a file.
    Shard,
    /// An entry of the register of imports.
    Import,
    /// The file `secret` of a key.
    Secret,
    /// The file `cache` of a key.
    Cache,
    /// The file `leaves` of a key.
    Leaves,
    /// The file `growth` of a key.
    Growth,
    /// The file `progress` of a key.
    Progress,
    /// The file `service` of a key.
    Service,
    /// A public key.
    Public,
    /// Another PEM file.
    Pem,
    /// An empty file.
    Empty,
    /// Anything else.
    Unknown,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Guard => "the guard of a store",
            Self::SignerGuard => "the guard of a fleet's signer",
            Self::Cell => "the cell of an outside witness",
            Self::Log => "a log file of a store",
            Self::Archive => "the archive of a log",
            Self::Signed => "the record of what was signed",
            Self::Config => "the choices of a store",
            Self::Stamp => "the stamp of a guard",
            Self::Grant => "the grant of a shard",
            Self::Shard => "a shard's file",
            Self::Import => "an entry of the register of imports",
            Self::Secret => "the file 'secret' of a key",
            Self::Cache => "the file 'cache' of a key",
            Self::Leaves => "the file 'leaves' of a key",
            Self::Growth => "the file 'growth' of a key",
            Self::Progress => "the file 'progress' of a key",
            Self::Service => "the file 'service' of a key",
            Self::Public => "a public key",
            Self::Pem => "a file in PEM",
            Self::Empty => "an empty file",
            Self::Unknown => "no file of a key",
        })
    }
}
