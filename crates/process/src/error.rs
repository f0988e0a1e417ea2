//! Errors of files and of the system, and reasons why a file must not be written.

use std::io;
use std::path::{Path, PathBuf};

use hasten_report::grouped;

/// Reason why a process stops.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{doing} {path}: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// The action as a participle, such as "reading".
        doing: &'static str,
        /// The system's error.
        cause: io::Error,
    },
    /// No file may be written at this path.
    #[error("{path}: {why}")]
    Output {
        /// The path.
        path: PathBuf,
        /// The reason.
        why: NoOutput,
    },
    /// One of several files is not a regular file.
    #[error("{0}: among several files, only regular files are signed")]
    NotRegular(PathBuf),
    /// The system refused something that concerns no file.
    #[error("{doing}: {cause}")]
    System {
        /// The action as a participle, such as "listening for Ctrl-C".
        doing: &'static str,
        /// The system's error.
        cause: io::Error,
    },
    /// The process was asked to end.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Returns an error of the file `path`, with the action that failed.
    pub fn file(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |cause| Self::File { path, doing, cause }
    }

    /// Returns a system error, with the action that failed.
    pub fn system(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |cause| Self::System { doing, cause }
    }
}

/// Reason why a file must not be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoOutput {
    /// A file of this name exists, and the user did not allow to replace it.
    #[error("a file of this name exists already; nothing was overwritten")]
    Exists,
    /// A file of this name exists, and this command never replaces files.
    #[error("a file of this name exists already; nothing was overwritten")]
    Taken,
    /// A symbolic link.
    #[error("this is a symbolic link, and results are not written through one")]
    Link,
    /// A directory.
    #[error("this is a directory, not the name of a file")]
    Directory,
    /// A device, a pipe or a socket.
    #[error("this is {0}, and a result is not put in its place")]
    Special(&'static str),
    /// A file in the directory of a stateful key.
    #[error("{0} is the directory of a key, and takes no other files")]
    InStore(PathBuf),
    /// The guard of a stateful key.
    #[error("this is the guard of a key, which nothing may replace")]
    Guard,
    /// The witness cell of a key, or its lock.
    #[error("this is the outside witness of a key, which nothing may replace")]
    Witness,
    /// A file that this command reads.
    #[error("this command reads that file, and does not write over it")]
    Input,
    /// Two results of one command have this name.
    #[error("two results of this command would have this name")]
    Twice,
    /// The file system lets other users read a file that must be secret.
    #[error("others could read this file, and it must be secret")]
    Readable,
    /// The file system assigns the file to another user.
    #[error("this file would belong to another user, and it must be secret")]
    Owner,
    /// The file system does not have enough space for the file.
    #[error("there is no room for {} bytes here", grouped(*.needed))]
    NoRoom {
        /// Bytes that are needed.
        needed: u64,
    },
    /// A secret must not be printed.
    #[error("the secret is not printed")]
    Printed,
}
