//! Stateful keys.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use hasten_pq::store::{Options, StoreError};
use hasten_pq::{Error, SignerLevel};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use zeroize::Zeroizing;

mod generate;
mod prepared;

pub use prepared::Prepared;

use crate::border::{Fault, apart};
use crate::data;
use crate::public::PublicKey;

/// Longest time without checking for signals while another process has the key.
const PATIENCE: Duration = Duration::from_millis(200);
/// Maximum waiting time in seconds.
const LONGEST: f64 = 365.0 * 86_400.0;

/// The account of a key's indices.
#[pyclass(frozen, get_all, module = "hasten")]
pub struct Status {
    /// Number of indices of the whole key.
    capacity: u64,
    /// Number recorded as used.
    used: u64,
    /// Number reserved by earlier sessions and never recorded.
    lost: u64,
    /// Number given up on purpose.
    burned: u64,
    /// Number given to shards.
    given: u64,
    /// Number reserved by this session.
    reserved: u64,
    /// Number that can still be reserved.
    remaining: u64,
}

impl From<hasten_pq::store::Status> for Status {
    fn from(told: hasten_pq::store::Status) -> Self {
        let hasten_pq::store::Status { capacity, used, lost, burned, given, .. } = told;
        let (reserved, remaining) = (told.reserved, told.remaining);
        Self { capacity, used, lost, burned, given, reserved, remaining }
    }
}

#[pymethods]
impl Status {
    fn __repr__(&self) -> String {
        let Self { capacity, used, lost, remaining, .. } = self;
        format!("<hasten.Status: {used} used, {lost} lost, {remaining} left of {capacity}>")
    }
}

/// A stateful key, opened and owned by this process.
#[pyclass(frozen, module = "hasten")]
pub struct StatefulKey {
    key: Mutex<Option<hasten_pq::StatefulKey>>,
    public: hasten_pq::PublicKey,
    /// The process that opened the key. A forked child must check it before it takes the lock,
    /// because a thread that does not exist in the child may hold the lock for ever.
    process: u32,
}

impl StatefulKey {
    /// Runs `body` on the key, once no other thread uses it.
    pub fn with<R: Send>(
        &self,
        py: Python<'_>,
        body: impl FnOnce(&mut hasten_pq::StatefulKey) -> Result<R, Fault> + Send,
    ) -> PyResult<R> {
        apart(py, || {
            self.must_be_ours()?;
            let mut held = self.key.lock().map_err(|_| Fault::Defect)?;
            body(held.as_mut().ok_or(Fault::Closed)?)
        })
    }

    fn must_be_ours(&self) -> Result<(), StoreError> {
        match process::id() {
            used_by if used_by != self.process => {
                Err(StoreError::Forked { opened_by: self.process, used_by })
            }
            _ => Ok(()),
        }
    }

    fn over(key: hasten_pq::StatefulKey) -> Self {
        let public = key.public_key().clone();
        Self { key: Mutex::new(Some(key)), public, process: process::id() }
    }
}

#[pymethods]
impl StatefulKey {
    /// Generates a key in a new directory and opens it.
    #[classmethod]
    #[pyo3(signature = (algorithm, path, guard, *, passphrase=None, progress=None))]
    fn generate(
        class: &Bound<'_, PyType>,
        algorithm: &str,
        path: PathBuf,
        guard: PathBuf,
        passphrase: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let words = data::passphrase(passphrase)?;
        let place = Place { path, guard: Some(guard), words };
        generate::run(class.py(), algorithm, &place, progress)?;
        place.open(class.py(), Duration::ZERO)
    }

    /// Opens the key in a directory.
    #[classmethod]
    #[pyo3(signature = (path, *, guard=None, passphrase=None, wait=0.0))]
    fn open(
        class: &Bound<'_, PyType>,
        path: PathBuf,
        guard: Option<PathBuf>,
        passphrase: Option<&Bound<'_, PyAny>>,
        wait: f64,
    ) -> PyResult<Self> {
        if !(0.0..=LONGEST).contains(&wait) {
            return Err(PyValueError::new_err("wait is a number of seconds, at most a year"));
        }
        let words = data::passphrase(passphrase)?;
        Place { path, guard, words }.open(class.py(), Duration::from_secs_f64(wait))
    }

    /// Returns the public key.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.public.clone())
    }

    /// Returns the number of remaining signatures.
    #[getter]
    fn remaining(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |key| Ok(key.status().remaining))
    }

    /// Returns the account of the key's indices.
    #[getter]
    fn status(&self, py: Python<'_>) -> PyResult<Status> {
        self.with(py, |key| Ok(key.status().into()))
    }

    /// Reserves an index on the disk and signs a message with it.
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = data::bytes(message)?;
        let message = message.as_bytes();
        let signature = self.with(py, |key| Ok(key.sign(message)?))?;
        Ok(PyBytes::new(py, &signature))
    }

    /// Reserves an index and computes everything that does not depend on the message.
    #[pyo3(signature = (level="chain-table"))]
    fn prepare(this: &Bound<'_, Self>, level: &str) -> PyResult<Prepared> {
        let Some(level) = SignerLevel::named(level) else {
            let names = SignerLevel::ALL.map(SignerLevel::name).join(", ");
            return Err(PyValueError::new_err(format!("the levels are {names}")));
        };
        let ready = this.get().with(this.py(), |key| Ok(key.prepare(level)?))?;
        Ok(Prepared::new(this.clone().unbind(), ready))
    }

    /// Ends the session and returns the account.
    fn close(&self, py: Python<'_>) -> PyResult<Option<Status>> {
        apart(py, || {
            self.must_be_ours()?;
            let taken = self.key.lock().map_err(|_| Fault::Defect)?.take();
            Ok(taken.map(hasten_pq::StatefulKey::close).transpose()?.map(Status::from))
        })
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_why))]
    fn __exit__(&self, py: Python<'_>, _why: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py).map(drop)
    }

    fn __repr__(&self) -> String {
        format!("<hasten.StatefulKey of {}>", self.public.tree().name)
    }
}

/// The location of a key, and the passphrase of its secret.
struct Place {
    path: PathBuf,
    guard: Option<PathBuf>,
    words: Option<Zeroizing<Vec<u8>>>,
}

impl Place {
    fn dir(&self) -> &Path {
        &self.path
    }

    fn words(&self) -> Option<&[u8]> {
        self.words.as_ref().map(|words| words.as_slice())
    }

    fn options(&self) -> Options {
        match &self.guard {
            Some(guard) => Options::new().guard(guard),
            None => Options::new(),
        }
    }

    /// Opens the key. Waits up to `wait` for another process to release it, and checks for signals
    /// meanwhile.
    fn open(&self, py: Python<'_>, wait: Duration) -> PyResult<StatefulKey> {
        let until = Instant::now() + wait;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let tried = apart(py, || Ok(self.tried(left.min(PATIENCE))))?;
            match tried {
                Ok(key) => return Ok(StatefulKey::over(key)),
                Err(Error::State(StoreError::Busy { .. })) if !left.is_zero() => {
                    py.check_signals()?;
                }
                Err(error) => return Err(Fault::from(error).raised(py)),
            }
        }
    }

    fn tried(&self, wait: Duration) -> Result<hasten_pq::StatefulKey, Error> {
        hasten_pq::StatefulKey::open_with(self.dir(), self.options().wait(wait), self.words())
    }
}
