//! Keys with a state: each index is reserved on the disk before it signs, and an old copy of a key
//! is refused.

use std::ffi::c_char;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::available_parallelism;

use hasten_pq::StatefulKey;
use hasten_pq::hbs::Set;
use hasten_pq::kernels::Kernels;
use hasten_pq::keys::encoding::{encode_spki, published_sizes};
use hasten_pq::keys::stateful::{Generation, NewStateful, Sealed};
use hasten_pq::keys::verify::{Form, public_as};
use hasten_pq::store::Options;

use crate::border::{Fault, Room, bytes, guarded, path, text};
use crate::status::hasten_status;

/// An open key. It belongs to the process that opened it; threads may share it, and a call that
/// finds it in use returns HASTEN_BUSY.
#[allow(non_camel_case_types)]
pub struct hasten_key {
    key: Mutex<StatefulKey>,
    /// Bytes of a signature, at most.
    most: usize,
}

/// The form of a public key.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum hasten_form {
    /// SubjectPublicKeyInfo, DER.
    HASTEN_FORM_DER = 0,
    /// The raw bytes of the algorithm's standard; of one LMS tree those of HSS.
    HASTEN_FORM_RAW = 1,
    /// One LMS tree with nothing in front.
    HASTEN_FORM_LMS = 2,
}

/// Makes a key of the set `algorithm`, for example "LMS_SHA256_M24_H10_W4", in the new directory
/// `dir`, on all cores. `guard` is the file, outside of `dir`, that remembers how far the key was
/// used: put it where no backup of `dir` goes. A passphrase seals the secret; there is none if
/// `passphrase` is NULL. Large sets take minutes.
///
/// # Safety
/// The texts end with a zero; `passphrase` is NULL or points to `passphrase_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_key_generate(
    algorithm: *const c_char,
    dir: *const c_char,
    guard: *const c_char,
    passphrase: *const u8,
    passphrase_len: usize,
) -> hasten_status {
    guarded(|| {
        // SAFETY: the caller promises what these ask.
        let (algorithm, place, words) = unsafe {
            (text(algorithm)?, Place::of(dir, guard)?, words(passphrase, passphrase_len)?)
        };
        let algorithm = algorithm.ok_or(Fault::Argument("the algorithm is NULL"))?;
        if place.guard.is_none() {
            return Err(Fault::Argument("the guard is NULL"));
        }
        let new = NewStateful { set: Set::named(algorithm)?, reserve: 1, sectors: 1 };
        let begun = Generation::begin(&place.dir, place.options(), new, words)?;
        let threads = available_parallelism().map_or(1, usize::from);
        begun.run(Kernels::best(), threads, &mut |_| ControlFlow::Continue(()))?;
        Ok(())
    })
}

/// Opens the key in `dir`, which this process alone then has, and writes it to `key`. `guard` is
/// NULL unless the guard has moved. HASTEN_REFUSED: the key is an old copy.
///
/// # Safety
/// The texts are NULL or end with a zero; `passphrase` is NULL or points to `passphrase_len` bytes;
/// `key` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_key_open(
    dir: *const c_char,
    guard: *const c_char,
    passphrase: *const u8,
    passphrase_len: usize,
    key: *mut *mut hasten_key,
) -> hasten_status {
    guarded(|| {
        if key.is_null() {
            return Err(Fault::Argument("the place for the key is NULL"));
        }
        // SAFETY: it is not NULL, and the caller promises that it can be written.
        unsafe { key.write(std::ptr::null_mut()) };
        // SAFETY: the caller promises what these ask.
        let (place, words) =
            unsafe { (Place::of(dir, guard)?, words(passphrase, passphrase_len)?) };
        let opened = Box::new(opened(&place, words)?);
        // SAFETY: as above.
        unsafe { key.write(Box::into_raw(opened)) };
        Ok(())
    })
}

/// Writes the public key in one of the forms of hasten_form to `buffer`, and its length to `len`,
/// in which the caller says how long the buffer is. With NULL for the buffer it writes the length
/// alone.
///
/// # Safety
/// `key` is open; `buffer` is NULL or has `*len` bytes; `len` can be read and written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_key_public(
    key: *const hasten_key,
    form: std::ffi::c_int,
    buffer: *mut u8,
    len: *mut usize,
) -> hasten_status {
    guarded(|| {
        // SAFETY: the caller promises what these ask.
        let (key, room) = unsafe { (held(key)?, Room::new(buffer, len)?) };
        room.fill(&public_in(form, &*locked(key)?)?)
    })
}

