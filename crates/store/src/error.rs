//! The error type of the store. The message of a state error gives what was found, what was
//! expected and what to do.

mod argument;
mod call;
mod file_kind;
mod gap;
mod refusal;

pub use self::argument::Argument;
pub use self::call::{Call, Errno};
pub use self::file_kind::FileKind;
pub use self::gap::Break;
pub(crate) use self::refusal::first_of;
pub use self::refusal::{Reason, Refusal};
use crate::calendar::utc;
use crate::filesystem::FileSystem;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// The holder of a store, as the holder wrote it to the lock file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holder {
    /// Process id, in the holder's own process-id namespace.
    pub pid: u32,
    /// Time at which it took the lock, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// Name of its host.
    pub host: String,
}

/// Errors of a store.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// A call to the operating system failed. The operation that failed handed nothing out.
    Io {
        /// The step that failed.
        call: Call,
        /// The error number.
        errno: Errno,
        /// The file, if it is known.
        file: Option<PathBuf>,
    },
    /// The operating system lacks a feature that the state of one-time keys needs. Nothing was read
    /// or written.
    Lacks {
        /// The missing feature, in words.
        what: &'static str,
    },
    /// The target exists already. It was not changed.
    Exists,
    /// The guard file named for a new store exists: it guards another store, or guarded a store
    /// that was removed.
    GuardTaken {
        /// The file.
        path: PathBuf,
    },
    /// The file at the guard's path is not a guard. It is never overwritten.
    NotAGuard {
        /// The file.
        path: PathBuf,
    },
    /// A file has another kind than expected at its path. Nothing was changed.
    OtherKind {
        /// The file.
        file: PathBuf,
        /// Kind of the file according to its first bytes.
        found: FileKind,
        /// Kind that was expected.
        expected: FileKind,
    },
    /// The directory in which a store would be built belongs to another user, or other users may
    /// use it.
    NotOurs {
        /// The directory.
        path: PathBuf,
    },
    /// Neither the variable of the XDG specification nor HOME names an absolute path.
    NoHome,
    /// A folder that must be private (for guards, or the register of imports) belongs to another
    /// user, is writable for other users, or is not a folder.
    FolderNotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// The folder named as register of imports is the directory of a key.
    RegisterIsKey {
        /// The directory.
        path: PathBuf,
    },
    /// Other users may read a secret, or replace the files of a store.
    Exposed {
        /// The file or directory.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
        /// Permission bits that it should have at most.
        most: u32,
    },
    /// The file system does not guarantee what a state needs: reliable locks, or the same content
    /// for all.
    WrongPlace {
        /// The file or directory.
        path: PathBuf,
        /// Its file system.
        kind: FileSystem,
    },
    /// The guard's path names no file, is too long, or contains a line break.
    GuardPath,
    /// An override burns fewer indices than required.
    BurnTooFew {
        /// Smallest number that is accepted.
        least: u64,
    },
    /// A file of the store is damaged, or belongs to another store.
    Damaged {
        /// The file.
        file: PathBuf,
    },
    /// A file that every store has is missing, although other files of the store exist.
    Absent {
        /// The file.
        file: PathBuf,
    },
    /// A file of a key is longer than any such file can be. It is damaged, or somebody else put it
    /// there.
    TooLong {
        /// The file.
        file: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// Largest size that it can have.
        most: u64,
    },
    /// The session file of another session exists, and nothing proves that this session has ended.
    OtherSession {
        /// The file.
        file: PathBuf,
        /// The holder that created it, if it could be read.
        holder: Option<Holder>,
    },
    /// A shard or a key that came in a file was imported before. It was not imported again.
    Imported {
        /// Directory into which it was imported.
        dir: PathBuf,
    },
    /// The directory is not a store, or its creation never finished (then no index was ever handed
    /// out).
    NotAStore,
    /// The guard's path is inside the store's directory, where every copy would include the guard.
    GuardInside,
    /// The store's file `config` names its guard by a relative path. In a copy of the store, that
    /// path would name another file.
    RelativeGuard,
    /// The store was written by a newer version of this crate.
    Version,
    /// Neither log file has a readable state.
    LogDamaged,
    /// Another process holds the store (or its guard) and did not release it in the allowed time.
    Busy {
        /// The holder, if it could be read.
        holder: Option<Holder>,
    },
    /// This process is a fork of the one that opened the store.
    Forked {
        /// Id of the process that opened it.
        opened_by: u32,
        /// Id of the process that tried to use it.
        used_by: u32,
    },
    /// The session of this permit or store has ended.
    Closed,
    /// An earlier commit failed halfway; close and open again.
    Poisoned,
    /// The state does not fit its guard or witness: an older or foreign copy.
    Refused(Refusal),
    /// The witness was advanced by somebody else: another copy of this state is in use.
    WitnessMoved,
    /// A store that was created with a witness was opened without one.
    NoWitness,
    /// A witness was named for a store that was created without one.
    NotWatched,
    /// The witness of a new store already watches a store. Nothing was created.
    WitnessTaken,
    /// The witness did not answer. Nothing is handed out without its answer.
    WitnessUnreachable,
    /// The witness holds a value that this key did not write.
    WitnessForeign,
    /// The service that holds the state did not answer; nothing was handed out.
    ServiceUnreachable,
    /// The store is used with a machine identity, but none was given.
    NoMachine,
    /// The machine's identity cannot be read, is empty, or is too long.
    MachineUnreadable,
    /// The machine's identity (VM generation id) changed: this is a clone or a restored snapshot.
    EpochChanged,
    /// Fewer indices remain than requested.
    Exhausted {
        /// Number of indices that remain.
        remaining: u64,
    },
    /// The key is at or below its exhaustion threshold, and the warning was not acknowledged.
    NearExhaustion {
        /// Number of indices that remain.
        remaining: u64,
        /// The threshold.
        threshold: u64,
    },
    /// The key was retired.
    Retired,
    /// The index was not reserved by this session.
    NotReserved {
        /// The index.
        index: u64,
    },
    /// A service reserved an index that it had already reserved for this session. No permit was
    /// created for it.
    ReservedTwice {
        /// The index.
        index: u64,
    },
    /// The audit log is damaged or incomplete.
    Audit(Break),
    /// The index was recorded before: a layer above the store used it twice.
    AlreadyRecorded {
        /// The index.
        index: u64,
    },
    /// The range does not end with a whole sector, or the key has no sectors.
    NoSector,
    /// The range of this grant is not the one that was offered, or the grant belongs to another
    /// store.
    OtherGrant,
    /// An invalid argument.
    Argument(Argument),
    /// No reserved index is available, and none came in the allowed time.
    Empty,
    /// The outcome of a reservation is unknown. Its indices count as lost.
    Unknown,
}

