//! The terminal, which does not show a secret that is typed.

use std::fs::File;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// The terminal as it was before something was typed without being shown.
static TERMINAL: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// Returns whether somebody at a terminal can be asked.
pub fn can_ask() -> bool {
    std::io::stderr().is_terminal()
}

/// Remembers how the terminal shows what is typed, runs `ask`, and makes it show that again.
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

/// Makes the terminal show again what is typed, as at the end of a process that was asking.
pub fn show_typing() {
    if let Some((tty, how)) = TERMINAL.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // A terminal that is gone shows nothing anyway.
        let _ = tcsetattr(tty, OptionalActions::Now, &how);
    }
}
