//! The guard: a small file outside the store directory that holds the newest generation.
//!
//! It has two slots in two pages, which are written alternately, so that a torn write leaves the
//! other slot intact. The file is written in place and never replaced, so that an open session sees
//! every change. It also carries a lock, so that two copies of a directory cannot be open at once.
//!
//! A slot of version 1 is half as long and does not name the key. A slot of version 2 does not name
//! the files. Both are still read. A slot that names files ([`Binding`]) has version 3. Older tools
//! cannot read it and refuse the guard as damaged.

use crate::binding::{BINDING, Binder, Binding, Files, Mark, Strength};
use crate::env::{Env, File, read_up_to, sync, write_all};
use crate::error::{Call, Errno, FileKind, Reason, Refusal, StoreError};
use crate::identity::Identity;
use crate::judge::GuardMark;
use crate::kind::{SIGNER as SIGNER_MAGIC, STORE as MAGIC, is_of_signer, must_not_be_other};
use crate::log::Found;
use crate::record::{TAG, chain, get_u64, put_u64};
use crate::state::{FARTHEST, bytes16, bytes32};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SLOT: usize = 256;
const OLD_SLOT: usize = 128;
const OFFSETS: [u64; 2] = [0, 4096];
const BOUND_MAGIC: &[u8; 8] = crate::kind::BOUND;
const OLD_MAGIC: &[u8; 8] = b"HASTENGD";
/// Offset of the binding in a slot.
const BINDING_AT: usize = 152;
/// Largest number of attempts to write a slot within its limit of the change time.
const TRIES: usize = 8;

impl Slot {
    /// Returns the reason if the files are not those that were written here.
    pub(crate) fn judge(
        &self,
        files: &Files,
        stamp: Option<&Mark>,
        found: &Found,
    ) -> Option<Reason> {
        let ahead = found.state.generation > self.mark.generation;
        self.binding.judge(files, stamp, found.committed_ms.filter(|_| ahead))
    }
}

/// An open guard file.
pub struct Guard {
    file: Arc<dyn File>,
    path: PathBuf,
    kind: FileKind,
    newest: usize,
    /// Newest slot when the file was last read or written here.
    seen: Option<Slot>,
    /// Binds the guard to its files at every write.
    binder: Option<Binder>,
    /// The binding as it was found. Every write repeats it until the change of files is committed.
    held: Option<Binding>,
}

/// A valid slot.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    number: usize,
    pub mark: GuardMark,
    pub binding: Binding,
}

impl Guard {
    /// Opens the file. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// [`StoreError::NotAGuard`] if it is not a regular file; a failed call.
    pub fn open(env: &dyn Env, path: &Path) -> Result<Option<Guard>, StoreError> {
        match env.open(path) {
            Ok(file) => Ok(Some(Guard::over(file, path))),
            Err(Errno::NOT_FOUND) => Ok(None),
            Err(Errno::INVALID | Errno::LINK) => {
                Err(StoreError::NotAGuard { path: path.to_owned() })
            }
            Err(e) => Err(StoreError::io(Call::Open)(e).at(path)),
        }
    }

    /// Opens the file, or creates it. Its directory entry is made durable before the first commit.
    ///
    /// # Errors
    /// As [`open`](Guard::open).
    pub fn open_or_create(env: &dyn Env, path: &Path) -> Result<Guard, StoreError> {
        if let Some(guard) = Guard::open(env, path)? {
            return Ok(guard);
        }
        let file = env.create(path).map_err(|e| StoreError::io(Call::Open)(e).at(path))?;
        Ok(Guard::over(file, path))
    }

    fn over(file: Box<dyn File>, path: &Path) -> Guard {
        Guard {
            file: file.into(),
            path: path.to_owned(),
            kind: FileKind::Guard,
            newest: 1,
            seen: None,
            binder: None,
            held: None,
        }
    }

    /// Marks this as the guard of a fleet's signer instead of a store. A store's guard is never
    /// read as a signer's guard, and vice versa.
    #[must_use]
    pub fn of_signer(self) -> Guard {
        Guard { kind: FileKind::SignerGuard, ..self }
    }

    /// Returns the file, for checks at the time of use.
    pub fn file(&self) -> Arc<dyn File> {
        Arc::clone(&self.file)
    }

