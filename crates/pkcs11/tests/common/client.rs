//! Calls of the module's functions through its function list of 3.2.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use cryptoki_sys::*;

/// A template: attribute types and values.
pub type Template = Vec<(CK_ATTRIBUTE_TYPE, Vec<u8>)>;

/// The loaded module.
pub struct Client {
    _library: Pkcs11,
    pub list: &'static CK_FUNCTION_LIST_3_2,
}

/// Calls a function of the list and returns its answer.
macro_rules! call {
    ($client:expr, $name:ident $(, $argument:expr)*) => {{
        $crate::common::client::may_end();
        // SAFETY: the caller passes what the standard asks, or what the module must refuse.
        let answer = unsafe { ($client.list.$name.unwrap())($($argument),*) };
        $crate::common::client::may_end();
        answer
    }};
}
#[allow(unused_imports, reason = "each test program takes what it needs")]
pub(crate) use call;

/// Number of call starts and ends until this process kills itself; 0 for never.
pub static UNTIL: AtomicU32 = AtomicU32::new(0);

/// Kills this process, as `kill -9` does, when `UNTIL` has counted down.
pub fn may_end() {
    if UNTIL.load(SeqCst) > 0 && UNTIL.fetch_sub(1, SeqCst) == 1 {
        let own = std::process::id().to_string();
        let _killed = std::process::Command::new("kill").args(["-KILL", &own]).status();
        unreachable!("killed");
    }
}

/// Converts a return value to a result.
pub fn done(rv: CK_RV) -> Result<(), CK_RV> {
    if rv == CKR_OK { Ok(()) } else { Err(rv) }
}

/// Returns a number in the encoding of a template.
pub fn number(number: CK_ULONG) -> Vec<u8> {
    number.to_ne_bytes().to_vec()
}

/// Returns numbers in the encoding of a template.
pub fn list(numbers: &[CK_ULONG]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()
}

/// Returns C attributes that point into a template.
pub fn raw(template: &Template) -> Vec<CK_ATTRIBUTE> {
    let one = |(kind, value): &(CK_ATTRIBUTE_TYPE, Vec<u8>)| CK_ATTRIBUTE {
        type_: *kind,
        pValue: value.as_ptr().cast_mut().cast(),
        ulValueLen: value.len() as CK_ULONG,
    };
    template.iter().map(one).collect()
}

/// Returns a mechanism without a parameter.
pub fn plain(mechanism: CK_MECHANISM_TYPE) -> CK_MECHANISM {
    CK_MECHANISM { mechanism, pParameter: null_mut(), ulParameterLen: 0 }
}

impl Client {
    /// Loads the module without initializing it.
    pub fn load() -> Self {
        // SAFETY: it is the module under test, whose loading runs no code.
        let library = unsafe { Pkcs11::new(super::module()) }.expect("the module is built");
        let mut interface: *mut CK_INTERFACE = null_mut();
        let get = library.C_GetInterface.as_ref().unwrap();
        let mut version = CK_VERSION { major: 3, minor: 2 };
        // SAFETY: the arguments are as the standard requires.
        let rv = unsafe { get(null_mut(), &mut version, &mut interface, 0) };
        assert_eq!(rv, CKR_OK);
        // SAFETY: the interface has version 3.2, and lives as long as the module.
        let list = unsafe { &*(*interface).pFunctionList.cast::<CK_FUNCTION_LIST_3_2>() };
        Self { _library: library, list }
    }

    /// Loads and initializes the module.
    pub fn new() -> Self {
        let client = Self::load();
        client.initialise().unwrap();
        client
    }

    pub fn initialise(&self) -> Result<(), CK_RV> {
        done(call!(self, C_Initialize, null_mut()))
    }

    pub fn finalise(&self) -> Result<(), CK_RV> {
        done(call!(self, C_Finalize, null_mut()))
    }

    /// Opens a read/write session.
    pub fn open(&self, slot: CK_SLOT_ID) -> CK_SESSION_HANDLE {
        self.session(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION).unwrap()
    }

