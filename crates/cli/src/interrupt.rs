//! Ctrl-C: the first one stops the command at the next safe point, the second one at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::{Error, USAGE};

/// Whether the command has been asked to stop.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and for the request to end.
    pub fn listen() -> Result<Self, Error> {
        let asked = Self::default();
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, i32::from(USAGE), asked.0.clone())
                .and_then(|_| flag::register(signal, asked.0.clone()))
                .map_err(Error::system("listening for Ctrl-C"))?;
        }
        Ok(asked)
    }

    /// Whether a stop has been asked for.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error if a stop has been asked for.
    pub fn check(&self) -> Result<(), Error> {
        if self.asked() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
