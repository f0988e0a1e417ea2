//! The border: pointers become slices, panics and errors become a status.

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use hasten_pq::Error;

use crate::status::{self, hasten_status};

/// Why a call ends without a result.
#[derive(Debug)]
pub enum Fault {
    /// An argument, by the rule that it breaks.
    Argument(&'static str),
    /// The buffer holds too little.
    TooSmall,
    /// The key is in use by another thread.
    Busy,
    /// An earlier call on this key met a defect.
    Poisoned,
    /// An error of the crates below.
    Key(Error),
}

impl<E: Into<Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Key(error.into())
    }
}

impl Fault {
    fn told(&self) -> (hasten_status, String) {
        use hasten_status::*;
        match self {
            Self::Argument(rule) => (HASTEN_ARGUMENT, (*rule).to_owned()),
            Self::TooSmall => (HASTEN_BUFFER_TOO_SMALL, "the buffer is too small".to_owned()),
            Self::Busy => (HASTEN_BUSY, "another thread uses this key".to_owned()),
            Self::Poisoned => (HASTEN_INTERNAL, "this key met a defect before".to_owned()),
            Self::Key(error) => (status::of(error), error.to_string()),
        }
    }
}

/// Runs the body of a function of C. No panic goes through.
pub fn guarded(body: impl FnOnce() -> Result<(), Fault>) -> hasten_status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => hasten_status::HASTEN_OK,
        Ok(Err(fault)) => {
            let (status, sentence) = fault.told();
            status::keep(&sentence);
            status
        }
        Err(_) => {
            status::keep("a defect inside Hasten: please report it");
            hasten_status::HASTEN_INTERNAL
        }
    }
}

/// Returns the bytes at `at`; no bytes may be at NULL.
///
/// # Safety
/// Where `at` is not NULL, `len` bytes there can be read, and nobody writes them meanwhile.
pub unsafe fn bytes<'b>(at: *const u8, len: usize) -> Result<&'b [u8], Fault> {
    match (at.is_null(), len) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Fault::Argument("bytes at NULL with a length above 0")),
        (false, _) if isize::try_from(len).is_err() => {
            Err(Fault::Argument("a length above half of the address space"))
        }
        // SAFETY: `at` is not NULL, the length is one that a slice may have, and the caller
        // promises the rest.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(at, len) }),
    }
}

/// Returns a text, or `None` for NULL.
///
/// # Safety
/// Where `at` is not NULL, a zero ends the text, and nobody writes it meanwhile.
pub unsafe fn text<'t>(at: *const c_char) -> Result<Option<&'t str>, Fault> {
    if at.is_null() {
        return Ok(None);
    }
    // SAFETY: `at` is not NULL, and the caller promises the zero.
    let text = unsafe { CStr::from_ptr(at) };
    text.to_str().map(Some).map_err(|_| Fault::Argument("a text that is not UTF-8"))
}

/// Returns a path, or `None` for NULL: on a Unix any bytes, elsewhere UTF-8.
///
/// # Safety
/// As [`text`].
pub unsafe fn path(at: *const c_char) -> Result<Option<PathBuf>, Fault> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        if at.is_null() {
            return Ok(None);
        }
        // SAFETY: `at` is not NULL, and the caller promises the zero.
        let text = unsafe { CStr::from_ptr(at) };
        Ok(Some(std::ffi::OsStr::from_bytes(text.to_bytes()).into()))
    }
    #[cfg(not(unix))]
    {
        // SAFETY: the caller promises the same.
        Ok(unsafe { text(at) }?.map(PathBuf::from))
    }
}

/// Room in the caller's memory, and where its length is said.
pub struct Room {
    at: *mut u8,
    len: *mut usize,
}

impl Room {
    /// Takes the caller's buffer; NULL asks for the size.
    ///
    /// # Safety
    /// `len` is NULL, or can be read and written. Where neither is NULL, `*len` bytes at `at` can
    /// be written. Nobody else uses either meanwhile.
    pub unsafe fn new(at: *mut u8, len: *mut usize) -> Result<Self, Fault> {
        match len.is_null() {
            true => Err(Fault::Argument("the length of the buffer is at NULL")),
            false => Ok(Self { at, len }),
        }
    }

    /// Returns whether the buffer holds `needed` bytes; says that length where it does not, or
    /// where only the length is asked for.
    pub fn holds(&self, needed: usize) -> Result<bool, Fault> {
        // SAFETY: `new` was promised that it can be read, and it is not NULL.
        let given = unsafe { self.len.read() };
        if !self.at.is_null() && given >= needed {
            return Ok(true);
        }
        // SAFETY: `new` was promised that it can be written, and it is not NULL.
        unsafe { self.len.write(needed) };
        if self.at.is_null() { Ok(false) } else { Err(Fault::TooSmall) }
    }

    /// Writes the bytes, for which there is room, and their length.
    pub fn fill(&self, bytes: &[u8]) -> Result<(), Fault> {
        if self.holds(bytes.len())? {
            // SAFETY: the buffer is not NULL and has this many bytes, as `new` was promised; it may
            // overlap nothing of ours, for `bytes` is memory of this library.
            unsafe { self.at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            // SAFETY: as in `holds`.
            unsafe { self.len.write(bytes.len()) };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_status() {
        let quiet = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let status = guarded(|| panic!("inside"));
        std::panic::set_hook(quiet);
        assert_eq!(status, hasten_status::HASTEN_INTERNAL);
    }
}
