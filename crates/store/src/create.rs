//! Creation of a store. It is built next to its final path and then renamed, so that it exists
//! completely or not at all.

use crate::binding::{Binder, Files, Stamp};
use crate::config::Config;
use crate::env::{Env, absolute, random_id};
use crate::error::{Argument, Call, Errno, StoreError};
use crate::guard::Guard;
use crate::identity::Identity;
use crate::judge::GuardMark;
use crate::lock::{self, Lock};
use crate::log::Log;
use crate::open::session;
use crate::options::Options;
use crate::place;
use crate::record::Kind;
use crate::state::State;
use crate::store::{Change, Store};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Parameters of the store for a new key.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// Number of indices of the key (leaves).
    pub capacity: u64,
    /// Number of sectors: a power of two that divides `capacity`; 1 for none.
    pub sectors: u32,
    /// Exhaustion threshold: warn if no more than this many indices remain.
    pub threshold: u64,
    /// Records per log file. After this many the log switches to its other file.
    pub log_records: u64,
}

impl NewKey {
    /// Returns parameters with `capacity` indices, one sector, and a sixteenth of the capacity as
    /// threshold.
    pub fn new(capacity: u64) -> NewKey {
        NewKey { capacity, sectors: 1, threshold: capacity / 16, log_records: 1024 }
    }

    fn check(&self) -> Result<(), StoreError> {
        let sectors = u64::from(self.sectors);
        let good = self.sectors.is_power_of_two()
            && self.capacity > 0
            && self.capacity.is_multiple_of(sectors);
        let fits = (8..=1 << 16).contains(&self.log_records);
        if good && fits { Ok(()) } else { Err(StoreError::Argument(Argument::NewKey)) }
    }

    fn state(&self, env: &dyn Env) -> Result<State, StoreError> {
        Ok(blank(
            self.capacity,
            self.sectors,
            self.threshold,
            0..self.capacity,
            Identity { key_id: random_id(env)?, public: [0; 32] },
            random_id(env)?,
        ))
    }
}

pub(crate) fn blank(
    capacity: u64,
    sectors: u32,
    threshold: u64,
    range: Range<u64>,
    identity: Identity,
    store_id: [u8; 16],
) -> State {
    State {
        key_id: identity.key_id,
        public: identity.public,
        store_id,
        sectors,
        capacity,
        start: range.start,
        top: range.end,
        end: range.end,
        next: range.start,
        used: 0,
        signed: 0,
        signed_end: 0,
        lost: 0,
        burned: 0,
        given: 0,
        outstanding: 0,
        session: 0,
        generation: 0,
        seq: 0,
        threshold,
        acknowledged: false,
        retired: false,
        tag: [0; 16],
        last: [0; 16],
        commit_tag: store_id,
        previous_generation: 0,
        previous_tag: [0; 16],
    }
}

impl Options {
    /// Creates the store of a new key in `dir` (mode 0700, files 0600) and opens it. A guard path
    /// outside `dir` must be set.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if `dir` exists and is not an empty directory, or the witness already
    /// watches a store. [`StoreError::GuardTaken`] if the guard file guards another store. Every
    /// failed call. Nothing is overwritten.
    pub fn create(self, dir: impl AsRef<Path>, key: &NewKey) -> Result<Store, StoreError> {
        key.check()?;
        self.has_what_it_needs()?;
        let state = key.state(&*self.env)?;
        self.place(dir.as_ref(), state, key.log_records)?.settle()
    }

    /// Creates a store as [`Options::create`] does. If an earlier creation with the same capacity
    /// and sectors left a store in `dir` that was never reserved from, given away from or bound,
    /// opens that store instead.
    ///
    /// # Errors
    /// As [`Options::create`] and [`Options::open`].
    pub fn begin(self, dir: impl AsRef<Path>, key: &NewKey) -> Result<Store, StoreError> {
        let dir = dir.as_ref();
        let found = Log::look(&*self.env, dir).ok().map(|(_, found)| found.state);
        match found.is_some_and(|state| is_blank(&state, key)) {
            true => self.open(dir),
            false => self.create(dir, key),
        }
    }

