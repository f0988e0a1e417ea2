//! Progress of a run, printed to standard error once a second.

use std::sync::Mutex;
use std::time::Instant;

/// Counts steps and prints the count.
pub struct Progress {
    what: String,
    state: Mutex<(u64, Instant)>,
    begun: Instant,
}

impl Progress {
    /// Starts counting.
    pub fn new(what: &str) -> Self {
        let now = Instant::now();
        Self { what: what.to_owned(), state: Mutex::new((0, now)), begun: now }
    }

    /// Counts one step. Prints the count if a second has passed.
    pub fn step(&self, wrong: usize) {
        let mut state = self.state.lock().expect("no thread died");
        state.0 += 1;
        if state.1.elapsed().as_secs() >= 1 {
            state.1 = Instant::now();
            let (done, seconds) = (state.0, self.begun.elapsed().as_secs());
            eprintln!("{}: {done} cases in {seconds} s, {wrong} wrong at hand", self.what);
        }
    }
}
