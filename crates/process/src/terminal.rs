//! Typing a secret at the terminal without showing it.

use std::fs::File;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// The terminal and its settings from before typing was hidden.
static TERMINAL: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// Returns true if a user at a terminal can be asked.
pub fn can_ask() -> bool {
    std::io::stderr().is_terminal()
}

/// Saves the terminal settings, runs `ask`, and restores the settings.
pub fn unseen<T>(ask: impl FnOnce() -> T) -> T {
    let saved = File::open("/dev/tty").ok().and_then(|tty| {
        let how = tcgetattr(&tty).ok()?;
        Some((tty, how))
    });
    *TERMINAL.lock().unwrap_or_else(PoisonError::into_inner) = saved;
    let typed = ask();
    show_typing();
    typed
}

/// Restores the terminal settings, so that typing is shown again. Also used when a process ends
/// while it asks.
pub fn show_typing() {
    if let Some((tty, how)) = TERMINAL.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // A terminal that is gone shows nothing anyway.
        let _ = tcsetattr(tty, OptionalActions::Now, &how);
    }
}
