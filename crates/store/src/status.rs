//! The account of a store, for a person or a program.

use crate::binding::Strength;
use crate::env::Env;
use crate::error::{Errno, Holder, Reason, Refusal, StoreError};
use crate::filesystem::FileSystem;
use crate::place;
use crate::repair::Repair;
use crate::state::State;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The account of a store. `used + lost + burned + given + reserved + remaining` is the size of its
/// range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Always `hasten.store-status/1`.
    pub schema: &'static str,
    /// Names the key, in hexadecimal.
    pub key_id: String,
    /// Indices of the whole key.
    pub capacity: u64,
    /// Sectors of the key (1: none).
    pub sectors: u32,
    /// First index of this store.
    pub start: u64,
    /// End of this store's range when made.
    pub top: u64,
    /// End of this store's range now.
    pub end: u64,
    /// Next index.
    pub next: u64,
    /// Recorded as used.
    pub used: u64,
    /// Reserved, and never recorded: not available any more.
    pub lost: u64,
    /// Given up on purpose.
    pub burned: u64,
    /// Given to shards.
    pub given: u64,
    /// Reserved by the session that holds the store now.
    pub reserved: u64,
    /// Can still be reserved.
    pub remaining: u64,
    /// Commits so far.
    pub generation: u64,
    /// Exhaustion threshold.
    pub threshold: u64,
    /// At or below the threshold.
    pub near_exhaustion: bool,
    /// The warning was acknowledged.
    pub acknowledged: bool,
    /// Retired.
    pub retired: bool,
    /// The guard file; written as text, in which bytes that are no UTF-8 become U+FFFD.
    #[serde(serialize_with = "as_text")]
    pub guard: PathBuf,
    /// True if an outside witness watches. Without one a clone of the whole machine cannot be
    /// detected.
    pub witness: bool,
    /// A file system whose locks may not hold, or that of a container's image, was accepted.
    pub shared_filesystem_accepted: bool,
    /// The file system that holds the directory, if that is no local disk: `tmpfs`, `NFS`,
    /// `overlay`.
    pub filesystem: Option<&'static str>,
    /// The file system that holds the guard, if that is no local disk.
    pub guard_filesystem: Option<&'static str>,
    /// How the guard's file is told from a copy of it: `file` by inode, time of birth and change
    /// time; `file-in-part` where its file system lacks one of the first two; `none`;
    /// `not-yet` for a guard of an older form, which the next commit binds.
    pub binding: &'static str,
    /// Who holds the store now.
    pub holder: Option<Holder>,
    /// The refusal that opening would meet.
    pub refused: Option<Refusal>,
    /// The mends made, or to be made, at opening.
    pub repair: Option<Repair>,
}

impl Status {
    /// Notes what holds directory and guard; a guard whose folder is missing too is said elsewhere.
    /// A file system that cannot be asked is no local disk: the error is returned.
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
    /// Returns a refusal for which the account alone is known.
    pub fn of_status(reason: Reason, status: &Status) -> Refusal {
        let (found, next_found) = (status.generation, status.next);
        Refusal { reason, found, expected: found, next_found, next_expected: next_found }
    }
}

/// Makes the account. Indices that the running session reserved are still its own; those that an
/// ended one reserved are lost.
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