/// Reserves an index on the disk, signs the message with it, and writes the signature to
/// `signature` and its length to `len`, in which the caller says how long the buffer is. With NULL
/// for the buffer it writes the length of the longest signature alone. A buffer that is too small
/// is refused before an index is taken.
///
/// # Safety
/// `key` is open; `message` is NULL or points to `message_len` bytes; `signature` is NULL or has
/// `*len` bytes; `len` can be read and written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_key_sign(
    key: *const hasten_key,
    message: *const u8,
    message_len: usize,
    signature: *mut u8,
    len: *mut usize,
) -> hasten_status {
    guarded(|| {
        // SAFETY: the caller promises what these ask.
        let (key, message, room) =
            unsafe { (held(key)?, bytes(message, message_len)?, Room::new(signature, len)?) };
        if !room.holds(key.most)? {
            return Ok(());
        }
        let made = locked(key)?.sign(message)?;
        room.fill(&made)
    })
}

/// Writes how many signatures the key has left to `remaining`.
///
/// # Safety
/// `key` is open; `remaining` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_key_remaining(
    key: *const hasten_key,
    remaining: *mut u64,
) -> hasten_status {
    guarded(|| {
        // SAFETY: the caller promises that the key is open.
        let left = locked(unsafe { held(key)? })?.status().remaining;
        if remaining.is_null() {
            return Err(Fault::Argument("the place for the count is NULL"));
        }
        // SAFETY: it is not NULL, and the caller promises that it can be written.
        unsafe { remaining.write(left) };
        Ok(())
    })
}

/// Ends the session, writes the account to the disk and frees the key, whatever it returns. NULL
/// is no key, and is closed already.
///
/// # Safety
/// `key` is NULL, or is open and used by nobody, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_key_close(key: *mut hasten_key) -> hasten_status {
    guarded(|| {
        if key.is_null() {
            return Ok(());
        }
        // SAFETY: `hasten_key_open` made it of a box, and the caller gives it back.
        let key = unsafe { Box::from_raw(key) };
        let key = key.key.into_inner().map_err(|_| Fault::Poisoned)?;
        key.close()?;
        Ok(())
    })
}

/// Where a key lies.
struct Place {
    dir: PathBuf,
    guard: Option<PathBuf>,
}

impl Place {
    /// Takes two texts of C.
    ///
    /// # Safety
    /// Each is NULL or ends with a zero.
    unsafe fn of(dir: *const c_char, guard: *const c_char) -> Result<Self, Fault> {
        // SAFETY: the caller promises it.
        let (dir, guard) = unsafe { (path(dir)?, path(guard)?) };
        Ok(Self { dir: dir.ok_or(Fault::Argument("the directory is NULL"))?, guard })
    }

    fn options(&self) -> Options {
        match &self.guard {
            Some(guard) => Options::new().guard(guard),
            None => Options::new(),
        }
    }
}

/// Returns a passphrase, or `None` for NULL.
///
/// # Safety
/// As [`bytes`].
unsafe fn words<'w>(at: *const u8, len: usize) -> Result<Option<&'w [u8]>, Fault> {
    // SAFETY: the caller promises it.
    let words = unsafe { bytes(at, len) }?;
    Ok((!at.is_null()).then_some(words))
}

/// Returns the key behind a pointer.
///
/// # Safety
/// It is NULL or open, and stays so while it is used.
unsafe fn held<'k>(key: *const hasten_key) -> Result<&'k hasten_key, Fault> {
    // SAFETY: the caller promises it.
    unsafe { key.as_ref() }.ok_or(Fault::Argument("the key is NULL"))
}

fn opened(place: &Place, words: Option<&[u8]>) -> Result<hasten_key, Fault> {
    let set = Set::named(Sealed::of_store(&place.dir)?.set())?;
    let key = StatefulKey::open_with(&place.dir, place.options(), words)?;
    Ok(hasten_key { key: Mutex::new(key), most: published_sizes(set).1 })
}

fn locked(key: &hasten_key) -> Result<MutexGuard<'_, StatefulKey>, Fault> {
    key.key.try_lock().map_err(|why| match why {
        TryLockError::WouldBlock => Fault::Busy,
        TryLockError::Poisoned(_) => Fault::Poisoned,
    })
}

