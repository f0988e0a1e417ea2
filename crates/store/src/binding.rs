//! The binding of a guard to its files, which detects files that were restored from a copy.
//!
//! Each slot of the guard identifies the guard file and the two log files by inode, birth time and
//! file system. A file that was copied, unpacked or moved to another file system has another
//! identity. A file that was overwritten in place keeps its identity, but not its change time.
//! Therefore the slot also has an upper limit for the guard's change time after that write, and the
//! file `stamp` in the key's directory notes the actual change time after each write of the guard.
//! No commit waits for the stamp. If the stamp is missing, damaged or of an earlier write, the
//! wider limit in the slot applies.
//!
//! A power cut may keep the change time of a write and lose its content. The log tells of such a
//! write if it belongs to a commit: the log record was durable before the write, and it has the
//! time of the commit. After a crash, the guard is also written without a preceding log record.
//! Such a write is announced by a stamp that is synced first. A change time that is earlier than
//! expected is ignored.

use crate::env::{Env, File, read_up_to, sync, write_all};
use crate::error::{Call, Errno, Reason, StoreError};
use crate::identity::FileIdentity;
use crate::record::{TAG, chain, get_u64, put_u64};
use std::path::Path;
use std::sync::Arc;

/// Length of a binding in a slot, in bytes.
pub(crate) const BINDING: usize = 80;
/// File name of the stamp.
pub(crate) const NAME: &str = "stamp";
/// Margin of a slot's limit over the wall clock read before the write.
const MARGIN_NS: u64 = 1_000_000_000;
/// Longest time between a log record (or an announcement) and the guard write that follows it, for
/// a write that a power cut undoes.
const CRASH_NS: u64 = 10_000_000_000;
const MAGIC: &[u8; 8] = b"HASTENST";
const STAMP: usize = 64;

/// Identities of the files to which a guard is bound, and the limit of the guard's change time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Binding {
    pub guard: FileIdentity,
    pub logs: [FileIdentity; 2],
    /// Upper limit of the guard's change time after this write; 0 if unknown.
    pub until_ns: u64,
    /// Sequence number of this write.
    pub writes: u64,
}

impl Binding {
    /// Returns true if the binding identifies at least one file.
    pub fn is_bound(&self) -> bool {
        self.guard.is_known() || self.logs.iter().any(FileIdentity::is_known)
    }

    pub fn encode(&self) -> [u8; BINDING] {
        let mut out = [0; BINDING];
        let [first, second] = self.logs;
        let numbers = [
            self.guard.inode,
            self.guard.birth_ns,
            self.guard.volume,
            first.inode,
            first.birth_ns,
            second.inode,
            second.birth_ns,
            first.volume,
            self.until_ns,
            self.writes,
        ];
        for (slot, value) in numbers.iter().enumerate() {
            put_u64(&mut out, 8 * slot, *value);
        }
        out
    }

    pub fn decode(bytes: &[u8; BINDING]) -> Binding {
        let number = |slot: usize| get_u64(bytes, 8 * slot);
        let file = |inode: usize, volume: usize| FileIdentity {
            inode: number(inode),
            birth_ns: number(inode + 1),
            volume: number(volume),
        };
        Binding {
            guard: file(0, 2),
            logs: [file(3, 7), file(5, 7)],
            until_ns: number(8),
            writes: number(9),
        }
    }

    /// Returns the reason if the files found are not those that were written here. `ahead_ms` is
    /// the time of the newest commit in the log, if the guard does not have that commit.
    pub fn judge(
        &self,
        now: &Files,
        stamp: Option<&Mark>,
        ahead_ms: Option<u64>,
    ) -> Option<Reason> {
        if self.guard.contradicts(&now.guard) {
            return Some(Reason::GuardReplaced);
        }
        if self.logs.iter().zip(&now.logs).any(|(then, now)| then.contradicts(now)) {
            return Some(Reason::LogReplaced);
        }
        let limit = match stamp {
            Some(stamp) if stamp.writes >= self.writes => stamp.changed_ns,
            _ => self.until_ns,
        };
        // A power cut cannot undo a write that was made durable.
        let later = stamp.is_some_and(|stamp| stamp.durable && stamp.writes > self.writes);
        let undone =
            ahead_ms.filter(|_| !later).map_or(0, |ms| nanoseconds(ms).saturating_add(CRASH_NS));
        let limit = limit.max(undone);
        let touched = self.until_ns != 0 && now.changed_ns.is_some_and(|changed| changed > limit);
        touched.then_some(Reason::GuardTouched)
    }
}

