//! Verifying: any algorithm of this build, no state, nothing kept.

use std::ffi::c_char;

use hasten_pq::keys::encoding::read_public;

use crate::border::{Fault, bytes, guarded, text};
use crate::status::hasten_status;

/// Verifies a signature: HASTEN_OK if it is good, HASTEN_BAD_SIGNATURE if it is not, another status
/// if that could not be asked.
///
/// `key` is a public key as PEM, as DER (SubjectPublicKeyInfo), or in the raw bytes of its
/// standard. `algorithm` names the algorithm where raw bytes leave it open, and is NULL otherwise.
/// A bare LMS key verifies bare signatures, one of HSS those of HSS.
///
/// # Safety
/// Each pointer that is not NULL points to as many bytes as the length behind it says; `algorithm`
/// is NULL or ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_verify(
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> hasten_status {
    guarded(|| {
        // SAFETY: the caller promises what `text` and `bytes` ask.
        let (algorithm, key, message, signature) = unsafe {
            (
                text(algorithm)?,
                bytes(key, key_len)?,
                bytes(message, message_len)?,
                bytes(signature, signature_len)?,
            )
        };
        let key = read_public(key, algorithm)?;
        Ok::<_, Fault>(hasten_pq::verify(&key, message, signature)?)
    })
}
