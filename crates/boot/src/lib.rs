//! Verifies hash-based signatures in a boot loader: LMS and HSS (RFC 8554), XMSS and XMSS^MT (RFC
//! 8391), SLH-DSA (FIPS 205), for C.
//!
//! There is no operating system and no heap: the verifiers of `hasten-hbs` allocate from a buffer
//! of the caller, whose required size is known before ([`hasten_boot_memory`]). `unsafe` code only
//! turns pointers into slices and manages the heap in that buffer.
#![no_std]

mod arena;
mod memory;

use core::ffi::{CStr, c_char, c_int};
use core::panic::PanicInfo;

use hasten_hbs::params::{SETS, Scheme};
use hasten_hbs::slhdsa::{Context, VerifyingKey};
use hasten_hbs::{Error, PublicKey, Set, Verifier};
use hasten_kernels::Kernels;

/// Says how a call ended.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum hasten_boot_status {
    /// The signature is good.
    HASTEN_BOOT_OK = 0,
    /// The signature does not verify.
    HASTEN_BOOT_BAD_SIGNATURE = 1,
    /// A pointer is NULL that may not be, or a length is impossible.
    HASTEN_BOOT_ARGUMENT = 2,
    /// The buffer is smaller than hasten_boot_memory says. Nothing was written to it.
    HASTEN_BOOT_TOO_SMALL = 3,
    /// The bytes are no public key of this scheme.
    HASTEN_BOOT_NOT_A_KEY = 4,
    /// Another call has not returned yet: one verifies at a time.
    HASTEN_BOOT_BUSY = 5,
}

use hasten_boot_status::*;

/// The scheme of a raw public key.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum hasten_boot_scheme {
    /// One LMS tree with nothing in front: RFC 8554, section 5.3 (LMS Public Key).
    HASTEN_BOOT_LMS = 1,
    /// HSS: RFC 8554, section 6.1 (Key Generation).
    HASTEN_BOOT_HSS = 2,
    /// XMSS, with the number of its set in front: RFC 8391, section 4.1.7 (XMSS Key Generation).
    HASTEN_BOOT_XMSS = 3,
    /// XMSS^MT, in the same form.
    HASTEN_BOOT_XMSSMT = 4,
}

const LMS: c_int = hasten_boot_scheme::HASTEN_BOOT_LMS as c_int;
const HSS: c_int = hasten_boot_scheme::HASTEN_BOOT_HSS as c_int;
const XMSS: c_int = hasten_boot_scheme::HASTEN_BOOT_XMSS as c_int;
const XMSSMT: c_int = hasten_boot_scheme::HASTEN_BOOT_XMSSMT as c_int;

/// Maximum number of levels of HSS: RFC 8554, section 6 (Hierarchical Signatures).
const MOST_LEVELS: u32 = 8;

unsafe extern "C" {
    /// Resets or stops the machine, and does not return. The boot loader defines it; it is called
    /// when a defect inside was met.
    fn hasten_boot_defect() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: the boot loader defines the function.
    unsafe { hasten_boot_defect() }
}

/// Returns how many bytes the buffer of hasten_boot_verify needs for this key and signature, or 0
/// if the bytes are no key. It reads them, and computes nothing. The signature of a key of several
/// levels of HSS names its lower sets, so it decides too; of any other it is not read and may be
/// NULL.
///
/// # Safety
/// `key` and `signature` are NULL or point to as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_boot_memory(
    scheme: c_int,
    key: *const u8,
    key_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> usize {
    // SAFETY: the caller upholds the requirements of `bytes`.
    let (key, signature) = unsafe { (bytes(key, key_len), bytes(signature, signature_len)) };
    let (Some(key), Some(signature)) = (key, signature) else { return 0 };
    needed(scheme, key, signature).unwrap_or(0)
}

