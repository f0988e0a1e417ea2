//! The mandatory test cases of PKCS #11 Profiles 3.1 (OASIS, Committee Specification 01, 14 July
//! 2022), call by call, under their names in that document. They are for edition 3.1; the module
//! implements 3.2, which changes none of these calls.
//!
//! Supported: BL-M-1-31 (baseline provider), EXT-M-1-31 (extended provider). The mechanisms listed
//! in EXT-M-1 are an example for another token; here the test lists those of this token.
//!
//! Not supported: AUTH-M-1-31 (authentication token) requires an RSA key and SHA256_RSA_PKCS, and
//! CERT-M-1-31 (public certificates token) requires certificate objects. This token has neither,
//! and no profile object claims that it does.

#![cfg(unix)]

mod common;

use std::ptr::null_mut;

use common::client::{Client, call, number, raw};
use common::{PIN, apart, key};
use cryptoki_sys::*;

/// Makes the first calls of both test cases. Returns the first slot.
fn beginning(p: &Client) -> CK_SLOT_ID {
    let mut info = CK_INFO::default();
    assert_eq!(call!(p, C_Initialize, null_mut()), CKR_OK);
    assert_eq!(call!(p, C_GetInfo, &mut info), CKR_OK);
    assert_eq!((info.cryptokiVersion.major, info.flags), (3, 0));
    let mut count = 0;
    assert_eq!(call!(p, C_GetSlotList, CK_TRUE, null_mut(), &mut count), CKR_OK);
    assert_eq!(count, 1);
    let mut slots = vec![CK_SLOT_ID::MAX; count as usize];
    assert_eq!(call!(p, C_GetSlotList, CK_TRUE, slots.as_mut_ptr(), &mut count), CKR_OK);
    let mut slot = CK_SLOT_INFO::default();
    assert_eq!(call!(p, C_GetSlotInfo, slots[0], &mut slot), CKR_OK);
    assert_eq!(slot.flags, CKF_TOKEN_PRESENT);
    assert!(slot.slotDescription.ends_with(b" "), "it is padded with blanks");
    let mut token = CK_TOKEN_INFO::default();
    assert_eq!(call!(p, C_GetTokenInfo, slots[0], &mut token), CKR_OK);
    let (wanted, sessions) =
        (CKF_TOKEN_INITIALIZED, [token.ulSessionCount, token.ulRwSessionCount]);
    assert_eq!((token.flags & wanted, sessions), (wanted, [0, 0]));
    assert_eq!((token.ulMinPinLen, token.ulMaxPinLen), (4, 255));
    slots[0]
}

/// Opens a session with these flags.
fn opened(p: &Client, slot: CK_SLOT_ID, flags: CK_FLAGS) -> CK_SESSION_HANDLE {
    let mut session = 0;
    assert_eq!(call!(p, C_OpenSession, slot, flags, null_mut(), None, &mut session), CKR_OK);
    session
}

/// Finds one object of the token.
fn one_object(p: &Client, session: CK_SESSION_HANDLE) {
    let template = vec![(CKA_TOKEN, vec![CK_TRUE])];
    let (mut template, mut object, mut count) = (raw(&template), 0, 0);
    let begun = call!(p, C_FindObjectsInit, session, template.as_mut_ptr(), 1);
    assert_eq!(begun, CKR_OK);
    assert_eq!(call!(p, C_FindObjects, session, &mut object, 1, &mut count), CKR_OK);
    assert_eq!(count, 1);
    assert_eq!(call!(p, C_FindObjectsFinal, session), CKR_OK);
}

/// Makes the last calls of both test cases.
fn end(p: &Client, slot: CK_SLOT_ID, session: CK_SESSION_HANDLE) {
    assert_eq!(call!(p, C_CloseSession, session), CKR_OK);
    assert_eq!(call!(p, C_CloseAllSessions, slot), CKR_OK);
    assert_eq!(call!(p, C_Finalize, null_mut()), CKR_OK);
}

#[test]
fn bl_m_1_31() {
    apart("bl_m_1_31", "", |place| {
        key::made(place, "LMS_SHA256_M24_H5_W8");
        let p = Client::load();
        let slot = beginning(&p);
        let session = opened(&p, slot, CKF_SERIAL_SESSION);
        one_object(&p, session);
        end(&p, slot, session);
    });
}

#[test]
fn ext_m_1_31() {
    apart("ext_m_1_31", "", |_| {
        let p = Client::load();
        let slot = beginning(&p);
        let mut count = 0;
        assert_eq!(call!(p, C_GetMechanismList, slot, null_mut(), &mut count), CKR_OK);
        let mut mechanisms = vec![0; count as usize];
        let listed = call!(p, C_GetMechanismList, slot, mechanisms.as_mut_ptr(), &mut count);
        assert_eq!((listed, mechanisms.len()), (CKR_OK, count as usize));
        assert!(mechanisms.contains(&CKM_HSS) && mechanisms.contains(&CKM_SLH_DSA));
        for mechanism in mechanisms {
            let mut info = CK_MECHANISM_INFO::default();
            assert_eq!(call!(p, C_GetMechanismInfo, slot, mechanism, &mut info), CKR_OK);
            let known = [CKF_GENERATE_KEY_PAIR, CKF_SIGN | CKF_VERIFY];
            assert!(known.contains(&info.flags), "{mechanism:#x}");
        }
        let session = opened(&p, slot, CKF_RW_SESSION | CKF_SERIAL_SESSION);
        assert_eq!(p.log_in(session, PIN), Ok(()));
        one_object(&p, session);
        assert_eq!(call!(p, C_Logout, session), CKR_OK);
        end(&p, slot, session);
    });
}

/// There is a profile object for each supported profile, and for no other.
#[test]
fn profiles_are_said_as_they_hold() {
    apart("profiles_are_said_as_they_hold", "", |_| {
        let p = Client::new();
        let session = p.open(0);
        let profiles = p.find(session, &vec![(CKA_CLASS, number(CKO_PROFILE))]);
        let said = profiles.iter().map(|one| p.attribute(session, *one, CKA_PROFILE_ID).unwrap());
        let held = [CKP_BASELINE_PROVIDER, CKP_EXTENDED_PROVIDER].map(number);
        assert_eq!(said.collect::<Vec<_>>(), held);
    });
}
