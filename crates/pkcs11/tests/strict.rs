//! Templates, lengths and pointers that the standard forbids are rejected without any damage.

#![cfg(unix)]

mod common;

use std::ptr::null_mut;

use common::client::{Client, Template, call, half, list, number, plain};
use common::{PIN, apart, key};
use cryptoki_sys::*;

const SET: &str = "LMS_SHA256_M24_H10_W8";

#[test]
fn nothing_works_before_and_after() {
    apart("nothing_works_before_and_after", "", |place| {
        key::made(place, SET);
        let p = Client::load();
        let gone = CKR_CRYPTOKI_NOT_INITIALIZED;
        for _ in 0..2 {
            let mut info = CK_INFO::default();
            assert_eq!(call!(p, C_GetInfo, &mut info), gone);
            assert_eq!(p.session(0, CKF_SERIAL_SESSION), Err(gone));
            assert_eq!(call!(p, C_EncryptInit, 1, null_mut(), 1), gone);
            assert_eq!(p.finalise(), Err(gone));
            p.initialise().unwrap();
            assert_eq!(p.initialise(), Err(CKR_CRYPTOKI_ALREADY_INITIALIZED));
            let session = p.open(0);
            p.sign(session, CKM_HSS, b"m").unwrap();
            p.finalise().unwrap();
        }
        p.initialise().unwrap();
        assert_eq!(call!(p, C_CloseSession, 1), CKR_SESSION_HANDLE_INVALID);
        assert_eq!(call!(p, C_Finalize, (&raw const p).cast_mut().cast()), CKR_ARGUMENTS_BAD);
    });
}

#[test]
fn null_is_refused_where_it_must_not_be() {
    apart("null_is_refused_where_it_must_not_be", "", |place| {
        key::made(place, SET);
        let p = Client::new();
        let session = p.open(0);
        let (public, private) = (p.public(session), p.private(session));
        let (mut n, mut mechanism) = (0, plain(CKM_HSS));
        let mut one = [CK_ATTRIBUTE::default()];
        let at = one.as_mut_ptr();
        let answers = [
            ("C_GetInfo", call!(p, C_GetInfo, null_mut())),
            ("C_GetFunctionList", call!(p, C_GetFunctionList, null_mut())),
            ("C_GetInterfaceList", call!(p, C_GetInterfaceList, null_mut(), null_mut())),
            ("C_GetInterface", call!(p, C_GetInterface, null_mut(), null_mut(), null_mut(), 0)),
            ("C_GetSlotList", call!(p, C_GetSlotList, 1, null_mut(), null_mut())),
            ("C_GetSlotInfo", call!(p, C_GetSlotInfo, 0, null_mut())),
            ("C_GetTokenInfo", call!(p, C_GetTokenInfo, 0, null_mut())),
            ("C_GetMechanismList", call!(p, C_GetMechanismList, 0, null_mut(), null_mut())),
            ("C_GetMechanismInfo", call!(p, C_GetMechanismInfo, 0, CKM_HSS, null_mut())),
            ("C_OpenSession", call!(p, C_OpenSession, 0, 4, null_mut(), None, null_mut())),
            ("C_GetSessionInfo", call!(p, C_GetSessionInfo, session, null_mut())),
            ("C_Login", call!(p, C_Login, session, CKU_USER, null_mut(), 4)),
            ("C_GetAttributeValue", call!(p, C_GetAttributeValue, session, public, null_mut(), 1)),
            ("C_FindObjectsInit", call!(p, C_FindObjectsInit, session, null_mut(), 1)),
            ("C_FindObjects", call!(p, C_FindObjects, session, null_mut(), 1, &mut n)),
            ("C_FindObjects", call!(p, C_FindObjects, session, &mut n, 1, null_mut())),
            ("C_SignInit", call!(p, C_SignInit, session, null_mut(), private)),
            ("C_VerifyInit", call!(p, C_VerifyInit, session, null_mut(), public)),
            (
                "C_GenerateKeyPair",
                call!(p, C_GenerateKeyPair, session, null_mut(), at, 0, at, 0, &mut n, &mut 0),
            ),
            (
                "C_GenerateKeyPair",
                call!(
                    p,
                    C_GenerateKeyPair,
                    session,
                    &mut mechanism,
                    null_mut(),
                    1,
                    at,
                    0,
                    &mut n,
                    &mut 0
                ),
            ),
            (
                "C_GenerateKeyPair",
                call!(
                    p,
                    C_GenerateKeyPair,
                    session,
                    &mut mechanism,
                    at,
                    0,
                    at,
                    0,
                    null_mut(),
                    null_mut()
                ),
            ),
        ];
        for (name, answer) in answers {
            assert_eq!(answer, CKR_ARGUMENTS_BAD, "{name}");
        }
        for data in [(null_mut(), 1, &mut n as *mut CK_ULONG), (null_mut(), 0, null_mut())] {
            p.sign_init(session, CKM_HSS, private).unwrap();
            let refused = call!(p, C_Sign, session, data.0, data.1, null_mut(), data.2);
            assert_eq!(refused, CKR_ARGUMENTS_BAD);
            let over = call!(p, C_Sign, session, null_mut(), 0, null_mut(), &mut n);
            assert_eq!(over, CKR_OPERATION_NOT_INITIALIZED, "it was ended");
        }
        assert_eq!(key::status(place).remaining, 1024);
    });
}