/// Returns the length of every signature of this key; 0 if the bytes are no key, and for HSS with
/// several levels, whose signatures differ.
///
/// # Safety
/// `key` is NULL or points to `key_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_boot_signature_len(
    scheme: c_int,
    key: *const u8,
    key_len: usize,
) -> usize {
    // SAFETY: the caller upholds the requirements of `bytes`.
    let Some((set, levels)) = unsafe { bytes(key, key_len) }.and_then(|key| set_of(scheme, key))
    else {
        return 0;
    };
    match (scheme, levels) {
        (HSS, 1) => set.signature_bytes() + 4,
        (HSS, _) => 0,
        _ => set.signature_bytes(),
    }
}

/// Verifies a signature of a message: HASTEN_BOOT_OK if it is good, and nothing else. `scheme` is
/// one of hasten_boot_scheme. `buffer` is memory to work in; nothing is kept there.
///
/// # Safety
/// Each pointer is NULL or points to as many bytes as its length says; nobody else uses the buffer
/// before the call returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_boot_verify(
    scheme: c_int,
    key: *const u8,
    key_len: usize,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    buffer: *mut u8,
    buffer_len: usize,
) -> hasten_boot_status {
    // SAFETY: the caller upholds the requirements of `bytes`.
    let read = unsafe {
        (bytes(key, key_len), bytes(message, message_len), bytes(signature, signature_len))
    };
    let (Some(key), Some(message), Some(signature)) = read else { return HASTEN_BOOT_ARGUMENT };
    let Some(needed) = needed(scheme, key, signature) else { return HASTEN_BOOT_NOT_A_KEY };
    let body = || {
        let key = match scheme {
            LMS => PublicKey::from_lms_bytes(key),
            HSS => PublicKey::from_hss_bytes(key),
            XMSS => PublicKey::from_xmss_bytes(key),
            _ => PublicKey::from_xmssmt_bytes(key),
        }?;
        Verifier::new(&key, Kernels::portable()).verify(message, signature)
    };
    // SAFETY: the caller upholds the requirements of `lent`.
    unsafe { lent(needed, buffer, buffer_len, body) }
}

/// Returns how many bytes the buffer of hasten_boot_verify_slh_dsa needs for a set, or 0 if no set
/// has this name.
///
/// # Safety
/// `set` is NULL or ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_boot_memory_slh_dsa(set: *const c_char) -> usize {
    // SAFETY: the caller upholds the requirements of `slh_dsa`.
    unsafe { slh_dsa(set) }.map_or(0, memory::of_set)
}

/// Returns the length of every signature of a set of SLH-DSA, or 0 if no set has this name.
///
/// # Safety
/// `set` is NULL or ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_boot_signature_len_slh_dsa(set: *const c_char) -> usize {
    // SAFETY: the caller upholds the requirements of `slh_dsa`.
    unsafe { slh_dsa(set) }.map_or(0, Set::signature_bytes)
}

/// Verifies a signature of SLH-DSA. `set` is its name in FIPS 205, for example "SLH-DSA-SHA2-128s";
/// most signers leave the context empty.
///
/// # Safety
/// As hasten_boot_verify; `set` is NULL or ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasten_boot_verify_slh_dsa(
    set: *const c_char,
    key: *const u8,
    key_len: usize,
    context: *const u8,
    context_len: usize,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    buffer: *mut u8,
    buffer_len: usize,
) -> hasten_boot_status {
    // SAFETY: the caller upholds the requirements of `bytes` and `slh_dsa`.
    let (read, texts, set) = unsafe {
        let texts = (bytes(context, context_len), bytes(message, message_len));
        ((bytes(key, key_len), bytes(signature, signature_len)), texts, slh_dsa(set))
    };
    let (Some(key), Some(signature)) = read else { return HASTEN_BOOT_ARGUMENT };
    let (Some(context), Some(message)) = texts else { return HASTEN_BOOT_ARGUMENT };
    let Ok(context) = Context::new(context) else { return HASTEN_BOOT_ARGUMENT };
    let Some(set) = set else { return HASTEN_BOOT_NOT_A_KEY };
    let body = || {
        let key = VerifyingKey::from_bytes(&Kernels::portable(), set, key)?;
        key.verify(context, message, signature)
    };
    // SAFETY: the caller upholds the requirements of `lent`.
    unsafe { lent(memory::of_set(set), buffer, buffer_len, body) }
}

