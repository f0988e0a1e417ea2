//! The log: two files that are used alternately. Each has a snapshot, then a run of records, then
//! zeros.
//!
//! A commit appends to the active file and syncs it. When that file is full, or its end is not
//! clean, a snapshot of the state is written to the other file and synced. The old file stays
//! unchanged until the next switch.

pub(crate) mod audit;
mod gaps;
pub(crate) mod trail;

pub use audit::Entry;
pub use gaps::{Gap, Gaps};
pub use trail::{Detail, Signed};

use crate::env::{Env, File, read_up_to, sync, write_all};
use crate::error::{Call, Errno, StoreError};
use crate::files::{has_files, not_opened};
use crate::identity::FileIdentity;
use crate::record::{RECORD, Record};
use crate::state::{SNAPSHOT, State, is_newer, is_older};
use std::path::Path;

pub(crate) const NAMES: [&str; 2] = ["log.0", "log.1"];

/// Function that opens an existing file of the log by its name.
type Opener<'a> = dyn Fn(&str) -> Result<Box<dyn File>, StoreError> + 'a;

/// The two files of a log.
pub struct Log {
    files: [Box<dyn File>; 2],
    archive: Box<dyn File>,
    active: usize,
    tail: u64,
    size: u64,
    /// Number of the active file.
    number: u64,
    /// Highest number of the two files.
    epoch: u64,
    older: bool,
    /// True if nothing may be appended to the active file.
    pub must_rotate: bool,
}

/// Result of reading a log.
pub struct Found {
    /// The newest state.
    pub state: State,
    /// True if invalid bytes follow the last record.
    pub damaged: bool,
    /// True if one of the two files has no readable state.
    pub unreadable: bool,
    /// Time of the newest commit in the active file, in milliseconds since the Unix epoch.
    pub committed_ms: Option<u64>,
}

/// Substitute for a missing file.
struct Nothing;

impl File for Nothing {
    fn read_at(&self, _: &mut [u8], _: u64) -> Result<usize, Errno> {
        Ok(0)
    }

    fn write_at(&self, _: &[u8], _: u64) -> Result<usize, Errno> {
        Err(Errno::NOT_FOUND)
    }

    fn size(&self) -> Result<u64, Errno> {
        Ok(0)
    }

    fn set_size(&self, _: u64) -> Result<(), Errno> {
        Err(Errno::NOT_FOUND)
    }

    fn sync(&self) -> Result<(), Errno> {
        Err(Errno::NOT_FOUND)
    }

    fn try_lock(&self) -> Result<bool, Errno> {
        Err(Errno::NOT_FOUND)
    }
}

struct Replay {
    state: State,
    epoch: u64,
    tail: u64,
    damaged: bool,
    older: bool,
    committed_ms: Option<u64>,
}

impl Log {
    /// Writes a new log and syncs its files, but not the directory. `records` is the number of
    /// records per file.
    pub fn create(
        env: &dyn Env,
        dir: &Path,
        state: &mut State,
        records: u64,
    ) -> Result<Log, StoreError> {
        let open = |name: &str| open_or_create(env, &dir.join(name));
        let mut log = Log {
            files: [open(NAMES[0])?, open(NAMES[1])?],
            archive: open(audit::NAME)?,
            active: 0,
            tail: 0,
            size: SNAPSHOT as u64 + records * RECORD as u64,
            number: 0,
            epoch: 0,
            older: false,
            must_rotate: false,
        };
        log.files[1].set_size(0).map_err(StoreError::io(Call::Write))?;
        // Both files have a state from the beginning, so that damage to one leaves the other. After
        // the second call the first file is active.
        log.begin(state)?;
        log.begin(state)?;
        Ok(log)
    }

    /// Reads both files and uses the newer state. Missing files that are named in `may_make` are
    /// created empty.
    pub fn load(env: &dyn Env, dir: &Path, may_make: &[&str]) -> Result<(Log, Found), StoreError> {
        let absent = |name: &&&str| matches!(env.stat(&dir.join(name)), Err(Errno::NOT_FOUND));
        for name in may_make.iter().filter(absent) {
            let path = dir.join(name);
            env.create(&path).map_err(|errno| not_opened(env, &path, errno))?;
            env.sync_dir(dir).map_err(StoreError::io(Call::SyncDir))?;
        }
        let open = |name: &str| {
            let path = dir.join(name);
            env.open(&path).map_err(|errno| not_opened(env, &path, errno))
        };
        Log::load_by(&open)
    }

