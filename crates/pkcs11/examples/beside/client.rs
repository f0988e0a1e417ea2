//! A client of any module, in a process of its own: makes a key, or signs and says each index.

use std::io::Write;
use std::process::Command;
use std::ptr::null_mut;

use cryptoki_sys::*;

const PIN: &[u8] = b"12345678";
/// LMS_SHA256_M32_H10 and LMOTS_SHA256_N32_W4.
const TYPES: (CK_ULONG, CK_ULONG) = (6, 3);

/// Calls a function of the list, and ends with its answer unless it is CKR_OK.
macro_rules! must {
    ($client:expr, $name:ident $(, $argument:expr)*) => {{
        let function = $client.list.$name.expect("every module has it");
        // SAFETY: the arguments are what the standard asks.
        let answer = unsafe { function($($argument),*) };
        if answer != CKR_OK {
            println!("answer {} {answer:#x}", stringify!($name));
            std::process::exit(1);
        }
    }};
}

struct Client {
    _library: Pkcs11,
    list: &'static CK_FUNCTION_LIST,
}

impl Client {
    fn load(module: &str) -> Self {
        // SAFETY: it is a module of PKCS#11, whose loading does nothing.
        let library = unsafe { Pkcs11::new(module) }.expect("a module");
        let mut list = null_mut();
        // SAFETY: the argument is what the standard asks.
        let answer = unsafe { library.C_GetFunctionList(&mut list) };
        assert_eq!(answer, CKR_OK);
        // SAFETY: the list lives as long as the module.
        let client = Self { _library: library, list: unsafe { &*list } };
        must!(client, C_Initialize, null_mut());
        client
    }

    /// Returns the first slot that has a token.
    fn slot(&self) -> CK_SLOT_ID {
        let (mut slots, mut count) = ([0; 8], 8);
        must!(self, C_GetSlotList, CK_TRUE, slots.as_mut_ptr(), &mut count);
        slots[0]
    }

    fn session(&self) -> CK_SESSION_HANDLE {
        let (flags, mut session) = (CKF_SERIAL_SESSION | CKF_RW_SESSION, 0);
        must!(self, C_OpenSession, self.slot(), flags, null_mut(), None, &mut session);
        session
    }

    fn log_in(&self, session: CK_SESSION_HANDLE, user: CK_USER_TYPE) {
        let (at, len) = (PIN.as_ptr().cast_mut(), PIN.len() as CK_ULONG);
        must!(self, C_Login, session, user, at, len);
    }

    /// Makes a token of an empty slot of SoftHSM, with the user's PIN.
    fn begin_token(&self) {
        let (at, len, mut label) = (PIN.as_ptr().cast_mut(), PIN.len() as CK_ULONG, [b' '; 32]);
        must!(self, C_InitToken, self.slot(), at, len, label.as_mut_ptr());
        let session = self.session();
        self.log_in(session, CKU_SO);
        must!(self, C_InitPIN, session, at, len);
        must!(self, C_CloseSession, session);
    }

    fn generate(&self, mechanism: &mut CK_MECHANISM, private: &mut [CK_ATTRIBUTE]) {
        let session = self.session();
        self.log_in(session, CKU_USER);
        let mut on = CK_TRUE;
        let mut public = [attribute(CKA_TOKEN, &mut on)];
        let (mut a, mut b) = (0, 0);
        let (at, len) = (private.as_mut_ptr(), private.len() as CK_ULONG);
        let public = public.as_mut_ptr();
        must!(self, C_GenerateKeyPair, session, mechanism, public, 1, at, len, &mut a, &mut b);
    }

    fn private_key(&self, session: CK_SESSION_HANDLE) -> CK_OBJECT_HANDLE {
        let mut class = CKO_PRIVATE_KEY;
        let mut wanted = attribute(CKA_CLASS, &mut class);
        must!(self, C_FindObjectsInit, session, &mut wanted, 1);
        let (mut key, mut count) = (0, 0);
        must!(self, C_FindObjects, session, &mut key, 1, &mut count);
        must!(self, C_FindObjectsFinal, session);
        key
    }
}

fn attribute<T>(kind: CK_ATTRIBUTE_TYPE, value: &mut T) -> CK_ATTRIBUTE {
    let (value, len) = (std::ptr::from_mut(value).cast(), size_of::<T>() as CK_ULONG);
    CK_ATTRIBUTE { type_: kind, pValue: value, ulValueLen: len }
}

/// The parameter with which softhsmv3 makes a key of HSS: levels, and types of up to eight.
#[repr(C)]
struct Levels {
    count: CK_ULONG,
    trees: [CK_ULONG; 8],
    keys: [CK_ULONG; 8],
}

/// Makes a key of HSS: as PKCS#11 3.2 has it, or as softhsmv3 does.
pub fn make(module: &str, how: &str) {
    let client = Client::load(module);
    let (mut on, mut levels, (mut tree, mut key)) = (CK_TRUE, 1 as CK_ULONG, TYPES);
    let token = attribute(CKA_TOKEN, &mut on);
    let mut parameter = Levels { count: 1, trees: [tree; 8], keys: [key; 8] };
    let mut mechanism =
        CK_MECHANISM { mechanism: CKM_HSS_KEY_PAIR_GEN, pParameter: null_mut(), ulParameterLen: 0 };
    if how == "softhsm" {
        mechanism.pParameter = std::ptr::from_mut(&mut parameter).cast();
        mechanism.ulParameterLen = size_of::<Levels>() as CK_ULONG;
        client.begin_token();
        return client.generate(&mut mechanism, &mut [token]);
    }
    let levels = attribute(CKA_HSS_LEVELS, &mut levels);
    let trees = attribute(CKA_HSS_LMS_TYPES, &mut tree);
    let keys = attribute(CKA_HSS_LMOTS_TYPES, &mut key);
    client.generate(&mut mechanism, &mut [token, levels, trees, keys]);
}

/// Signs `count` times, and says the index of each signature when `C_Sign` has given it. With
/// `full`, no file takes any byte more from the login on.
pub fn sign(module: &str, count: usize, full: bool) {
    let client = Client::load(module);
    let session = client.session();
    client.log_in(session, CKU_USER);
    let key = client.private_key(session);
    if full {
        let own = std::process::id().to_string();
        let limited = Command::new("prlimit").args(["--fsize=0", "--pid", &own]).status();
        assert!(limited.is_ok_and(|status| status.success()), "prlimit of util-linux");
    }
    let mut mechanism =
        CK_MECHANISM { mechanism: CKM_HSS, pParameter: null_mut(), ulParameterLen: 0 };
    for _ in 0..count {
        must!(client, C_SignInit, session, &mut mechanism, key);
        let (mut message, mut signature, mut len) = (*b"firmware", [0; 8000], 8000);
        let at = message.as_mut_ptr();
        must!(client, C_Sign, session, at, 8, signature.as_mut_ptr(), &mut len);
        // The number of signed keys, 0, stands before the index.
        println!("index {}", u32::from_be_bytes(signature[4..8].try_into().expect("four bytes")));
        std::io::stdout().flush().expect("somebody listens");
    }
    must!(client, C_Finalize, null_mut());
}
