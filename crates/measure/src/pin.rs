//! Ties threads to cores, so that a measurement stays on one. Linux alone lets a thread be tied;
//! elsewhere every measurement says that it was not.

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::{Progress, Watch};

/// Returns the cores this process may use, by their numbers. Ask before any thread is pinned.
#[cfg(target_os = "linux")]
pub fn allowed() -> Vec<usize> {
    sched_getaffinity(None).map_or_else(
        |_| Vec::new(),
        |set| (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect(),
    )
}

/// Ties the calling thread to the `nth` of `cores`, counted round. Returns false if it cannot.
#[cfg(target_os = "linux")]
pub fn pin(cores: &[usize], nth: usize) -> bool {
    let Some(core) = cores.get(nth % cores.len().max(1)) else { return false };
    let mut set = CpuSet::new();
    set.set(*core);
    sched_setaffinity(None, &set).is_ok()
}

/// Returns no core, since none can be named.
#[cfg(not(target_os = "linux"))]
pub fn allowed() -> Vec<usize> {
    Vec::new()
}

/// Returns false, since no thread can be tied.
#[cfg(not(target_os = "linux"))]
pub fn pin(_cores: &[usize], _nth: usize) -> bool {
    false
}

/// Runs `work` on a thread of its own, tied to the last core: threads that `work` does not start
/// are not tied down with it. The watch hears of it where the thread cannot be tied.
pub fn pinned<R: Send>(watch: Watch<'_>, work: impl FnOnce() -> R + Send) -> R {
    let cores = allowed();
    std::thread::scope(|scope| {
        let pinned = scope.spawn(|| {
            if !pin(&cores, cores.len().saturating_sub(1)) {
                // A wider spread is no reason to stop; the next check asks again.
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
