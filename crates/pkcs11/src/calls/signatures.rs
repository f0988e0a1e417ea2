//! Single-part signing and verification; the standard has no multi-part form for these mechanisms.

use cryptoki_sys::*;

use crate::border::{BAD, Room, additional, bytes, mechanism, over};
use crate::fault::Fault;
use crate::objects::find;
use crate::sets::Numbers;
use crate::token::module::{Module, Session};
use crate::token::sign::{Operation, Parameter, verify};

/// The error for a call without a preceding initialization.
const NOT_BEGUN: Fault = Fault::Rv(CKR_OPERATION_NOT_INITIALIZED);
/// The error for a second initialization.
const ACTIVE: Fault = Fault::Rv(CKR_OPERATION_ACTIVE);

/// Begins a signature. No index is reserved or used yet. A NULL mechanism cancels the active
/// operation.
///
/// # Safety
/// `wanted` is NULL or points to a mechanism.
pub unsafe extern "C" fn C_SignInit(
    session: CK_SESSION_HANDLE,
    wanted: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    over(|module| {
        module.slot_of(session)?;
        if wanted.is_null() {
            return module.session(session, |s| s.sign.take().map(drop).ok_or(BAD));
        }
        // SAFETY: the caller promises what these functions require.
        let operation =
            unsafe { begun(module, session, mechanism(wanted)?, key, CKO_PRIVATE_KEY) }?;
        module.session(session, |s| begin(&mut s.sign, operation))
    })
}

/// Signs in a single part. A stateful key reserves an index, signs with it and records it. If there
/// is no buffer, only the length of a signature is returned. If the buffer is too small, the call
/// fails before an index is reserved.
///
/// # Safety
/// `data` is NULL or has `data_len` bytes; `signature` is NULL or has `*len` bytes; `len` is NULL,
/// or readable and writable.
pub unsafe extern "C" fn C_Sign(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
    signature: *mut CK_BYTE,
    len: *mut CK_ULONG,
) -> CK_RV {
    over(|module| {
        let (_, slot) = module.slot_of(session)?;
        let operation = taken(module, session, |s| &mut s.sign)?;
        // SAFETY: the caller promises what these functions require.
        let (data, room) = unsafe { (bytes(data, data_len)?, Room::new(signature, len)?) };
        let needed = operation.pair.most();
        match room.holds(needed) {
            Ok(true) => {}
            asked => {
                module.session(session, |s| begin(&mut s.sign, operation))?;
                return asked.map(drop).map_err(|fault| too_small(fault, needed));
            }
        }
        let lives = || module.session(session, |_| Ok(()));
        room.fill(&slot.sign(&module.config, &operation, data, &lives)?)
    })
}

/// Begins a verification. A NULL mechanism cancels the active operation.
///
/// # Safety
/// As [`C_SignInit`].
pub unsafe extern "C" fn C_VerifyInit(
    session: CK_SESSION_HANDLE,
    wanted: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    over(|module| {
        module.slot_of(session)?;
        if wanted.is_null() {
            return module.session(session, |s| s.verify.take().map(drop).ok_or(BAD));
        }
        // SAFETY: the caller promises what these functions require.
        let operation = unsafe { begun(module, session, mechanism(wanted)?, key, CKO_PUBLIC_KEY) }?;
        module.session(session, |s| begin(&mut s.verify, operation))
    })
}

/// Verifies in a single part.
///
/// # Safety
/// `data` and `signature` are NULL or have the stated lengths.
pub unsafe extern "C" fn C_Verify(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
    signature: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    over(|module| {
        let operation = taken(module, session, |s| &mut s.verify)?;
        // SAFETY: the caller promises what these functions require.
        let (data, signature) = unsafe { (bytes(data, data_len)?, bytes(signature, len)?) };
        verify(&operation, data, signature)
    })
}

/// Begins a verification that receives the signature before the data.
///
/// # Safety
/// As [`C_SignInit`]; `signature` is NULL or has `len` bytes.
pub unsafe extern "C" fn C_VerifySignatureInit(
    session: CK_SESSION_HANDLE,
    wanted: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
    signature: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    over(|module| {
        module.slot_of(session)?;
        if wanted.is_null() {
            return module.session(session, |s| s.verify_signature.take().map(drop).ok_or(BAD));
        }
        // SAFETY: the caller promises what these functions require.
        let (wanted, signature) = unsafe { (mechanism(wanted)?, bytes(signature, len)?) };
        // SAFETY: the caller promises what it requires.
        let operation = unsafe { begun(module, session, wanted, key, CKO_PUBLIC_KEY) }?;
        if signature.len() > operation.pair.most() {
            return Err(Fault::Rv(CKR_SIGNATURE_LEN_RANGE));
        }
        let kept = (operation, signature.to_vec());
        module.session(session, |s| begin(&mut s.verify_signature, kept))
    })
}