    /// Builds a store completely, except for its final name, which [`Place::settle`] gives it.
    pub(crate) fn place(
        self,
        dir: &Path,
        mut state: State,
        records: u64,
    ) -> Result<Place, StoreError> {
        self.has_what_it_needs()?;
        let partial = partial(dir)?;
        let path = self.guard_for(dir)?;
        let (witness, shared) = (self.witness.is_some(), self.shared);
        let config = Config { guard: path.clone(), witness, shared };
        place::check(&*self.env, dir, &config)?;
        place::check(&*self.env, &path, &config)?;
        let held = prepare(&self.env, dir, &partial)?;
        let begun = self.was_begun(&partial, &path)?;
        let mut log = Log::create(&*self.env, &partial, &mut state, records)?;
        config.save(&*self.env, &partial, &state)?;
        let stamp = Stamp::open_or_create(&*self.env, &partial, state.store_id)?;
        self.env.sync_dir(&partial).map_err(StoreError::io(Call::SyncDir))?;
        let mut guard = self.unused_guard(&path, begun)?;
        let files = Files::of(&*guard.file(), log.identities()?)?;
        guard.bind(Binder::new(Arc::clone(&self.env), stamp, None, &files));
        guard.store(&GuardMark::of(&state, [0; 16]))?;
        self.must_be_first()?;
        log.must_rotate = false;
        let dir = dir.to_owned();
        Ok(Place { options: self, dir, partial, path, held, log, guard, state })
    }

    /// Returns an error if the witness already watches a store.
    fn must_be_first(&self) -> Result<(), StoreError> {
        match &self.witness {
            Some(witness) if witness.read()?.is_some() => Err(StoreError::Exists),
            _ => Ok(()),
        }
    }

    fn guard_for(&self, dir: &Path) -> Result<PathBuf, StoreError> {
        let path = self.guard.as_ref().ok_or(StoreError::Argument(Argument::NoGuard))?;
        if written(path)?.starts_with(written(dir)?) {
            return Err(StoreError::GuardInside);
        }
        let (path, dir) = (absolute(&*self.env, path)?, absolute(&*self.env, dir)?);
        if path.starts_with(&dir) { Err(StoreError::GuardInside) } else { Ok(path) }
    }

    fn unused_guard(&self, path: &Path, begun: bool) -> Result<Guard, StoreError> {
        let mut guard = Guard::open_or_create(&*self.env, path)?;
        self.must_be_unused(&mut guard, path, begun)?;
        guard.clear()?;
        Ok(guard)
    }

    /// Returns an error if the guard is in use, or if the file is not a guard. `begun` is true if
    /// an earlier creation of this store was going to create the guard here. A power cut may then
    /// have left any content in the file.
    fn must_be_unused(
        &self,
        guard: &mut Guard,
        path: &Path,
        begun: bool,
    ) -> Result<(), StoreError> {
        lock::wait_for(&*self.env, &*guard.file(), self.wait, || None)?;
        match guard.load()? {
            Some(mark) if mark.generation == 0 => Ok(()),
            Some(_) => Err(StoreError::GuardTaken { path: path.to_owned() }),
            None if guard.is_unfinished()? || (begun && guard.is_short()?) => Ok(()),
            None if guard.was_one()? => Err(StoreError::GuardTaken { path: path.to_owned() }),
            None => Err(StoreError::NotAGuard { path: path.to_owned() }),
        }
    }

    /// Returns true if an earlier creation was going to create the guard at `path`. Returns an
    /// error if a file at `path` must not be overwritten, so that `config`, which is written next,
    /// never names such a file.
    fn was_begun(&self, partial: &Path, path: &Path) -> Result<bool, StoreError> {
        let kept = Config::load(&*self.env, partial);
        let begun = kept.is_ok_and(|read| read.choices().guard == *path);
        match Guard::open(&*self.env, path)? {
            Some(mut guard) => self.must_be_unused(&mut guard, path, begun).map(|()| begun),
            None => Ok(begun),
        }
    }
}

/// A complete store without its final name. Nothing can be reserved from it yet.
pub(crate) struct Place {
    options: Options,
    dir: PathBuf,
    partial: PathBuf,
    path: PathBuf,
    held: Lock,
    log: Log,
    guard: Guard,
    state: State,
}

