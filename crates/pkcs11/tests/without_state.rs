//! Stateless keys (SLH-DSA, and ML-DSA if the build includes it), alone and together with a
//! stateful key.

#![cfg(unix)]

mod common;

use common::client::{Client, Template, call, done, half, number, plain, raw};
use common::{PIN, Place, apart, key, task};
use cryptoki_sys::*;

/// Setting of a slot that also has files for a stateless key.
const FILES: &str = "key = \"{dir}/plain\"";

/// The set of a key that already exists.
const SET: &str = "SLH-DSA-SHAKE-128f";

/// A scheme: key type, mechanisms, a parameter set and the size of its signatures in bytes.
#[derive(Clone, Copy)]
struct Scheme {
    key_type: CK_KEY_TYPE,
    generate: CK_MECHANISM_TYPE,
    sign: CK_MECHANISM_TYPE,
    set: CK_ULONG,
    bytes: usize,
}

const SLH_DSA: Scheme = Scheme {
    key_type: CKK_SLH_DSA,
    generate: CKM_SLH_DSA_KEY_PAIR_GEN,
    sign: CKM_SLH_DSA,
    set: CKP_SLH_DSA_SHA2_128F,
    bytes: 17_088,
};

#[cfg(feature = "aws-lc")]
const ML_DSA: Scheme = Scheme {
    key_type: CKK_ML_DSA,
    generate: CKM_ML_DSA_KEY_PAIR_GEN,
    sign: CKM_ML_DSA,
    set: CKP_ML_DSA_87,
    bytes: 4_627,
};

fn templates(scheme: Scheme) -> (Template, Template) {
    let mut public = half(CKO_PUBLIC_KEY, scheme.key_type);
    public.push((CKA_PARAMETER_SET, number(scheme.set)));
    (public, half(CKO_PRIVATE_KEY, scheme.key_type))
}

fn make(p: &Client, session: CK_SESSION_HANDLE, scheme: Scheme) -> Result<(u64, u64), CK_RV> {
    let (public, private) = templates(scheme);
    p.generate(session, scheme.generate, (&public, &private))
}

/// Returns a mechanism parameter. It is valid as long as the context.
fn beside(hedge: CK_HEDGE_TYPE, context: &[u8]) -> CK_SIGN_ADDITIONAL_CONTEXT {
    CK_SIGN_ADDITIONAL_CONTEXT {
        hedgeVariant: hedge,
        pContext: context.as_ptr().cast_mut(),
        ulContextLen: context.len() as CK_ULONG,
    }
}

fn mechanism(scheme: Scheme, parameter: &mut CK_SIGN_ADDITIONAL_CONTEXT) -> CK_MECHANISM {
    CK_MECHANISM {
        mechanism: scheme.sign,
        pParameter: (&raw mut *parameter).cast(),
        ulParameterLen: size_of::<CK_SIGN_ADDITIONAL_CONTEXT>() as CK_ULONG,
    }
}

/// Signs with a context.
fn sign(
    p: &Client,
    (session, key): (CK_SESSION_HANDLE, CK_OBJECT_HANDLE),
    scheme: Scheme,
    (hedge, context): (CK_HEDGE_TYPE, &[u8]),
) -> Result<Vec<u8>, CK_RV> {
    let mut parameter = beside(hedge, context);
    done(call!(p, C_SignInit, session, &mut mechanism(scheme, &mut parameter), key))?;
    p.sign_begun(session, b"message")
}

/// Verifies with a context.
fn verify(
    p: &Client,
    (session, key): (CK_SESSION_HANDLE, CK_OBJECT_HANDLE),
    scheme: Scheme,
    (context, message, signature): (&[u8], &[u8], &[u8]),
) -> Result<(), CK_RV> {
    let mut parameter = beside(CKH_HEDGE_PREFERRED, context);
    done(call!(p, C_VerifyInit, session, &mut mechanism(scheme, &mut parameter), key))?;
    let (at, len) = (message.as_ptr().cast_mut(), message.len() as CK_ULONG);
    let bytes = signature.len() as CK_ULONG;
    done(call!(p, C_Verify, session, at, len, signature.as_ptr().cast_mut(), bytes))
}