    /// Takes the lock of the file, waiting up to `wait` for another process to release it.
    ///
    /// # Errors
    /// [`StoreError::Busy`], or a failed call.
    pub fn own(&self, env: &dyn Env, wait: std::time::Duration) -> Result<(), StoreError> {
        crate::lock::wait_for(env, &*self.file, wait, || None)
    }

    /// Releases the lock of the file at the end of its owner's session, so that another session can
    /// take it although this guard still exists.
    ///
    /// # Errors
    /// A failed call. The lock then ends when the file is closed.
    pub fn disown(&self) -> Result<(), StoreError> {
        self.file.unlock().map_err(StoreError::io(Call::Lock))
    }

    /// Reads the file and returns the newest valid mark. Returns `None` if neither slot is valid.
    ///
    /// # Errors
    /// [`StoreError::OtherKind`] if the file is of another kind; a failed read.
    pub fn load(&mut self) -> Result<Option<GuardMark>, StoreError> {
        self.seen = slot(&*self.file, self.kind)?;
        match &self.seen {
            Some(slot) => self.newest = slot.number,
            None => must_not_be_other(&*self.file, &self.path, self.kind)?,
        }
        Ok(self.mark().cloned())
    }

    fn mark(&self) -> Option<&GuardMark> {
        self.seen.as_ref().map(|slot| &slot.mark)
    }

    /// Returns the binding that was last read or written.
    pub(crate) fn binding(&self) -> Binding {
        self.seen.as_ref().map(|slot| slot.binding).unwrap_or_default()
    }

    /// Returns the reason if the files are not those that were written here.
    pub(crate) fn judge(
        &self,
        files: &Files,
        stamp: Option<&Mark>,
        found: &Found,
    ) -> Option<Reason> {
        self.seen.as_ref().and_then(|slot| slot.judge(files, stamp, found))
    }

    /// Binds the guard to its files from the next write on.
    pub(crate) fn bind(&mut self, mut binder: Binder) {
        binder.newest.writes = binder.newest.writes.max(self.binding().writes);
        self.binder = Some(binder);
    }

    /// Repeats the binding that was found in every write until [`release`](Guard::release), so that
    /// the guard does not name other files before their change is committed.
    pub(crate) fn hold(&mut self) {
        self.held = Some(self.binding());
    }

    /// Ends the effect of [`hold`](Guard::hold).
    pub(crate) fn release(&mut self) {
        self.held = None;
    }

    /// Returns how reliably the file can be distinguished from a copy.
    pub(crate) fn strength(&self) -> Strength {
        self.binder.as_ref().map_or(Strength::None, |binder| Strength::of(&binder.guard))
    }

    /// Checks that the file still has the content that was last read or written here.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if somebody else has written to the file or removed it; a failed
    /// read.
    pub fn check(&self) -> Result<(), StoreError> {
        is_there(&*self.file)?;
        let found = slot(&*self.file, self.kind)?;
        let said = |slot: &Option<Slot>| slot.as_ref().map(|s| (s.mark.clone(), s.binding));
        if said(&found) == said(&self.seen) {
            return Ok(());
        }
        Err(overtaken(found.map(|slot| slot.mark), self.mark()))
    }

    /// Returns true if no commit was ever written to the file. Such a file is empty, has zeros left
    /// by a power cut, or has the beginning of a slot left by a creation, possibly only a part of
    /// the magic word. It has no second slot, to which the first commit of a guard is written.
    ///
    /// # Errors
    /// A failed read.
    pub fn is_unfinished(&self) -> Result<bool, StoreError> {
        let mut front = [0; SLOT];
        let n = read_up_to(&*self.file, &mut front, 0)?;
        let begun = front[..n].iter().zip(MAGIC).take_while(|(byte, magic)| byte == magic).count();
        let rest_is_zeros = front[begun..n].iter().all(|byte| *byte == 0);
        Ok(self.is_short()? && (begun == MAGIC.len() || rest_is_zeros))
    }

    /// Returns true if the file has no second slot, so that no commit was ever written to it.
    ///
    /// # Errors
    /// A failed call.
    pub fn is_short(&self) -> Result<bool, StoreError> {
        Ok(self.file.size().map_err(StoreError::io(Call::Read))? <= SLOT as u64)
    }

