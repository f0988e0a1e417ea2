//! Keeps the memory of a process that holds secrets to itself: out of core dumps, of debuggers of
//! the same user, and, as far as the limits allow, of the swap space.

use std::sync::Mutex;

use rustix::mm::{MlockAllFlags, mlockall};
use rustix::process::{
    DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit,
};
use rustix::thread::{CapabilitySet, capabilities};

/// How much of the memory is locked: `all`, `part` (the heap and the stacks as they were when the
/// secret was read) or `none`; nothing in a process that protects none.
static LOCKED: Mutex<Option<&'static str>> = Mutex::new(None);

/// Protects the memory of this process. Nothing fails for it: where a limit forbids to lock
/// memory, `memory_locked` in the report says so.
pub fn protect() {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // Both only narrow what this process may do, and are allowed to every process.
    let _ = setrlimit(Resource::Core, none);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    lock();
}

/// Locks what the process has in memory, and what comes later where there is no limit. With a
/// limit, later memory must stay free to be taken, so this is called again once a secret is read.
pub fn lock() {
    let how = match is_unlimited() && mlockall(everything()).is_ok() {
        true => "all",
        false if lock_writable() => "part",
        false => "none",
    };
    *LOCKED.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(how);
}

fn everything() -> MlockAllFlags {
    MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT
}

/// Returns how much of the memory is locked, in a process that protects it.
pub fn locked() -> Option<&'static str> {
    *LOCKED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Raises the limit as far as it goes; whether there is none.
fn is_unlimited() -> bool {
    let limit = getrlimit(Resource::Memlock);
    let _ = setrlimit(Resource::Memlock, Rlimit { current: limit.maximum, ..limit });
    let privileged =
        |sets: rustix::thread::CapabilitySets| sets.effective.contains(CapabilitySet::IPC_LOCK);
    limit.maximum.is_none() || capabilities(None).is_ok_and(privileged)
}

/// Locks the heap and the stacks, the smallest part first, until the limit is met; whether the
/// heap is among them.
fn lock_writable() -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut parts: Vec<_> = maps.lines().filter_map(writable).collect();
    parts.sort_unstable_by_key(|(start, end, _)| end - start);
    let lock = |(start, end, heap): &(usize, usize, bool)| {
        let held = region::lock(std::ptr::without_provenance::<u8>(*start), end - start).ok()?;
        // For as long as the process lives.
        std::mem::forget(held);
        Some(*heap)
    };
    parts.iter().map_while(lock).fold(false, |any, heap| any | heap)
}

/// Returns the bounds of private memory without a file, and whether it is the heap.
fn writable(line: &str) -> Option<(usize, usize, bool)> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let rights = words.next()?;
    let name = words.nth(3);
    let number = |text| usize::from_str_radix(text, 16).ok();
    let own = rights == "rw-p" && matches!(name, None | Some("[heap]" | "[stack]"));
    own.then_some((number(start)?, number(end)?, name == Some("[heap]")))
}

#[cfg(test)]
mod tests {
    use super::writable;

    #[test]
    fn heap_and_stacks_are_found_and_files_are_not() {
        let heap = "55d0-55f1 rw-p 00000000 00:00 0                          [heap]";
        assert_eq!(writable(heap), Some((0x55d0, 0x55f1, true)));
        assert_eq!(writable("7f01-7f02 rw-p 00000000 00:00 0 "), Some((0x7f01, 0x7f02, false)));
        for other in [
            "7f01-7f02 r--p 00000000 00:00 0 ",
            "7f01-7f02 rw-p 00001000 fe:01 1234                       /usr/lib/libc.so.6",
            "7ffc-7ffd r-xp 00000000 00:00 0                          [vdso]",
            "",
        ] {
            assert_eq!(writable(other), None, "{other}");
        }
    }
}
