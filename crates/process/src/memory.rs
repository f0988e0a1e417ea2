//! Keeps the memory of a process that holds secrets to itself: out of core dumps, of debuggers of
//! the same user, and, as far as the limits allow, of the swap space. Linux alone has the last two
//! here; elsewhere `memory_locked` in the report says that the memory is not locked.

use std::sync::atomic::{AtomicU8, Ordering};

use rustix::process::{Resource, Rlimit, setrlimit};

/// Nothing asked for yet.
const UNASKED: u8 = 0;
const OPEN: u8 = 1;
const LOCKED: u8 = 2;

/// True if the memory is locked.
static STATE: AtomicU8 = AtomicU8::new(UNASKED);

/// Protects the memory of this process. Nothing fails for it: where a limit forbids to lock
/// memory, `memory_locked` in the report says so.
pub fn protect() {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // Both only narrow what this process may do, and are allowed to every process.
    let _ = setrlimit(Resource::Core, none);
    system::hide();
    lock();
}

/// Locks what the process has in memory now, and what comes later where there is no limit. With a
/// limit, later memory must stay free to be taken, so this is called again once a secret is read.
pub fn lock() {
    let state = if system::lock() { LOCKED } else { OPEN };
    STATE.store(state, Ordering::Relaxed);
}

/// Returns whether the memory is locked, in a process that protects it.
pub fn locked() -> Option<bool> {
    match STATE.load(Ordering::Relaxed) {
        UNASKED => None,
        state => Some(state == LOCKED),
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::mm::{MlockAllFlags, mlockall};
    use rustix::process::{
        DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit,
    };
    use rustix::thread::{CapabilitySet, CapabilitySets, capabilities};

    /// Keeps debuggers of the same user away.
    pub fn hide() {
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }

    /// Locks the memory; whether that was done.
    pub fn lock() -> bool {
        let now = MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT;
        let wanted = if is_unlimited() { now | MlockAllFlags::FUTURE } else { now };
        mlockall(wanted).is_ok()
    }

    /// Raises the limit as far as it goes; whether there is none.
    fn is_unlimited() -> bool {
        let limit = getrlimit(Resource::Memlock);
        let _ = setrlimit(Resource::Memlock, Rlimit { current: limit.maximum, ..limit });
        let privileged = |sets: CapabilitySets| sets.effective.contains(CapabilitySet::IPC_LOCK);
        limit.maximum.is_none() || capabilities(None).is_ok_and(privileged)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn hide() {}

    pub fn lock() -> bool {
        false
    }
}