/// Identities of a store's files as found on disk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Files {
    pub guard: FileIdentity,
    pub logs: [FileIdentity; 2],
    /// Change time of the guard, in nanoseconds since the Unix epoch.
    pub changed_ns: Option<u64>,
}

impl Files {
    /// Reads identity and change time of the guard. `logs` are the identities of the log files.
    /// Call this before reading the guard's content: a session that runs at the same time changes
    /// both.
    pub fn of(guard: &dyn File, logs: [FileIdentity; 2]) -> Result<Files, StoreError> {
        let changed_ns = changed(guard)?;
        let guard = guard.identity().map_err(StoreError::io(Call::Stat))?;
        Ok(Files { guard, logs, changed_ns })
    }
}

/// Reliability with which a guard file can be distinguished from a copy of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    Whole,
    /// The file system has no birth times, or no persistent inode numbers.
    Part,
    None,
}

impl Strength {
    /// Returns the strength for a guard file with this identity.
    pub fn of(guard: &FileIdentity) -> Strength {
        match (guard.inode, guard.birth_ns) {
            (1.., 1..) => Strength::Whole,
            (0, 0) => Strength::None,
            _ => Strength::Part,
        }
    }

    /// Returns the word for it in a store's status.
    pub fn word(self) -> &'static str {
        match self {
            Strength::Whole => "file",
            Strength::Part => "file-in-part",
            Strength::None => "none",
        }
    }
}

fn changed(file: &dyn File) -> Result<Option<u64>, StoreError> {
    file.changed_ns().map_err(StoreError::io(Call::Stat))
}

fn nanoseconds(ms: u64) -> u64 {
    ms.saturating_mul(1_000_000)
}

/// Content of a stamp: the guard's change time after one write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Sequence number of that write.
    pub writes: u64,
    pub changed_ns: u64,
    /// True if the write is durable.
    pub durable: bool,
}

/// The file `stamp` of one store.
pub(crate) struct Stamp {
    file: Box<dyn File>,
    store_id: [u8; 16],
}

impl Stamp {
    /// Opens the file, or creates it.
    pub fn open_or_create(
        env: &dyn Env,
        dir: &Path,
        store_id: [u8; 16],
    ) -> Result<Stamp, StoreError> {
        let path = dir.join(NAME);
        let file = match env.open(&path) {
            Err(Errno::NOT_FOUND) => env.create(&path),
            file => file,
        };
        let file = file.map_err(|e| StoreError::io(Call::Open)(e).at(&path))?;
        Ok(Stamp { file, store_id })
    }

    /// Reads the stamp of a store. Returns `None` if there is no stamp, or none that is undamaged
    /// and of this store.
    pub fn look(
        env: &dyn Env,
        dir: &Path,
        store_id: &[u8; 16],
    ) -> Result<Option<Mark>, StoreError> {
        let path = dir.join(NAME);
        let file = match env.open_read(&path) {
            Ok(file) => file,
            Err(Errno::NOT_FOUND) => return Ok(None),
            Err(e) => return Err(StoreError::io(Call::Open)(e).at(&path)),
        };
        let mut bytes = [0; STAMP];
        let n = read_up_to(&*file, &mut bytes, 0)?;
        let (body, tag) = bytes.split_at(STAMP - TAG);
        let whole = n == STAMP && body.starts_with(MAGIC) && body[8..24] == store_id[..];
        let good = whole && chain(&[3; TAG], body)[..] == *tag;
        let mark = || Mark {
            writes: get_u64(&bytes, 24),
            changed_ns: get_u64(&bytes, 32),
            durable: get_u64(&bytes, 40) != 0,
        };
        Ok(good.then(mark))
    }

