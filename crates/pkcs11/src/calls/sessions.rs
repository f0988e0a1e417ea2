//! Sessions and login.

use std::ffi::c_void;

use cryptoki_sys::*;

use crate::border::{BAD, bytes, over, put};
use crate::fault::Fault;
use crate::token::login::PIN;

/// Opens a session.
///
/// # Safety
/// `session` is NULL or writable.
pub unsafe extern "C" fn C_OpenSession(
    id: CK_SLOT_ID,
    flags: CK_FLAGS,
    _application: *mut c_void,
    _notify: CK_NOTIFY,
    session: *mut CK_SESSION_HANDLE,
) -> CK_RV {
    over(|module| {
        module.slot(id)?;
        if session.is_null() || !session.is_aligned() {
            return Err(BAD);
        }
        if flags & CKF_SERIAL_SESSION == 0 {
            return Err(Fault::Rv(CKR_SESSION_PARALLEL_NOT_SUPPORTED));
        }
        let handle = module.open(id as usize, flags & CKF_RW_SESSION != 0);
        // SAFETY: the caller promises it.
        unsafe { put(session, handle) }
    })
}

/// Closes a session. If it is the last one of its slot, the user is logged out.
pub extern "C" fn C_CloseSession(session: CK_SESSION_HANDLE) -> CK_RV {
    over(|module| module.close(session))
}

/// Closes all sessions of a slot and logs the user out.
pub extern "C" fn C_CloseAllSessions(id: CK_SLOT_ID) -> CK_RV {
    over(|module| {
        module.slot(id)?;
        module.close_all(id as usize)
    })
}

/// Returns the slot and the state of a session.
///
/// # Safety
/// `info` is NULL or writable.
pub unsafe extern "C" fn C_GetSessionInfo(
    session: CK_SESSION_HANDLE,
    info: *mut CK_SESSION_INFO,
) -> CK_RV {
    over(|module| {
        let (number, slot) = module.slot_of(session)?;
        let writes = module.session(session, |session| Ok(session.writes))?;
        let state = match (writes, slot.is_logged_in()) {
            (false, false) => CKS_RO_PUBLIC_SESSION,
            (false, true) => CKS_RO_USER_FUNCTIONS,
            (true, false) => CKS_RW_PUBLIC_SESSION,
            (true, true) => CKS_RW_USER_FUNCTIONS,
        };
        let flags = CKF_SERIAL_SESSION | if writes { CKF_RW_SESSION } else { 0 };
        let slot_id = number as CK_SLOT_ID;
        let told = CK_SESSION_INFO { slotID: slot_id, state, flags, ulDeviceError: 0 };
        // SAFETY: the caller promises it.
        unsafe { put(info, told) }
    })
}

/// Logs the user in: the PIN is the passphrase of the key.
///
/// # Safety
/// `pin` is NULL or has `len` bytes.
pub unsafe extern "C" fn C_Login(
    session: CK_SESSION_HANDLE,
    user: CK_USER_TYPE,
    pin: *mut CK_UTF8CHAR,
    len: CK_ULONG,
) -> CK_RV {
    over(|module| {
        let (_, slot) = module.slot_of(session)?;
        match user {
            CKU_USER => {}
            CKU_CONTEXT_SPECIFIC => return Err(Fault::Rv(CKR_OPERATION_NOT_INITIALIZED)),
            // There are no other users: the owner of the files makes and removes keys.
            _ => return Err(Fault::Rv(CKR_USER_TYPE_INVALID)),
        }
        if pin.is_null() {
            return Err(BAD);
        }
        // Nothing is read or allocated for a length that no PIN has.
        if len > *PIN.end() as CK_ULONG {
            return Err(Fault::Rv(CKR_PIN_LEN_RANGE));
        }
        // SAFETY: the caller promises it.
        let pin = unsafe { bytes(pin, len) }?;
        slot.log_in(&module.config, pin, |body| module.session(session, |_| body()))
    })
}

/// Logs the user in as [`C_Login`] does. Users have no names.
///
/// # Safety
/// As [`C_Login`].
pub unsafe extern "C" fn C_LoginUser(
    session: CK_SESSION_HANDLE,
    user: CK_USER_TYPE,
    pin: *mut CK_UTF8CHAR,
    len: CK_ULONG,
    _name: *mut CK_UTF8CHAR,
    name_len: CK_ULONG,
) -> CK_RV {
    if name_len != 0 {
        return over(|module| {
            module.slot_of(session)?;
            Err(Fault::Rv(CKR_ARGUMENTS_BAD))
        });
    }
    // SAFETY: the caller promises it.
    unsafe { C_Login(session, user, pin, len) }
}

/// Logs the user out: closes the key, discards the secret, ends private key operations.
pub extern "C" fn C_Logout(session: CK_SESSION_HANDLE) -> CK_RV {
    over(|module| module.log_out(session))
}

/// Cancels the operations of a session that `flags` select.
pub extern "C" fn C_SessionCancel(session: CK_SESSION_HANDLE, flags: CK_FLAGS) -> CK_RV {
    over(|module| {
        module.session(session, |session| {
            if flags & CKF_FIND_OBJECTS != 0 {
                session.found = None;
            }
            if flags & CKF_SIGN != 0 {
                session.sign = None;
            }
            if flags & CKF_VERIFY != 0 {
                (session.verify, session.verify_signature) = (None, None);
            }
            Ok(())
        })
    })
}