/// Verifies the signature that was given to [`C_VerifySignatureInit`].
///
/// # Safety
/// `data` is NULL or has `data_len` bytes.
pub unsafe extern "C" fn C_VerifySignature(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
) -> CK_RV {
    over(|module| {
        let (operation, signature) = taken(module, session, |s| &mut s.verify_signature)?;
        // SAFETY: the caller promises it.
        verify(&operation, unsafe { bytes(data, data_len) }?, &signature)
    })
}

/// Returns the operation of a mechanism and a key, if they match.
///
/// # Safety
/// The parameter is as the standard defines it.
unsafe fn begun(
    module: &Module,
    session: CK_SESSION_HANDLE,
    (mechanism, parameter): (CK_MECHANISM_TYPE, &[u8]),
    key: CK_OBJECT_HANDLE,
    class: CK_OBJECT_CLASS,
) -> Result<Operation, Fault> {
    let numbers = crate::sets::ALL.iter().find(|numbers| numbers.sign == mechanism);
    let numbers = numbers.ok_or(Fault::Rv(CKR_MECHANISM_INVALID))?;
    // SAFETY: the caller promises it.
    let parameter = unsafe { beside(numbers, parameter, class) };
    let parameter = parameter.ok_or(Fault::Rv(CKR_MECHANISM_PARAM_INVALID))?;
    let object = find(module.slot_of(session)?, key).map_err(|fault| match fault {
        Fault::Rv(CKR_OBJECT_HANDLE_INVALID) => Fault::Rv(CKR_KEY_HANDLE_INVALID),
        fault => fault,
    })?;
    let pair = object.pair.ok_or(Fault::Rv(CKR_KEY_HANDLE_INVALID))?;
    if object.kind.class() != class {
        return Err(Fault::Rv(CKR_KEY_FUNCTION_NOT_PERMITTED));
    }
    if pair.numbers.sign != mechanism {
        return Err(Fault::Rv(CKR_KEY_TYPE_INCONSISTENT));
    }
    Ok(Operation { pair, parameter })
}

/// Parses the parameter of a mechanism. Only ML-DSA and SLH-DSA have one, and it is optional for
/// them.
///
/// # Safety
/// The parameter is as the standard defines it.
unsafe fn beside(numbers: &Numbers, parameter: &[u8], class: CK_OBJECT_CLASS) -> Option<Parameter> {
    if parameter.is_empty() {
        return Some(Parameter::default());
    }
    if numbers.has_state() {
        return None;
    }
    // SAFETY: the caller promises it.
    let (hedge, context) = unsafe { additional(parameter) }?;
    let deterministic = match hedge {
        CKH_HEDGE_PREFERRED | CKH_HEDGE_REQUIRED => false,
        CKH_DETERMINISTIC_REQUIRED => true,
        _ => return None,
    };
    let signs = class == CKO_PRIVATE_KEY;
    Some(Parameter { context: context.to_vec(), deterministic: deterministic && signs })
}

/// Adds the required length to the error for a buffer that is too small.
fn too_small(fault: Fault, needed: usize) -> Fault {
    match fault {
        Fault::Rv(CKR_BUFFER_TOO_SMALL) => Fault::Told(
            CKR_BUFFER_TOO_SMALL,
            format!("the program's buffer is too small for {needed} bytes: nothing was signed"),
        ),
        fault => fault,
    }
}

fn begin<T>(place: &mut Option<T>, operation: T) -> Result<(), Fault> {
    if place.is_some() {
        return Err(ACTIVE);
    }
    *place = Some(operation);
    Ok(())
}

/// Takes the active operation, which ends whatever the result of the call is.
fn taken<T>(
    module: &Module,
    session: CK_SESSION_HANDLE,
    place: impl FnOnce(&mut Session) -> &mut Option<T>,
) -> Result<T, Fault> {
    module.session(session, |session| place(session).take().ok_or(NOT_BEGUN))
}
