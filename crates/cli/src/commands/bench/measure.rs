//! Measurement in windows: warm up, find how many calls fill a window, then time many windows.

use std::time::Duration;

use crate::cpu;
use crate::stats::Summary;
use crate::units::micros;

/// Length of one window.
const WINDOW: Duration = Duration::from_micros(200);

/// Warm-up before the first window.
const WARM_UP: Duration = Duration::from_millis(10);

/// Microseconds per unit of work, window by window.
pub struct Timing(Vec<f64>);

impl Timing {
    /// Minimum, median, 99th percentile and maximum.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.0)
    }

    /// Times of `other` over times of this one, window by window: above 1, this one is faster.
    pub fn ratio(&self, other: &Self) -> Summary {
        let pairs = self.0.iter().zip(&other.0);
        Summary::of(&pairs.map(|(ours, theirs)| theirs / ours).collect::<Vec<_>>())
    }
}

/// Something to time: each call does `units` units of work.
pub struct Subject<'s> {
    call: &'s mut dyn FnMut(),
    units: usize,
    calls: usize,
}

impl<'s> Subject<'s> {
    /// Warms `call` up, and finds how many calls fill a window.
    pub fn new(units: usize, call: &'s mut dyn FnMut()) -> Self {
        let began = cpu::thread_time();
        let mut warm_calls = 0;
        while cpu::thread_time().saturating_sub(began) < WARM_UP {
            call();
            warm_calls += 1;
        }
        let each = cpu::thread_time().saturating_sub(began).as_nanos() / warm_calls;
        let calls = (WINDOW.as_nanos() / each.max(1)).max(1) as usize;
        Self { call, units, calls }
    }

    fn window(&mut self) -> f64 {
        let began = cpu::thread_time();
        for _ in 0..self.calls {
            (self.call)();
        }
        let used = cpu::thread_time().saturating_sub(began);
        micros(used) / (self.calls * self.units) as f64
    }
}

/// Times `windows` windows of two subjects in turn, so that both meet the same machine.
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

    /// A chain of dependent multiplications, which no compiler shortens.
    fn spin(rounds: u64) {
        let step = |a: u64, b| a.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ b;
        std::hint::black_box((0..rounds).fold(std::hint::black_box(1), step));
    }

    #[test]
    fn twice_the_work_takes_about_twice_the_time() {
        let (mut single, mut double) = (|| spin(2_000), || spin(4_000));
        let (ours, theirs) =
            in_turn(50, Subject::new(1, &mut single), Subject::new(1, &mut double));
        let ratio = ours.ratio(&theirs).p50;
        assert!((1.5..2.7).contains(&ratio), "{ratio}");
    }

    #[test]
    fn units_divide_the_time() {
        let (mut one, mut ten) = (|| spin(2_000), || spin(2_000));
        let (one, ten) = in_turn(50, Subject::new(1, &mut one), Subject::new(10, &mut ten));
        let (one, ten) = (one.summary().min, ten.summary().min);
        assert!((5.0..20.0).contains(&(one / ten)), "{one} {ten}");
    }
}
