//! Progress of an experiment, and the request to stop it.

use std::ops::ControlFlow;

use crate::error::Error;

/// An event of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress<'p> {
    /// A step of `total` units begins.
    Begin {
        /// Name of the step.
        label: &'p str,
        /// Number of units.
        total: u64,
        /// Name of the units.
        unit: &'p str,
    },
    /// The number of units done so far.
    At(u64),
    /// The step has ended.
    End,
    /// The experiment is between two steps, and can be stopped.
    Between,
    /// The thread could not be pinned to a core, so the times may vary more.
    Unpinned,
}

/// A function notified of the progress of an experiment; if it returns `Break`, the experiment
/// stops.
///
/// It is `Fn` and `Sync`, because two threads of an experiment may report.
#[derive(Clone, Copy)]
pub struct Watch<'w>(&'w (dyn Fn(Progress<'_>) -> ControlFlow<()> + Sync));

impl<'w> Watch<'w> {
    /// Wraps a function.
    pub fn new(hear: &'w (dyn Fn(Progress<'_>) -> ControlFlow<()> + Sync)) -> Self {
        Self(hear)
    }

    /// Returns a watch that ignores all events and never stops an experiment.
    pub fn none() -> Self {
        Self(&|_| ControlFlow::Continue(()))
    }

    /// Reports an event.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the experiment is to stop.
    pub fn hear(&self, progress: Progress<'_>) -> Result<(), Error> {
        match (self.0)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Stopped),
        }
    }

    /// Returns an error if the experiment is to stop.
    ///
    /// # Errors
    /// [`Error::Stopped`].
    pub fn check(&self) -> Result<(), Error> {
        self.hear(Progress::Between)
    }

    /// Begins a step of `total` units, which ends when the value is dropped.
    pub fn step(&self, label: &str, total: u64, unit: &str) -> Step<'w> {
        // A request to stop is repeated at the first unit of the step.
        let _ = self.hear(Progress::Begin { label, total, unit });
        Step(*self)
    }
}

/// A step in progress.
pub struct Step<'w>(Watch<'w>);

impl Step<'_> {
    /// Reports that `done` units are done.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the experiment is to stop.
    pub fn at(&self, done: u64) -> Result<(), Error> {
        self.0.hear(Progress::At(done))
    }
}

impl Drop for Step<'_> {
    fn drop(&mut self) {
        // A step that has ended cannot be stopped.
        let _ = self.0.hear(Progress::End);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_step_begins_counts_and_ends() {
        let heard = Mutex::new(Vec::new());
        let hear = |progress: Progress<'_>| {
            heard.lock().expect("no panic").push(format!("{progress:?}"));
            ControlFlow::Continue(())
        };
        let watch = Watch::new(&hear);
        let step = watch.step("keys", 2, "leaves");
        step.at(1).expect("goes on");
        drop(step);
        let heard = heard.into_inner().expect("no panic");
        assert_eq!(heard.len(), 3);
        assert!(heard[0].starts_with("Begin") && heard[1..] == ["At(1)", "End"]);
    }

    #[test]
    fn an_answer_of_break_stops() {
        let watch = Watch::new(&|_| ControlFlow::Break(()));
        assert!(matches!(watch.check(), Err(Error::Stopped)));
        assert!(Watch::none().check().is_ok());
    }
}
