//! Ctrl-C and the request to end. In a part that must reach a safe point by itself, the first
//! signal asks it to stop and the second ends the process. Elsewhere the first signal ends the
//! process. No unfinished file remains in any case.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::Error;

/// Flag that is set when a stop was requested.
static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// Number of program parts that stop by themselves.
static HOLDS: AtomicUsize = AtomicUsize::new(0);
/// Files that do not have their own name yet.
static PARTIAL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Function that reports the interruption and ends the process.
static END: OnceLock<fn() -> !> = OnceLock::new();

/// Sets the function that ends the process when it is interrupted, after all unfinished files were
/// removed. Only the first call has an effect. Without such a function the process ends with status
/// 2 and prints nothing.
pub fn end_with(end: fn() -> !) {
    let _ = END.set(end);
}

/// A handle that tells whether the command was asked to stop.
#[derive(Clone, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    _hold: Option<Arc<Hold>>,
}

impl Interrupt {
    /// Listens for Ctrl-C and for the request to end. As long as this handle exists, the command
    /// itself must check for a request to stop.
    ///
    /// # Errors
    /// The system's error.
    pub fn listen() -> Result<Self, Error> {
        let hold = Arc::new(Hold::begin());
        Ok(Self { asked: attend()?, _hold: Some(hold) })
    }

    /// Returns true if a stop was requested.
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Returns an error if a stop was requested.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn check(&self) -> Result<(), Error> {
        if self.asked() { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// As long as a value of this type exists, the first Ctrl-C only requests a stop.
pub struct Hold(());

impl Hold {
    /// Begins a part that must not be interrupted.
    pub fn begin() -> Self {
        HOLDS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        HOLDS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// From now on Ctrl-C ends the command cleanly, except in parts that a [`Hold`] protects.
///
/// # Errors
/// The system's error.
pub fn attend() -> Result<Arc<AtomicBool>, Error> {
    if let Some(asked) = ASKED.get() {
        return Ok(asked.clone());
    }
    let failed = Error::system("listening for Ctrl-C");
    let signals = Signals::new([SIGINT, SIGTERM]).map_err(failed)?;
    let asked = ASKED.get_or_init(Arc::default).clone();
    let shared = asked.clone();
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || wait(signals, &shared))
        .map_err(Error::system("listening for Ctrl-C"))?;
    Ok(asked)
}

fn wait(mut signals: Signals, asked: &AtomicBool) {
    for _ in signals.forever() {
        if asked.swap(true, Ordering::SeqCst) || HOLDS.load(Ordering::SeqCst) == 0 {
            end();
        }
    }
}

/// Ends the process. The lock is held, so that no file is begun in the meantime.
fn end() -> ! {
    let partial = partial();
    for path in &*partial {
        // The file does not exist under this name if it already has its final one.
        let _ = std::fs::remove_file(path);
    }
    match END.get() {
        Some(end) => end(),
        None => std::process::exit(2),
    }
}

fn partial() -> MutexGuard<'static, Vec<PathBuf>> {
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a file with `make`. The file is removed if the process ends before it has its name.
pub fn begun<T, E>(path: &Path, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let mut partial = partial();
    let made = make()?;
    partial.push(path.to_owned());
    Ok(made)
}

/// Forgets a file that has its name or was removed.
pub fn ended(path: &Path) {
    partial().retain(|kept| kept != path);
}
