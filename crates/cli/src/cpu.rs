//! The processor: pinning a thread to a core, and the CPU time a thread has used.

use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

use crate::output::note;

/// The cores this process may use, by their numbers. Ask before any thread is pinned.
pub fn allowed() -> Vec<usize> {
    sched_getaffinity(None).map_or_else(
        |_| Vec::new(),
        |set| (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect(),
    )
}

/// Pins the calling thread to the `nth` of `cores`, counted round; says whether that worked.
pub fn pin(cores: &[usize], nth: usize) -> bool {
    let Some(core) = cores.get(nth % cores.len().max(1)) else { return false };
    let mut set = CpuSet::new();
    set.set(*core);
    sched_setaffinity(None, &set).is_ok()
}

/// Runs `work` on a thread of its own, pinned to the last core: threads that `work` does not
/// start are not tied down with it.
pub fn pinned<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let cores = allowed();
    std::thread::scope(|scope| {
        let pinned = scope.spawn(|| {
            if !pin(&cores, cores.len().saturating_sub(1)) {
                note("the thread could not be pinned to a core: expect a wider spread");
            }
            work()
        });
        pinned.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// CPU time the calling thread has used.
pub fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
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
    fn thread_time_advances() {
        let before = thread_time();
        let sum: u64 = std::hint::black_box((0..2_000_000u64).fold(0, |a, b| a ^ b));
        assert!(sum < u64::MAX && thread_time() > before);
    }

    #[test]
    fn no_core_no_pin() {
        assert!(!pin(&[], 0));
    }
}
