//! The guard: a small file outside the store directory that holds the newest generation.
//!
//! Two slots in two pages, written in turn, so that a torn write leaves the other one. It is
//! written in place, never replaced, so that an open session sees every change. It also carries a
//! lock: two copies of a directory cannot be open at once. A slot of version 1 was half as long and
//! named no key; it is read, and the next write is of version 2.

use crate::env::{Env, File, read_up_to, sync, write_all};
use crate::error::{Call, Errno, Reason, Refusal, StoreError};
use crate::identity::Identity;
use crate::judge::GuardMark;
use crate::record::{TAG, chain, get_u64, put_u64};
use crate::state::{FARTHEST, bytes16, bytes32};
use std::path::Path;
use std::sync::Arc;

const SLOT: usize = 256;
const OLD_SLOT: usize = 128;
const OFFSETS: [u64; 2] = [0, 4096];
const MAGIC: &[u8; 8] = b"HASTENG2";
const OLD_MAGIC: &[u8; 8] = b"HASTENGD";

/// An open guard file.
pub struct Guard {
    file: Arc<dyn File>,
    newest: usize,
    /// Its mark when it was last read or written.
    seen: Option<GuardMark>,
}

impl Guard {
    /// Opens the file; `None` if there is none.
    ///
    /// # Errors
    /// A failed call.
    pub fn open(env: &dyn Env, path: &Path) -> Result<Option<Guard>, StoreError> {
        match env.open(path) {
            Ok(file) => Ok(Some(Guard { file: file.into(), newest: 1, seen: None })),
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
        Ok(Guard { file: file.into(), newest: 1, seen: None })
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

    /// Returns the newest valid mark. `None`: neither slot is valid.
    ///
    /// # Errors
    /// A failed read.
    pub fn load(&mut self) -> Result<Option<GuardMark>, StoreError> {
        let found = newest(&*self.file)?;
        if let Some((slot, _)) = &found {
            self.newest = *slot;
        }
        self.seen = found.map(|(_, mark)| mark);
        Ok(self.seen.clone())
    }

    /// Checks that the file still says what it said when it was last read or written here.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: somebody else has written to it. A failed read.
    pub fn check(&self) -> Result<(), StoreError> {
        is_there(&*self.file)?;
        let found = newest(&*self.file)?.map(|(_, mark)| mark);
        if found == self.seen { Ok(()) } else { Err(overtaken(found, self.seen.as_ref())) }
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
            found |= [MAGIC, OLD_MAGIC].contains(&&word);
        }
        Ok(found)
    }

    /// Makes durable what was found. First by a sync, since the other slot may be the only durable
    /// one yet; then by writing it into that other slot, since after a sync that failed the system
    /// takes what it could not write for written. Its own slot is not written over: the guard alone
    /// may know of the newest commit.
    ///
    /// # Errors
    /// As [`store`](Guard::store).
    pub fn renew(&mut self) -> Result<(), StoreError> {
        sync(&*self.file)?;
        match self.seen.clone() {
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
        let slot = 1 - self.newest;
        write_all(&*self.file, &encode(mark), OFFSETS[slot])?;
        sync(&*self.file)?;
        (self.newest, self.seen) = (slot, Some(mark.clone()));
        Ok(())
    }
}

/// Checks that the file still has a name: what is written to one that was removed, or that another
/// was moved over, is lost.
pub(crate) fn is_there(file: &dyn File) -> Result<(), StoreError> {
    if file.links().map_err(StoreError::io(Call::Read))? > 0 {
        return Ok(());
    }
    let found = newest(file)?.map(|(_, mark)| mark);
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

/// Returns the newest valid slot of a guard file and what it holds.
pub fn newest(file: &dyn File) -> Result<Option<(usize, GuardMark)>, StoreError> {
    let mut best: Option<(usize, GuardMark)> = None;
    for (slot, at) in OFFSETS.iter().enumerate() {
        let mut bytes = [0; SLOT];
        read_up_to(file, &mut bytes, *at)?;
        if let Some(mark) = decode(&bytes)
            .filter(|m| best.as_ref().is_none_or(|(_, b)| m.generation > b.generation))
        {
            best = Some((slot, mark));
        }
    }
    Ok(best)
}

fn encode(mark: &GuardMark) -> [u8; SLOT] {
    let mut out = [0; SLOT];
    out[..8].copy_from_slice(MAGIC);
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
        Some(MAGIC) => SLOT,
        Some(OLD_MAGIC) => OLD_SLOT,
        _ => return None,
    };
    let (body, tag) = bytes[..length].split_at(length - TAG);
    (chain(&[2; TAG], body)[..] == *tag).then_some(length)
}

fn decode(bytes: &[u8; SLOT]) -> Option<GuardMark> {
    let named = length(bytes)? == SLOT;
    if get_u64(bytes, 24) >= FARTHEST {
        return None;
    }
    let identity = Identity { key_id: bytes16(bytes, 104), public: bytes32(bytes, 120) };
    Some(GuardMark {
        identity: if named { identity } else { Identity::default() },
        store_id: bytes16(bytes, 8),
        generation: get_u64(bytes, 24),
        next: get_u64(bytes, 32),
        end: get_u64(bytes, 40),
        session: get_u64(bytes, 48),
        tag: bytes16(bytes, 56),
        previous_tag: bytes16(bytes, 72),
        machine: bytes16(bytes, 88),
    })
}