    /// Loads a log as [`Log::load`] does, but opens its files for reading only.
    pub fn look(env: &dyn Env, dir: &Path) -> Result<(Log, Found), StoreError> {
        let open = |name: &str| {
            let path = dir.join(name);
            env.open_read(&path).map_err(|errno| not_opened(env, &path, errno))
        };
        Log::load_by(&open)
    }

    /// Loads a log as [`Log::look`] does, but treats a missing file as empty if other files of the
    /// store exist.
    pub fn salvage(env: &dyn Env, dir: &Path) -> Result<(Log, Found), StoreError> {
        let open = |name: &str| {
            let path = dir.join(name);
            match env.open_read(&path) {
                Err(Errno::NOT_FOUND) if has_files(env, dir) => Ok(Box::new(Nothing) as _),
                file => file.map_err(|errno| not_opened(env, &path, errno)),
            }
        };
        Log::load_by(&open)
    }

    fn load_by(open: &Opener<'_>) -> Result<(Log, Found), StoreError> {
        let files = [open(NAMES[0])?, open(NAMES[1])?];
        let archive = open(audit::NAME)?;
        let replays = [replay(&*files[0])?, replay(&*files[1])?];
        let both = replays.iter().all(Option::is_some);
        let epoch = replays.iter().flatten().map(|r| r.epoch).max().unwrap_or(0);
        let (active, best) = pick(replays).ok_or(StoreError::LogDamaged)?;
        let size = files[active].size().map_err(StoreError::io(Call::Read))?;
        let (tail, damaged) = (best.tail, best.damaged);
        // A log that has never switched files may have an empty second file.
        let blank = files[1 - active].size().map_err(StoreError::io(Call::Read))? == 0;
        let unreadable = !(both || blank && best.epoch == 1);
        let (older, number) = (best.older, best.epoch);
        let must_rotate = damaged || older;
        let log = Log { files, archive, active, tail, size, number, epoch, older, must_rotate };
        let committed_ms = best.committed_ms;
        Ok((log, Found { state: best.state, damaged, unreadable, committed_ms }))
    }

    /// Returns the identities of the two files.
    pub fn identities(&self) -> Result<[FileIdentity; 2], StoreError> {
        let identity = |file: &dyn File| file.identity().map_err(StoreError::io(Call::Stat));
        let [first, second] = &self.files;
        Ok([identity(&**first)?, identity(&**second)?])
    }

    /// Returns the digest of all records if the log is of an older version.
    pub fn older(&self) -> Result<Option<[u8; 32]>, StoreError> {
        let digest = || audit::digest(&*self.archive, &*self.files[self.active], self.tail);
        self.older.then(digest).transpose()
    }

    /// Returns true if the log is of an older version.
    pub fn is_older(&self) -> bool {
        self.older
    }

    /// Returns the number of the active file.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of records that still fit into the active file.
    fn room(&self) -> u64 {
        self.size.saturating_sub(self.tail) / RECORD as u64
    }

    /// Returns the number of records that fit into a file.
    pub fn records_per_file(&self) -> u64 {
        self.size.saturating_sub(SNAPSHOT as u64) / RECORD as u64
    }

    /// Returns true if `count` records can be appended to the active file.
    pub fn fits(&self, count: usize) -> bool {
        !self.must_rotate && self.room() >= count as u64
    }

    /// Switches to the other file, which then begins with a durable snapshot of `state`.
    pub fn rotate(&mut self, state: &mut State) -> Result<(), StoreError> {
        audit::keep(&*self.archive, &*self.files[self.active], self.tail)?;
        self.begin(state)
    }

