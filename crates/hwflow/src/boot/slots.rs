//! Limits the number of processes that run at once to the number of processors.

use std::sync::{Condvar, Mutex, PoisonError};

/// Free slots for processes.
#[derive(Debug)]
pub struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Slots {
    /// Returns one slot per processor.
    pub fn new() -> Self {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        Self { free: Mutex::new(count), freed: Condvar::new() }
    }

    /// Waits for a free slot, runs `work` in it, and returns the result.
    pub fn within<T>(&self, work: impl FnOnce() -> T) -> T {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free =
            self.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        drop(free);
        let done = work();
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.freed.notify_one();
        done
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_run_at_once_than_there_are_places() {
        let (slots, running) = (Slots::new(), AtomicUsize::new(0));
        let places = *slots.free.lock().expect("nobody panicked");
        let work = || {
            let now = running.fetch_add(1, Ordering::SeqCst) + 1;
            std::thread::sleep(std::time::Duration::from_millis(2));
            running.fetch_sub(1, Ordering::SeqCst);
            now
        };
        let (slots, work) = (&slots, &work);
        let most = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8 * places).map(|_| scope.spawn(move || slots.within(work))).collect();
            threads.into_iter().map(|thread| thread.join().expect("it does not panic")).max()
        });
        assert!(most.is_some_and(|most| most <= places));
        assert_eq!(*slots.free.lock().expect("nobody panicked"), places);
    }
}