/// Generates a key pair and signs with and without a context, hedged and deterministically.
fn makes_and_signs(place: &Place, scheme: Scheme) {
    let p = Client::new();
    let session = p.open(0);
    assert_eq!(make(&p, session, scheme), Err(CKR_USER_NOT_LOGGED_IN));
    p.log_in(session, PIN).unwrap();
    let (public, private) = make(&p, session, scheme).unwrap();
    assert_eq!((public, private), (p.public(session), p.private(session)));
    assert_eq!(make(&p, session, scheme), Err(CKR_DEVICE_MEMORY), "there is one");
    for object in [public, private] {
        assert_eq!(p.attribute(session, object, CKA_PARAMETER_SET), Ok(number(scheme.set)));
        assert_eq!(p.attribute(session, object, CKA_KEY_TYPE), Ok(number(scheme.key_type)));
        let none = p.attribute(session, object, CKA_HSS_LEVELS);
        assert_eq!(none, Err(CKR_ATTRIBUTE_TYPE_INVALID));
    }
    assert_eq!(p.attribute(session, private, CKA_VALUE), Err(CKR_ATTRIBUTE_SENSITIVE));
    let (signer, verifier) = ((session, private), (session, public));
    let plain = p.sign(session, scheme.sign, b"message").unwrap();
    assert_eq!(plain.len(), scheme.bytes);
    assert_eq!(p.verify(session, scheme.sign, (b"message", &plain)), Ok(()));
    assert_eq!(p.verify(session, scheme.sign, (b"another", &plain)), Err(CKR_SIGNATURE_INVALID));
    let of_file = std::fs::read(place.path().join("plain.pub")).unwrap();
    let of_file = hasten_pq::read_public(&of_file).unwrap();
    assert_eq!(p.attribute(session, public, CKA_VALUE), Ok(of_file.raw.clone()));
    hasten_pq::verify(&of_file, b"message", &plain).unwrap();

    for (hedge, same) in [
        (CKH_HEDGE_PREFERRED, false),
        (CKH_HEDGE_REQUIRED, false),
        (CKH_DETERMINISTIC_REQUIRED, true),
    ] {
        let two = [(); 2].map(|()| sign(&p, signer, scheme, (hedge, b"firmware")).unwrap());
        assert_eq!(two[0] == two[1], same, "{hedge}");
        for signature in &two {
            let said = |context: &[u8], message: &[u8]| {
                verify(&p, verifier, scheme, (context, message, signature))
            };
            assert_eq!(said(b"firmware", b"message"), Ok(()));
            assert_eq!(said(b"firmwarE", b"message"), Err(CKR_SIGNATURE_INVALID));
            assert_eq!(said(b"", b"message"), Err(CKR_SIGNATURE_INVALID));
            assert_eq!(said(b"firmware", b"another"), Err(CKR_SIGNATURE_INVALID));
        }
    }
    let longest = sign(&p, signer, scheme, (CKH_HEDGE_PREFERRED, &[7; 255])).unwrap();
    assert_eq!(verify(&p, verifier, scheme, (&[7; 255], b"message", &longest)), Ok(()));
    for refused in [(CKH_HEDGE_PREFERRED, &[7; 256][..]), (3, b"")] {
        assert_eq!(sign(&p, signer, scheme, refused), Err(CKR_MECHANISM_PARAM_INVALID));
    }
    let mut parameter = beside(CKH_HEDGE_PREFERRED, b"");
    let mut short = mechanism(scheme, &mut parameter);
    short.ulParameterLen -= 1;
    let refused = call!(p, C_SignInit, session, &mut short, private);
    assert_eq!(refused, CKR_MECHANISM_PARAM_INVALID);
    p.finalise().unwrap();
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 4, "nothing else is left");
}

#[test]
fn a_pair_of_slh_dsa_is_made_and_signs() {
    apart("a_pair_of_slh_dsa_is_made_and_signs", FILES, |place| makes_and_signs(place, SLH_DSA));
}

#[cfg(feature = "aws-lc")]
#[test]
fn a_pair_of_ml_dsa_is_made_and_signs() {
    apart("a_pair_of_ml_dsa_is_made_and_signs", FILES, |place| makes_and_signs(place, ML_DSA));
}

#[cfg(feature = "aws-lc")]
#[test]
fn the_seed_of_ml_dsa_is_told_to_nobody() {
    apart("the_seed_of_ml_dsa_is_told_to_nobody", FILES, |_| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        let (public, private) = make(&p, session, Scheme { set: CKP_ML_DSA_44, ..ML_DSA }).unwrap();
        assert_eq!(p.attribute(session, private, CKA_SEED), Err(CKR_ATTRIBUTE_SENSITIVE));
        assert_eq!(p.attribute(session, public, CKA_SEED), Err(CKR_ATTRIBUTE_TYPE_INVALID));
    });
}

#[cfg(not(feature = "aws-lc"))]
#[test]
fn ml_dsa_is_not_offered_without_its_library() {
    apart("ml_dsa_is_not_offered_without_its_library", FILES, |_| {
        let p = Client::new();
        let mut info = CK_MECHANISM_INFO::default();
        let answer = call!(p, C_GetMechanismInfo, 0, CKM_ML_DSA, &mut info);
        assert_eq!(answer, CKR_MECHANISM_INVALID);
    });
}

