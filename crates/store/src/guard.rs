//! The guard: a small file outside the store directory that holds the newest generation.
//!
//! Two slots in two pages, written in turn, so that a torn write leaves the other one. It is
//! written in place, never replaced, so that an open session sees every change. It also carries a
//! lock: two copies of a directory cannot be open at once. A slot of version 1 was half as long and
//! named no key, one of version 2 named no files; they are read. A slot that names files
//! ([`Binding`]) is of version 3, which older tools do not read: they refuse the guard as damaged.

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
/// Where a slot's binding begins.
const BINDING_AT: usize = 152;
/// How often a slot is written until its limit of the change time holds.
const TRIES: usize = 8;

impl Slot {
    /// Returns why the files are not those that were written here, if they are not.
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
    /// Its newest slot when it was last read or written.
    seen: Option<Slot>,
    /// Binds it to its file at every write.
    binder: Option<Binder>,
    /// Until the change of its files is committed, every write says of them what was found.
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
    /// Opens the file; `None` if there is none.
    ///
    /// # Errors
    /// A failed call.
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

    /// Opens the file or makes it. Its directory entry is made durable before the first commit.
    ///
    /// # Errors
    /// A failed call.
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

    /// Takes the file for the guard of a fleet's signer, and not for that of a store. The store's
    /// is not read as the signer's, nor the other way round.
    #[must_use]
    pub fn of_signer(self) -> Guard {
        Guard { kind: FileKind::SignerGuard, ..self }
    }

    /// Returns the file, for checks at use.
    pub fn file(&self) -> Arc<dyn File> {
        Arc::clone(&self.file)
    }

    /// Takes the lock of the file, waiting up to `wait` for another process to let go.
    ///
    /// # Errors
    /// [`StoreError::Busy`], or a failed call.
    pub fn own(&self, env: &dyn Env, wait: std::time::Duration) -> Result<(), StoreError> {
        crate::lock::wait_for(env, &*self.file, wait, || None)
    }

    /// Lets the lock of the file go, at the end of its owner's session: another may have it though
    /// this guard lives on.
    ///
    /// # Errors
    /// A failed call; the lock ends with the file then.
    pub fn disown(&self) -> Result<(), StoreError> {
        self.file.unlock().map_err(StoreError::io(Call::Lock))
    }

    /// Returns the newest valid mark. `None`: neither slot is valid.
    ///
    /// # Errors
    /// [`StoreError::OtherKind`] if the file is of another kind, a failed read.
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

    /// Returns the files that it was found, or last written, to be bound to.
    pub(crate) fn binding(&self) -> Binding {
        self.seen.as_ref().map(|slot| slot.binding).unwrap_or_default()
    }

    /// Returns why its files are not those that were written here, if they are not.
    pub(crate) fn judge(
        &self,
        files: &Files,
        stamp: Option<&Mark>,
        found: &Found,
    ) -> Option<Reason> {
        self.seen.as_ref().and_then(|slot| slot.judge(files, stamp, found))
    }

    /// Binds it to its file, from the next write on.
    pub(crate) fn bind(&mut self, mut binder: Binder) {
        binder.newest.writes = binder.newest.writes.max(self.binding().writes);
        self.binder = Some(binder);
    }

    /// Keeps what was found to be said of its files, until [`release`](Guard::release): other files
    /// are not named before that is committed.
    pub(crate) fn hold(&mut self) {
        self.held = Some(self.binding());
    }

    /// Ends what [`hold`](Guard::hold) began.
    pub(crate) fn release(&mut self) {
        self.held = None;
    }

    /// Returns by how much its file is told from a copy of it.
    pub(crate) fn strength(&self) -> Strength {
        self.binder.as_ref().map_or(Strength::None, |binder| Strength::of(&binder.guard))
    }

    /// Checks that the file still says what it said when it was last read or written here.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: somebody else has written to it. A failed read.
    pub fn check(&self) -> Result<(), StoreError> {
        is_there(&*self.file)?;
        let found = slot(&*self.file, self.kind)?;
        let said = |slot: &Option<Slot>| slot.as_ref().map(|s| (s.mark.clone(), s.binding));
        if said(&found) == said(&self.seen) {
            return Ok(());
        }
        Err(overtaken(found.map(|slot| slot.mark), self.mark()))
    }

    /// Returns true if no commit was ever written to the file: it is empty, zeros as a power cut
    /// leaves them, or what a creation began, if only a part of the magic word. The second slot,
    /// which a guard's first commit is written to, is not there.
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

    /// Returns true if the second slot is not there: no commit was ever written to the file.
    ///
    /// # Errors
    /// A failed call.
    pub fn is_short(&self) -> Result<bool, StoreError> {
        Ok(self.file.size().map_err(StoreError::io(Call::Read))? <= SLOT as u64)
    }

    /// Returns true if one of its slots begins as those of a guard do.
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

    /// Allows to write a first mark over what is there: nothing, what a creation began, or a guard
    /// whose marks are damaged.
    ///
    /// # Errors
    /// [`StoreError::NotAGuard`]: it is something else. A failed read.
    pub fn may_be_replaced(&self) -> Result<(), StoreError> {
        let ours = self.is_unfinished()? || self.was_one()?;
        if ours { Ok(()) } else { Err(StoreError::NotAGuard { path: self.path.clone() }) }
    }

    /// Makes durable what was found, unless its stamp says that it is. First by a sync, since the
    /// other slot may be the only durable one yet; then by writing it into that other slot, since
    /// after a sync that failed the system takes what it could not write for written. Its own slot
    /// is not written over: the guard alone may know of the newest commit.
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

    /// Forgets what a creation that never finished had left.
    ///
    /// # Errors
    /// A failed call.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        (self.newest, self.seen) = (1, None);
        self.file.set_size(0).map_err(StoreError::io(Call::Write))
    }

    /// Writes `mark` into the slot that is not the newest, durably.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if somebody else has written to the file since. A failed call; which
    /// of the two marks is there then is open.
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

    /// Announces a write that no record of the log goes before.
    pub(crate) fn announce(&self) -> Result<(), StoreError> {
        let binder = self.binder.as_ref().filter(|_| self.held.is_none());
        binder.map_or(Ok(()), |binder| binder.announce(&*self.file))
    }

    /// Writes a slot, bound if the guard is; again where the write took so long that its limit of
    /// the change time does not hold.
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

/// Checks that the file still has a name: what is written to one that was removed, or that another
/// was moved over, is lost.
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

/// Returns the newest valid slot of a guard file of that kind: of the highest generation and, of
/// two writes of it, the later.
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

/// Returns the length of the slot at the front of these bytes, if it is whole.
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
