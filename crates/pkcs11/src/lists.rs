//! The function lists of 2.40, 3.0 and 3.2. Each list begins with the functions of the previous
//! one.

use std::ffi::CStr;

use cryptoki_sys::*;

use crate::border::{Room, guarded, over, put};
use crate::calls::*;
use crate::fault::Fault;

/// A function that this module does not implement.
trait Missing {
    /// A function that always returns CKR_FUNCTION_NOT_SUPPORTED.
    const MISSING: Self;
}

macro_rules! missing {
    ($name:ident $($argument:ident)*) => {
        extern "C" fn $name<$($argument),*>($(_: $argument),*) -> CK_RV {
            over(|_| Err(Fault::Rv(CKR_FUNCTION_NOT_SUPPORTED)))
        }

        impl<$($argument),*> Missing for Option<unsafe extern "C" fn($($argument),*) -> CK_RV> {
            const MISSING: Self = Some($name::<$($argument),*>);
        }
    };
}

missing!(missing1 A);
missing!(missing2 A B);
missing!(missing3 A B C);
missing!(missing4 A B C D);
missing!(missing5 A B C D E);
missing!(missing6 A B C D E F);
missing!(missing7 A B C D E F G);
missing!(missing8 A B C D E F G H);
missing!(missing9 A B C D E F G H I);
missing!(missing10 A B C D E F G H I J);

/// Creates a list of the implemented functions and the missing ones.
macro_rules! list {
    ($list:ident $major:literal $minor:literal [$($here:ident)*] [$($not:ident)*]) => {
        $list {
            version: CK_VERSION { major: $major, minor: $minor },
            $($here: Some($here),)*
            $($not: Missing::MISSING,)*
        }
    };
}

/// Creates a list that begins with the functions of 2.40.
macro_rules! v2_40 {
    ($list:ident $major:literal $minor:literal [$($here:ident)*] [$($not:ident)*]) => {
        list! { $list $major $minor
            [C_Initialize C_Finalize C_GetInfo C_GetFunctionList C_GetSlotList C_GetSlotInfo
             C_GetTokenInfo C_GetMechanismList C_GetMechanismInfo C_OpenSession C_CloseSession
             C_CloseAllSessions C_GetSessionInfo C_Login C_Logout C_CopyObject C_DestroyObject
             C_GetAttributeValue C_SetAttributeValue C_FindObjectsInit C_FindObjects
             C_FindObjectsFinal C_SignInit C_Sign C_VerifyInit C_Verify C_GenerateKeyPair
             C_GetFunctionStatus C_CancelFunction C_SeedRandom C_GenerateRandom $($here)*]
            [C_InitToken C_InitPIN C_SetPIN C_GetOperationState C_SetOperationState C_CreateObject
             C_GetObjectSize C_EncryptInit C_Encrypt C_EncryptUpdate C_EncryptFinal C_DecryptInit
             C_Decrypt C_DecryptUpdate C_DecryptFinal C_DigestInit C_Digest C_DigestUpdate
             C_DigestKey C_DigestFinal C_SignUpdate C_SignFinal C_SignRecoverInit C_SignRecover
             C_VerifyUpdate C_VerifyFinal C_VerifyRecoverInit C_VerifyRecover
             C_DigestEncryptUpdate C_DecryptDigestUpdate C_SignEncryptUpdate
             C_DecryptVerifyUpdate C_GenerateKey C_WrapKey C_UnwrapKey C_DeriveKey
             C_WaitForSlotEvent $($not)*]
        }
    };
}

/// Creates a list that begins with the functions of 3.0.
macro_rules! v3_0 {
    ($list:ident $major:literal $minor:literal [$($here:ident)*] [$($not:ident)*]) => {
        v2_40! { $list $major $minor
            [C_GetInterfaceList C_GetInterface C_LoginUser C_SessionCancel $($here)*]
            [C_MessageEncryptInit C_EncryptMessage C_EncryptMessageBegin C_EncryptMessageNext
             C_MessageEncryptFinal C_MessageDecryptInit C_DecryptMessage C_DecryptMessageBegin
             C_DecryptMessageNext C_MessageDecryptFinal C_MessageSignInit C_SignMessage
             C_SignMessageBegin C_SignMessageNext C_MessageSignFinal C_MessageVerifyInit
             C_VerifyMessage C_VerifyMessageBegin C_VerifyMessageNext C_MessageVerifyFinal
             $($not)*]
        }
    };
}

