//! The C interface: conversion of pointers to slices, and of panics and errors to a `CK_RV`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cryptoki_sys::*;

use crate::fault::Fault;
use crate::token::module::Module;

/// Maximum number of attributes in a template and of objects requested at once.
const MOST: CK_ULONG = 1 << 16;

/// Maximum size in bytes of an attribute value and of a mechanism parameter.
const MOST_VALUE: CK_ULONG = 1 << 16;

/// Maximum size in bytes of a context for ML-DSA and SLH-DSA.
const MOST_CONTEXT: CK_ULONG = 255;

/// Runs the body of a C function with the module of this process. Catches panics.
pub fn over(body: impl FnOnce(&'static Module) -> Result<(), Fault>) -> CK_RV {
    guarded(|| body(Module::current()?))
}

/// Runs the body of a C function that needs no module. Catches panics.
pub fn guarded(body: impl FnOnce() -> Result<(), Fault>) -> CK_RV {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => CKR_OK,
        Ok(Err(fault)) => {
            if let Some(line) = fault.sentence() {
                Module::note(&line);
            }
            fault.rv()
        }
        Err(_) => {
            Module::note("a defect inside Hasten: please report it");
            CKR_GENERAL_ERROR
        }
    }
}

/// The error for a pointer or length that the standard forbids.
pub const BAD: Fault = Fault::Rv(CKR_ARGUMENTS_BAD);

/// Returns the `len` bytes at `at`. `at` may be NULL only if `len` is 0.
///
/// # Safety
/// If `at` is not NULL, `len` bytes there are readable, and nobody writes them meanwhile.
pub unsafe fn bytes<'b>(at: *const u8, len: CK_ULONG) -> Result<&'b [u8], Fault> {
    // SAFETY: the caller promises the same; bytes have no alignment requirement.
    unsafe { items(at, len, isize::MAX as CK_ULONG) }
}

/// Returns the attributes of a template.
///
/// # Safety
/// As [`bytes`], for `len` attributes; the values that they point to are readable.
pub unsafe fn attributes<'a>(
    at: *const CK_ATTRIBUTE,
    len: CK_ULONG,
) -> Result<&'a [CK_ATTRIBUTE], Fault> {
    // SAFETY: the caller promises the same.
    unsafe { items(at, len, MOST) }
}

/// Returns the attributes of a template whose lengths will be written.
///
/// # Safety
/// As [`attributes`], and nobody else uses them meanwhile.
pub unsafe fn attributes_mut<'a>(
    at: *mut CK_ATTRIBUTE,
    len: CK_ULONG,
) -> Result<&'a mut [CK_ATTRIBUTE], Fault> {
    match len {
        0 => Ok(&mut []),
        _ if at.is_null() || !at.is_aligned() || len > MOST => Err(BAD),
        // SAFETY: `at` is neither NULL nor misaligned, and the caller promises the rest.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(at, len as usize) }),
    }
}

/// Returns a C array as a slice.
///
/// # Safety
/// If `at` is not NULL, `len` items there are readable, and nobody writes them meanwhile.
unsafe fn items<'a, T>(at: *const T, len: CK_ULONG, most: CK_ULONG) -> Result<&'a [T], Fault> {
    match len {
        0 => Ok(&[]),
        _ if at.is_null() || !at.is_aligned() || len > most => Err(BAD),
        // SAFETY: `at` is neither NULL nor misaligned, a slice may have this length, and the caller
        // promises the rest.
        _ => Ok(unsafe { std::slice::from_raw_parts(at, len as usize) }),
    }
}

/// Returns the value of an attribute; `None` if it is NULL with a length, or too long.
///
/// # Safety
/// If its pointer is not NULL, as many bytes as its length states are readable there.
pub unsafe fn value(attribute: &CK_ATTRIBUTE) -> Option<&[u8]> {
    // SAFETY: the caller promises it.
    unsafe { items(attribute.pValue.cast(), attribute.ulValueLen, MOST_VALUE) }.ok()
}

/// Writes a result to its place.
///
/// # Safety
/// `to` is NULL or writable.
pub unsafe fn put<T>(to: *mut T, value: T) -> Result<(), Fault> {
    if to.is_null() || !to.is_aligned() {
        return Err(BAD);
    }
    // SAFETY: it is neither NULL nor misaligned, and the caller promises that it is writable.
    unsafe { to.write(value) };
    Ok(())
}

