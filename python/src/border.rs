//! The border: work apart from the interpreter, and panics and errors that become exceptions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hasten_pq::Error;
use hasten_pq::hbs::Error as SchemeError;
use pyo3::prelude::*;

use crate::errors;

/// Why a call ends without a result.
#[derive(Debug)]
pub enum Fault {
    /// The key was closed.
    Closed,
    /// The prepared signature was finished or given up.
    Spent,
    /// A defect inside, now or in an earlier call on this key.
    Defect,
    /// An error of the crates below.
    Key(Error),
    /// An exception of Python code that was called.
    Python(PyErr),
}

impl<E: Into<Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Key(error.into())
    }
}

impl Fault {
    /// Returns the exception.
    pub fn raised(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Closed => errors::raise(py, "Closed", "this key is closed"),
            Self::Spent => errors::raise(py, "Closed", "this prepared signature is used up"),
            Self::Defect => errors::raise(py, "InternalError", "a defect inside Hasten"),
            Self::Key(error) => errors::raise(py, errors::class_of(error), &error.to_string()),
            Self::Python(error) => error.clone_ref(py),
        }
    }

    /// Returns true if key generation was stopped from outside.
    pub fn is_stop(&self) -> bool {
        matches!(self, Self::Key(Error::Scheme(SchemeError::Stopped)))
    }
}

/// Runs `body` while other threads of Python may run. No panic goes through.
pub fn apart<R: Send>(
    py: Python<'_>,
    body: impl FnOnce() -> Result<R, Fault> + Send,
) -> PyResult<R> {
    let ended = py.detach(|| catch_unwind(AssertUnwindSafe(body)));
    ended.unwrap_or(Err(Fault::Defect)).map_err(|fault| fault.raised(py))
}
