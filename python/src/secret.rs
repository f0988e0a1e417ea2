//! Secret bytes that leave Rust only on request.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

/// Secret bytes, which are zeroised when dropped or wiped.
#[pyclass(frozen, module = "hasten")]
pub struct Secret(Mutex<Zeroizing<Vec<u8>>>);

impl Secret {
    /// Wraps the bytes.
    pub fn new(bytes: Zeroizing<Vec<u8>>) -> Self {
        Self(Mutex::new(bytes))
    }

    /// Returns a copy, which is zeroised when it is dropped.
    ///
    /// # Errors
    /// `ValueError` if the secret was wiped.
    pub fn copy(&self) -> PyResult<Zeroizing<Vec<u8>>> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_empty() {
            return Err(PyValueError::new_err("this secret was wiped"));
        }
        Ok(held.clone())
    }
}

#[pymethods]
impl Secret {
    fn __len__(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn __repr__(&self) -> String {
        format!("<hasten.Secret of {} bytes>", self.__len__())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.copy()?))
    }

    /// Writes the bytes to a new file that only its owner may read.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.copy()?;
        Ok(py.detach(|| written(&path, &bytes))?)
    }

    /// Zeroises the bytes.
    fn wipe(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Zeroizing::new(Vec::new());
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_why))]
    fn __exit__(&self, _why: &Bound<'_, pyo3::types::PyTuple>) {
        self.wipe();
    }
}

fn written(path: &std::path::Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
