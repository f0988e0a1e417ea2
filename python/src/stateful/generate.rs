//! Key generation with progress reports, which can be interrupted.

use std::ops::ControlFlow;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use hasten_pq::hbs::{Progress, Set};
use hasten_pq::kernels::Kernels;
use hasten_pq::keys::stateful::{Generation, NewStateful};
use pyo3::prelude::*;

use super::Place;
use crate::border::{Fault, apart};

/// Minimum time between progress reports to Python.
const BETWEEN: Duration = Duration::from_millis(100);

/// Generates the key. Ctrl-C or an exception of `progress` stops it. Finished work is kept, and the
/// next call continues from there.
pub(super) fn run(
    py: Python<'_>,
    algorithm: &str,
    place: &Place,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let mut watch = Watch { progress, told: Instant::now(), said: None };
    apart(py, || {
        let new = NewStateful { set: Set::named(algorithm)?, reserve: 1, sectors: 1 };
        let begun = Generation::begin(place.dir(), place.options(), new, place.words())?;
        let threads = available_parallelism().map_or(1, usize::from);
        let ended = begun.run(Kernels::best(), threads, &mut |at| watch.at(at));
        ended.map(drop).map_err(|error| watch.why(error.into()))
    })
}

/// Reports progress to Python, and keeps an exception that this raises.
struct Watch {
    progress: Option<Py<PyAny>>,
    told: Instant,
    said: Option<PyErr>,
}

impl Watch {
    fn at(&mut self, at: Progress) -> ControlFlow<()> {
        if self.told.elapsed() < BETWEEN && at.done < at.total {
            return ControlFlow::Continue(());
        }
        self.told = Instant::now();
        match Python::attach(|py| self.tell(py, at)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.said = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn tell(&self, py: Python<'_>, at: Progress) -> PyResult<()> {
        py.check_signals()?;
        match &self.progress {
            Some(progress) => progress.call1(py, (at.done, at.total)).map(drop),
            None => Ok(()),
        }
    }

    /// Returns the exception that stopped key generation, or else the error.
    fn why(&mut self, fault: Fault) -> Fault {
        match self.said.take() {
            Some(error) if fault.is_stop() => Fault::Python(error),
            _ => fault,
        }
    }
}