static V2_40: CK_FUNCTION_LIST = v2_40! { CK_FUNCTION_LIST 2 40 [] [] };
static V3_0: CK_FUNCTION_LIST_3_0 = v3_0! { CK_FUNCTION_LIST_3_0 3 0 [] [] };
static V3_2: CK_FUNCTION_LIST_3_2 = v3_0! { CK_FUNCTION_LIST_3_2 3 2
    [C_VerifySignatureInit C_VerifySignature]
    [C_EncapsulateKey C_DecapsulateKey C_VerifySignatureUpdate C_VerifySignatureFinal
     C_GetSessionValidationFlags C_AsyncComplete C_AsyncGetID C_AsyncJoin C_WrapKeyAuthenticated
     C_UnwrapKeyAuthenticated]
};

const NAME: &CStr = c"PKCS 11";

/// Returns the interfaces, the newest first.
fn interfaces() -> [CK_INTERFACE; 3] {
    let one = |list: *const std::ffi::c_void| CK_INTERFACE {
        pInterfaceName: NAME.as_ptr().cast_mut().cast(),
        pFunctionList: list.cast_mut(),
        // Calls in a forked child fail until the child calls C_Initialize itself.
        flags: CKF_INTERFACE_FORK_SAFE,
    };
    [(&raw const V3_2).cast(), (&raw const V3_0).cast(), (&raw const V2_40).cast()].map(one)
}

/// The interfaces in a place that C can point to. C code does not write them, although the type
/// allows it.
struct Interfaces([CK_INTERFACE; 3]);

// SAFETY: everything it points to is constant.
unsafe impl Sync for Interfaces {}
// SAFETY: as above.
unsafe impl Send for Interfaces {}

fn kept() -> &'static [CK_INTERFACE; 3] {
    static KEPT: std::sync::LazyLock<Interfaces> =
        std::sync::LazyLock::new(|| Interfaces(interfaces()));
    &KEPT.0
}

/// Returns the functions of PKCS#11 2.40.
///
/// # Safety
/// `list` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetFunctionList(list: *mut *mut CK_FUNCTION_LIST) -> CK_RV {
    // SAFETY: the caller promises it.
    guarded(|| unsafe { put(list, (&raw const V2_40).cast_mut()) })
}

/// Lists the interfaces: the function lists of 3.2, 3.0 and 2.40.
///
/// # Safety
/// `list` is NULL or has `*count` places; `count` is NULL, or readable and writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetInterfaceList(
    list: *mut CK_INTERFACE,
    count: *mut CK_ULONG,
) -> CK_RV {
    // SAFETY: the caller promises it.
    guarded(|| unsafe { Room::new(list, count) }?.fill(kept()))
}

/// Returns one interface: the newest, unless a version is requested.
///
/// # Safety
/// `name` is NULL or ends with a zero; `version` is NULL or readable; `interface` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetInterface(
    name: *mut CK_UTF8CHAR,
    version: *mut CK_VERSION,
    interface: *mut *mut CK_INTERFACE,
    flags: CK_FLAGS,
) -> CK_RV {
    guarded(|| {
        // SAFETY: it is not NULL, and the caller promises the terminating zero.
        let named = name.is_null() || unsafe { CStr::from_ptr(name.cast()) } == NAME;
        // SAFETY: the caller promises that it is readable if it is not NULL.
        let wanted = unsafe { version.as_ref() }.map(|v| (v.major, v.minor));
        let fits = |(_, at): &(&CK_INTERFACE, (u8, u8))| wanted.is_none_or(|wanted| wanted == *at);
        let all = kept().iter().zip([(3, 2), (3, 0), (2, 40)]);
        let found = all.filter(|_| named && flags & !CKF_INTERFACE_FORK_SAFE == 0).find(fits);
        // The standard has no specific error for a missing interface.
        let (found, _) = found.ok_or(Fault::Rv(CKR_FUNCTION_FAILED))?;
        // SAFETY: the caller promises it.
        unsafe { put(interface, std::ptr::from_ref(found).cast_mut()) }
    })
}
