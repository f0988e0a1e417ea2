//! Names under which nothing may be written.

use std::fmt;
use std::path::PathBuf;

use crate::table::grouped;

/// Why a file may not be written.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoOutput {
    /// A file of this name is there, and nobody said that it may go.
    Exists,
    /// A file of this name is there, and this command replaces none.
    Taken,
    /// A symbolic link.
    Link,
    /// A directory.
    Directory,
    /// A device, a pipe or a socket.
    Special(&'static str),
    /// A file in the directory of a stateful key.
    InStore(PathBuf),
    /// The guard of a stateful key.
    Guard,
    /// The word of an outside witness, or its lock.
    Witness,
    /// A file that this command reads.
    Input,
    /// Two files of one command would have this name.
    Twice,
    /// The file system lets others read a file that must be secret.
    Readable,
    /// The file system gives the file to somebody else.
    Owner,
    /// The file system has no room for it.
    NoRoom { needed: u64 },
    /// A secret is not to be printed.
    Printed,
}

impl NoOutput {
    /// Returns what to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Exists => Some("--force replaces it"),
            Self::Link | Self::Special(_) => Some("for the standard output write -"),
            Self::Readable => Some("choose a place on a file system that keeps permissions"),
            Self::Printed => Some("name a file: it is made with mode 0600"),
            _ => None,
        }
    }
}

impl fmt::Display for NoOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exists | Self::Taken => {
                "a file of this name exists already; nothing was overwritten"
            }
            Self::Link => "this is a symbolic link, and results are not written through one",
            Self::Directory => "this is a directory, not the name of a file",
            Self::Special(what) => {
                return write!(f, "this is {what}, and a result is not put in its place");
            }
            Self::InStore(dir) => {
                let dir = dir.display();
                return write!(f, "{dir} is the directory of a key, and takes no other files");
            }
            Self::Guard => "this is the guard of a key, which nothing may replace",
            Self::Witness => "this is the outside witness of a key, which nothing may replace",
            Self::Input => "this command reads that file, and does not write over it",
            Self::Twice => "two results of this command would have this name",
            Self::Readable => "others could read this file, and it must be secret",
            Self::Owner => "this file would belong to another user, and it must be secret",
            Self::NoRoom { needed } => {
                return write!(f, "there is no room for {} bytes here", grouped(*needed));
            }
            Self::Printed => "the secret is not printed",
        })
    }
}
