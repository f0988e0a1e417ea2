//! The account of a store, for a person or a program.

use crate::config::Config;
use crate::env::Env;
use crate::error::{Call, Errno, Holder, StoreError};
use crate::filesystem::{self, FileSystem};
use crate::guard;
use crate::judge::{Refusal, Verdict, judge};
use crate::lock;
use crate::log::{Entry, Log, trail};
use crate::open::Repair;
use crate::options::Options;
use crate::state::State;
use crate::store::Store;
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
    /// Who holds the store now.
    pub holder: Option<Holder>,
    /// The refusal that opening would meet.
    pub refused: Option<Refusal>,
    /// The mends made, or to be made, at opening.
    pub repair: Option<Repair>,
}

impl Store {
    /// Returns the account, including what was recorded and not written yet.
    pub fn status(&self) -> Status {
        let mut status =
            self.described(account(&self.state, self.state.session == self.session.id));
        let unwritten = crate::permit::lock(&self.session.ledger).unwritten();
        status.used += unwritten;
        status.reserved = status.reserved.saturating_sub(unwritten);
        status
    }

    pub(crate) fn final_status(&self) -> Status {
        self.described(account(&self.state, false))
    }

    fn described(&self, mut status: Status) -> Status {
        status.guard = self.guard_path.clone();
        status.witness = self.session.watch.is_some();
        status.repair = self.repair;
        status.shared_filesystem_accepted = self.shared;
        status.lies_on(&*self.env, &self.dir);
        status
    }
}

impl Status {
    /// Notes what holds directory and guard; a guard that is missing is said elsewhere.
    fn lies_on(&mut self, env: &dyn Env, dir: &Path) {
        let name = |path: &Path| filesystem::of(env, path).ok().and_then(FileSystem::name);
        (self.filesystem, self.guard_filesystem) = (name(dir), name(&self.guard));
    }
}

impl Options {
    /// Returns the account of a store without opening it: takes no lock and changes nothing. While
    /// another process holds the store the numbers are those of its last write.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek(&self, dir: impl AsRef<Path>) -> Result<Status, StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let read = Config::load(env, dir)?;
        let holder = lock::who(env, dir);
        let (_, found) = Log::look(env, dir)?;
        let (config, _) = read.of(&found.state)?;
        let mut status = account(&found.state, holder.is_some());
        status.guard = config.guard(env, self.guard.as_deref())?;
        status.witness = config.witness;
        status.shared_filesystem_accepted = config.shared;
        status.lies_on(env, dir);
        status.refused = refused(env, &status.guard, &found.state, found.damaged)?;
        status.holder = holder;
        Ok(status)
    }
}

impl Options {
    /// Compares a store with its outside witness, without opening it: takes no lock and changes
    /// nothing. While another process holds the store, both may move on in between.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if opening would be refused; [`StoreError::NoWitness`] if the store
    /// has none, or none was named; [`StoreError::WitnessUnreachable`] and failed reads.
    pub fn peek_witness(&self, dir: impl AsRef<Path>) -> Result<(), StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let (_, found) = Log::look(env, dir)?;
        let (config, _) = Config::load(env, dir)?.of(&found.state)?;
        let witness = self.witness.as_ref().filter(|_| config.witness);
        let witness = witness.ok_or(StoreError::NoWitness)?;
        crate::open::compare(&**witness, &found.state).map(drop).map_err(|(error, _)| error)
    }
}

impl Options {
    /// Returns the audit log of a store without opening it, oldest entry first; as
    /// [`Store::audit`].
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek_audit(&self, dir: impl AsRef<Path>) -> Result<Vec<Entry>, StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let (log, found) = Log::look(env, dir)?;
        trail::entries(env, dir, &log, &found.state)
    }
}

impl Options {
    /// Returns where the store in `dir` says that its guard is; `None` if it cannot be read.
    pub fn guard_of(&self, dir: impl AsRef<Path>) -> Option<PathBuf> {
        let read = Config::load(&*self.env, dir.as_ref()).ok()?;
        Some(read.choices().guard.clone())
    }
}

fn refused(
    env: &dyn Env,
    path: &Path,
    state: &State,
    damaged: bool,
) -> Result<Option<Refusal>, StoreError> {
    let file = match env.open_read(path) {
        Ok(file) => file,
        Err(Errno::NOT_FOUND) => {
            return Ok(Some(crate::open::no_guard(crate::Reason::NoGuard, state)));
        }
        Err(errno) => return Err(StoreError::io(Call::Open)(errno).at(path)),
    };
    let Some((_, mark)) = guard::newest(&*file)? else {
        return Ok(Some(crate::open::no_guard(crate::Reason::DamagedGuard, state)));
    };
    Ok(match judge(state, &mark, damaged) {
        Verdict::Refuse(refusal) => Some(refusal),
        _ => None,
    })
}

/// Makes the account. Indices that the running session reserved are still its own; those that an
/// ended one reserved are lost.
fn account(state: &State, session_runs: bool) -> Status {
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
        holder: None,
        refused: None,
        repair: None,
    }
}

fn as_text<S: serde::Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}
