//! The module of this process: its slots and sessions.
//!
//! A forked child has no module. Every call first checks that the process is the one that called
//! C_Initialize, before it takes a lock that another thread of the parent may have held. The child
//! may call C_Initialize itself. The structure of a module that has ended or was forked is never
//! freed, because a thread may still read it; after C_Finalize it contains no secrets.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cryptoki_sys::*;
use hasten_pq::store::visible;

use crate::config::Config;
use crate::fault::Fault;
use crate::token::sign::Operation;
use crate::token::slot::Slot;

static CURRENT: AtomicPtr<Module> = AtomicPtr::new(std::ptr::null_mut());

/// The module, as created by C_Initialize.
pub struct Module {
    pid: u32,
    ended: AtomicBool,
    /// The configuration.
    pub config: Config,
    /// The slots, by number.
    pub slots: Vec<Slot>,
    sessions: Mutex<Sessions>,
}

/// The open sessions by handle.
#[derive(Default)]
struct Sessions {
    open: BTreeMap<CK_SESSION_HANDLE, Session>,
    last: CK_SESSION_HANDLE,
}

/// One session.
#[derive(Default)]
pub struct Session {
    /// The number of the slot.
    pub slot: usize,
    /// True for a read/write session.
    pub writes: bool,
    /// Handles that a search found and has not returned yet.
    pub found: Option<std::vec::IntoIter<CK_OBJECT_HANDLE>>,
    /// The operation of C_SignInit.
    pub sign: Option<Operation>,
    /// The operation of C_VerifyInit.
    pub verify: Option<Operation>,
    /// The operation of C_VerifySignatureInit, with the signature.
    pub verify_signature: Option<(Operation, Vec<u8>)>,
}

/// The error for a handle without a session.
const NO_SESSION: Fault = Fault::Rv(CKR_SESSION_HANDLE_INVALID);

impl Module {
    /// Creates the module of this process from its configuration.
    pub fn begin() -> Result<(), Fault> {
        let before = CURRENT.load(SeqCst);
        let old = Self::at(before);
        if old.is_some_and(Self::lives) {
            return Err(Fault::Rv(CKR_CRYPTOKI_ALREADY_INITIALIZED));
        }
        let config = Config::load().map_err(|why| Fault::Told(CKR_GENERAL_ERROR, why))?;
        let new = Box::into_raw(Box::new(Self::new(config, old)));
        match CURRENT.compare_exchange(before, new, SeqCst, SeqCst) {
            Ok(_) => Ok(()),
            Err(_) => Err(Fault::Rv(CKR_CRYPTOKI_ALREADY_INITIALIZED)),
        }
    }

    fn new(config: Config, old: Option<&Self>) -> Self {
        let slots: Vec<Slot> = config.slots.iter().cloned().map(Slot::new).collect();
        // The count of wrong PINs survives C_Finalize, because otherwise the limit could be
        // bypassed.
        for (new, old) in slots
            .iter()
            .flat_map(|new| old.iter().flat_map(|old| &old.slots).map(move |old| (new, old)))
        {
            if new.place.first() == old.place.first() {
                new.wrong.store(old.wrong.load(SeqCst), SeqCst);
            }
        }
        let (pid, ended, sessions) = (std::process::id(), AtomicBool::new(false), Mutex::default());
        Self { pid, ended, config, slots, sessions }
    }

