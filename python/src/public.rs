//! Public keys and verification.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use hasten_pq::keys::encoding::{encode_spki, public_to_pem, read_public};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::border::{Fault, apart};
use crate::data;

/// A public key.
#[pyclass(frozen, eq, module = "hasten")]
#[derive(PartialEq)]
pub struct PublicKey(pub hasten_pq::PublicKey);

#[pymethods]
impl PublicKey {
    /// Reads a public key from PEM, DER or raw bytes.
    #[new]
    #[pyo3(signature = (data, algorithm=None))]
    fn new(py: Python<'_>, data: &Bound<'_, PyAny>, algorithm: Option<&str>) -> PyResult<Self> {
        let data = data::text_or_bytes(data)?;
        let bytes = data.as_bytes();
        apart(py, || Ok(Self(read_public(bytes, algorithm)?)))
    }

    /// Returns the algorithm's name.
    #[getter]
    fn algorithm(&self) -> &str {
        &self.0.tree().name
    }

    /// Returns the raw encoding of the algorithm's standard.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.raw)
    }

    /// Returns SubjectPublicKeyInfo, DER.
    #[getter]
    fn der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let der = apart(py, || Ok(encode_spki(&self.0)?))?;
        Ok(PyBytes::new(py, &der))
    }

    /// Returns SubjectPublicKeyInfo, PEM.
    #[getter]
    fn pem(&self, py: Python<'_>) -> PyResult<String> {
        apart(py, || Ok(public_to_pem(&self.0)?.to_string()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.raw.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<hasten.PublicKey of {}>", self.algorithm())
    }
}

/// Verifies a signature of a message. Raises `BadSignature` if it is not good.
#[pyfunction]
#[pyo3(signature = (public_key, message, signature, /))]
pub fn verify(
    py: Python<'_>,
    public_key: &Bound<'_, PyAny>,
    message: &Bound<'_, PyAny>,
    signature: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (message, signature) = (data::bytes(message)?, data::bytes(signature)?);
    let (message, signature) = (message.as_bytes(), signature.as_bytes());
    if let Ok(key) = public_key.cast::<PublicKey>() {
        let key = &key.get().0;
        return apart(py, || Ok(hasten_pq::verify(key, message, signature)?));
    }
    let key = data::text_or_bytes(public_key)?;
    let key = key.as_bytes();
    apart(py, || {
        let key = read_public(key, None)?;
        Ok::<_, Fault>(hasten_pq::verify(&key, message, signature)?)
    })
}