#[test]
fn functions_that_are_missing_say_so() {
    apart("functions_that_are_missing_say_so", "", |_| {
        let p = Client::new();
        let session = p.open(0);
        let (none, missing) = (null_mut::<CK_BYTE>(), CKR_FUNCTION_NOT_SUPPORTED);
        assert_eq!(call!(p, C_InitToken, 0, none, 0, none), missing);
        assert_eq!(call!(p, C_DigestInit, session, null_mut()), missing);
        assert_eq!(call!(p, C_SignUpdate, session, none, 0), missing);
        assert_eq!(call!(p, C_GenerateRandom, session, none, 0), CKR_RANDOM_NO_RNG);
        assert_eq!(call!(p, C_GetFunctionStatus, session), CKR_FUNCTION_NOT_PARALLEL);
        assert_eq!(p.session(1, CKF_SERIAL_SESSION), Err(CKR_SLOT_ID_INVALID));
        assert_eq!(p.session(0, CKF_RW_SESSION), Err(CKR_SESSION_PARALLEL_NOT_SUPPORTED));
    });
}

#[test]
fn the_interfaces_are_there() {
    apart("the_interfaces_are_there", "", |_| {
        let p = Client::load();
        let mut count = 0;
        assert_eq!(call!(p, C_GetInterfaceList, null_mut(), &mut count), CKR_OK);
        let mut all = vec![CK_INTERFACE::default(); count as usize];
        assert_eq!(call!(p, C_GetInterfaceList, all.as_mut_ptr(), &mut count), CKR_OK);
        // SAFETY: each list begins with its version.
        let versions = all.iter().map(|one| unsafe { *one.pFunctionList.cast::<CK_VERSION>() });
        let versions: Vec<_> = versions.map(|version| (version.major, version.minor)).collect();
        assert_eq!(versions, [(3, 2), (3, 0), (2, 40)]);
        let mut old = null_mut();
        assert_eq!(call!(p, C_GetFunctionList, &mut old), CKR_OK);
        // SAFETY: the list lives as long as the module.
        assert_eq!(unsafe { (*old).version.major }, 2);
        let mut found: *mut CK_INTERFACE = null_mut();
        let mut other = CK_VERSION { major: 4, minor: 0 };
        let none = call!(p, C_GetInterface, null_mut(), &mut other, &mut found, 0);
        assert_eq!(none, CKR_FUNCTION_FAILED);
    });
}

#[test]
fn templates_are_checked_strictly() {
    apart("templates_are_checked_strictly", "", |place| {
        let p = Client::new();
        let session = p.open(0);
        let mut good = half(CKO_PRIVATE_KEY, CKK_HSS);
        good.push((CKA_HSS_LEVELS, number(1)));
        good.push((CKA_HSS_LMS_TYPES, list(&[0x0a])));
        good.push((CKA_HSS_LMOTS_TYPES, list(&[0x08])));
        let public = half(CKO_PUBLIC_KEY, CKK_HSS);
        let make = |private: &Template| {
            p.generate(session, CKM_HSS_KEY_PAIR_GEN, (&public, private)).unwrap_err()
        };
        let with = |kind, value: Vec<u8>| {
            let mut changed = good.clone();
            changed.retain(|(known, _)| *known != kind);
            changed.push((kind, value));
            make(&changed)
        };
        let without = |kind| {
            let mut changed = good.clone();
            changed.retain(|(known, _)| *known != kind);
            make(&changed)
        };
        assert_eq!(make(&good), CKR_USER_NOT_LOGGED_IN);
        p.log_in(session, PIN).unwrap();
        assert_eq!(without(CKA_TOKEN), CKR_TEMPLATE_INCOMPLETE, "no key lives in a session");
        assert_eq!(without(CKA_HSS_LEVELS), CKR_TEMPLATE_INCOMPLETE);
        assert_eq!(without(CKA_HSS_LMS_TYPES), CKR_TEMPLATE_INCOMPLETE);
        assert_eq!(with(CKA_TOKEN, vec![CK_FALSE]), CKR_TEMPLATE_INCONSISTENT);
        assert_eq!(with(CKA_EXTRACTABLE, vec![CK_TRUE]), CKR_TEMPLATE_INCONSISTENT);
        assert_eq!(with(CKA_VALUE, vec![1]), CKR_ATTRIBUTE_READ_ONLY);
        assert_eq!(with(CKA_MODULUS_BITS, number(1)), CKR_ATTRIBUTE_TYPE_INVALID);
        assert_eq!(with(CKA_HSS_LEVELS, number(2)), CKR_TEMPLATE_INCONSISTENT);
        assert_eq!(with(CKA_HSS_LEVELS, vec![1]), CKR_ATTRIBUTE_VALUE_INVALID);
        assert_eq!(with(CKA_HSS_LMS_TYPES, list(&[0xff])), CKR_ATTRIBUTE_VALUE_INVALID);
        assert_eq!(with(CKA_HSS_LMS_TYPES, list(&[1 << 40])), CKR_ATTRIBUTE_VALUE_INVALID);
        assert_eq!(with(CKA_HSS_LMS_TYPES, vec![0; 9]), CKR_ATTRIBUTE_VALUE_INVALID);
        assert_eq!(with(CKA_LABEL, vec![0xff]), CKR_ATTRIBUTE_VALUE_INVALID);
        let mut twice = good.clone();
        twice.push((CKA_TOKEN, vec![CK_TRUE]));
        assert_eq!(make(&twice), CKR_TEMPLATE_INCONSISTENT);
        let reading = p.session(0, CKF_SERIAL_SESSION).unwrap();
        let refused = p.generate(reading, CKM_HSS_KEY_PAIR_GEN, (&public, &good));
        assert_eq!(refused, Err(CKR_SESSION_READ_ONLY));
        assert!(!place.store().exists(), "nothing was made");
    });
}
