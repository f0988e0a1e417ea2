//! Progress bars for an experiment on the error stream. Ctrl-C ends the experiment.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use hasten_measure::Progress;

use crate::interrupt::Interrupt;
use crate::output::note;
use crate::progress::Progress as Bar;

/// Progress bar of the current step.
pub struct Bars<'i> {
    interrupt: &'i Interrupt,
    bar: Mutex<Option<Bar>>,
}

impl<'i> Bars<'i> {
    /// Returns bars for an experiment that Ctrl-C ends.
    pub fn new(interrupt: &'i Interrupt) -> Self {
        Self { interrupt, bar: Mutex::new(None) }
    }

    /// Shows an event. Returns `Break` after Ctrl-C.
    pub fn hear(&self, progress: Progress<'_>) -> ControlFlow<()> {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            Progress::Begin { label, total, unit } => {
                *bar = Some(Bar::new(label.to_owned(), total, unit));
            }
            Progress::At(done) => bar.iter().for_each(|bar| bar.at(done)),
            Progress::End => *bar = None,
            Progress::Unpinned => {
                note("the thread could not be pinned to a core: expect a wider spread");
            }
            Progress::Between => {}
        }
        if self.interrupt.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
