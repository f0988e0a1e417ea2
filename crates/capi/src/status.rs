//! The status that every call returns, and what it means.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};

use hasten_pq::Error;
use hasten_pq::store::StoreError;

/// Says how a call ended.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum hasten_status {
    /// Done; of hasten_verify: the signature is good.
    HASTEN_OK = 0,
    /// The signature does not verify.
    HASTEN_BAD_SIGNATURE = 1,
    /// An argument is NULL that may not be, or a length or a text is impossible.
    HASTEN_ARGUMENT = 2,
    /// The buffer is too small: the length that is needed was written.
    HASTEN_BUFFER_TOO_SMALL = 3,
    /// The bytes or the files are no key, or a damaged one.
    HASTEN_NOT_A_KEY = 4,
    /// The algorithm is unknown, is another one, or is not in this build.
    HASTEN_ALGORITHM = 5,
    /// The passphrase is missing or wrong.
    HASTEN_PASSPHRASE = 6,
    /// REFUSED: the key is an old copy, or its guard or witness does not vouch for it.
    HASTEN_REFUSED = 7,
    /// Another process, or another thread, has the key.
    HASTEN_BUSY = 8,
    /// The key has no index left, or so few that it must be said.
    HASTEN_EXHAUSTED = 9,
    /// The state of the key forbids it for another reason.
    HASTEN_STATE = 10,
    /// Reading or writing failed, or the system gave no random bytes.
    HASTEN_IO = 11,
    /// A defect inside; a key that met one signs nothing any more.
    HASTEN_INTERNAL = 12,
}

use hasten_status::*;

/// The sentences of all statuses, in their order.
const SENTENCES: [&CStr; 13] = [
    c"done",
    c"the signature does not verify",
    c"an argument is not valid",
    c"the buffer is too small",
    c"not a key, or a damaged one",
    c"the algorithm is unknown, another one, or not in this build",
    c"the passphrase is missing or wrong",
    c"refused: the key is an old copy, or its guard or witness does not vouch for it",
    c"the key is in use",
    c"the key has too few indices left",
    c"the state of the key forbids it",
    c"reading or writing failed",
    c"a defect inside Hasten",
];

thread_local! {
    /// The sentence of the last error on this thread.
    static LAST: RefCell<CString> = RefCell::default();
}

/// Returns the sentence of a status; of another number, that it is none. Never NULL, never to be
/// freed.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_strerror(status: c_int) -> *const c_char {
    let sentence = usize::try_from(status).ok().and_then(|status| SENTENCES.get(status));
    sentence.unwrap_or(&c"not a status of Hasten").as_ptr()
}

/// Returns what went wrong in the last call on this thread that failed, in more words than its
/// status: for a refusal, what was found and what was expected. Never NULL; it stays valid until
/// the thread calls another function of Hasten.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_last_error() -> *const c_char {
    LAST.with_borrow(|text| text.as_ptr())
}

/// Returns the version of Hasten. Never NULL, never to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Keeps the sentence for `hasten_last_error`.
pub(crate) fn keep(sentence: &str) {
    let text = CString::new(sentence.replace('\0', " ")).unwrap_or_default();
    LAST.set(text);
}

/// Returns the status of an error.
pub(crate) fn of(error: &Error) -> hasten_status {
    match error {
        Error::BadSignature => HASTEN_BAD_SIGNATURE,
        Error::State(state) | Error::ShardPlace(state) => of_state(state),
        Error::Passphrase => HASTEN_PASSPHRASE,
        Error::Io(_) | Error::Randomness => HASTEN_IO,
        Error::TooLong => HASTEN_ARGUMENT,
        Error::UnknownAlgorithm
        | Error::NotBuiltIn
        | Error::OtherPurpose(_)
        | Error::EarlierRound
        | Error::Ambiguous
        | Error::WrongAlgorithm
        | Error::Scheme(_)
        | Error::OfFleet
        | Error::OfSessions => HASTEN_ALGORITHM,
        _ => HASTEN_NOT_A_KEY,
    }
}

fn of_state(state: &StoreError) -> hasten_status {
    match state {
        StoreError::Refused(_) | StoreError::WitnessMoved | StoreError::EpochChanged => {
            HASTEN_REFUSED
        }
        StoreError::Busy { .. } => HASTEN_BUSY,
        StoreError::Exhausted { .. } | StoreError::NearExhaustion { .. } => HASTEN_EXHAUSTED,
        StoreError::Io { .. } => HASTEN_IO,
        StoreError::NotAStore => HASTEN_NOT_A_KEY,
        _ => HASTEN_STATE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sentence of a number.
    fn sentence(status: c_int) -> &'static str {
        // SAFETY: it points to one of the constants above.
        unsafe { CStr::from_ptr(hasten_strerror(status)) }.to_str().unwrap()
    }

    #[test]
    fn every_number_has_a_sentence() {
        assert_eq!(sentence(HASTEN_OK as c_int), "done");
        assert_eq!(sentence(HASTEN_INTERNAL as c_int), "a defect inside Hasten");
        for none in [-1, 13, c_int::MIN, c_int::MAX] {
            assert_eq!(sentence(none), "not a status of Hasten");
        }
    }
}
