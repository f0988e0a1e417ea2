//! Arguments that cannot be served.

use std::fmt;

/// Why an argument cannot be served.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A count of zero.
    NoCount,
    /// A new key without an index, with sectors it cannot have, or with log files of too few or too
    /// many records.
    NewKey,
    /// A new store for which no guard was named.
    NoGuard,
    /// A path that does not end with a name, where a store is to be made.
    NoName,
    /// A name that is not a plain file name, or is that of a file of the store itself.
    BlobName,
    /// A change that the state does not allow.
    Change,
    /// A service reserved other indices than it was asked for.
    OtherCount,
    /// A range without an index.
    EmptyRange,
    /// A store that still has indices, where a fleet is to take over all of them.
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
