//! Signing and verifying, in one part: the standard has no other for these mechanisms.

use cryptoki_sys::*;

use crate::border::{BAD, Room, additional, bytes, mechanism, over};
use crate::fault::Fault;
use crate::objects::find;
use crate::sets::Numbers;
use crate::token::module::{Module, Session};
use crate::token::sign::{Operation, Parameter, verify};

/// The answer to a call that no other one began.
const NOT_BEGUN: Fault = Fault::Rv(CKR_OPERATION_NOT_INITIALIZED);
/// The answer to a second beginning.
const ACTIVE: Fault = Fault::Rv(CKR_OPERATION_ACTIVE);

/// Begins a signature. Nothing is reserved, and no index is used. A mechanism at NULL ends what was
/// begun.
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
        // SAFETY: the caller promises what these ask.
        let operation =
            unsafe { begun(module, session, mechanism(wanted)?, key, CKO_PRIVATE_KEY) }?;
        module.session(session, |s| begin(&mut s.sign, operation))
    })
}

/// Signs in one part: a key with a state reserves an index, signs with it, records it. Without a
/// buffer it says the length of a signature, and a buffer that is too small is refused, before an
/// index is reserved.
///
/// # Safety
/// `data` is NULL or has `data_len` bytes; `signature` is NULL or has `*len` bytes; `len` is NULL
/// or can be read and written.
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
        // SAFETY: the caller promises what these ask.
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

/// Begins a verification. A mechanism at NULL ends what was begun.
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
        // SAFETY: the caller promises what these ask.
        let operation = unsafe { begun(module, session, mechanism(wanted)?, key, CKO_PUBLIC_KEY) }?;
        module.session(session, |s| begin(&mut s.verify, operation))
    })
}

/// Verifies in one part.
///
/// # Safety
/// `data` and `signature` are NULL or have their lengths.
pub unsafe extern "C" fn C_Verify(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
    signature: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    over(|module| {
        let operation = taken(module, session, |s| &mut s.verify)?;
        // SAFETY: the caller promises what these ask.
        let (data, signature) = unsafe { (bytes(data, data_len)?, bytes(signature, len)?) };
        verify(&operation, data, signature)
    })
}

/// Begins a verification with the signature first.
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
        // SAFETY: the caller promises what these ask.
        let (wanted, signature) = unsafe { (mechanism(wanted)?, bytes(signature, len)?) };
        // SAFETY: the caller promises what it asks.
        let operation = unsafe { begun(module, session, wanted, key, CKO_PUBLIC_KEY) }?;
        if signature.len() > operation.pair.most() {
            return Err(Fault::Rv(CKR_SIGNATURE_LEN_RANGE));
        }
        let kept = (operation, signature.to_vec());
        module.session(session, |s| begin(&mut s.verify_signature, kept))
    })
}

/// Verifies the signature that was given first.
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

/// Returns the operation of a mechanism and a key, if they fit.
///
/// # Safety
/// The parameter is what the standard says.
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

/// Returns what a mechanism's parameter says: none has one but ML-DSA and SLH-DSA, and these need
/// none.
///
/// # Safety
/// The parameter is what the standard says.
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

/// Adds the length that a buffer should have to the answer to one that is too small.
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

/// Takes what was begun: it is over, however the call ends.
fn taken<T>(
    module: &Module,
    session: CK_SESSION_HANDLE,
    place: impl FnOnce(&mut Session) -> &mut Option<T>,
) -> Result<T, Fault> {
    module.session(session, |session| place(session).take().ok_or(NOT_BEGUN))
}
