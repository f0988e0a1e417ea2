//! Random handles, templates, lengths and buffers for every implemented function and for some of
//! the missing ones. Nothing panics or crashes, and every used index is in a signature or was
//! reported as lost.

#![cfg(unix)]

mod common;

use std::ptr::null_mut;

use common::client::{Client, Template, call, list, number, plain, raw};
use common::{apart, key};
use cryptoki_sys::*;

const SET: &str = "LMS_SHA256_M24_H10_W8";
/// The handle of the private key of the set `SET`.
const PRIVATE: CK_OBJECT_HANDLE = 4;
/// Size in bytes of a signature by the other key, which is stateless.
const STATELESS: usize = 17_088;
/// The error that reports a lost index (`docs/pkcs11.md`).
const LOST: CK_RV = CKR_VENDOR_DEFINED | 0x4853_0003;

/// Pseudorandom numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn bytes(&mut self) -> Vec<u8> {
        let len = self.one(&[0, 1, 4, 7, 8, 9, 16, 60, 904, 2000]);
        (0..len).map(|_| self.below(256) as u8).collect()
    }

    fn template(&mut self) -> Template {
        let kinds = [
            CKA_CLASS,
            CKA_TOKEN,
            CKA_PRIVATE,
            CKA_LABEL,
            CKA_ID,
            CKA_VALUE,
            CKA_KEY_TYPE,
            CKA_PARAMETER_SET,
            CKA_HSS_LEVELS,
            CKA_HSS_LMS_TYPES,
            CKA_HSS_LMOTS_TYPES,
            CKA_HSS_KEYS_REMAINING,
            CKA_PUBLIC_KEY_INFO,
            CKA_PROFILE_ID,
            CKA_MODULUS,
            CK_ULONG::MAX,
        ];
        let count = self.below(6);
        (0..count).map(|_| (self.one(&kinds), self.attribute())).collect()
    }

    fn attribute(&mut self) -> Vec<u8> {
        match self.below(4) {
            0 => vec![self.below(3) as u8],
            1 => number(self.below(80)),
            2 => list(&[self.below(20), self.below(20)]),
            _ => self.bytes(),
        }
    }
}

/// Calls the functions with random handles, templates and lengths. The seed is fixed, so every run
/// makes the same calls.
#[test]
fn random_calls_break_nothing() {
    let settings = "acknowledge = true\nkey = \"{dir}/plain\"";
    apart("random_calls_break_nothing", settings, |place| {
        key::made(place, SET);
        key::filed(place, "SLH-DSA-SHA2-128f", 0o600);
        let p = Client::new();
        let mut dice = Dice(2026);
        let (mut signatures, mut lost) = ((Vec::new(), 0), 0);
        for round in 0..6000 {
            // Handles are consecutive numbers, and this is the newest one.
            let newest = p.open(0);
            let answer = random_call(&p, (&mut dice, newest), &mut signatures);
            assert_ne!(answer, CKR_GENERAL_ERROR, "round {round}: {}", place.log());
            assert_ne!(answer, CKR_DEVICE_ERROR, "round {round}: {}", place.log());
            lost += u64::from(answer == LOST);
            // Every used index is in a signature, or was reported as lost.
            let next = key::status(place).next;
            assert_eq!(next, signatures.0.len() as u64 + lost, "round {round}: {}", place.log());
        }
        let (signatures, stateless) = (&mut signatures.0, &signatures.1);
        call!(p, C_CloseAllSessions, 0);
        let session = p.open(0);
        p.sign_init(session, CKM_HSS, PRIVATE).unwrap();
        signatures.push(p.sign_begun(session, b"m").unwrap());
        let last = signatures.last().unwrap();
        assert_eq!(lost, 0, "the disk is well: {}", place.log());
        let public = hasten_pq::keys::stateful::read_public_of(&place.store()).unwrap();
        hasten_pq::verify(&public, b"m", last).unwrap();
        assert!(signatures.len() > 5, "too few calls were right: {}", signatures.len());
        assert!(*stateless > 5, "too few calls were right: {stateless}");
        key::must_be_once(place, signatures);
        assert_eq!(key::status(place).used, signatures.len() as u64);
    });
}