    pub fn session(&self, slot: CK_SLOT_ID, flags: CK_FLAGS) -> Result<CK_SESSION_HANDLE, CK_RV> {
        let mut session = 0;
        done(call!(self, C_OpenSession, slot, flags, null_mut::<c_void>(), None, &mut session))?;
        Ok(session)
    }

    pub fn log_in(&self, session: CK_SESSION_HANDLE, pin: &[u8]) -> Result<(), CK_RV> {
        let (at, len) = (pin.as_ptr().cast_mut(), pin.len() as CK_ULONG);
        done(call!(self, C_Login, session, CKU_USER, at, len))
    }

    pub fn token(&self, slot: CK_SLOT_ID) -> CK_TOKEN_INFO {
        let mut info = CK_TOKEN_INFO::default();
        assert_eq!(call!(self, C_GetTokenInfo, slot, &mut info), CKR_OK);
        info
    }

    /// Returns all objects that have these attributes.
    pub fn find(&self, session: CK_SESSION_HANDLE, wanted: &Template) -> Vec<CK_OBJECT_HANDLE> {
        let mut raw = raw(wanted);
        let (at, len) = (raw.as_mut_ptr(), raw.len() as CK_ULONG);
        assert_eq!(call!(self, C_FindObjectsInit, session, at, len), CKR_OK);
        let (mut found, mut count) = ([0; 16], 0);
        assert_eq!(call!(self, C_FindObjects, session, found.as_mut_ptr(), 16, &mut count), CKR_OK);
        assert_eq!(call!(self, C_FindObjectsFinal, session), CKR_OK);
        found[..count as usize].to_vec()
    }

    /// Returns the only object of a class.
    pub fn only(&self, session: CK_SESSION_HANDLE, class: CK_OBJECT_CLASS) -> CK_OBJECT_HANDLE {
        let found = self.find(session, &vec![(CKA_CLASS, number(class))]);
        assert_eq!(found.len(), 1, "objects of class {class}");
        found[0]
    }

    pub fn public(&self, session: CK_SESSION_HANDLE) -> CK_OBJECT_HANDLE {
        self.only(session, CKO_PUBLIC_KEY)
    }

    pub fn private(&self, session: CK_SESSION_HANDLE) -> CK_OBJECT_HANDLE {
        self.only(session, CKO_PRIVATE_KEY)
    }

    /// Returns the only private key of slot 0. Errors are returned, because threads may close the
    /// session meanwhile.
    pub fn find_private(&self, session: CK_SESSION_HANDLE) -> Result<CK_OBJECT_HANDLE, CK_RV> {
        let wanted = vec![(CKA_CLASS, number(CKO_PRIVATE_KEY))];
        let mut raw = raw(&wanted);
        let (mut found, mut count) = (0, 0);
        done(call!(self, C_FindObjectsInit, session, raw.as_mut_ptr(), 1))?;
        done(call!(self, C_FindObjects, session, &mut found, 1, &mut count))?;
        done(call!(self, C_FindObjectsFinal, session))?;
        if count == 1 { Ok(found) } else { Err(CKR_KEY_HANDLE_INVALID) }
    }

    /// Returns an attribute value, after asking for its length.
    pub fn attribute(
        &self,
        session: CK_SESSION_HANDLE,
        object: CK_OBJECT_HANDLE,
        kind: CK_ATTRIBUTE_TYPE,
    ) -> Result<Vec<u8>, CK_RV> {
        let mut asked = CK_ATTRIBUTE { type_: kind, pValue: null_mut(), ulValueLen: 0 };
        done(call!(self, C_GetAttributeValue, session, object, &mut asked, 1))?;
        let mut value = vec![0; asked.ulValueLen as usize];
        asked.pValue = value.as_mut_ptr().cast();
        done(call!(self, C_GetAttributeValue, session, object, &mut asked, 1))?;
        Ok(value)
    }

