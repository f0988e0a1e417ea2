//! Clocks. Single operations are timed by the CPU time of the calling thread; the other clocks are
//! for the work of several threads.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the CPU time that the calling thread has used.
pub fn thread_time() -> Duration {
    used(ClockId::ThreadCPUTime)
}

/// Returns the CPU time that all threads of this process have used.
pub fn process_time() -> Duration {
    used(ClockId::ProcessCPUTime)
}

/// Returns the time since a fixed moment, whichever threads run.
pub fn elapsed() -> Duration {
    used(ClockId::Monotonic)
}

fn used(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_has_used_more_than_one_of_its_threads() {
        std::thread::spawn(|| std::hint::black_box((0..2_000_000u64).fold(0, |a, b| a ^ b)))
            .join()
            .expect("it ends");
        assert!(process_time() > thread_time());
    }

    #[test]
    fn thread_time_advances() {
        let before = thread_time();
        let sum: u64 = std::hint::black_box((0..2_000_000u64).fold(0, |a, b| a ^ b));
        assert!(sum < u64::MAX && thread_time() > before);
    }
}
