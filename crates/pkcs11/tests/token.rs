//! The token, its sessions and objects, signing and verification.

#![cfg(unix)]

mod common;
#[path = "../../hasten/tests/recorded/mod.rs"]
mod recorded;

use std::ptr::null_mut;

use common::client::{Client, call, done, half, number};
use common::{PIN, apart, key};
use cryptoki_sys::*;
use hasten_pq::store;

/// LMS and LM-OTS typecodes of a key with one level, LMS_SHA256_M24_H5_W8.
const ONE: (&[CK_ULONG], &[CK_ULONG]) = (&[0x0a], &[0x08]);

#[test]
fn a_pair_of_hss_is_made_and_signs() {
    apart("a_pair_of_hss_is_made_and_signs", "", |place| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        let (public, private) = p.hss(session, ONE).unwrap();
        assert_eq!((public, private), (p.public(session), p.private(session)));
        let signature = p.sign(session, CKM_HSS, b"firmware").unwrap();
        assert_eq!(p.verify(session, CKM_HSS, (b"firmware", &signature)), Ok(()));
        let other = p.verify(session, CKM_HSS, (b"firmwarE", &signature));
        assert_eq!(other, Err(CKR_SIGNATURE_INVALID));
        let left = p.attribute(session, private, CKA_HSS_KEYS_REMAINING);
        assert_eq!(left, Ok(number(31)));
        let key = hasten_pq::keys::stateful::read_public_of(&place.store()).unwrap();
        hasten_pq::verify(&key, b"firmware", &signature).unwrap();
        p.finalise().unwrap();
        recorded::must_tell(&place.store(), &["message"], Some(recorded::FIRMWARE));
    });
}

#[test]
fn two_levels_and_trees_of_xmss_sign() {
    apart("two_levels_and_trees_of_xmss_sign", "", |place| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        let (_, private) = p.hss(session, (&[0x0a, 0x0a], &[0x08, 0x08])).unwrap();
        let signature = p.sign(session, CKM_HSS, b"m").unwrap();
        assert_eq!(p.verify(session, CKM_HSS, (b"m", &signature)), Ok(()));
        assert_eq!(p.attribute(session, private, CKA_HSS_LEVELS), Ok(number(2)));
        assert_eq!(p.hss(session, ONE), Err(CKR_DEVICE_MEMORY), "the place is taken");
        p.finalise().unwrap();
        for (set, mechanism) in
            [("XMSS-SHA2_10_256", CKM_XMSS), ("XMSSMT-SHA2_20/4_256", CKM_XMSSMT)]
        {
            std::fs::remove_dir_all(place.store()).unwrap();
            std::fs::remove_file(place.guard()).unwrap();
            key::made(place, set);
            p.initialise().unwrap();
            let session = p.open(0);
            let signature = p.sign(session, mechanism, b"m").unwrap();
            assert_eq!(p.verify(session, mechanism, (b"m", &signature)), Ok(()));
            let other = p.sign_init(session, CKM_HSS, p.private(session));
            assert_eq!(other, Err(CKR_KEY_TYPE_INCONSISTENT));
            p.finalise().unwrap();
        }
    });
}

