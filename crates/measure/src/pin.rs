//! Pinning of threads to cores, so that a measurement stays on one core. It is supported only on
//! Linux; elsewhere every measurement reports that it was not pinned.

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::{Progress, Watch};

/// Returns the numbers of the cores that this process may use. Call it before any thread is pinned.
#[cfg(target_os = "linux")]
pub fn allowed() -> Vec<usize> {
    sched_getaffinity(None).map_or_else(
        |_| Vec::new(),
        |set| (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect(),
    )
}

/// Pins the calling thread to core number `nth` of `cores`, modulo their number. Returns false if
/// that fails.
#[cfg(target_os = "linux")]
pub fn pin(cores: &[usize], nth: usize) -> bool {
    let Some(core) = cores.get(nth % cores.len().max(1)) else { return false };
    let mut set = CpuSet::new();
    set.set(*core);
    sched_setaffinity(None, &set).is_ok()
}

/// Returns no cores, because they have no numbers here.
#[cfg(not(target_os = "linux"))]
pub fn allowed() -> Vec<usize> {
    Vec::new()
}

/// Returns false, because threads cannot be pinned here.
#[cfg(not(target_os = "linux"))]
pub fn pin(_cores: &[usize], _nth: usize) -> bool {
    false
}

/// Runs `work` on a new thread, pinned to the last core. The calling thread and its other threads
/// are not pinned. The watch is notified if pinning fails.
pub fn pinned<R: Send>(watch: Watch<'_>, work: impl FnOnce() -> R + Send) -> R {
    let cores = allowed();
    std::thread::scope(|scope| {
        let pinned = scope.spawn(|| {
            if !pin(&cores, cores.len().saturating_sub(1)) {
                // Pinning is optional, so an answer to stop is left to the next check of the watch.
                let _ = watch.hear(Progress::Unpinned);
            }
            work()
        });
        pinned.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_may_use_one_core() {
        let cores = allowed();
        assert!(!cores.is_empty());
        std::thread::spawn(move || {
            assert!(pin(&cores, 1));
            assert_eq!(allowed(), [cores[1 % cores.len()]]);
        })
        .join()
        .expect("the pinned thread ends");
    }

    #[test]
    fn no_core_no_pin() {
        assert!(!pin(&[], 0));
    }
}
