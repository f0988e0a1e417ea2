//! The low-water mark, computed from the signing rate and the measured commit time.

use std::time::Duration;

/// Returns the low-water mark: ceil(rate x commit) + burst indices. While the pool has more, a
/// commit that begins now ends before the pool is empty.
pub fn low_mark(per_second: f64, commit: Duration, burst: u64) -> u64 {
    let during = (per_second.max(0.0) * commit.as_secs_f64()).ceil();
    (during as u64).saturating_add(burst)
}

/// Durations of the last 256 commits. The slowest is at least their 99.6th percentile.
#[derive(Debug, Default)]
pub(crate) struct CommitTimes {
    last: Vec<Duration>,
    at: usize,
}

impl CommitTimes {
    pub fn add(&mut self, time: Duration) {
        if self.last.len() < 256 {
            self.last.push(time);
        } else {
            self.last[self.at % 256] = time;
        }
        self.at += 1;
    }

    pub fn slowest(&self) -> Duration {
        self.last.iter().max().copied().unwrap_or_default()
    }
}

/// Permits taken per second: the rate in the last window or its decaying average, whichever is
/// higher.
#[derive(Debug, Default)]
pub(crate) struct Rate {
    taken: u64,
    window: Duration,
    average: f64,
    last: f64,
}

const WINDOW: Duration = Duration::from_millis(50);

impl Rate {
    pub fn take(&mut self) {
        self.taken += 1;
    }

    /// Adds `elapsed` to the window. Closes the window when it is long enough.
    pub fn pass(&mut self, elapsed: Duration) {
        self.window += elapsed;
        if self.window >= WINDOW {
            self.last = self.taken as f64 / self.window.as_secs_f64();
            self.average = self.average.mul_add(0.75, 0.25 * self.last);
            (self.taken, self.window) = (0, Duration::ZERO);
        }
    }

    pub fn per_second(&self) -> f64 {
        self.last.max(self.average)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_covers_one_commit_and_the_burst() {
        assert_eq!(low_mark(2000.0, Duration::from_millis(8), 4), 20);
        assert_eq!(low_mark(0.0, Duration::from_millis(8), 1), 1);
        assert_eq!(low_mark(1.0, Duration::from_micros(35), 0), 1);
    }

    #[test]
    fn the_rate_follows_a_rise_at_once_and_a_fall_slowly() {
        let mut rate = Rate::default();
        (0..100).for_each(|_| rate.take());
        rate.pass(Duration::from_millis(100));
        assert!((rate.per_second() - 1000.0).abs() < 1e-6);
        rate.pass(Duration::from_millis(100));
        assert!(rate.per_second() > 100.0);
    }
}