impl StoreError {
    pub(crate) fn io(call: Call) -> impl Fn(Errno) -> StoreError {
        move |errno| StoreError::Io { call, errno, file: None }
    }

    /// Returns the error for a failed attempt to open `path`, a file that every store has.
    pub(crate) fn opening(path: &Path) -> impl Fn(Errno) -> StoreError {
        move |errno| match errno {
            Errno::NOT_FOUND | Errno::NOT_A_DIRECTORY => StoreError::NotAStore,
            errno => StoreError::io(Call::Open)(errno).at(path),
        }
    }

    /// Adds the file to an I/O error that names none.
    pub(crate) fn at(mut self, path: &Path) -> StoreError {
        if let StoreError::Io { file: file @ None, .. } = &mut self {
            *file = Some(path.to_owned());
        }
        self
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { call, errno, file } => {
                let os = std::io::Error::from_raw_os_error(errno.0);
                match file {
                    Some(file) => write!(f, "{} {} failed: {os}", call.doing(), file.display()),
                    None => write!(f, "{} failed: {os}", call.doing()),
                }
            }
            Self::Busy { holder: Some(h) } => {
                let (pid, host, since) = (h.pid, &h.host, utc(h.since_ms));
                write!(f, "state busy: process {pid} on {host} holds it since {since}")
            }
            Self::Busy { holder: None } => f.write_str("state busy: another process holds it"),
            Self::Forked { opened_by, used_by } => {
                write!(
                    f,
                    "process {used_by} is a fork of {opened_by}, which owns the store; open it again in the child"
                )
            }
            Self::Refused(r) => r.fmt(f),
            Self::Exhausted { remaining } => write!(f, "too few indices left: {remaining}"),
            Self::NearExhaustion { remaining, threshold } => {
                let noun = if *remaining == 1 { "index" } else { "indices" };
                write!(f, "{remaining} {noun} left, threshold {threshold}: acknowledge to go on")
            }
            Self::NotReserved { index } => {
                write!(f, "index {index} was not reserved by this session")
            }
            Self::ReservedTwice { index } => {
                write!(
                    f,
                    "index {index} was reserved before by this session: nothing was handed out"
                )
            }
            Self::Audit(place) => place.fmt(f),
            Self::Argument(why) => why.fmt(f),
            Self::AlreadyRecorded { index } => {
                write!(f, "index {index} was recorded before: it was used twice")
            }
            Self::BurnTooFew { least } => {
                write!(f, "an override burns at least {least} here: fewer could hide a reuse")
            }
            other => place(other, f),
        }
    }
}

