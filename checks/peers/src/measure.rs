//! Two sides in turn, so that both meet the same machine.

use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

/// Shortest window.
const WINDOW: Duration = Duration::from_micros(200);

/// After this long on one operation it is enough.
const ENOUGH: Duration = Duration::from_millis(500);

/// Windows of each side at least.
const FEWEST: usize = 2;

/// Microseconds of one call, window by window: ours, theirs.
pub struct Times {
    pub ours: Vec<f64>,
    pub theirs: Vec<f64>,
}

/// Ties the process to its last core.
pub fn pin() {
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let last = (0..CpuSet::MAX_CPU).rev().find(|core| allowed.is_set(*core));
    let mut set = CpuSet::new();
    last.into_iter().for_each(|core| set.set(core));
    if sched_setaffinity(None, &set).is_err() {
        eprintln!("the process could not be tied to a core: expect a wider spread");
    }
}

fn now() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

/// Calls in a window: as many as fill it, found while warming up.
fn calls(work: &mut dyn FnMut()) -> u32 {
    let began = now();
    let mut done = 0_u32;
    while done == 0 || now() - began < WINDOW * 5 {
        work();
        done += 1;
    }
    (WINDOW.as_nanos() * u128::from(done) / (now() - began).as_nanos().max(1)).max(1) as u32
}

fn window(calls: u32, work: &mut dyn FnMut()) -> f64 {
    let began = now();
    (0..calls).for_each(|_| work());
    (now() - began).as_secs_f64() * 1e6 / f64::from(calls)
}

/// Times both in turn, `most` windows each or until that takes long enough.
pub fn compare(most: usize, ours: &mut dyn FnMut(), theirs: &mut dyn FnMut()) -> Times {
    let each = (calls(ours), calls(theirs));
    let mut times = Times { ours: Vec::new(), theirs: Vec::new() };
    let began = now();
    while times.ours.len() < most && (times.ours.len() < FEWEST || now() - began < ENOUGH) {
        times.ours.push(window(each.0, ours));
        times.theirs.push(window(each.1, theirs));
    }
    times
}
