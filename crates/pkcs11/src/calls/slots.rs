//! Slots and tokens.

use std::path::Path;
use std::sync::atomic::Ordering::SeqCst;

use cryptoki_sys::*;

use super::general::OURS;
use crate::border::{Room, over, padded, put};
use crate::fault::Fault;
use crate::objects::fingerprint;
use crate::sets::ALL;
use crate::token::login::PIN;
use crate::token::module::Module;
use crate::token::slot::Slot;

const NO_VERSION: CK_VERSION = CK_VERSION { major: 0, minor: 0 };

/// Lists the slots. Every slot has a token, so the `_present` flag has no effect.
///
/// # Safety
/// `slots` is NULL or has `*count` places; `count` is NULL, or readable and writable.
pub unsafe extern "C" fn C_GetSlotList(
    _present: CK_BBOOL,
    slots: *mut CK_SLOT_ID,
    count: *mut CK_ULONG,
) -> CK_RV {
    over(|module| {
        let all: Vec<CK_SLOT_ID> = (0..module.slots.len() as CK_SLOT_ID).collect();
        // SAFETY: the caller promises it.
        unsafe { Room::new(slots, count) }?.fill(&all)
    })
}

/// Returns the path of a slot's key; with two keys that of the stateful one.
///
/// # Safety
/// `info` is NULL or writable.
pub unsafe extern "C" fn C_GetSlotInfo(id: CK_SLOT_ID, info: *mut CK_SLOT_INFO) -> CK_RV {
    over(|module| {
        let place = module.slot(id)?.place.first().unwrap_or(Path::new(""));
        let told = CK_SLOT_INFO {
            slotDescription: padded(&format!("software: {}", place.display())),
            manufacturerID: padded("Hasten"),
            flags: CKF_TOKEN_PRESENT,
            hardwareVersion: NO_VERSION,
            firmwareVersion: OURS,
        };
        // SAFETY: the caller promises it.
        unsafe { put(info, told) }
    })
}

/// Describes the software token of a slot and its login requirements.
///
/// # Safety
/// `info` is NULL or writable.
pub unsafe extern "C" fn C_GetTokenInfo(id: CK_SLOT_ID, info: *mut CK_TOKEN_INFO) -> CK_RV {
    over(|module| {
        let told = token(module, id as usize, module.slot(id)?)?;
        // SAFETY: the caller promises it.
        unsafe { put(info, told) }
    })
}

fn token(module: &Module, number: usize, slot: &Slot) -> Result<CK_TOKEN_INFO, Fault> {
    let (all, writing) = module.count(number);
    let unknown = CK_ULONG::MAX;
    Ok(CK_TOKEN_INFO {
        label: padded(&slot.place.label),
        manufacturerID: padded("Hasten"),
        model: padded("software"),
        serialNumber: padded(&serial(slot)),
        flags: flags(module, slot)?,
        ulMaxSessionCount: CK_EFFECTIVELY_INFINITE,
        ulSessionCount: all as CK_ULONG,
        ulMaxRwSessionCount: CK_EFFECTIVELY_INFINITE,
        ulRwSessionCount: writing as CK_ULONG,
        ulMaxPinLen: *PIN.end() as CK_ULONG,
        ulMinPinLen: *PIN.start() as CK_ULONG,
        ulTotalPublicMemory: unknown,
        ulFreePublicMemory: unknown,
        ulTotalPrivateMemory: unknown,
        ulFreePrivateMemory: unknown,
        hardwareVersion: NO_VERSION,
        firmwareVersion: OURS,
        utcTime: [b' '; 16],
    })
}

/// Returns the identifier of the stateful key, or else the first digits of the other key's digest.
fn serial(slot: &Slot) -> String {
    let of_store = slot.status().map(|status| status.key_id).ok();
    let of_files = || slot.filed_pair().ok().flatten().map(|pair| fingerprint(&pair));
    of_store.or_else(of_files).unwrap_or_else(|| "no key".to_owned())
}

fn flags(module: &Module, slot: &Slot) -> Result<CK_FLAGS, Fault> {
    let locks = slot.locks()?;
    let encrypted = locks.contains(&Some(true));
    let login = encrypted || locks.contains(&None);
    let fixed = slot.place.guard.is_none() && slot.place.key.is_none();
    let left = module.config.tries.saturating_sub(slot.wrong.load(SeqCst));
    let counts = left < module.config.tries;
    let each = [
        (CKF_TOKEN_INITIALIZED, true),
        (CKF_LOGIN_REQUIRED, login),
        (CKF_USER_PIN_INITIALIZED, encrypted),
        (CKF_WRITE_PROTECTED, fixed),
        (CKF_USER_PIN_COUNT_LOW, counts),
        (CKF_USER_PIN_FINAL_TRY, counts && left == 1),
        (CKF_USER_PIN_LOCKED, left == 0),
    ];
    Ok(each.iter().filter(|(_, is)| *is).fold(0, |flags, (flag, _)| flags | flag))
}

/// Lists the mechanisms.
///
/// # Safety
/// As [`C_GetSlotList`].
pub unsafe extern "C" fn C_GetMechanismList(
    id: CK_SLOT_ID,
    list: *mut CK_MECHANISM_TYPE,
    count: *mut CK_ULONG,
) -> CK_RV {
    over(|module| {
        module.slot(id)?;
        let all: Vec<_> = ALL.iter().flat_map(|numbers| [numbers.generate, numbers.sign]).collect();
        // SAFETY: the caller promises it.
        unsafe { Room::new(list, count) }?.fill(&all)
    })
}

/// Returns the capabilities of a mechanism. No mechanism uses hardware or reports key sizes.
///
/// # Safety
/// `info` is NULL or writable.
pub unsafe extern "C" fn C_GetMechanismInfo(
    id: CK_SLOT_ID,
    mechanism: CK_MECHANISM_TYPE,
    info: *mut CK_MECHANISM_INFO,
) -> CK_RV {
    over(|module| {
        module.slot(id)?;
        let flags = match mechanism {
            one if ALL.iter().any(|numbers| numbers.generate == one) => CKF_GENERATE_KEY_PAIR,
            one if ALL.iter().any(|numbers| numbers.sign == one) => CKF_SIGN | CKF_VERIFY,
            _ => return Err(Fault::Rv(CKR_MECHANISM_INVALID)),
        };
        // SAFETY: the caller promises it.
        unsafe { put(info, CK_MECHANISM_INFO { ulMinKeySize: 0, ulMaxKeySize: 0, flags }) }
    })
}
