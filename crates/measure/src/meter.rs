//! Meters for the cost of an operation, in microseconds or in compressions.

use std::time::Instant;

use hasten_kernels::Counter;
use hasten_report::micros;

/// A meter of costs.
pub trait Meter {
    /// Returns the result of `work` and its cost.
    fn cost<R>(&self, work: impl FnOnce() -> R) -> (R, f64);
}

/// Wall-clock time in microseconds.
pub struct Clock;

impl Meter for Clock {
    fn cost<R>(&self, work: impl FnOnce() -> R) -> (R, f64) {
        let began = Instant::now();
        let result = work();
        (result, micros(began.elapsed()))
    }
}

/// Compressions (permutations) counted by a counter.
pub struct Compressions<'c>(pub &'c Counter);

impl Meter for Compressions<'_> {
    fn cost<R>(&self, work: impl FnOnce() -> R) -> (R, f64) {
        let before = self.0.total();
        let result = work();
        (result, (self.0.total() - before) as f64)
    }
}