fn random_call(
    p: &Client,
    (dice, newest): (&mut Dice, CK_SESSION_HANDLE),
    signatures: &mut (Vec<Vec<u8>>, u64),
) -> CK_RV {
    let session = newest.saturating_sub(dice.one(&[0, 0, 0, 64, 128, CK_ULONG::MAX]));
    let session = session / 64 * 64 + 1;
    let slot = dice.one(&[0, 0, 0, 1, CK_ULONG::MAX]);
    let objects = [0, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 256 + 3, CK_ULONG::MAX];
    let kinds = [
        CKM_HSS,
        CKM_SLH_DSA,
        CKM_SLH_DSA_KEY_PAIR_GEN,
        CKM_XMSS,
        CKM_HSS_KEY_PAIR_GEN,
        CKM_RSA_PKCS,
    ];
    let (kind, object) = match dice.below(3) {
        0 => (dice.one(&kinds), dice.one(&objects)),
        1 => (CKM_SLH_DSA, 6),
        _ => (CKM_HSS, PRIVATE),
    };
    let (template, mut parameter) = (dice.template(), dice.bytes());
    let mut raw = raw(&template);
    let (at, count) = (raw.as_mut_ptr(), raw.len() as CK_ULONG);
    let mut mechanism = plain(kind);
    if dice.below(8) == 0 {
        mechanism.pParameter = parameter.as_mut_ptr().cast();
        mechanism.ulParameterLen = parameter.len() as CK_ULONG;
    }
    // Random bytes of this length would contain an arbitrary pointer.
    let mut beside = CK_SIGN_ADDITIONAL_CONTEXT {
        hedgeVariant: dice.below(5),
        pContext: parameter.as_mut_ptr(),
        ulContextLen: parameter.len() as CK_ULONG,
    };
    let bytes = size_of::<CK_SIGN_ADDITIONAL_CONTEXT>() as CK_ULONG;
    if dice.below(8) == 0 {
        mechanism.pParameter = (&raw mut beside).cast();
        mechanism.ulParameterLen = bytes - dice.below(2);
    }
    let data = dice.bytes();
    let (bytes, len) = (data.as_ptr().cast_mut(), data.len() as CK_ULONG);
    let mut out = vec![0; dice.one(&[0, 1, 903, 904, 904, 1000, STATELESS, STATELESS])];
    let (mut room, mut other) = (out.len() as CK_ULONG, 0);
    match dice.below(26) {
        0 => call!(p, C_OpenSession, slot, dice.below(8), null_mut(), None, &mut other),
        1 if dice.below(20) == 0 => call!(p, C_CloseAllSessions, slot),
        1 if dice.below(4) == 0 => call!(p, C_CloseSession, session),
        1 | 2 => call!(p, C_GetSessionInfo, session, &mut CK_SESSION_INFO::default()),
        3 => call!(p, C_GetSlotInfo, slot, &mut CK_SLOT_INFO::default()),
        4 => call!(p, C_GetTokenInfo, slot, &mut CK_TOKEN_INFO::default()),
        5 => call!(p, C_GetMechanismInfo, slot, kind, &mut CK_MECHANISM_INFO::default()),
        6 => call!(p, C_GetMechanismList, slot, null_mut(), &mut other),
        7 => call!(p, C_Login, session, dice.below(4), bytes, len),
        8 => call!(p, C_Logout, session),
        9 => call!(p, C_SessionCancel, session, dice.below(1 << 18)),
        10 => call!(p, C_FindObjectsInit, session, at, count),
        11 => {
            let mut found = [0; 3];
            let most = dice.below(4);
            call!(p, C_FindObjects, session, found.as_mut_ptr(), most, &mut other)
        }
        12 => call!(p, C_FindObjectsFinal, session),
        13 => call!(p, C_GetAttributeValue, session, object, at, count),
        14 => {
            let mut made = (0, 0);
            let (private, n) = (at, count);
            call!(
                p,
                C_GenerateKeyPair,
                session,
                &mut mechanism,
                at,
                count,
                private,
                n,
                &mut made.0,
                &mut made.1
            )
        }
        15 | 16 => call!(p, C_SignInit, session, &mut mechanism, object),
        17 | 18 => {
            let answer = call!(p, C_Sign, session, bytes, len, out.as_mut_ptr(), &mut room);
            match (answer, room as usize) {
                (CKR_OK, STATELESS) => signatures.1 += 1,
                (CKR_OK, bytes) => signatures.0.push(out[..bytes].to_vec()),
                _ => {}
            }
            answer
        }
        19 => call!(p, C_VerifyInit, session, &mut mechanism, object),
        20 => call!(p, C_Verify, session, bytes, len, out.as_mut_ptr(), room),
        21 => {
            call!(p, C_VerifySignatureInit, session, &mut mechanism, object, out.as_mut_ptr(), room)
        }
        22 => call!(p, C_VerifySignature, session, bytes, len),
        23 => rare_call(p, dice, (session, object), &mut raw, &data),
        24 => general_call(p, dice, session, &mut out),
        _ => missing_call(p, dice, session, &data),
    }
}

