//! Units of work, computed in any order on one thread or several, with the results taken in order.

use crate::Error;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

/// Computes `units` with `make` on `threads` threads (without the feature `std`: on this one), and
/// passes the results to `take` in order. `take` may stop the work.
///
/// # Errors
/// [`Error::Stopped`] if `take` stopped it.
pub(crate) fn in_order<T: Send>(
    threads: usize,
    units: Range<u32>,
    make: &(impl Fn(u32) -> T + Sync),
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> Result<(), Error> {
    #[cfg(feature = "std")]
    if threads > 1 {
        return shared(threads, units, make, take);
    }
    let _ = threads;
    let mut units = units;
    stopped(units.try_for_each(|unit| take(make(unit))))
}

/// Computes `units` units as [`in_order`] does, and returns the results in order.
pub(crate) fn all_in_order<T: Send>(
    threads: usize,
    units: u32,
    make: &(impl Fn(u32) -> T + Sync),
) -> Vec<T> {
    let mut made = Vec::with_capacity(units as usize);
    let mut take = |unit| {
        made.push(unit);
        ControlFlow::Continue(())
    };
    // `take` never stops the work.
    let _ = in_order(threads.min(units as usize), 0..units, make, &mut take);
    made
}

fn stopped(flow: ControlFlow<()>) -> Result<(), Error> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped),
    }
}

/// Computes units on several threads. The threads take the units in order; the results are sorted
/// here.
#[cfg(feature = "std")]
fn shared<T: Send>(
    threads: usize,
    units: Range<u32>,
    make: &(impl Fn(u32) -> T + Sync),
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> Result<(), Error> {
    let turns = Turns::new(&units, threads);
    let (send, receive) = std::sync::mpsc::sync_channel(threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, turns) = (send.clone(), &turns);
            let work = move || {
                let _stop = StopAtEnd(turns);
                while let Some(unit) = turns.next() {
                    if send.send((unit, make(unit))).is_err() {
                        return;
                    }
                }
            };
            scope.spawn(|| wiped(work));
        }
        drop(send);
        let _stop = StopAtEnd(&turns);
        collect(&turns, units.start, receive, take)
    })
}

/// Runs the work of a thread and overwrites the stack that it used. Without the feature `sign`
/// there are no secrets, and nothing is overwritten.
#[cfg(feature = "std")]
fn wiped<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(feature = "sign")]
    return crate::scrub::deep(work);
    #[cfg(not(feature = "sign"))]
    work()
}

#[cfg(feature = "std")]
fn collect<T>(
    turns: &Turns,
    mut next: u32,
    results: std::sync::mpsc::Receiver<(u32, T)>,
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> Result<(), Error> {
    let mut early = alloc::collections::BTreeMap::new();
    for (unit, made) in results {
        early.insert(unit, made);
        while let Some(made) = early.remove(&next) {
            next += 1;
            stopped(take(made))?;
            turns.taken(next);
        }
    }
    Ok(())
}

/// The distribution of units to threads. No thread takes a unit far ahead of the one that is waited
/// for. Otherwise the results in memory could grow without bound while the thread with that unit
/// does not run.
#[cfg(feature = "std")]
struct Turns {
    /// The next unit to compute, and the first unit that may not be begun yet.
    state: std::sync::Mutex<(u32, u32)>,
    moved: std::sync::Condvar,
    end: u32,
    /// Number of units that may be taken ahead.
    ahead: u32,
}

#[cfg(feature = "std")]
impl Turns {
    /// Number of units ahead, for each thread.
    const AHEAD: u32 = 2;

    fn new(units: &Range<u32>, threads: usize) -> Self {
        let ahead = u32::try_from(threads).unwrap_or(u32::MAX).saturating_mul(Self::AHEAD);
        let state = std::sync::Mutex::new((units.start, units.start.saturating_add(ahead)));
        Self { state, moved: std::sync::Condvar::new(), end: units.end, ahead }
    }

    /// Returns the state. A panic in a thread never leaves it half changed.
    fn lock(&self) -> std::sync::MutexGuard<'_, (u32, u32)> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Waits for the next unit that may be computed; `None` after the last, or once stopped.
    fn next(&self) -> Option<u32> {
        let far = |state: &mut (u32, u32)| state.0 < self.end && state.0 >= state.1;
        let waited = self.moved.wait_while(self.lock(), far);
        let mut state = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
        let unit = state.0;
        state.0 = unit.saturating_add(1);
        Some(unit).filter(|unit| *unit < self.end)
    }

    /// Records that the results of all units before this one were taken.
    fn taken(&self, before: u32) {
        self.lock().1 = before.saturating_add(self.ahead);
        self.moved.notify_all();
    }
}

/// A guard that stops further units when it is dropped: at the end, after a stop, after a panic.
#[cfg(feature = "std")]
struct StopAtEnd<'a>(&'a Turns);

#[cfg(feature = "std")]
impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.lock().0 = self.0.end;
        self.0.moved.notify_all();
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::{Turns, in_order};
    use crate::Error;
    use core::ops::ControlFlow::{Break, Continue};
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

    #[test]
    fn units_come_in_order_and_none_is_made_far_ahead() {
        let (threads, taken) = (3, AtomicU32::new(4));
        let far = u32::try_from(threads).unwrap() * Turns::AHEAD;
        let make = |unit| {
            assert!(unit < taken.load(SeqCst) + far, "unit {unit} is too early");
            // The unit that all wait for takes long.
            if unit == 7 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            unit
        };
        let mut take = |unit| {
            assert_eq!(taken.fetch_add(1, SeqCst), unit);
            Continue(())
        };
        in_order(threads, 4..100, &make, &mut take).unwrap();
        assert_eq!(taken.load(SeqCst), 100);
    }

    #[test]
    fn a_break_ends_all_threads() {
        let mut take = |unit| if unit < 5 { Continue(()) } else { Break(()) };
        let ended = in_order(2, 0..u32::MAX, &|unit| unit, &mut take);
        assert_eq!(ended, Err(Error::Stopped));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_in_a_unit_ends_all_threads() {
        let make = |unit| assert!(unit < 3);
        let _ = in_order(2, 0..1000, &make, &mut |()| Continue(()));
    }
}