/// Returns the mechanism at `at` and its parameter.
///
/// # Safety
/// `at` is NULL or points to a mechanism, whose parameter is NULL or has the stated length.
pub unsafe fn mechanism<'m>(
    at: *const CK_MECHANISM,
) -> Result<(CK_MECHANISM_TYPE, &'m [u8]), Fault> {
    if at.is_null() || !at.is_aligned() {
        return Err(BAD);
    }
    // SAFETY: it is neither NULL nor misaligned, and the caller promises the rest.
    let mechanism = unsafe { at.read() };
    // SAFETY: the caller promises the parameter.
    let parameter =
        unsafe { items(mechanism.pParameter.cast(), mechanism.ulParameterLen, MOST_VALUE) };
    Ok((mechanism.mechanism, parameter.map_err(|_| Fault::Rv(CKR_MECHANISM_PARAM_INVALID))?))
}

/// Returns the hedge variant and the context in a mechanism parameter of the type
/// CK_SIGN_ADDITIONAL_CONTEXT.
///
/// # Safety
/// If the parameter has the size of that structure, its context is NULL or has the stated length.
pub unsafe fn additional<'c>(parameter: &[u8]) -> Option<(CK_HEDGE_TYPE, &'c [u8])> {
    if parameter.len() != size_of::<CK_SIGN_ADDITIONAL_CONTEXT>() {
        return None;
    }
    // SAFETY: the parameter has this many bytes, and every bit pattern is a valid structure.
    let given: CK_SIGN_ADDITIONAL_CONTEXT =
        unsafe { parameter.as_ptr().cast::<CK_SIGN_ADDITIONAL_CONTEXT>().read_unaligned() };
    if given.ulContextLen > MOST_CONTEXT {
        return None;
    }
    // SAFETY: the caller promises it.
    let context = unsafe { bytes(given.pContext, given.ulContextLen) }.ok()?;
    Some((given.hedgeVariant, context))
}

/// A buffer of the caller, and the place of its length.
pub struct Room<T> {
    at: *mut T,
    len: *mut CK_ULONG,
}

impl<T: Copy> Room<T> {
    /// Takes the caller's buffer. If it is NULL, only the length is requested.
    ///
    /// # Safety
    /// `len` is NULL, or readable and writable. If neither is NULL, `*len` items at `at` are
    /// writable. Nobody else uses either meanwhile.
    pub unsafe fn new(at: *mut T, len: *mut CK_ULONG) -> Result<Self, Fault> {
        let askew = !len.is_aligned() || !at.is_aligned();
        if len.is_null() || askew { Err(BAD) } else { Ok(Self { at, len }) }
    }

    /// Returns true if the buffer has room for `needed` items. Otherwise, or if only the length is
    /// requested, writes `needed` as the length.
    pub fn holds(&self, needed: usize) -> Result<bool, Fault> {
        // SAFETY: the caller of `new` promised that it is readable, and it is not NULL.
        let given = unsafe { self.len.read() };
        if !self.at.is_null() && given >= needed as CK_ULONG {
            return Ok(true);
        }
        // SAFETY: the caller of `new` promised that it is writable, and it is not NULL.
        unsafe { self.len.write(needed as CK_ULONG) };
        if self.at.is_null() { Ok(false) } else { Err(Fault::Rv(CKR_BUFFER_TOO_SMALL)) }
    }

    /// Writes the items and their number, if the buffer has room for them.
    pub fn fill(&self, items: &[T]) -> Result<(), Fault> {
        if self.holds(items.len())? {
            // SAFETY: the buffer is not NULL and has this many items, as the caller of `new`
            // promised; it does not overlap `items`, which is memory of this library.
            unsafe { self.at.copy_from_nonoverlapping(items.as_ptr(), items.len()) };
            // SAFETY: as in `holds`.
            unsafe { self.len.write(items.len() as CK_ULONG) };
        }
        Ok(())
    }
}

/// Returns a text of fixed length, padded with blanks.
pub fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut out = [b' '; N];
    let fits = (0..=N.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    out[..fits].copy_from_slice(&text.as_bytes()[..fits]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        let quiet = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let rv = guarded(|| panic!("inside"));
        std::panic::set_hook(quiet);
        assert_eq!(rv, CKR_GENERAL_ERROR);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(padded::<4>("ab"), *b"ab  ");
        assert_eq!(padded::<4>("abcdef"), *b"abcd");
        assert_eq!(padded::<4>("abcé"), *b"abc ");
    }
}
