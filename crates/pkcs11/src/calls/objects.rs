//! Objects, which can only be found and read.

use cryptoki_sys::*;

use crate::border::{BAD, attributes, attributes_mut, over, put};
use crate::fault::Fault;
use crate::objects::{Object, Value, find, handle, visible};
use crate::template::Template;
use crate::token::module::Module;
use crate::token::slot::Slot;

/// Returns attribute values of an object.
///
/// # Safety
/// `template` is NULL or has `count` attributes, whose values are NULL or have the stated lengths.
pub unsafe extern "C" fn C_GetAttributeValue(
    session: CK_SESSION_HANDLE,
    object: CK_OBJECT_HANDLE,
    template: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
) -> CK_RV {
    over(|module| {
        let slot = module.slot_of(session)?;
        let object = find(slot, object)?;
        if template.is_null() {
            return Err(BAD);
        }
        // SAFETY: the caller promises it.
        let template = unsafe { attributes_mut(template, count) }?;
        let mut answer = Ok(());
        for attribute in template {
            // SAFETY: the caller promises it.
            let told = unsafe { tell(attribute, &object, slot.1) };
            answer = answer.and(told);
        }
        answer
    })
}

/// Writes the value of an attribute, or returns the reason why this is not possible.
///
/// # Safety
/// Its value is NULL, or writable in its stated length.
unsafe fn tell(attribute: &mut CK_ATTRIBUTE, object: &Object, slot: &Slot) -> Result<(), Fault> {
    let value = object.attribute(attribute.type_, slot);
    let (len, answer) = match &value {
        Ok(Value::Known(value)) if attribute.pValue.is_null() => (value.len(), CKR_OK),
        Ok(Value::Known(value)) if (attribute.ulValueLen as usize) < value.len() => {
            (usize::MAX, CKR_BUFFER_TOO_SMALL)
        }
        Ok(Value::Known(value)) => {
            let to: *mut u8 = attribute.pValue.cast();
            // SAFETY: it is not NULL and has this many bytes, as the caller promises; `value` is
            // memory of this library.
            unsafe { to.copy_from_nonoverlapping(value.as_ptr(), value.len()) };
            (value.len(), CKR_OK)
        }
        Ok(Value::Sensitive) => (usize::MAX, CKR_ATTRIBUTE_SENSITIVE),
        Ok(Value::None) => (usize::MAX, CKR_ATTRIBUTE_TYPE_INVALID),
        Err(fault) => (usize::MAX, fault.rv()),
    };
    attribute.ulValueLen = len as CK_ULONG;
    if answer == CKR_OK { Ok(()) } else { Err(Fault::Rv(answer)) }
}

/// Begins a search for the objects that have all attributes of a template.
///
/// # Safety
/// `template` is NULL or has `count` attributes, whose values have the stated lengths.
pub unsafe extern "C" fn C_FindObjectsInit(
    session: CK_SESSION_HANDLE,
    template: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
) -> CK_RV {
    over(|module| {
        let slot = module.slot_of(session)?;
        // SAFETY: the caller promises it.
        let template = unsafe { Template::read(attributes(template, count)?) }?;
        let found = search(slot, &template)?;
        module.session(session, |session| match session.found {
            Some(_) => Err(Fault::Rv(CKR_OPERATION_ACTIVE)),
            None => {
                session.found = Some(found.into_iter());
                Ok(())
            }
        })
    })
}

fn search(slot: (usize, &Slot), template: &Template) -> Result<Vec<CK_OBJECT_HANDLE>, Fault> {
    let mut found = Vec::new();
    for object in visible(slot.1)? {
        if object.matches(template, slot.1)? {
            found.push(handle(slot.0, object.kind));
        }
    }
    Ok(found)
}

/// Returns the next objects of a search.
///
/// # Safety
/// `objects` is NULL or has `most` places; `count` is NULL or writable.
pub unsafe extern "C" fn C_FindObjects(
    session: CK_SESSION_HANDLE,
    objects: *mut CK_OBJECT_HANDLE,
    most: CK_ULONG,
    count: *mut CK_ULONG,
) -> CK_RV {
    over(|module| {
        if objects.is_null() || !objects.is_aligned() || count.is_null() {
            module.slot_of(session)?;
            return Err(BAD);
        }
        let next = next_found(module, session, most)?;
        // SAFETY: there are `most` places, and no more objects than that.
        unsafe { objects.copy_from_nonoverlapping(next.as_ptr(), next.len()) };
        // SAFETY: the caller promises it.
        unsafe { put(count, next.len() as CK_ULONG) }
    })
}

fn next_found(
    module: &Module,
    session: CK_SESSION_HANDLE,
    most: CK_ULONG,
) -> Result<Vec<CK_OBJECT_HANDLE>, Fault> {
    module.session(session, |session| {
        let found = session.found.as_mut().ok_or(Fault::Rv(CKR_OPERATION_NOT_INITIALIZED))?;
        Ok(found.by_ref().take(most as usize).collect())
    })
}

/// Ends a search.
pub extern "C" fn C_FindObjectsFinal(session: CK_SESSION_HANDLE) -> CK_RV {
    over(|module| {
        module.session(session, |session| {
            let ended = session.found.take();
            ended.map(drop).ok_or(Fault::Rv(CKR_OPERATION_NOT_INITIALIZED))
        })
    })
}

/// Returns an error: objects cannot be destroyed here. The command-line tool retires and destroys
/// keys.
pub extern "C" fn C_DestroyObject(session: CK_SESSION_HANDLE, object: CK_OBJECT_HANDLE) -> CK_RV {
    refused(session, object)
}

/// Returns an error: objects cannot be copied.
///
/// # Safety
/// Nothing is read or written.
pub unsafe extern "C" fn C_CopyObject(
    session: CK_SESSION_HANDLE,
    object: CK_OBJECT_HANDLE,
    _template: *mut CK_ATTRIBUTE,
    _count: CK_ULONG,
    _new: *mut CK_OBJECT_HANDLE,
) -> CK_RV {
    refused(session, object)
}

/// Returns an error: objects cannot be changed.
///
/// # Safety
/// Nothing is read or written.
pub unsafe extern "C" fn C_SetAttributeValue(
    session: CK_SESSION_HANDLE,
    object: CK_OBJECT_HANDLE,
    _template: *mut CK_ATTRIBUTE,
    _count: CK_ULONG,
) -> CK_RV {
    refused(session, object)
}

fn refused(session: CK_SESSION_HANDLE, object: CK_OBJECT_HANDLE) -> CK_RV {
    over(|module| {
        find(module.slot_of(session)?, object)?;
        Err(Fault::Rv(CKR_ACTION_PROHIBITED))
    })
}
