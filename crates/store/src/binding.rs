//! The binding of a guard to its file: whatever a copy of the files brings back is seen.
//!
//! Each slot of the guard names the guard's file and the two files of the log by inode, time of
//! birth and file system. A file that was copied, unpacked or moved to another file system is
//! another one. A file that was written over in place keeps all of these; its change time does not
//! stay. So the slot also says which change time the guard has at most by that write, and the file
//! `stamp` in the key's directory notes the change time itself, behind each write of the guard. No
//! commit waits for the stamp: one that is missing, damaged or of an earlier write leaves the
//! slot's own, wider limit.
//!
//! A power cut may leave the change time of a write whose content it took. A commit's write is
//! known from the log, which was durable before, with the time of its record. A write that no
//! record goes before, after a crash, is announced by a stamp that is synced first. A change time
//! that went back is no sign of anything.

use crate::env::{Env, File, read_up_to, sync, write_all};
use crate::error::{Call, Errno, Reason, StoreError};
use crate::identity::FileIdentity;
use crate::record::{TAG, chain, get_u64, put_u64};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a binding in a slot.
pub(crate) const BINDING: usize = 80;
/// File name of the stamp.
pub(crate) const NAME: &str = "stamp";
/// By how much a slot's limit is later than the clock before its write.
const MARGIN_NS: u64 = 1_000_000_000;
/// How long after its record, or its announcement, a write of the guard may come that a power cut
/// undoes.
const CRASH_NS: u64 = 10_000_000_000;
const MAGIC: &[u8; 8] = b"HASTENST";
const STAMP: usize = 64;

/// The files to which a guard is bound, and the limit of its change time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Binding {
    pub guard: FileIdentity,
    pub logs: [FileIdentity; 2],
    /// The guard's change time is no later by this write; 0 where it is not known.
    pub until_ns: u64,
    /// Number of this write.
    pub writes: u64,
}

impl Binding {
    /// Returns whether it names any file.
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

    /// Returns why the files found are not those that were written here, if they are not.
    /// `ahead_ms`: when the commit was recorded that the log has and the guard does not.
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
        // No power cut undoes a write that was made durable.
        let later = stamp.is_some_and(|stamp| stamp.durable && stamp.writes > self.writes);
        let undone =
            ahead_ms.filter(|_| !later).map_or(0, |ms| nanoseconds(ms).saturating_add(CRASH_NS));
        let limit = limit.max(undone);
        let touched = self.until_ns != 0 && now.changed_ns.is_some_and(|changed| changed > limit);
        touched.then_some(Reason::GuardTouched)
    }
}

/// The files of a store as they are found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Files {
    pub guard: FileIdentity,
    pub logs: [FileIdentity; 2],
    /// When the guard was last changed.
    pub changed_ns: Option<u64>,
}

impl Files {
    /// Looks at the guard, beside the files of the log. To be asked before the guard is read: a
    /// session that runs meanwhile moves both on.
    pub fn of(guard: &dyn File, logs: [FileIdentity; 2]) -> Result<Files, StoreError> {
        let changed_ns = changed(guard)?;
        let guard = guard.identity().map_err(StoreError::io(Call::Stat))?;
        Ok(Files { guard, logs, changed_ns })
    }
}

/// By how much a guard's file is told from a copy of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    Whole,
    /// Its file system has no time of birth, or no lasting number of an inode.
    Part,
    None,
}

impl Strength {
    /// Returns how well a guard's file is known.
    pub fn of(guard: &FileIdentity) -> Strength {
        match (guard.inode, guard.birth_ns) {
            (1.., 1..) => Strength::Whole,
            (0, 0) => Strength::None,
            _ => Strength::Part,
        }
    }

    /// Returns the word for it in an account.
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

/// The content of a stamp: the guard's change time by one write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Number of that write.
    pub writes: u64,
    pub changed_ns: u64,
    /// The write was made durable.
    pub durable: bool,
}

/// The file `stamp` of one store.
pub(crate) struct Stamp {
    file: Box<dyn File>,
    store_id: [u8; 16],
}

impl Stamp {
    /// Opens the file, or makes it.
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

    /// Reads the stamp of a store; `None` where there is none, or none that is whole.
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

    /// Writes the stamp, without waiting for the disk.
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

/// The means by which an open guard is bound to its file at every write.
pub(crate) struct Binder {
    env: Arc<dyn Env>,
    stamp: Stamp,
    pub guard: FileIdentity,
    logs: [FileIdentity; 2],
    /// The change time of the guard is known there.
    timed: bool,
    /// The newest write that guard or stamp know of.
    pub newest: Mark,
    /// The slot that was found is known to be durable.
    pub settled: bool,
}

impl Binder {
    /// Takes the files as they are. `before`: the stamp that was found.
    pub fn new(env: Arc<dyn Env>, stamp: Stamp, before: Option<Mark>, files: &Files) -> Binder {
        let Files { guard, logs, changed_ns } = *files;
        let newest = before.unwrap_or_default();
        let named = Binding { guard, logs, ..Binding::default() }.is_bound();
        let timed = named && changed_ns.is_some();
        Binder { env, stamp, guard, logs, timed, newest, settled: false }
    }

    /// Returns what the next write of the guard says. `late`: the change time that the write had
    /// which is to be done again.
    pub fn next(&mut self, late: Option<u64>) -> Binding {
        let named = Binding { guard: self.guard, logs: self.logs, ..Binding::default() };
        if !named.is_bound() {
            // The file system tells no file from a copy of it: the slot is one without a binding.
            return Binding::default();
        }
        self.newest.writes += 1;
        let latest = late.unwrap_or(0).max(nanoseconds(self.env.wall_ms()));
        let until_ns = if self.timed { latest.saturating_add(MARGIN_NS) } else { 0 };
        Binding { until_ns, writes: self.newest.writes, ..named }
    }

    /// Notes the change time that the write had; returns it where it is later than the write said.
    pub fn note(&mut self, file: &dyn File, binding: &Binding) -> Result<Option<u64>, StoreError> {
        let Some(changed_ns) = changed(file)?.filter(|_| self.timed) else { return Ok(None) };
        if changed_ns > binding.until_ns {
            return Ok(Some(changed_ns));
        }
        self.newest = Mark { writes: binding.writes, changed_ns, durable: false };
        self.stamp.write(self.newest)?;
        Ok(None)
    }

    /// Notes that the newest write is durable.
    pub fn settle(&mut self) -> Result<(), StoreError> {
        self.newest.durable = true;
        if self.timed { self.stamp.write(self.newest) } else { Ok(()) }
    }

    /// Announces, durably, a write that no record of the log goes before.
    pub fn announce(&self, file: &dyn File) -> Result<(), StoreError> {
        let Some(changed) = changed(file)?.filter(|_| self.timed) else { return Ok(()) };
        let latest = changed.max(nanoseconds(self.env.wall_ms()));
        let changed_ns = latest.saturating_add(CRASH_NS);
        self.stamp.write(Mark { writes: self.newest.writes + 1, changed_ns, durable: false })?;
        sync(&*self.stamp.file)
    }
}