    /// Writes the stamp without syncing it.
    fn write(&self, mark: Mark) -> Result<(), StoreError> {
        let mut out = [0; STAMP];
        out[..8].copy_from_slice(MAGIC);
        out[8..24].copy_from_slice(&self.store_id);
        put_u64(&mut out, 24, mark.writes);
        put_u64(&mut out, 32, mark.changed_ns);
        put_u64(&mut out, 40, mark.durable.into());
        let tag = chain(&[3; TAG], &out[..STAMP - TAG]);
        out[STAMP - TAG..].copy_from_slice(&tag);
        write_all(&*self.file, &out, 0)
    }
}

/// State for binding an open guard to its files at every write.
pub(crate) struct Binder {
    env: Arc<dyn Env>,
    stamp: Stamp,
    pub guard: FileIdentity,
    logs: [FileIdentity; 2],
    /// True if the guard is bound and its change time is known.
    timed: bool,
    /// Newest write that is known from the guard or from the stamp.
    pub newest: Mark,
    /// True if the slot that was found is known to be durable.
    pub settled: bool,
}

impl Binder {
    /// Creates a binder for the files as found. `before` is the stamp that was found.
    pub fn new(env: Arc<dyn Env>, stamp: Stamp, before: Option<Mark>, files: &Files) -> Binder {
        let Files { guard, logs, changed_ns } = *files;
        let newest = before.unwrap_or_default();
        let named = Binding { guard, logs, ..Binding::default() }.is_bound();
        let timed = named && changed_ns.is_some();
        Binder { env, stamp, guard, logs, timed, newest, settled: false }
    }

    /// Returns the binding for the next write of the guard. If the previous write exceeded its
    /// limit and is to be repeated, `late` is the change time that it had.
    pub fn next(&mut self, late: Option<u64>) -> Binding {
        let named = Binding { guard: self.guard, logs: self.logs, ..Binding::default() };
        if !named.is_bound() {
            // The file system cannot distinguish a file from a copy, so the slot gets no binding.
            return Binding::default();
        }
        self.newest.writes += 1;
        let latest = late.unwrap_or(0).max(nanoseconds(self.env.wall_ms()));
        let until_ns = if self.timed { latest.saturating_add(MARGIN_NS) } else { 0 };
        Binding { until_ns, writes: self.newest.writes, ..named }
    }

    /// Writes the guard's change time to the stamp. If it exceeds the limit in `binding`, returns
    /// it instead.
    pub fn note(&mut self, file: &dyn File, binding: &Binding) -> Result<Option<u64>, StoreError> {
        let Some(changed_ns) = changed(file)?.filter(|_| self.timed) else { return Ok(None) };
        if changed_ns > binding.until_ns {
            return Ok(Some(changed_ns));
        }
        self.newest = Mark { writes: binding.writes, changed_ns, durable: false };
        self.stamp.write(self.newest)?;
        Ok(None)
    }

    /// Notes in the stamp that the newest write is durable.
    pub fn settle(&mut self) -> Result<(), StoreError> {
        self.newest.durable = true;
        if self.timed { self.stamp.write(self.newest) } else { Ok(()) }
    }

    /// Announces a guard write that no log record precedes, in a stamp that is synced.
    pub fn announce(&self, file: &dyn File) -> Result<(), StoreError> {
        let Some(changed) = changed(file)?.filter(|_| self.timed) else { return Ok(()) };
        let latest = changed.max(nanoseconds(self.env.wall_ms()));
        let changed_ns = latest.saturating_add(CRASH_NS);
        self.stamp.write(Mark { writes: self.newest.writes + 1, changed_ns, durable: false })?;
        sync(&*self.stamp.file)
    }
}
