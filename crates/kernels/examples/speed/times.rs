//! Timing of repeated runs.

use serde_json::{Value, json};
use std::time::Instant;

/// Measured times in nanoseconds, in ascending order.
pub struct Times(Vec<f64>);

/// Times the work in 300 windows of at least 20 us each.
pub fn times(mut work: impl FnMut()) -> Times {
    let mut window = |runs: u32| {
        let start = Instant::now();
        (0..runs).for_each(|_| work());
        start.elapsed().as_nanos() as f64 / f64::from(runs)
    };
    let mut runs = 1;
    while window(runs) * f64::from(runs) < 20e3 {
        runs *= 2;
    }
    let mut all: Vec<f64> = (0..300).map(|_| window(runs)).collect();
    all.sort_by(f64::total_cmp);
    Times(all)
}

impl Times {
    /// Divides every time by `parts`: the time of one of so many equal parts of the work.
    pub fn of(self, parts: u64) -> Self {
        Self(self.0.into_iter().map(|time| time / parts as f64).collect())
    }

    /// Returns the shortest time, in nanoseconds.
    pub fn least(&self) -> f64 {
        self.0[0]
    }

    /// Returns minimum, median, 99th percentile and maximum, in microseconds.
    pub fn spread(&self) -> Value {
        let at = |part: f64| {
            let nanos = self.0[((self.0.len() - 1) as f64 * part) as usize];
            (nanos * 1e2).round() / 1e5
        };
        json!({ "min": at(0.0), "p50": at(0.5), "p99": at(0.99), "max": at(1.0) })
    }
}