/// Runs a verification in the caller's buffer, if it is large enough.
///
/// # Safety
/// If the buffer is not NULL, the requirements of [`arena::within`] apply.
unsafe fn lent(
    needed: usize,
    buffer: *mut u8,
    len: usize,
    body: impl FnOnce() -> Result<(), Error>,
) -> hasten_boot_status {
    if buffer.is_null() || len < needed {
        return HASTEN_BOOT_TOO_SMALL;
    }
    // SAFETY: the caller upholds them, and the body frees everything it allocates.
    match unsafe { arena::within(buffer, len, body) } {
        Some(Ok(())) => HASTEN_BOOT_OK,
        Some(Err(Error::BadKey)) => HASTEN_BOOT_NOT_A_KEY,
        Some(Err(_)) => HASTEN_BOOT_BAD_SIGNATURE,
        None => HASTEN_BOOT_BUSY,
    }
}

/// Returns the set of a raw public key, and its number of HSS levels.
fn set_of(scheme: c_int, key: &[u8]) -> Option<(&'static Set, u32)> {
    let (levels, tree) = match scheme {
        HSS => (number(key)?, &key[4..]),
        _ => (1, key),
    };
    let set = match scheme {
        LMS | HSS => Set::lms_by_types(tree.first_chunk()?),
        XMSS => Set::xmss_by_oid(number(tree)?),
        XMSSMT => Set::xmssmt_by_oid(number(tree)?),
        _ => return None,
    };
    let set = set.ok().filter(|set| set.public_key_bytes() == tree.len())?;
    (1..=MOST_LEVELS).contains(&levels).then_some((set, levels))
}

/// Returns the bytes needed to verify. For HSS this is the maximum over all levels that the
/// signature names.
fn needed(scheme: c_int, key: &[u8], signature: &[u8]) -> Option<usize> {
    let (set, levels) = set_of(scheme, key)?;
    let mut most = memory::of_set(set);
    let mut above = Some((set, signature.get(4..).unwrap_or(&[])));
    for _ in 1..levels {
        above = above.and_then(|(set, rest)| below(set, rest));
        most = above.map_or(most, |(set, _)| most.max(memory::of_set(set)));
    }
    Some(most)
}

/// Returns the set of the tree below, which a signature by `set` signs, and the bytes after its
/// public key.
fn below<'s>(set: &Set, signed: &'s [u8]) -> Option<(&'static Set, &'s [u8])> {
    let key = signed.get(set.signature_bytes()..)?;
    let set = Set::lms_by_types(key.first_chunk()?).ok()?;
    Some((set, key.get(set.public_key_bytes()..)?))
}

/// Returns the number in the first four bytes, big-endian.
fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|four| u32::from_be_bytes(*four))
}

/// Returns the set of SLH-DSA with this name.
///
/// # Safety
/// `name` must be NULL or end with a zero.
unsafe fn slh_dsa(name: *const c_char) -> Option<&'static Set> {
    if name.is_null() {
        return None;
    }
    // SAFETY: `name` is not NULL, and the caller guarantees the zero.
    let name = unsafe { CStr::from_ptr(name) }.to_str().ok()?;
    let slh = |set: &&Set| matches!(set.scheme, Scheme::SlhDsa { .. }) && set.name == name;
    SETS.iter().find(slh)
}

/// Returns the bytes at `at`, or `None` if `at` is NULL and `len` is not 0, or if `len` is too
/// large for a slice.
///
/// # Safety
/// If `at` is not NULL, `len` bytes there must be readable, and nobody may write them meanwhile.
unsafe fn bytes<'b>(at: *const u8, len: usize) -> Option<&'b [u8]> {
    match (at.is_null(), len) {
        (_, 0) => Some(&[]),
        (true, _) => None,
        (false, _) if isize::try_from(len).is_err() => None,
        // SAFETY: `at` is not NULL, the length is allowed for a slice, and the caller guarantees
        // the rest.
        (false, _) => Some(unsafe { core::slice::from_raw_parts(at, len) }),
    }
}
