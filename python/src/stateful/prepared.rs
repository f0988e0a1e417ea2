//! Signatures prepared for a later message.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::StatefulKey;
use crate::border::{Fault, apart};
use crate::data;

/// A prepared signature that waits for its message. It holds one index.
#[pyclass(frozen, module = "hasten")]
pub struct Prepared {
    key: Py<StatefulKey>,
    ready: Mutex<Option<hasten_pq::Prepared>>,
    index: u64,
}

impl Prepared {
    /// Wraps a signature prepared for `key`.
    pub fn new(key: Py<StatefulKey>, ready: hasten_pq::Prepared) -> Self {
        let index = ready.index();
        Self { key, ready: Mutex::new(Some(ready)), index }
    }

    fn take(&self) -> Result<Option<hasten_pq::Prepared>, Fault> {
        Ok(self.ready.lock().map_err(|_| Fault::Defect)?.take())
    }
}

#[pymethods]
impl Prepared {
    /// Returns the index that the signature uses.
    #[getter]
    fn index(&self) -> u64 {
        self.index
    }

    /// Signs a message, once.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = data::bytes(message)?;
        let message = message.as_bytes();
        let signature = self.key.get().with(py, |key| {
            let ready = self.take()?.ok_or(Fault::Spent)?;
            Ok(key.finish(ready, message)?)
        })?;
        Ok(PyBytes::new(py, &signature))
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    /// Gives up the index if no message was signed.
    #[pyo3(signature = (*_why))]
    fn __exit__(&self, py: Python<'_>, _why: &Bound<'_, PyTuple>) -> PyResult<()> {
        apart(py, || self.take().map(drop))
    }

    fn __repr__(&self) -> String {
        format!("<hasten.Prepared with index {}>", self.index)
    }
}
