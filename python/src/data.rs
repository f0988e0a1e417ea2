//! Arguments that are bytes.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PySlice, PyString};
use zeroize::Zeroizing;

/// Returns the content of a bytes-like object. A `bytes` object is used directly. Any other object
/// is copied, because another thread could write to it while it is read.
pub fn bytes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    match object.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.clone()),
        Err(_) => {
            let copy = PyMemoryView::from(object)?.call_method0("tobytes")?;
            copy.cast_into::<PyBytes>().map_err(PyErr::from)
        }
    }
}

/// Returns the UTF-8 bytes of a text, or the content of a bytes-like object.
pub fn text_or_bytes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    match object.cast::<PyString>() {
        Ok(text) => text.encode_utf8(),
        Err(_) => bytes(object),
    }
}

/// Returns a copy of a passphrase, which is zeroised when it is dropped. If the passphrase is a
/// `bytearray`, overwrites it with zeros.
pub fn passphrase(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Zeroizing<Vec<u8>>>> {
    let Some(object) = object else { return Ok(None) };
    let taken = if let Ok(array) = object.cast::<PyByteArray>() {
        taken_from(array)?
    } else if let Ok(text) = object.cast::<PyString>() {
        Zeroizing::new(text.to_str()?.as_bytes().to_vec())
    } else if let Ok(bytes) = object.cast::<PyBytes>() {
        Zeroizing::new(bytes.as_bytes().to_vec())
    } else {
        return Err(PyTypeError::new_err("a passphrase is a str, bytes or a bytearray"));
    };
    if taken.is_empty() {
        return Err(PyValueError::new_err("the passphrase is empty"));
    }
    Ok(Some(taken))
}

/// Copies a `bytearray` and overwrites it with zeros.
fn taken_from(array: &Bound<'_, PyByteArray>) -> PyResult<Zeroizing<Vec<u8>>> {
    let copy = Zeroizing::new(array.to_vec());
    let zeros = PyBytes::new(array.py(), &vec![0; copy.len()]);
    array.set_item(PySlice::full(array.py()), zeros)?;
    Ok(copy)
}
