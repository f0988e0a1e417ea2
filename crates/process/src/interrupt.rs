//! Ctrl-C and the request to end: where a command must come to a safe point by itself, the first
//! one asks it to and the second one ends it; everywhere else the first one ends it. However it
//! ends, no unfinished file is left.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::Error;

/// Tells whether a stop was asked for.
static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// How many parts of the program come to an end by themselves.
static HOLDS: AtomicUsize = AtomicUsize::new(0);
/// Files that have no name of their own yet.
static PARTIAL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Says that the process was interrupted, and ends it.
static END: OnceLock<fn() -> !> = OnceLock::new();

/// Names what ends the process when it is interrupted, once no unfinished file is left; the first
/// one named stays. Without one it ends with status 2 and says nothing.
pub fn end_with(end: fn() -> !) {
    let _ = END.set(end);
}

/// Returns whether the command has been asked to stop.
#[derive(Clone, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    _hold: Option<Arc<Hold>>,
}

impl Interrupt {
    /// Listens for Ctrl-C and for the request to end; as long as this lives, the command looks
    /// by itself whether it came.
    ///
    /// # Errors
    /// The system's.
    pub fn listen() -> Result<Self, Error> {
        let hold = Arc::new(Hold::begin());
        Ok(Self { asked: attend()?, _hold: Some(hold) })
    }

    /// Returns whether a stop has been asked for.
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Refuses to go on if a stop has been asked for.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn check(&self) -> Result<(), Error> {
        if self.asked() { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// While one of these lives, the first Ctrl-C only asks.
pub struct Hold(());

impl Hold {
    /// Begins a part that is not to be broken off.
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

/// Ends the command cleanly at Ctrl-C from now on, but for the parts that a [`Hold`] protects.
///
/// # Errors
/// The system's.
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

/// Ends the process; the lock is kept, so that no file is begun meanwhile.
fn end() -> ! {
    let partial = partial();
    for path in &*partial {
        // Gone already when it has its name.
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

/// Makes a file with `make`, and removes it if the process is ended before it has its name.
pub fn begun<T, E>(path: &Path, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let mut partial = partial();
    let made = make()?;
    partial.push(path.to_owned());
    Ok(made)
}

/// Forgets a file: it has its name, or is gone.
pub fn ended(path: &Path) {
    partial().retain(|kept| kept != path);
}