/// Writes the messages that name a path.
fn place(error: &StoreError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error {
        StoreError::GuardTaken { path } => write!(
            f,
            "the guard file {} exists: it guards another key, or one that was removed. Nothing was overwritten",
            path.display()
        ),
        StoreError::Imported { dir } => write!(
            f,
            "imported before, into {}: it is not imported again, and the file is of no more use",
            dir.display()
        ),
        StoreError::Lacks { what } => {
            write!(f, "this system has no {what}: no key with a state is made or used here")
        }
        StoreError::NotAGuard { path } => {
            write!(f, "{} is no guard file, and is not written over", path.display())
        }
        StoreError::OtherKind { file, found, expected } => {
            write!(f, "{} is {found}, not {expected}: nothing was changed", file.display())
        }
        StoreError::NotOurs { path } => write!(
            f,
            "{} was made by somebody else, or others may use it: a new key is not built there",
            path.display()
        ),
        StoreError::FolderNotOurs { path } => write!(
            f,
            "{} is no folder of this user alone: it belongs to somebody else, others may write to it, or it is a file. What is kept there decides which indices may be used",
            path.display()
        ),
        StoreError::RegisterIsKey { path } => {
            write!(f, "{} is the directory of a key, and no register of imports", path.display())
        }
        StoreError::Exposed { path, mode, most } => write!(
            f,
            "{} has mode {mode:o}: others may {} it",
            path.display(),
            if most & 0o055 == 0o055 { "replace the files in" } else { "read" }
        ),
        StoreError::WrongPlace { path, kind } => wrong_place(path, *kind, f),
        StoreError::Damaged { file } => {
            write!(f, "{} is damaged, or belongs to another key", file.display())
        }
        StoreError::Absent { file } => write!(f, "{} is absent", file.display()),
        StoreError::TooLong { file, size, most } => {
            let file = file.display();
            write!(
                f,
                "{file} has {size} bytes, and a file of a key has at most {most}: it is damaged"
            )
        }
        StoreError::OtherSession { file, holder } => {
            write!(f, "state busy: {} says that ", file.display())?;
            match holder {
                Some(h) => {
                    write!(f, "process {} on {} holds it since {}", h.pid, h.host, utc(h.since_ms))?
                }
                None => f.write_str("another process holds it")?,
            }
            f.write_str(", and nothing here proves that it has ended")
        }
        other => f.write_str(other.plain()),
    }
}

fn wrong_place(path: &Path, kind: FileSystem, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let path = path.display();
    match kind {
        FileSystem::Layered(name) => write!(
            f,
            "{path} lies in a container's image ({name}): two containers of one image would sign with the same indices"
        ),
        kind => write!(
            f,
            "{path} lies on a shared file system ({}), whose locks may not hold: two sessions would sign with the same indices",
            kind.name().unwrap_or("unknown")
        ),
    }
}

impl StoreError {
    fn plain(&self) -> &'static str {
        match self {
            Self::Exists => "exists already; nothing was overwritten",
            Self::NotAStore => "not a store (or its creation never finished)",
            Self::GuardInside => {
                "the guard would lie inside the key's directory, and a copy would take it along: name a place outside"
            }
            Self::RelativeGuard => {
                "the file config names the guard by a relative path, which a copy of the store would read as another file: name the guard"
            }
            Self::Version => "written by a newer version",
            Self::LogDamaged => {
                "no readable state in either log file; the key cannot be used further"
            }
            Self::Closed => "the session that reserved this index is over",
            Self::Poisoned => "an earlier commit failed halfway: close and open the store again",
            Self::WitnessMoved => {
                "the witness moved without this process: another copy of this state is alive"
            }
            Self::NoWitness => {
                "this key was made with an outside witness, and is opened with it alone"
            }
            Self::NotWatched => "this key was made without an outside witness, and takes none",
            Self::WitnessForeign => {
                "the witness holds something that this key did not write: it serves another key, or was changed"
            }
            Self::WitnessTaken => {
                "the witness watches a store already: this shard was imported on another machine, or the witness serves another key"
            }
            Self::WitnessUnreachable => "the witness did not answer; nothing was handed out",
            Self::ServiceUnreachable => {
                "the service that holds the state did not answer; nothing was handed out"
            }
            Self::NoMachine => {
                "the key was used with a machine identity, and is not used without one"
            }
            Self::MachineUnreadable => {
                "the machine's identity cannot be read, or is empty or too long; nothing was handed out"
            }
            Self::EpochChanged => {
                "the machine's identity changed: this is a clone or a restored snapshot"
            }
            Self::Retired => "the key was retired",
            Self::NoHome => {
                "no home directory is known: neither HOME nor XDG_STATE_HOME is an absolute path"
            }
            Self::NoSector => "no whole sector is left on top of the range, or the key has none",
            Self::GuardPath => {
                "the path names no file, is longer than 4,096 bytes, or holds a line break"
            }
            Self::OtherGrant => "the range to be given changed in between; nothing was given",
            Self::Empty => "no reserved index is ready",
            Self::Unknown => "the outcome could not be learned; the interval counts as lost",
            _ => "store error",
        }
    }
}

impl std::error::Error for StoreError {}
