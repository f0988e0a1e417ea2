//! Measurement in windows: warm up, determine the number of calls that fill a window, then time
//! many windows.

use std::time::Duration;

use hasten_report::{Summary, micros};

use crate::clock;

/// Length of one window.
const WINDOW: Duration = Duration::from_micros(200);

/// Warm-up before the first window.
const WARM_UP: Duration = Duration::from_millis(10);

/// Microseconds per unit of work for each window.
pub struct Timing(Vec<f64>);

impl Timing {
    /// Returns the minimum, median, 99th percentile and maximum.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.0)
    }

    /// Returns the smallest time, unrounded.
    #[cfg(target_arch = "x86_64")]
    pub fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the number of windows that were timed.
    pub fn windows(&self) -> usize {
        self.0.len()
    }

    /// Returns the times of `other` divided by those of `self`, window by window. A ratio above 1
    /// means that `self` is faster.
    pub fn ratio(&self, other: &Self) -> Summary {
        let pairs = self.0.iter().zip(&other.0);
        Summary::of(&pairs.map(|(ours, theirs)| theirs / ours).collect::<Vec<_>>())
    }
}

/// Work to be timed; each call does `units` units of work.
pub struct Subject<'s> {
    call: &'s mut dyn FnMut(),
    units: usize,
    calls: usize,
    now: fn() -> Duration,
}

impl<'s> Subject<'s> {
    /// Warms up `call`, and determines the number of calls that fill a window.
    pub fn new(units: usize, call: &'s mut dyn FnMut()) -> Self {
        Self::by(clock::thread_time, units, call)
    }

    /// Warms up `call` as [`new`](Self::new) does, but for a tenth of the time. This suffices for
    /// many subjects timed in alternation, because each warms up the next.
    pub fn brief(units: usize, call: &'s mut dyn FnMut()) -> Self {
        Self::warmed(WARM_UP / 10, clock::thread_time, units, call)
    }

    /// Warms up `call` as [`new`](Self::new) does, and measures wall-clock time, which includes the
    /// work of other threads.
    pub fn of_several_threads(units: usize, call: &'s mut dyn FnMut()) -> Self {
        Self::by(clock::elapsed, units, call)
    }

    /// Warms up `call` and measures with the clock `now`.
    fn by(now: fn() -> Duration, units: usize, call: &'s mut dyn FnMut()) -> Self {
        Self::warmed(WARM_UP, now, units, call)
    }

    fn warmed(
        warm_up: Duration,
        now: fn() -> Duration,
        units: usize,
        call: &'s mut dyn FnMut(),
    ) -> Self {
        let began = now();
        let mut warm_calls = 0;
        while now().saturating_sub(began) < warm_up {
            call();
            warm_calls += 1;
        }
        let each = now().saturating_sub(began).as_nanos() / warm_calls;
        let calls = (WINDOW.as_nanos() / each.max(1)).max(1) as usize;
        Self { call, units, calls, now }
    }

    /// Runs one window and returns microseconds per unit of work.
    pub fn window(&mut self) -> f64 {
        let began = (self.now)();
        for _ in 0..self.calls {
            (self.call)();
        }
        let used = (self.now)().saturating_sub(began);
        micros(used) / (self.calls * self.units) as f64
    }
}

/// Times `windows` windows of two subjects in alternation, so that both see the same state of the
/// machine.
pub fn in_turn(windows: usize, mut ours: Subject<'_>, mut theirs: Subject<'_>) -> (Timing, Timing) {
    let pairs = (0..windows).map(|_| (ours.window(), theirs.window()));
    let (ours, theirs) = pairs.unzip();
    (Timing(ours), Timing(theirs))
}

/// Times `windows` windows of one subject.
pub fn alone(windows: usize, mut subject: Subject<'_>) -> Timing {
    Timing((0..windows).map(|_| subject.window()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static CLOCK: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    /// Returns the simulated time that this thread's work has taken so far.
    fn told() -> Duration {
        CLOCK.get()
    }

    /// Returns work that takes exactly this long.
    fn takes(micros: u64) -> impl FnMut() {
        move || CLOCK.set(CLOCK.get() + Duration::from_micros(micros))
    }

    #[test]
    fn twice_the_work_takes_twice_the_time() {
        let (mut single, mut double) = (takes(2), takes(4));
        let (ours, theirs) =
            in_turn(50, Subject::by(told, 1, &mut single), Subject::by(told, 1, &mut double));
        assert_eq!(ours.summary(), Summary::constant(2.0));
        assert_eq!(theirs.summary(), Summary::constant(4.0));
        assert_eq!(ours.ratio(&theirs), Summary::constant(2.0));
    }

    #[test]
    fn units_divide_the_time() {
        let mut work = takes(30);
        let timing = alone(50, Subject::by(told, 10, &mut work));
        assert_eq!(timing.summary(), Summary::constant(3.0));
    }

    #[test]
    fn a_window_is_filled_with_calls_and_holds_one_at_least() {
        for (micros, calls) in [(2, 100), (40, 5), (700, 1)] {
            let mut work = takes(micros);
            assert_eq!(Subject::by(told, 1, &mut work).calls, calls);
        }
    }
}