    /// Generates a key pair.
    pub fn generate(
        &self,
        session: CK_SESSION_HANDLE,
        mechanism: CK_MECHANISM_TYPE,
        (public, private): (&Template, &Template),
    ) -> Result<(CK_OBJECT_HANDLE, CK_OBJECT_HANDLE), CK_RV> {
        let (mut public, mut private) = (raw(public), raw(private));
        let (mut a, mut b, mut mechanism) = (0, 0, plain(mechanism));
        let counts = [public.len() as CK_ULONG, private.len() as CK_ULONG];
        let (public, private) = (public.as_mut_ptr(), private.as_mut_ptr());
        done(call!(
            self,
            C_GenerateKeyPair,
            session,
            &mut mechanism,
            public,
            counts[0],
            private,
            counts[1],
            &mut a,
            &mut b
        ))?;
        Ok((a, b))
    }

    /// Generates an HSS key pair with these levels: LMS and LM-OTS typecodes.
    pub fn hss(
        &self,
        session: CK_SESSION_HANDLE,
        (trees, keys): (&[CK_ULONG], &[CK_ULONG]),
    ) -> Result<(CK_OBJECT_HANDLE, CK_OBJECT_HANDLE), CK_RV> {
        let mut private = half(CKO_PRIVATE_KEY, CKK_HSS);
        private.push((CKA_HSS_LEVELS, number(trees.len() as CK_ULONG)));
        private.push((CKA_HSS_LMS_TYPES, list(trees)));
        private.push((CKA_HSS_LMOTS_TYPES, list(keys)));
        let public = half(CKO_PUBLIC_KEY, CKK_HSS);
        self.generate(session, CKM_HSS_KEY_PAIR_GEN, (&public, &private))
    }

    pub fn sign_init(
        &self,
        session: CK_SESSION_HANDLE,
        mechanism: CK_MECHANISM_TYPE,
        key: CK_OBJECT_HANDLE,
    ) -> Result<(), CK_RV> {
        done(call!(self, C_SignInit, session, &mut plain(mechanism), key))
    }

    /// Completes the active signature, with a buffer that is long enough.
    pub fn sign_begun(&self, session: CK_SESSION_HANDLE, data: &[u8]) -> Result<Vec<u8>, CK_RV> {
        let mut len = 0;
        let (at, data_len) = (data.as_ptr().cast_mut(), data.len() as CK_ULONG);
        done(call!(self, C_Sign, session, at, data_len, null_mut(), &mut len))?;
        let mut signature = vec![0; len as usize];
        done(call!(self, C_Sign, session, at, data_len, signature.as_mut_ptr(), &mut len))?;
        signature.truncate(len as usize);
        Ok(signature)
    }

    /// Signs with the only private key.
    pub fn sign(
        &self,
        session: CK_SESSION_HANDLE,
        mechanism: CK_MECHANISM_TYPE,
        data: &[u8],
    ) -> Result<Vec<u8>, CK_RV> {
        self.sign_init(session, mechanism, self.private(session))?;
        self.sign_begun(session, data)
    }

    /// Verifies with the only public key.
    pub fn verify(
        &self,
        session: CK_SESSION_HANDLE,
        mechanism: CK_MECHANISM_TYPE,
        (data, signature): (&[u8], &[u8]),
    ) -> Result<(), CK_RV> {
        let key = self.public(session);
        done(call!(self, C_VerifyInit, session, &mut plain(mechanism), key))?;
        let (data, len) = (data.as_ptr().cast_mut(), data.len() as CK_ULONG);
        let signature_len = signature.len() as CK_ULONG;
        let signature = signature.as_ptr().cast_mut();
        done(call!(self, C_Verify, session, data, len, signature, signature_len))
    }
}

/// Returns the attributes that every template of a key has in these tests.
pub fn half(class: CK_OBJECT_CLASS, key_type: CK_KEY_TYPE) -> Template {
    let mut template = vec![
        (CKA_CLASS, number(class)),
        (CKA_KEY_TYPE, number(key_type)),
        (CKA_TOKEN, vec![CK_TRUE]),
    ];
    if class == CKO_PRIVATE_KEY {
        template.push((CKA_SENSITIVE, vec![CK_TRUE]));
        template.push((CKA_EXTRACTABLE, vec![CK_FALSE]));
    }
    template
}