/// One token has both kinds of keys, with the same PIN. Signatures by the stateless key use no
/// index.
#[test]
fn both_kinds_of_key_are_under_one_pin() {
    apart("both_kinds_of_key_are_under_one_pin", FILES, |place| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        p.hss(session, (&[0x0a], &[0x08])).unwrap();
        p.finalise().unwrap();
        p.initialise().unwrap();
        let session = p.open(0);
        assert_eq!(p.log_in(session, b"another PIN"), Err(CKR_PIN_INCORRECT), "the key's it is");
        p.log_in(session, PIN).unwrap();
        let (public, private) = make(&p, session, SLH_DSA).unwrap();
        p.finalise().unwrap();
        p.initialise().unwrap();
        let session = p.open(0);
        assert_eq!(p.find(session, &vec![(CKA_TOKEN, vec![CK_TRUE])]).len(), 4, "2 profiles");
        assert_eq!(p.sign_init(session, CKM_SLH_DSA, private), Err(CKR_KEY_HANDLE_INVALID));
        p.log_in(session, PIN).unwrap();
        let of = |class| p.find(session, &vec![(CKA_CLASS, number(class))]);
        let privates = of(CKO_PRIVATE_KEY);
        assert_eq!((privates.len(), of(CKO_PUBLIC_KEY).len()), (2, 2));
        let hss = privates.into_iter().find(|key| *key != private).unwrap();
        assert_eq!(p.sign_init(session, CKM_HSS, private), Err(CKR_KEY_TYPE_INCONSISTENT));
        assert_eq!(p.sign_init(session, CKM_SLH_DSA, hss), Err(CKR_KEY_TYPE_INCONSISTENT));
        let permitted = p.sign_init(session, CKM_SLH_DSA, public);
        assert_eq!(permitted, Err(CKR_KEY_FUNCTION_NOT_PERMITTED));
        let mut signatures = Vec::new();
        for _ in 0..3 {
            p.sign_init(session, CKM_SLH_DSA, private).unwrap();
            assert_eq!(p.sign_begun(session, b"m").unwrap().len(), SLH_DSA.bytes);
            p.sign_init(session, CKM_HSS, hss).unwrap();
            signatures.push(p.sign_begun(session, b"m").unwrap());
        }
        key::must_be_once(place, &signatures);
        assert_eq!(key::status(place).used, 3);
        p.sign_init(session, CKM_SLH_DSA, private).unwrap();
        assert_eq!(call!(p, C_Logout, session), CKR_OK);
        assert_eq!(p.sign_begun(session, b"m"), Err(CKR_OPERATION_NOT_INITIALIZED));
        assert_eq!(p.sign_init(session, CKM_SLH_DSA, private), Err(CKR_KEY_HANDLE_INVALID));
    });
}

#[test]
fn files_of_keygen_are_used_as_they_are() {
    apart("files_of_keygen_are_used_as_they_are", FILES, |place| {
        let key = key::filed(place, SET, 0o600);
        let p = Client::new();
        let session = p.open(0);
        let private = p.private(session);
        let set = p.attribute(session, private, CKA_PARAMETER_SET);
        assert_eq!(set, Ok(number(CKP_SLH_DSA_SHAKE_128F)));
        let signature = p.sign(session, CKM_SLH_DSA, b"m").unwrap();
        hasten_pq::verify(key.public_key(), b"m", &signature).unwrap();
        p.finalise().unwrap();

        key::filed(place, SET, 0o644);
        p.initialise().unwrap();
        let session = p.open(0);
        assert_eq!(p.sign(session, CKM_SLH_DSA, b"m"), Err(CKR_DEVICE_ERROR));
        assert!(place.log().contains("every user can read"), "{}", place.log());
        p.finalise().unwrap();

        let pem = std::fs::read(place.path().join("plain.pub")).unwrap();
        key::filed(place, SET, 0o600);
        std::fs::write(place.path().join("plain.pub"), pem).unwrap();
        p.initialise().unwrap();
        let session = p.open(0);
        assert_eq!(p.sign(session, CKM_SLH_DSA, b"m"), Err(CKR_DEVICE_ERROR));
        assert!(place.log().contains("not the public half"), "{}", place.log());
    });
}

