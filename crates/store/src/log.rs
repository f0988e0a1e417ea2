//! The log: two files used in turn. Each is a snapshot and a run of records behind it, zeros behind
//! those.
//!
//! A commit appends to the active file and syncs it. When that file is full, or its end is not
//! clean, a snapshot of the state is written to the other file and synced; the old file stays as it
//! was until the next turn.

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

/// Opens a file that is there.
type Opener<'a> = dyn Fn(&str) -> Result<Box<dyn File>, StoreError> + 'a;

/// The two files of a log.
pub struct Log {
    files: [Box<dyn File>; 2],
    archive: Box<dyn File>,
    active: usize,
    tail: u64,
    size: u64,
    /// Number of the active file, and the highest of the two.
    number: u64,
    epoch: u64,
    older: bool,
    /// The end of the active file is not to be appended to.
    pub must_rotate: bool,
}

/// The finding in a log.
pub struct Found {
    /// The newest state.
    pub state: State,
    /// Bytes that are no record lie behind the last record.
    pub damaged: bool,
    /// One of the two files has no state that can be read.
    pub unreadable: bool,
    /// When the newest commit of the active file was recorded, milliseconds since the Unix epoch.
    pub committed_ms: Option<u64>,
}

/// A file that is absent.
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
    /// Writes a new log (durably, but for the directory's entries). `records`: how many fit into a
    /// file.
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
        // Both files have a state from the beginning: one that is damaged leaves the other. The
        // first is the one in use.
        log.begin(state)?;
        log.begin(state)?;
        Ok(log)
    }

    /// Reads both files and takes the newer state. A file of `may_make` that is absent is made,
    /// empty.
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

    /// Loads as [`Log::load`] does, for reading only: nothing more is asked of the file system.
    pub fn look(env: &dyn Env, dir: &Path) -> Result<(Log, Found), StoreError> {
        let open = |name: &str| {
            let path = dir.join(name);
            env.open_read(&path).map_err(|errno| not_opened(env, &path, errno))
        };
        Log::load_by(&open)
    }

    /// Looks as [`Log::look`] does; a file that is absent counts as empty, as long as a log file is
    /// there.
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
        // Until the first change of files there is one alone.
        let blank = files[1 - active].size().map_err(StoreError::io(Call::Read))? == 0;
        let unreadable = !(both || blank && best.epoch == 1);
        let (older, number) = (best.older, best.epoch);
        let must_rotate = damaged || older;
        let log = Log { files, archive, active, tail, size, number, epoch, older, must_rotate };
        let committed_ms = best.committed_ms;
        Ok((log, Found { state: best.state, damaged, unreadable, committed_ms }))
    }

    /// Returns which files its two are.
    pub fn identities(&self) -> Result<[FileIdentity; 2], StoreError> {
        let identity = |file: &dyn File| file.identity().map_err(StoreError::io(Call::Stat));
        let [first, second] = &self.files;
        Ok([identity(&**first)?, identity(&**second)?])
    }

    /// Returns the digest of all records of a log of an older version.
    pub fn older(&self) -> Result<Option<[u8; 32]>, StoreError> {
        let digest = || audit::digest(&*self.archive, &*self.files[self.active], self.tail);
        self.older.then(digest).transpose()
    }

    /// Returns whether the log is of an older version.
    pub fn is_older(&self) -> bool {
        self.older
    }

    /// Returns the number of the active file.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns how many more records fit into the active file.
    fn room(&self) -> u64 {
        self.size.saturating_sub(self.tail) / RECORD as u64
    }

    /// Returns how many records fit into a file.
    pub fn records_per_file(&self) -> u64 {
        self.size.saturating_sub(SNAPSHOT as u64) / RECORD as u64
    }

    /// Returns whether `count` records can be appended to the active file as it is.
    pub fn fits(&self, count: usize) -> bool {
        !self.must_rotate && self.room() >= count as u64
    }

    /// Goes over to the other file, which then begins with a snapshot of `state`, durably.
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

    /// Makes everything appended durable.
    pub fn sync(&self) -> Result<(), StoreError> {
        sync(&*self.files[self.active])
    }

    /// Returns every record that can be read, whether its chain holds or not.
    pub fn readable(&self) -> Result<Vec<Record>, StoreError> {
        audit::readable(&*self.archive, &*self.files[self.active], self.tail)
    }

    /// Returns the newest records as [`Log::records`] does, `most` of the archive's.
    pub fn newest(&self, newest: u64, most: u64) -> Result<Vec<Record>, StoreError> {
        let log = &*self.files[self.active];
        audit::newest(&*self.archive, log, self.tail, (newest, most))
    }

    /// Goes on with another archive.
    pub fn set_archive(&mut self, archive: Box<dyn File>) {
        self.archive = archive;
    }

    /// Returns all records, oldest first: the archive, then the active file; their chain is
    /// checked. `newest`: number of the last.
    pub fn records(&self, newest: u64) -> Result<Vec<Record>, StoreError> {
        audit::read(&*self.archive, &*self.files[self.active], self.tail, newest)
    }
}

fn open_or_create(env: &dyn Env, path: &Path) -> Result<Box<dyn File>, StoreError> {
    env.open(path).or_else(|_| env.create(path)).map_err(StoreError::io(Call::Open))
}

/// Returns the newer of two replays. If they are equal it is the older file: that one was synced
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

/// No log file is longer; one that is was not written here, and no memory is taken for it.
const LARGEST: u64 = 1 << 26;
