//! The status of a store, for a person or a program.

use crate::binding::Strength;
use crate::env::Env;
use crate::error::{Errno, Holder, Reason, Refusal, StoreError};
use crate::filesystem::FileSystem;
use crate::place;
use crate::repair::Repair;
use crate::state::State;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Status of a store. `used + lost + burned + given + reserved + remaining` is the size of its
/// range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Always `hasten.store-status/1`.
    pub schema: &'static str,
    /// Id of the key, in hexadecimal.
    pub key_id: String,
    /// Number of indices of the whole key.
    pub capacity: u64,
    /// Number of sectors of the key (1: none).
    pub sectors: u32,
    /// First index of this store.
    pub start: u64,
    /// End of this store's range when the store was created.
    pub top: u64,
    /// End of this store's range now.
    pub end: u64,
    /// Next index to be reserved.
    pub next: u64,
    /// Indices recorded as used.
    pub used: u64,
    /// Indices that were reserved and never recorded. They are not available any more.
    pub lost: u64,
    /// Indices given up on purpose.
    pub burned: u64,
    /// Indices given to shards.
    pub given: u64,
    /// Indices reserved by the session that holds the store now.
    pub reserved: u64,
    /// Indices that can still be reserved.
    pub remaining: u64,
    /// Number of commits so far.
    pub generation: u64,
    /// Exhaustion threshold.
    pub threshold: u64,
    /// True at or below the threshold.
    pub near_exhaustion: bool,
    /// True if the exhaustion warning was acknowledged.
    pub acknowledged: bool,
    /// True if the key is retired.
    pub retired: bool,
    /// Path of the guard file. It is serialised as text, in which bytes that are not UTF-8 become
    /// U+FFFD.
    #[serde(serialize_with = "as_text")]
    pub guard: PathBuf,
    /// True if an outside witness watches. Without one a clone of the whole machine cannot be
    /// detected.
    pub witness: bool,
    /// True if a file system with unreliable locks, or that of a container image, was accepted.
    pub shared_filesystem_accepted: bool,
    /// The file system of the directory, if it is not a local disk: `tmpfs`, `NFS`, `overlay`.
    pub filesystem: Option<&'static str>,
    /// The file system of the guard, if it is not a local disk.
    pub guard_filesystem: Option<&'static str>,
    /// How the guard file is distinguished from a copy: `file` by inode, birth time and change
    /// time; `file-in-part` if its file system lacks one of the first two; `none`; `not-yet` for a
    /// guard of an older version, which the next commit binds.
    pub binding: &'static str,
    /// The process that holds the store now.
    pub holder: Option<Holder>,
    /// The refusal that opening would meet.
    pub refused: Option<Refusal>,
    /// The repairs made when the store was opened.
    pub repair: Option<Repair>,
}

impl Status {
    /// Sets the file systems of directory and guard. A guard whose folder is missing gets none;
    /// that is reported elsewhere. If a file system cannot be determined, returns the error.
    pub(crate) fn lies_on(&mut self, env: &dyn Env, dir: &Path) -> Result<(), StoreError> {
        let name = |path: &Path| match place::of(env, path) {
            Err(StoreError::Io { errno: Errno::NOT_FOUND | Errno::NOT_A_DIRECTORY, .. }) => {
                Ok(None)
            }
            found => found.map(FileSystem::name),
        };
        (self.filesystem, self.guard_filesystem) = (name(dir)?, name(&self.guard)?);
        Ok(())
    }
}

impl Refusal {
    /// Returns a refusal for which only the status is known.
    pub fn of_status(reason: Reason, status: &Status) -> Refusal {
        let (found, next_found) = (status.generation, status.next);
        Refusal { reason, found, expected: found, next_found, next_expected: next_found }
    }
}

/// Returns the status. Indices reserved by a running session count as reserved. Indices reserved by
/// a session that has ended count as lost.
pub(crate) fn account(state: &State, session_runs: bool) -> Status {
    let (reserved, lost) =
        if session_runs { (state.outstanding, 0) } else { (0, state.outstanding) };
    Status {
        schema: "hasten.store-status/1",
        key_id: state.key_id.iter().map(|b| format!("{b:02x}")).collect(),
        capacity: state.capacity,
        sectors: state.sectors,
        start: state.start,
        top: state.top,
        end: state.end,
        next: state.next,
        used: state.used,
        lost: state.lost + lost,
        burned: state.burned,
        given: state.given,
        reserved,
        remaining: state.remaining(),
        generation: state.generation,
        threshold: state.threshold,
        near_exhaustion: state.remaining() <= state.threshold,
        acknowledged: state.acknowledged,
        retired: state.retired,
        guard: PathBuf::new(),
        witness: false,
        shared_filesystem_accepted: false,
        filesystem: None,
        guard_filesystem: None,
        binding: Strength::None.word(),
        holder: None,
        refused: None,
        repair: None,
    }
}

fn as_text<S: serde::Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}