    /// Returns true if one of its slots begins with the magic word of a guard.
    ///
    /// # Errors
    /// A failed read.
    pub fn was_one(&self) -> Result<bool, StoreError> {
        let mut found = false;
        for at in OFFSETS {
            let mut word = [0; MAGIC.len()];
            read_up_to(&*self.file, &mut word, at)?;
            found |= [BOUND_MAGIC, MAGIC, OLD_MAGIC, SIGNER_MAGIC].contains(&&word);
        }
        Ok(found)
    }

    /// Checks that a first mark may be written over the content of the file: nothing, the beginning
    /// left by a creation, or a guard whose marks are damaged.
    ///
    /// # Errors
    /// [`StoreError::NotAGuard`] if it is something else; a failed read.
    pub fn may_be_replaced(&self) -> Result<(), StoreError> {
        let ours = self.is_unfinished()? || self.was_one()?;
        if ours { Ok(()) } else { Err(StoreError::NotAGuard { path: self.path.clone() }) }
    }

    /// Makes the mark that was found durable, unless the stamp says that it is durable already.
    /// First syncs the file, because the other slot may be the only durable one so far. Then writes
    /// the mark to that other slot, because after a failed sync the system may treat lost data as
    /// written. The slot with the mark is not overwritten: perhaps only the guard knows of the
    /// newest commit.
    ///
    /// # Errors
    /// As [`store`](Guard::store).
    pub fn renew(&mut self) -> Result<(), StoreError> {
        if self.binder.as_ref().is_some_and(|binder| binder.settled) {
            return Ok(());
        }
        sync(&*self.file)?;
        self.announce()?;
        match self.mark().cloned() {
            Some(mark) if mark.generation > 0 => self.store(&mark),
            _ => Ok(()),
        }
    }

    /// Removes what an unfinished creation has left in the file.
    ///
    /// # Errors
    /// A failed call.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        (self.newest, self.seen) = (1, None);
        self.file.set_size(0).map_err(StoreError::io(Call::Write))
    }

    /// Writes `mark` durably to the slot that is not the newest.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if somebody else has written to the file since it was last read or
    /// written here. A failed call; the file then has one of the two marks.
    pub fn store(&mut self, mark: &GuardMark) -> Result<(), StoreError> {
        self.check()?;
        let number = 1 - self.newest;
        let binding = self.write(mark, OFFSETS[number])?;
        sync(&*self.file)?;
        if let Some(binder) = self.binder.as_mut().filter(|_| self.held.is_none()) {
            binder.settle()?;
        }
        (self.newest, self.seen) = (number, Some(Slot { number, mark: mark.clone(), binding }));
        Ok(())
    }

    /// Announces a guard write that no log record precedes.
    pub(crate) fn announce(&self) -> Result<(), StoreError> {
        let binder = self.binder.as_ref().filter(|_| self.held.is_none());
        binder.map_or(Ok(()), |binder| binder.announce(&*self.file))
    }

    /// Writes a slot, with a binding if the guard has one. Repeats the write if it took so long
    /// that the change time exceeds the limit in the slot.
    fn write(&mut self, mark: &GuardMark, at: u64) -> Result<Binding, StoreError> {
        let (file, kind, held) = (&*self.file, self.kind, self.held);
        let write = |binding: &Binding| write_all(file, &encode(mark, binding, kind), at);
        let Some(binder) = self.binder.as_mut().filter(|_| held.is_none()) else {
            let binding = held.unwrap_or_default();
            return write(&binding).map(|()| binding);
        };
        let mut late = None;
        for _ in 0..TRIES {
            let binding = binder.next(late);
            write(&binding)?;
            late = binder.note(file, &binding)?;
            if late.is_none() {
                return Ok(binding);
            }
        }
        Err(StoreError::io(Call::Write)(Errno::IO))
    }
}

/// Checks that the file still has a name. If it was removed, or another file was renamed over it,
/// everything written to it is lost.
pub(crate) fn is_there(file: &dyn File) -> Result<(), StoreError> {
    if file.links().map_err(StoreError::io(Call::Read))? > 0 {
        return Ok(());
    }
    let found = newest(file)?;
    let (generation, next) = found.map_or((0, 0), |m| (m.generation, m.next));
    let (found, expected) = (generation, generation);
    let (next_found, next_expected) = (next, next);
    let reason = Reason::NoGuard;
    Err(StoreError::Refused(Refusal { reason, found, expected, next_found, next_expected }))
}