    fn at(pointer: *const Self) -> Option<&'static Self> {
        // SAFETY: it is NULL, or comes from a box that `begin` made and that is never freed.
        unsafe { pointer.as_ref() }
    }

    fn lives(&self) -> bool {
        self.pid == std::process::id() && !self.ended.load(SeqCst)
    }

    /// Returns the module of this process.
    pub fn current() -> Result<&'static Self, Fault> {
        let module = Self::at(CURRENT.load(SeqCst)).filter(|module| module.lives());
        module.ok_or(Fault::Rv(CKR_CRYPTOKI_NOT_INITIALIZED))
    }

    /// Writes a line to the configured log, or to standard error if there is no module.
    pub fn note(line: &str) {
        match Self::at(CURRENT.load(SeqCst)) {
            Some(module) => module.config.note(line),
            None => eprintln!("hasten-pkcs11[{}]: {}", std::process::id(), visible(line)),
        }
    }

    /// Ends the module: closes all sessions and keys, and discards all secrets.
    pub fn end(&self) -> Result<(), Fault> {
        self.ended.store(true, SeqCst);
        let mut sessions = self.sessions();
        sessions.open.clear();
        self.slots.iter().for_each(Slot::end_epoch);
        drop(sessions);
        // All slots are processed, even if one fails.
        let ends: Vec<_> = self.slots.iter().map(Slot::forget).collect();
        ends.into_iter().collect()
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        // A panic leaves no session partly changed: each change is a single assignment.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the slot with this number.
    pub fn slot(&self, id: CK_SLOT_ID) -> Result<&Slot, Fault> {
        let slot = usize::try_from(id).ok().and_then(|id| self.slots.get(id));
        slot.ok_or(Fault::Rv(CKR_SLOT_ID_INVALID))
    }

    /// Opens a session.
    pub fn open(&self, slot: usize, writes: bool) -> CK_SESSION_HANDLE {
        let mut sessions = self.sessions();
        sessions.last += 1;
        let handle = sessions.last;
        sessions.open.insert(handle, Session { slot, writes, ..Session::default() });
        handle
    }

    /// Closes a session. If it is the last one of its slot, the user is logged out.
    pub fn close(&self, handle: CK_SESSION_HANDLE) -> Result<(), Fault> {
        let mut sessions = self.sessions();
        let slot = sessions.open.remove(&handle).ok_or(NO_SESSION)?.slot;
        if sessions.open.values().any(|session| session.slot == slot) {
            return Ok(());
        }
        self.slots[slot].end_epoch();
        drop(sessions);
        self.slots[slot].forget()
    }

    /// Closes all sessions of a slot and logs the user out.
    pub fn close_all(&self, slot: usize) -> Result<(), Fault> {
        let mut sessions = self.sessions();
        sessions.open.retain(|_, session| session.slot != slot);
        self.slots[slot].end_epoch();
        drop(sessions);
        self.slots[slot].forget()
    }

    /// Logs the user of a session's slot out, and ends the signatures that were begun there.
    pub fn log_out(&self, handle: CK_SESSION_HANDLE) -> Result<(), Fault> {
        let mut sessions = self.sessions();
        let number = sessions.open.get(&handle).ok_or(NO_SESSION)?.slot;
        let slot = &self.slots[number];
        if !slot.is_logged_in() {
            return Err(Fault::Rv(CKR_USER_NOT_LOGGED_IN));
        }
        let of = sessions.open.values_mut().filter(|session| session.slot == number);
        of.for_each(|session| session.sign = None);
        slot.end_epoch();
        drop(sessions);
        slot.forget()
    }

    /// Returns the number of sessions of a slot, and the number of read/write sessions among them.
    pub fn count(&self, slot: usize) -> (usize, usize) {
        let sessions = self.sessions();
        let of = sessions.open.values().filter(|session| session.slot == slot);
        of.fold((0, 0), |(all, writing), one| (all + 1, writing + usize::from(one.writes)))
    }

    /// Runs a function on a session. It must be fast, because it holds the sessions lock.
    pub fn session<R>(
        &self,
        handle: CK_SESSION_HANDLE,
        body: impl FnOnce(&mut Session) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        body(self.sessions().open.get_mut(&handle).ok_or(NO_SESSION)?)
    }

    /// Returns the slot of a session.
    pub fn slot_of(&self, handle: CK_SESSION_HANDLE) -> Result<(usize, &Slot), Fault> {
        let number = self.session(handle, |session| Ok(session.slot))?;
        Ok((number, &self.slots[number]))
    }
}

/// Increments the count of wrong PINs.
pub fn count_wrong(wrong: &AtomicU32) {
    let _counted = wrong.fetch_update(SeqCst, SeqCst, |count| count.checked_add(1));
}
