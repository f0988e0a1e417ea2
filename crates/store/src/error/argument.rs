//! Invalid arguments.

use std::fmt;

/// Reason why an argument is invalid.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A count of zero.
    NoCount,
    /// A new key without indices, with an invalid number of sectors, or with too few or too many
    /// records per log file.
    NewKey,
    /// A new store for which no guard was named.
    NoGuard,
    /// A path for a new store that does not end with a name.
    NoName,
    /// A blob name that is not a plain file name, or is the name of one of the store's own files.
    BlobName,
    /// A change that the state does not allow.
    Change,
    /// A service reserved another number of indices than requested.
    OtherCount,
    /// A range without indices.
    EmptyRange,
    /// A store that still has indices, although a fleet is to take over all of them.
    NotGiven,
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCount => "the count is zero: ask for at least one index",
            Self::NewKey => {
                "a key has at least one index, a power of two of sectors of one size, and log files of 8 to 65,536 records"
            }
            Self::NoGuard => "a new store needs a guard: name a file outside of its directory",
            Self::NoName => "the path does not end with a name: no store can be made there",
            Self::BlobName => {
                "the name is not a plain file name, or is that of a file of the store itself"
            }
            Self::Change => "the state does not allow this change; nothing was written",
            Self::OtherCount => {
                "the service reserved other indices than it was asked for; nothing was handed out"
            }
            Self::EmptyRange => "the range holds no index",
            Self::NotGiven => "the store still has indices, and a fleet takes over all of them",
        })
    }
}