fn overtaken(found: Option<GuardMark>, seen: Option<&GuardMark>) -> StoreError {
    let numbers = |mark: Option<&GuardMark>| mark.map_or((0, 0), |m| (m.generation, m.next));
    let ((found, next_found), (expected, next_expected)) = (numbers(found.as_ref()), numbers(seen));
    let reason = Reason::Overtaken;
    StoreError::Refused(Refusal { reason, found, expected, next_found, next_expected })
}

/// Returns the newest mark of a store's guard file.
pub fn newest(file: &dyn File) -> Result<Option<GuardMark>, StoreError> {
    Ok(slot(file, FileKind::Guard)?.map(|slot| slot.mark))
}

/// Returns the newest valid slot of a guard file of this kind: the one with the highest generation
/// or, for equal generations, with the later write.
pub(crate) fn slot(file: &dyn File, kind: FileKind) -> Result<Option<Slot>, StoreError> {
    let age = |slot: &Slot| (slot.mark.generation, slot.binding.writes);
    let mut best: Option<Slot> = None;
    for (number, at) in OFFSETS.iter().enumerate() {
        let mut bytes = [0; SLOT];
        read_up_to(file, &mut bytes, *at)?;
        let found = decode(&bytes, kind).map(|(mark, binding)| Slot { number, mark, binding });
        if let Some(slot) = found.filter(|s| best.as_ref().is_none_or(|b| age(s) > age(b))) {
            best = Some(slot);
        }
    }
    Ok(best)
}

fn encode(mark: &GuardMark, binding: &Binding, kind: FileKind) -> [u8; SLOT] {
    let mut out = [0; SLOT];
    let magic = match kind {
        FileKind::SignerGuard => SIGNER_MAGIC,
        _ if binding.is_bound() => BOUND_MAGIC,
        _ => MAGIC,
    };
    out[..8].copy_from_slice(magic);
    out[BINDING_AT..BINDING_AT + BINDING].copy_from_slice(&binding.encode());
    out[8..24].copy_from_slice(&mark.store_id);
    for (slot, value) in [mark.generation, mark.next, mark.end, mark.session].iter().enumerate() {
        put_u64(&mut out, 24 + 8 * slot, *value);
    }
    out[56..72].copy_from_slice(&mark.tag);
    out[72..88].copy_from_slice(&mark.previous_tag);
    out[88..104].copy_from_slice(&mark.machine);
    out[104..120].copy_from_slice(&mark.identity.key_id);
    out[120..152].copy_from_slice(&mark.identity.public);
    let tag = chain(&[2; TAG], &out[..SLOT - TAG]);
    out[SLOT - TAG..].copy_from_slice(&tag);
    out
}

/// Returns the length of the slot at the beginning of these bytes, if its tag is correct.
fn length(bytes: &[u8; SLOT]) -> Option<usize> {
    let length = match bytes.first_chunk() {
        Some(BOUND_MAGIC | MAGIC | SIGNER_MAGIC) => SLOT,
        Some(OLD_MAGIC) => OLD_SLOT,
        _ => return None,
    };
    let (body, tag) = bytes[..length].split_at(length - TAG);
    (chain(&[2; TAG], body)[..] == *tag).then_some(length)
}

fn decode(bytes: &[u8; SLOT], kind: FileKind) -> Option<(GuardMark, Binding)> {
    let named = length(bytes)? == SLOT;
    let other = is_of_signer(bytes) != (kind == FileKind::SignerGuard);
    if other || get_u64(bytes, 24) >= FARTHEST {
        return None;
    }
    let identity = Identity { key_id: bytes16(bytes, 104), public: bytes32(bytes, 120) };
    let bound = bytes[BINDING_AT..].first_chunk().filter(|_| bytes.starts_with(BOUND_MAGIC));
    let mark = GuardMark {
        identity: if named { identity } else { Identity::default() },
        store_id: bytes16(bytes, 8),
        generation: get_u64(bytes, 24),
        next: get_u64(bytes, 32),
        end: get_u64(bytes, 40),
        session: get_u64(bytes, 48),
        tag: bytes16(bytes, 56),
        previous_tag: bytes16(bytes, 72),
        machine: bytes16(bytes, 88),
    };
    Some((mark, bound.map(Binding::decode).unwrap_or_default()))
}
