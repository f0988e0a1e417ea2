//! The boundary to Python: runs work without the interpreter lock, and converts errors and panics
//! to exceptions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hasten_pq::Error;
use hasten_pq::hbs::Error as SchemeError;
use pyo3::prelude::*;

use crate::errors;

/// Reason why a call has no result.
#[derive(Debug)]
pub enum Fault {
    /// The key was closed.
    Closed,
    /// The prepared signature was finished or dropped.
    Spent,
    /// An internal defect, now or in an earlier call on this key.
    Defect,
    /// An error of the underlying crates.
    Key(Error),
    /// An exception raised by Python code that was called.
    Python(PyErr),
}

impl<E: Into<Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Key(error.into())
    }
}

impl Fault {
    /// Returns the exception for this fault.
    pub fn raised(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Closed => errors::raise(py, "Closed", "this key is closed"),
            Self::Spent => errors::raise(py, "Closed", "this prepared signature is used up"),
            Self::Defect => errors::raise(py, "InternalError", "a defect inside Hasten"),
            Self::Key(error) => errors::raise(py, errors::class_of(error), &error.to_string()),
            Self::Python(error) => error.clone_ref(py),
        }
    }

    /// Returns true if key generation was stopped by the caller.
    pub fn is_stop(&self) -> bool {
        matches!(self, Self::Key(Error::Scheme(SchemeError::Stopped)))
    }
}

/// Runs `body` while other threads of Python may run. A panic becomes an exception.
pub fn apart<R: Send>(
    py: Python<'_>,
    body: impl FnOnce() -> Result<R, Fault> + Send,
) -> PyResult<R> {
    let ended = py.detach(|| catch_unwind(AssertUnwindSafe(body)));
    ended.unwrap_or(Err(Fault::Defect)).map_err(|fault| fault.raised(py))
}