/// Returns the public key in the form of that number.
fn public_in(form: std::ffi::c_int, key: &StatefulKey) -> Result<Vec<u8>, Fault> {
    const DER: i32 = hasten_form::HASTEN_FORM_DER as i32;
    const RAW: i32 = hasten_form::HASTEN_FORM_RAW as i32;
    const LMS: i32 = hasten_form::HASTEN_FORM_LMS as i32;
    let public = key.public_key();
    match form {
        DER => Ok(encode_spki(public)?),
        RAW => Ok(public.raw.clone()),
        LMS => Ok(public_as(public, Form::Lms)?.into_owned()),
        _ => Err(Fault::Argument("no form of a public key has this number")),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::ptr::null;

    use super::*;
    use crate::recorded;
    use hasten_status::*;

    /// Returns an open key in a folder of its own.
    fn key(dir: &std::path::Path) -> *mut hasten_key {
        let text = |name: &str| CString::new(dir.join(name).to_str().unwrap()).unwrap();
        let (store, guard, set) = (text("key"), text("guard"), c"LMS_SHA256_M24_H5_W8");
        let mut key = std::ptr::null_mut();
        // SAFETY: the texts end with a zero, and the place for the key can be written.
        let (made, opened) = unsafe {
            (
                hasten_key_generate(set.as_ptr(), store.as_ptr(), guard.as_ptr(), null(), 0),
                hasten_key_open(store.as_ptr(), null(), null(), 0, &mut key),
            )
        };
        assert_eq!((made, opened), (HASTEN_OK, HASTEN_OK));
        key
    }

    fn remaining(key: *const hasten_key) -> (hasten_status, u64) {
        let mut left = 0;
        // SAFETY: the key is open.
        (unsafe { hasten_key_remaining(key, &mut left) }, left)
    }

    /// Signs through the functions of C: the record tells what, and is confirmed.
    #[test]
    fn a_signature_is_recorded() {
        let place = tempfile::tempdir().unwrap();
        let key = key(place.path());
        let (mut signature, mut len, message) = ([0; 784], 784, b"firmware");
        // SAFETY: the key is open, the message and the buffer have their lengths, and nobody uses
        // the key after it is closed.
        let (signed, closed) = unsafe {
            let (message, bytes) = (message.as_ptr(), message.len());
            let signed = hasten_key_sign(key, message, bytes, signature.as_mut_ptr(), &mut len);
            (signed, hasten_key_close(key))
        };
        assert_eq!((signed, closed), (HASTEN_OK, HASTEN_OK));
        recorded::must_tell(&place.path().join("key"), &["message"], Some(recorded::FIRMWARE));
    }

    #[test]
    fn one_thread_at_a_time_has_the_key() {
        let place = tempfile::tempdir().unwrap();
        let key = key(place.path());
        // SAFETY: the key is open.
        let held = unsafe { held(key) }.unwrap();
        let guard = held.key.lock().unwrap();
        assert_eq!(remaining(key).0, HASTEN_BUSY);
        drop(guard);
        assert_eq!(remaining(key), (HASTEN_OK, 32));
        // SAFETY: the key is open, and used by nobody any more.
        assert_eq!(unsafe { hasten_key_close(key) }, HASTEN_OK);
    }

    #[test]
    fn a_key_that_met_a_defect_signs_nothing() {
        let place = tempfile::tempdir().unwrap();
        let key = key(place.path());
        // SAFETY: the key is open.
        let held = unsafe { held(key) }.unwrap();
        let defect = catch_unwind(AssertUnwindSafe(|| {
            let _guard = held.key.lock().unwrap();
            std::panic::resume_unwind(Box::new("a defect"));
        }));
        assert!(defect.is_err());
        let (mut signature, mut len) = ([0; 784], 784);
        // SAFETY: the key is open, and the buffer has its length.
        let status = unsafe { hasten_key_sign(key, null(), 0, signature.as_mut_ptr(), &mut len) };
        assert_eq!((status, remaining(key).0), (HASTEN_INTERNAL, HASTEN_INTERNAL));
        // SAFETY: the key is open, and used by nobody any more.
        assert_eq!(unsafe { hasten_key_close(key) }, HASTEN_INTERNAL, "and it is freed");
    }
}