    fn begin(&mut self, state: &mut State) -> Result<(), StoreError> {
        let other = 1 - self.active;
        let (snapshot, link) = state.encode(self.epoch + 1);
        let mut content = vec![0; self.size as usize];
        content[..SNAPSHOT].copy_from_slice(&snapshot);
        write_all(&*self.files[other], &content, 0)?;
        sync(&*self.files[other])?;
        (self.active, self.tail, self.epoch, self.must_rotate) =
            (other, SNAPSHOT as u64, self.epoch + 1, false);
        (self.number, self.older) = (self.epoch, false);
        state.tag = link;
        Ok(())
    }

    /// Appends records without making them durable.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        write_all(&*self.files[self.active], bytes, self.tail)?;
        self.tail += bytes.len() as u64;
        Ok(())
    }

    /// Makes all appended records durable.
    pub fn sync(&self) -> Result<(), StoreError> {
        sync(&*self.files[self.active])
    }

    /// Returns every readable record, without checking the chain.
    pub fn readable(&self) -> Result<Vec<Record>, StoreError> {
        audit::readable(&*self.archive, &*self.files[self.active], self.tail)
    }

    /// Returns the newest records as [`Log::records`] does, but at most `most` of the archive.
    pub fn newest(&self, newest: u64, most: u64) -> Result<Vec<Record>, StoreError> {
        let log = &*self.files[self.active];
        audit::newest(&*self.archive, log, self.tail, (newest, most))
    }

    /// Replaces the archive.
    pub fn set_archive(&mut self, archive: Box<dyn File>) {
        self.archive = archive;
    }

    /// Checks the chain of all records and returns them, oldest first: the archive, then the active
    /// file. `newest` is the number of the last record.
    pub fn records(&self, newest: u64) -> Result<Vec<Record>, StoreError> {
        audit::read(&*self.archive, &*self.files[self.active], self.tail, newest)
    }
}

fn open_or_create(env: &dyn Env, path: &Path) -> Result<Box<dyn File>, StoreError> {
    env.open(path).or_else(|_| env.create(path)).map_err(StoreError::io(Call::Open))
}

/// Returns the newer of two replays. If they are equal, returns the older file, which was synced
/// before the other was begun.
fn pick(replays: [Option<Replay>; 2]) -> Option<(usize, Replay)> {
    let age = |r: &Replay| (r.state.generation, r.state.seq, u64::MAX - r.epoch);
    let both = replays.into_iter().enumerate().filter_map(|(i, r)| r.map(|r| (i, r)));
    both.max_by_key(|(_, r)| age(r))
}

fn replay(file: &dyn File) -> Result<Option<Replay>, StoreError> {
    let size = file.size().map_err(StoreError::io(Call::Read))?;
    if size > LARGEST {
        return Err(StoreError::LogDamaged);
    }
    let mut content = vec![0; usize::try_from(size).unwrap_or(0)];
    let n = read_up_to(file, &mut content, 0)?;
    content.truncate(n);
    let Some((snapshot, records)) = content.split_first_chunk::<SNAPSHOT>() else {
        return Ok(None);
    };
    if is_newer(snapshot) {
        return Err(StoreError::Version);
    }
    let replay = |(state, epoch)| Replay {
        older: is_older(snapshot),
        ..replay_records(state, epoch, records)
    };
    Ok(State::decode(snapshot).map(replay))
}

fn replay_records(mut state: State, epoch: u64, bytes: &[u8]) -> Replay {
    let (mut tail, mut committed_ms) = (0, None);
    for chunk in bytes.as_chunks::<RECORD>().0 {
        let Some((record, tag)) = Record::decode(chunk, &state.tag) else { break };
        let Some(after) = state.apply(&record, tag) else { break };
        state = after;
        tail += RECORD;
        committed_ms = if record.kind.is_commit() { Some(record.time_ms) } else { committed_ms };
    }
    let damaged = bytes[tail..].iter().any(|b| *b != 0);
    let tail = (SNAPSHOT + tail) as u64;
    Replay { state, epoch, tail, damaged, older: false, committed_ms }
}

/// Largest length of a log file, in bytes. A longer file was not written here and is not read into
/// memory.
const LARGEST: u64 = 1 << 26;