#[test]
fn a_pair_of_xmss_is_made() {
    apart("a_pair_of_xmss_is_made", "", |_| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        let private = half(CKO_PRIVATE_KEY, CKK_XMSS);
        let mut public = half(CKO_PUBLIC_KEY, CKK_XMSS);
        let without = p.generate(session, CKM_XMSS_KEY_PAIR_GEN, (&public, &private));
        assert_eq!(without, Err(CKR_TEMPLATE_INCOMPLETE));
        public.push((CKA_PARAMETER_SET, number(0x0d)));
        public.push((CKA_LABEL, b"tree".to_vec()));
        public.push((CKA_ID, vec![1, 2]));
        let (public, private) =
            p.generate(session, CKM_XMSS_KEY_PAIR_GEN, (&public, &private)).unwrap();
        for object in [public, private] {
            assert_eq!(p.attribute(session, object, CKA_PARAMETER_SET), Ok(number(0x0d)));
            assert_eq!(p.attribute(session, object, CKA_LABEL), Ok(b"tree".to_vec()));
            assert_eq!(p.attribute(session, object, CKA_ID), Ok(vec![1, 2]));
            assert_eq!(p.attribute(session, object, CKA_KEY_TYPE), Ok(number(CKK_XMSS)));
        }
        assert_eq!(p.find(session, &vec![(CKA_ID, vec![1, 2])]), [public, private]);
        assert!(p.find(session, &vec![(CKA_ID, vec![1])]).is_empty());
        let signature = p.sign(session, CKM_XMSS, b"m").unwrap();
        assert_eq!(p.verify(session, CKM_XMSS, (b"m", &signature)), Ok(()));
    });
}

#[test]
fn beginning_burns_nothing() {
    apart("beginning_burns_nothing", "", |place| {
        key::made(place, "LMS_SHA256_M24_H5_W8");
        let p = Client::new();
        let session = p.open(0);
        let private = p.private(session);
        for _ in 0..40 {
            p.sign_init(session, CKM_HSS, private).unwrap();
            assert_eq!(p.sign_init(session, CKM_HSS, private), Err(CKR_OPERATION_ACTIVE));
            let mut len = 1;
            let mut short = [0];
            let refused = call!(p, C_Sign, session, null_mut(), 0, short.as_mut_ptr(), &mut len);
            assert_eq!((refused, len), (CKR_BUFFER_TOO_SMALL, 784));
            let asked = call!(p, C_Sign, session, null_mut(), 0, null_mut(), &mut len);
            assert_eq!((asked, len), (CKR_OK, 784));
            assert_eq!(call!(p, C_SignInit, session, null_mut(), 0), CKR_OK, "it is ended");
        }
        assert_eq!(key::status(place).remaining, 32);
        let none = call!(p, C_Sign, session, null_mut(), 0, null_mut(), null_mut());
        assert_eq!(none, CKR_OPERATION_NOT_INITIALIZED);
    });
}

#[test]
fn a_key_is_used_up_and_says_so() {
    apart("a_key_is_used_up_and_says_so", "acknowledge = true", |place| {
        key::made(place, "LMS_SHA256_M24_H5_W8");
        let p = Client::new();
        let session = p.open(0);
        let signatures: Vec<_> = (0..32).map(|_| p.sign(session, CKM_HSS, b"m").unwrap()).collect();
        assert_eq!(p.sign(session, CKM_HSS, b"m"), Err(CKR_KEY_EXHAUSTED));
        key::must_be_once(place, &signatures);
    });
}

#[test]
fn few_indices_left_are_said_first() {
    apart("few_indices_left_are_said_first", "hold = true", |place| {
        key::made(place, "LMS_SHA256_M24_H5_W8");
        let p = Client::new();
        let session = p.open(0);
        for _ in 0..30 {
            p.sign(session, CKM_HSS, b"m").unwrap();
        }
        let refused = p.sign(session, CKM_HSS, b"m");
        assert_eq!(refused, Err(CKR_VENDOR_DEFINED | 0x4853_0004));
        assert!(place.log().contains("2 indices left, threshold 2"), "{}", place.log());
    });
}

