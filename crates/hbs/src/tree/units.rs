//! Units of work, done in any order on one thread or several, and taken in order.

use crate::Error;
#[cfg(feature = "std")]
use crate::scrub;
use core::ops::{ControlFlow, Range};

/// Makes `units` with `make` on `threads` threads (without the feature `std`: on this one), and
/// gives them to `take` in order, which may break off.
///
/// # Errors
/// [`Error::Stopped`] if it did.
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

fn stopped(flow: ControlFlow<()>) -> Result<(), Error> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped),
    }
}

/// Threads take the units in order; their results are put in order here.
#[cfg(feature = "std")]
fn shared<T: Send>(
    threads: usize,
    units: Range<u32>,
    make: &(impl Fn(u32) -> T + Sync),
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> Result<(), Error> {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    let next = AtomicU32::new(units.start);
    let (send, receive) = std::sync::mpsc::sync_channel(threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next, end) = (send.clone(), &next, units.end);
            let mine = move || Some(next.fetch_add(1, Relaxed)).filter(|unit| *unit < end);
            let work = move || {
                while let Some(unit) = mine() {
                    if send.send((unit, make(unit))).is_err() {
                        return;
                    }
                }
            };
            scope.spawn(|| scrub::deep(work));
        }
        drop(send);
        let ended = collect(units.start, receive, take);
        if ended.is_err() {
            next.store(units.end, Relaxed);
        }
        ended
    })
}

#[cfg(feature = "std")]
fn collect<T>(
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
        }
    }
    Ok(())
}
