//! Protects the memory of a process that holds secrets: from core dumps, from debuggers of the same
//! user and, as far as the limits allow, from the swap space. The last two protections exist only
//! on Linux. Elsewhere `memory_locked` in the report says that the memory is not locked.

use std::sync::atomic::{AtomicU8, Ordering};

use rustix::process::{Resource, Rlimit, setrlimit};

/// No lock was requested yet.
const UNASKED: u8 = 0;
const OPEN: u8 = 1;
const LOCKED: u8 = 2;

/// State of the memory lock: [`UNASKED`], [`OPEN`] or [`LOCKED`].
static STATE: AtomicU8 = AtomicU8::new(UNASKED);

/// Protects the memory of this process. This never fails: if a limit prevents locking,
/// `memory_locked` in the report says so.
pub fn protect() {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // Both only restrict this process, and every process may do that.
    let _ = setrlimit(Resource::Core, none);
    system::hide();
    lock();
}

/// Locks the present memory of the process and, if there is no limit, also future memory. With a
/// limit, future memory stays unlocked, so this is called again after a secret was read.
pub fn lock() {
    let state = if system::lock() { LOCKED } else { OPEN };
    STATE.store(state, Ordering::Relaxed);
}

/// Returns whether the memory is locked; `None` if the process does not protect its memory.
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

    /// Prevents debuggers of the same user from attaching.
    pub fn hide() {
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }

    /// Locks the memory. Returns true if that succeeded.
    pub fn lock() -> bool {
        let now = MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT;
        let wanted = if is_unlimited() { now | MlockAllFlags::FUTURE } else { now };
        mlockall(wanted).is_ok()
    }

    /// Raises the limit as far as possible. Returns true if there is no limit.
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
