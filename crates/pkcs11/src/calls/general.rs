//! General-purpose functions.

use std::ffi::c_void;

use cryptoki_sys::*;

use crate::border::{BAD, guarded, over, padded, put};
use crate::fault::Fault;
use crate::token::module::Module;

/// The version of this module.
pub const OURS: CK_VERSION = CK_VERSION { major: 0, minor: 1 };

/// Initializes the module with its configuration. The module uses the locks of the operating
/// system; a caller that requires its own lock functions is rejected.
///
/// # Safety
/// `args` is NULL or points to CK_C_INITIALIZE_ARGS.
pub unsafe extern "C" fn C_Initialize(args: *mut c_void) -> CK_RV {
    guarded(|| {
        let args: *const CK_C_INITIALIZE_ARGS = args.cast();
        if !args.is_aligned() {
            return Err(BAD);
        }
        // SAFETY: it is not misaligned, and the caller promises the rest.
        if let Some(args) = unsafe { args.as_ref() } {
            may_lock(args)?;
        }
        Module::begin()
    })
}

fn may_lock(args: &CK_C_INITIALIZE_ARGS) -> Result<(), Fault> {
    let given = [
        args.CreateMutex.is_some(),
        args.DestroyMutex.is_some(),
        args.LockMutex.is_some(),
        args.UnlockMutex.is_some(),
    ];
    let (all, none) = (given.iter().all(|is| *is), given.iter().all(|is| !is));
    if !args.pReserved.is_null() || !(all || none) {
        return Err(BAD);
    }
    if all && args.flags & CKF_OS_LOCKING_OK == 0 {
        return Err(Fault::Rv(CKR_CANT_LOCK));
    }
    Ok(())
}

/// Closes all sessions and keys, and discards all secrets.
pub extern "C" fn C_Finalize(reserved: *mut c_void) -> CK_RV {
    over(|module| if reserved.is_null() { module.end() } else { Err(BAD) })
}

/// Describes this module. If there are no slots, the description refers to the help page about
/// them.
///
/// # Safety
/// `info` is NULL or writable.
pub unsafe extern "C" fn C_GetInfo(info: *mut CK_INFO) -> CK_RV {
    over(|module| {
        let described = match module.slots.is_empty() {
            true => "No slots: see 'hasten pkcs11 -h'",
            false => "Keys with a state, in software",
        };
        let of_ours = CK_INFO {
            cryptokiVersion: CK_VERSION { major: 3, minor: 2 },
            manufacturerID: padded("Hasten"),
            flags: 0,
            libraryDescription: padded(described),
            libraryVersion: OURS,
        };
        // SAFETY: the caller promises it.
        unsafe { put(info, of_ours) }
    })
}

/// Returns CKR_FUNCTION_NOT_PARALLEL, as the standard requires.
pub extern "C" fn C_GetFunctionStatus(_: CK_SESSION_HANDLE) -> CK_RV {
    over(|_| Err(Fault::Rv(CKR_FUNCTION_NOT_PARALLEL)))
}

/// Returns CKR_FUNCTION_NOT_PARALLEL, as the standard requires.
pub extern "C" fn C_CancelFunction(_: CK_SESSION_HANDLE) -> CK_RV {
    over(|_| Err(Fault::Rv(CKR_FUNCTION_NOT_PARALLEL)))
}

/// Returns an error: the token accepts no seed.
///
/// # Safety
/// Nothing is read.
pub unsafe extern "C" fn C_SeedRandom(
    session: CK_SESSION_HANDLE,
    _seed: *mut CK_BYTE,
    _len: CK_ULONG,
) -> CK_RV {
    over(|module| {
        module.slot_of(session)?;
        Err(Fault::Rv(CKR_RANDOM_SEED_NOT_SUPPORTED))
    })
}

/// Returns an error: the token generates no random bytes.
///
/// # Safety
/// Nothing is written.
pub unsafe extern "C" fn C_GenerateRandom(
    session: CK_SESSION_HANDLE,
    _to: *mut CK_BYTE,
    _len: CK_ULONG,
) -> CK_RV {
    over(|module| {
        module.slot_of(session)?;
        Err(Fault::Rv(CKR_RANDOM_NO_RNG))
    })
}