#[test]
fn damaged_files_are_refused_and_kept() {
    apart("damaged_files_are_refused_and_kept", FILES, |place| {
        key::filed(place, SET, 0o600);
        let p = Client::new();
        let session = p.open(0);
        let wanted = vec![(CKA_CLASS, number(CKO_PRIVATE_KEY))];
        let names = ["plain.key", "plain.pub"].map(|name| place.path().join(name));
        let good = names.clone().map(|name| std::fs::read(name).unwrap());
        for damaged in [&b""[..], b"-----BEGIN", &[0x30; 100], &[0; 70_000]] {
            for (name, good) in names.iter().zip(&good) {
                std::fs::write(name, damaged).unwrap();
                let mut count = 0;
                let mut one = raw(&wanted);
                let begun = call!(p, C_FindObjectsInit, session, one.as_mut_ptr(), 1);
                if begun == CKR_OK {
                    let mut key = 0;
                    assert_eq!(call!(p, C_FindObjects, session, &mut key, 1, &mut count), CKR_OK);
                    assert_eq!(call!(p, C_FindObjectsFinal, session), CKR_OK);
                    let begun = p.sign_init(session, CKM_SLH_DSA, key);
                    assert!(begun.and_then(|()| p.sign_begun(session, b"m")).is_err());
                }
                assert!(std::fs::read(name).unwrap() == damaged, "it is left as it was");
                std::fs::write(name, good).unwrap();
            }
        }
        p.sign(session, CKM_SLH_DSA, b"m").unwrap();
    });
}

#[test]
fn templates_without_a_state_are_checked_strictly() {
    apart("templates_without_a_state_are_checked_strictly", FILES, |place| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        let made = |public: &Template, private: &Template| {
            p.generate(session, CKM_SLH_DSA_KEY_PAIR_GEN, (public, private)).unwrap_err()
        };
        let (public, private) = templates(SLH_DSA);
        let with = |kind, value: Vec<u8>| {
            let mut changed = public.clone();
            changed.retain(|(known, _)| *known != kind);
            changed.push((kind, value));
            made(&changed, &private)
        };
        for set in [0, 13, CK_ULONG::MAX] {
            assert_eq!(with(CKA_PARAMETER_SET, number(set)), CKR_ATTRIBUTE_VALUE_INVALID);
        }
        assert_eq!(with(CKA_PARAMETER_SET, vec![1]), CKR_ATTRIBUTE_VALUE_INVALID);
        assert_eq!(with(CKA_KEY_TYPE, number(CKK_ML_DSA)), CKR_TEMPLATE_INCONSISTENT);
        assert_eq!(with(CKA_TOKEN, vec![CK_FALSE]), CKR_TEMPLATE_INCONSISTENT);
        assert_eq!(with(CKA_VALUE, vec![1]), CKR_ATTRIBUTE_READ_ONLY);
        let without = half(CKO_PUBLIC_KEY, CKK_SLH_DSA);
        assert_eq!(made(&without, &private), CKR_TEMPLATE_INCOMPLETE);
        let mut more = private.clone();
        more.push((CKA_PARAMETER_SET, number(SLH_DSA.set)));
        assert_eq!(made(&public, &more), CKR_ATTRIBUTE_READ_ONLY);
        let mut more = private.clone();
        more.push((CKA_HSS_LEVELS, number(1)));
        assert_eq!(made(&public, &more), CKR_ATTRIBUTE_TYPE_INVALID);
        assert!(!place.path().join("plain.key").exists(), "nothing was made");
    });
}

#[test]
fn a_slot_without_the_place_says_so() {
    apart("a_slot_without_the_place_says_so", "", |place| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        assert_eq!(make(&p, session, SLH_DSA), Err(CKR_TOKEN_WRITE_PROTECTED));
        assert!(place.log().contains("names no 'key'"), "{}", place.log());
        let none = call!(p, C_SignInit, session, &mut plain(CKM_SLH_DSA), 5);
        assert_eq!(none, CKR_KEY_HANDLE_INVALID);
    });
}

/// Two processes generate a key pair at the same time: one of them succeeds, and the key is
/// complete.
#[test]
fn two_processes_make_one_pair() {
    const NAME: &str = "two_processes_make_one_pair";
    if task().is_some() {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        let made = make(&p, session, SLH_DSA).is_ok();
        return println!("made {}", u8::from(made));
    }
    for _ in 0..3 {
        let place = Place::new(FILES);
        let both = [(); 2].map(|()| place.begin(NAME, "make"));
        let both = both.map(|child| child.wait_with_output().unwrap());
        assert!(both.iter().all(|one| one.status.success()), "{}", place.log());
        let made = both.iter().map(|one| String::from_utf8_lossy(&one.stdout).into_owned());
        assert!(made.filter(|text| text.contains("made 1")).count() >= 1, "{}", place.log());
        place.must("both_are_the_same_pair", "sign");
    }
}

/// Signs with the pair that two processes generated; a task of the previous test.
#[test]
fn both_are_the_same_pair() {
    if task().is_none() {
        return;
    }
    let p = Client::new();
    let session = p.open(0);
    p.log_in(session, PIN).unwrap();
    let signature = p.sign(session, CKM_SLH_DSA, b"m").unwrap();
    assert_eq!(p.verify(session, CKM_SLH_DSA, (b"m", &signature)), Ok(()));
}