/// Calls a function that few programs use.
fn rare_call(
    p: &Client,
    dice: &mut Dice,
    (session, object): (CK_SESSION_HANDLE, CK_OBJECT_HANDLE),
    template: &mut [CK_ATTRIBUTE],
    data: &[u8],
) -> CK_RV {
    let (at, count) = (template.as_mut_ptr(), template.len() as CK_ULONG);
    let (bytes, len) = (data.as_ptr().cast_mut(), data.len() as CK_ULONG);
    let mut other = 0;
    match dice.below(5) {
        0 => call!(p, C_LoginUser, session, dice.below(4), bytes, len, bytes, len),
        1 => call!(p, C_CopyObject, session, object, at, count, &mut other),
        2 => call!(p, C_DestroyObject, session, object),
        3 => call!(p, C_SetAttributeValue, session, object, at, count),
        _ => call!(p, C_SeedRandom, session, bytes, len),
    }
}

/// Calls a function that concerns the whole module: initialization, lists, random numbers.
fn general_call(p: &Client, dice: &mut Dice, session: CK_SESSION_HANDLE, out: &mut [u8]) -> CK_RV {
    let (mut slots, mut count) = ([0; 2], dice.below(3));
    let mut interface = null_mut();
    let mut version = CK_VERSION { major: dice.below(4) as u8, minor: dice.below(50) as u8 };
    match dice.below(11) {
        0 => {
            assert_eq!(p.finalise(), Ok(()));
            call!(p, C_Initialize, null_mut())
        }
        1 => call!(p, C_Initialize, null_mut()),
        2 => call!(p, C_Finalize, (&raw mut count).cast()),
        3 => call!(p, C_GetInfo, &mut CK_INFO::default()),
        4 => call!(p, C_GetSlotList, 1, slots.as_mut_ptr(), &mut count),
        5 => call!(p, C_GetInterface, null_mut(), &mut version, &mut interface, dice.below(4)),
        6 => call!(p, C_GetInterfaceList, null_mut(), &mut count),
        7 => call!(p, C_GetFunctionStatus, session),
        8 => call!(p, C_CancelFunction, session),
        9 => {
            let mut list = null_mut();
            call!(p, C_GetFunctionList, &mut list)
        }
        _ => call!(p, C_GenerateRandom, session, out.as_mut_ptr(), out.len() as CK_ULONG),
    }
}

/// Calls a function that is not implemented; it returns the same error for all arguments.
fn missing_call(p: &Client, dice: &mut Dice, session: CK_SESSION_HANDLE, data: &[u8]) -> CK_RV {
    let (bytes, len) = (data.as_ptr().cast_mut(), data.len() as CK_ULONG);
    let answer = match dice.below(9) {
        0 => call!(p, C_SignUpdate, session, bytes, len),
        1 => call!(p, C_VerifyUpdate, session, bytes, len),
        2 => call!(p, C_DigestUpdate, session, bytes, len),
        3 => call!(p, C_InitPIN, session, bytes, len),
        4 => call!(p, C_SetPIN, session, bytes, len, bytes, len),
        5 => call!(p, C_SetOperationState, session, bytes, len, 1, 2),
        6 => call!(p, C_EncryptInit, session, null_mut(), len),
        7 => call!(p, C_CreateObject, session, null_mut(), len, null_mut()),
        _ => call!(p, C_SignMessageBegin, session, bytes.cast(), len),
    };
    assert_eq!(answer, CKR_FUNCTION_NOT_SUPPORTED);
    answer
}
