//! Stateless keys.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use zeroize::Zeroizing;

use crate::border::{Fault, apart};
use crate::data;
use crate::public::PublicKey;
use crate::secret::Secret;

/// A stateless private key.
#[pyclass(frozen, module = "hasten")]
pub struct Key(hasten_pq::Key);

#[pymethods]
impl Key {
    /// Generates a key. Returns the key and its private key in PEM.
    #[classmethod]
    fn generate(class: &Bound<'_, PyType>, algorithm: &str) -> PyResult<(Self, Secret)> {
        apart(class.py(), || {
            let (key, pem) = hasten_pq::Key::generate(algorithm)?;
            Ok((Self(key), Secret::new(Zeroizing::new(pem.as_bytes().to_vec()))))
        })
    }

    /// Reads a private key from PKCS#8 in PEM.
    #[classmethod]
    fn from_pem(class: &Bound<'_, PyType>, pem: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pem = match pem.cast::<Secret>() {
            Ok(secret) => secret.get().copy()?,
            Err(_) => Zeroizing::new(data::text_or_bytes(pem)?.as_bytes().to_vec()),
        };
        apart(class.py(), || {
            let pem = std::str::from_utf8(&pem).map_err(|_| hasten_pq::Error::NotAKey)?;
            Ok::<_, Fault>(Self(hasten_pq::Key::from_pem(pem)?))
        })
    }

    /// Returns the public key.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
    }

    /// Signs a message.
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = data::bytes(message)?;
        let message = message.as_bytes();
        let signature = apart(py, || Ok(self.0.sign(message)?))?;
        Ok(PyBytes::new(py, &signature))
    }

    fn __repr__(&self) -> String {
        format!("<hasten.Key of {}>", self.0.public_key().tree().name)
    }
}