impl Place {
    /// Gives the store its final name and opens it. From the first commit on, the guard belongs to
    /// this store permanently.
    pub(crate) fn settle(mut self) -> Result<Store, StoreError> {
        move_in(&*self.options.env, &self.partial, &self.dir)?;
        self.held.session.moved_to(&self.dir);
        let mut store = self.store()?;
        store.commit(&[Change::new(Kind::Adopt, 0, 0)])?;
        Ok(store)
    }

    fn store(self) -> Result<Store, StoreError> {
        let Self { options, dir, path, held, log, guard, state, .. } = self;
        let Options { env, witness, machine, shared, .. } = options;
        let session = session(env, &state, &guard, 0, witness, None, machine)?;
        Ok(Store {
            shared,
            host: session.env.host(),
            env: Arc::clone(&session.env),
            dir,
            guard_path: path,
            state,
            log,
            guard,
            session: Arc::new(session),
            repair: None,
            broken: false,
            behind: None,
            commit_time: Duration::ZERO,
            held,
        })
    }
}

fn is_blank(state: &State, key: &NewKey) -> bool {
    let whole = (state.start, state.top, state.end) == (0, key.capacity, key.capacity);
    let same = (state.capacity, state.sectors) == (key.capacity, key.sectors);
    whole && same && state.next == 0 && !state.retired && !state.identity().is_bound()
}

/// Makes the path absolute without resolving links. On WebAssembly, which has no working directory,
/// returns it unchanged.
fn written(path: &Path) -> Result<PathBuf, StoreError> {
    if cfg!(target_family = "wasm") {
        return Ok(path.to_owned());
    }
    std::path::absolute(path).map_err(|_| StoreError::GuardPath)
}

/// Returns `DIR.partial`, the path at which a store is built.
fn partial(dir: &Path) -> Result<PathBuf, StoreError> {
    let mut name = dir.file_name().ok_or(StoreError::Argument(Argument::NoName))?.to_owned();
    name.push(".partial");
    Ok(dir.with_file_name(name))
}

fn prepare(env: &Arc<dyn Env>, dir: &Path, partial: &Path) -> Result<Lock, StoreError> {
    must_be_free(&**env, dir)?;
    match env.make_dir(partial) {
        Ok(()) => {}
        Err(Errno::EXISTS) => must_be_ours(&**env, partial)?,
        Err(e) => return Err(StoreError::io(Call::MakeDir)(e).at(partial)),
    }
    let lock = partial.join(lock::NAME);
    match env.create(&lock) {
        Ok(_) | Err(Errno::EXISTS) => lock::take(env, partial, Duration::ZERO, false),
        Err(e) => Err(StoreError::io(Call::Open)(e).at(&lock)),
    }
}

/// Returns an error if `dir` exists, unless it is an empty directory, which gets replaced.
fn must_be_free(env: &dyn Env, dir: &Path) -> Result<(), StoreError> {
    match env.stat(dir) {
        Err(Errno::NOT_FOUND | Errno::NOT_A_DIRECTORY) => Ok(()),
        Err(e) => Err(StoreError::io(Call::Stat)(e).at(dir)),
        Ok(stat) if stat.is_dir && env.is_empty(dir).unwrap_or(false) => Ok(()),
        Ok(_) => Err(StoreError::Exists),
    }
}

/// Accepts a directory left by an interrupted creation if no other user could have put files into
/// it.
fn must_be_ours(env: &dyn Env, partial: &Path) -> Result<(), StoreError> {
    let stat = env.stat(partial).map_err(|e| StoreError::io(Call::Stat)(e).at(partial))?;
    if stat.is_dir && stat.ours && stat.mode & 0o077 == 0 {
        return Ok(());
    }
    Err(StoreError::NotOurs { path: partial.to_owned() })
}

fn move_in(env: &dyn Env, partial: &Path, dir: &Path) -> Result<(), StoreError> {
    match env.rename(partial, dir) {
        Ok(()) => Ok(()),
        Err(Errno::EXISTS | Errno::NOT_EMPTY | Errno::NOT_A_DIRECTORY) => Err(StoreError::Exists),
        Err(e) => Err(StoreError::io(Call::Rename)(e).at(partial)),
    }
}