#[test]
fn private_objects_need_a_login() {
    apart("private_objects_need_a_login", "", |place| {
        place.configure("tries = 3", "");
        let p = Client::new();
        let session = p.open(0);
        assert_eq!(p.log_in(session, b"abc"), Err(CKR_PIN_LEN_RANGE));
        p.log_in(session, PIN).unwrap();
        let (public, private) = p.hss(session, ONE).unwrap();
        assert_eq!(p.log_in(session, PIN), Err(CKR_USER_ALREADY_LOGGED_IN));
        p.sign_init(session, CKM_HSS, private).unwrap();
        assert_eq!(call!(p, C_Logout, session), CKR_OK);
        assert_eq!(call!(p, C_Logout, session), CKR_USER_NOT_LOGGED_IN);
        assert_eq!(p.sign_begun(session, b"m"), Err(CKR_OPERATION_NOT_INITIALIZED));
        assert_eq!(p.public(session), public);
        assert!(p.find(session, &vec![(CKA_CLASS, number(CKO_PRIVATE_KEY))]).is_empty());
        assert_eq!(p.attribute(session, private, CKA_LABEL), Err(CKR_OBJECT_HANDLE_INVALID));
        assert_eq!(p.sign_init(session, CKM_HSS, private), Err(CKR_KEY_HANDLE_INVALID));
        for _ in 0..3 {
            assert_eq!(p.log_in(session, b"wrong"), Err(CKR_PIN_INCORRECT));
        }
        let flags = p.token(0).flags;
        assert_eq!(flags & CKF_USER_PIN_LOCKED, CKF_USER_PIN_LOCKED);
        assert_eq!(p.log_in(session, PIN), Err(CKR_PIN_LOCKED));
        p.finalise().unwrap();
        p.initialise().unwrap();
        assert_eq!(p.log_in(p.open(0), PIN), Err(CKR_PIN_LOCKED), "beginning again is no way out");
    });
}

#[test]
fn the_secret_is_told_to_nobody() {
    apart("the_secret_is_told_to_nobody", "", |place| {
        key::made(place, "LMS_SHA256_M24_H5_W8");
        let p = Client::new();
        let session = p.open(0);
        let private = p.private(session);
        assert_eq!(p.attribute(session, private, CKA_VALUE), Err(CKR_ATTRIBUTE_SENSITIVE));
        assert_eq!(p.attribute(session, private, CKA_MODULUS), Err(CKR_ATTRIBUTE_TYPE_INVALID));
        for (kind, is) in [
            (CKA_SENSITIVE, CK_TRUE),
            (CKA_EXTRACTABLE, CK_FALSE),
            (CKA_COPYABLE, CK_FALSE),
            (CKA_ALWAYS_SENSITIVE, CK_FALSE),
            (CKA_NEVER_EXTRACTABLE, CK_FALSE),
            (CKA_PRIVATE, CK_TRUE),
        ] {
            assert_eq!(p.attribute(session, private, kind), Ok(vec![is]), "{kind:#x}");
        }
        let copied = call!(p, C_CopyObject, session, private, null_mut(), 0, null_mut());
        assert_eq!(copied, CKR_ACTION_PROHIBITED);
        assert_eq!(call!(p, C_DestroyObject, session, private), CKR_ACTION_PROHIBITED);
    });
}

#[test]
fn the_token_says_that_it_is_software() {
    apart("the_token_says_that_it_is_software", "", |_| {
        let p = Client::new();
        let token = p.token(0);
        assert_eq!(&token.model, b"software        ");
        assert_eq!(&token.serialNumber, b"no key          ");
        assert_eq!(token.flags & CKF_USER_PIN_INITIALIZED, 0, "no key was made yet");
        let mut slot = CK_SLOT_INFO::default();
        done(call!(p, C_GetSlotInfo, 0, &mut slot)).unwrap();
        assert_eq!(slot.flags, CKF_TOKEN_PRESENT, "no hardware");
        assert!(slot.slotDescription.starts_with(b"software: /"));
        let mut info = CK_MECHANISM_INFO::default();
        done(call!(p, C_GetMechanismInfo, 0, CKM_HSS, &mut info)).unwrap();
        assert_eq!(info.flags, CKF_SIGN | CKF_VERIFY, "no hardware");
        assert_eq!(call!(p, C_GetMechanismInfo, 0, CKM_RSA_PKCS, &mut info), CKR_MECHANISM_INVALID);
    });
}
