//! Session, login and key belong together: no login without its session, no key held open without a
//! login, and no signature by another key than that of the object.

#![cfg(unix)]

mod common;

use std::thread;
use std::time::Duration;

use common::client::{Client, call, done};
use common::{PIN, Place, apart, key};
use cryptoki_sys::*;
use hasten_pq::store::{Options, StoreError};

const SET: &str = "LMS_SHA256_M24_H10_W8";

fn state(p: &Client, session: CK_SESSION_HANDLE) -> CK_STATE {
    let mut info = CK_SESSION_INFO::default();
    assert_eq!(call!(p, C_GetSessionInfo, session, &mut info), CKR_OK);
    info.state
}

/// Closes all sessions while another thread logs in, at many different times. Whichever comes
/// first, a session that is opened afterwards is public, and a wrong PIN is rejected.
#[test]
fn no_login_outlives_its_session() {
    apart("no_login_outlives_its_session", "", |place| {
        let p = &Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        p.hss(session, (&[0x0a], &[0x08])).unwrap();
        for round in 0..40u64 {
            let session = p.open(0);
            let (login, closed) = thread::scope(|scope| {
                let login = scope.spawn(move || p.log_in(session, PIN));
                thread::sleep(Duration::from_millis(round * 5 % 90));
                let closed = done(call!(p, C_CloseAllSessions, 0));
                (login.join().unwrap(), closed)
            });
            assert_eq!(closed, Ok(()), "round {round}: {}", place.log());
            let refused = [CKR_SESSION_HANDLE_INVALID, CKR_SESSION_CLOSED];
            assert!(login.err().is_none_or(|rv| refused.contains(&rv)), "{login:?}");
            let fresh = p.open(0);
            assert_eq!(state(p, fresh), CKS_RW_PUBLIC_SESSION, "round {round}");
            if round % 8 == 0 {
                assert_eq!(p.log_in(fresh, b"wrong"), Err(CKR_PIN_INCORRECT), "round {round}");
                p.log_in(fresh, PIN).unwrap();
                assert_eq!(p.log_in(fresh, PIN), Err(CKR_USER_ALREADY_LOGGED_IN));
            }
            done(call!(p, C_CloseAllSessions, 0)).unwrap();
        }
    });
}

/// Closes all sessions, or ends the module, while three threads sign with a key that is held open.
/// The key is free afterwards, and no index was used twice.
#[test]
fn no_key_is_held_without_a_session() {
    apart("no_key_is_held_without_a_session", "hold = true", |place| {
        key::made(place, SET);
        let p = &Client::new();
        let mut signatures = Vec::new();
        for round in 0..60u64 {
            let finalise = round % 5 == 4;
            let made = thread::scope(|scope| {
                let signers: Vec<_> = (0..3)
                    .map(|_| {
                        scope.spawn(move || {
                            let mut made = Vec::new();
                            while let Ok(session) = p.session(0, CKF_SERIAL_SESSION) {
                                let signed = p
                                    .find_private(session)
                                    .and_then(|key| p.sign_init(session, CKM_HSS, key))
                                    .and_then(|()| p.sign_begun(session, b"m"));
                                match signed {
                                    Ok(signature) => made.push(signature),
                                    Err(_) => break,
                                }
                                if made.len() > 2 {
                                    break;
                                }
                            }
                            made
                        })
                    })
                    .collect();
                thread::sleep(Duration::from_millis(round % 13));
                match finalise {
                    true => p.finalise().unwrap(),
                    false => done(call!(p, C_CloseAllSessions, 0)).unwrap(),
                }
                signers.into_iter().flat_map(|signer| signer.join().unwrap()).collect::<Vec<_>>()
            });
            signatures.extend(made);
            if finalise {
                // Threads that came late found no module and could not open sessions.
                p.initialise().unwrap();
            } else {
                done(call!(p, C_CloseAllSessions, 0)).unwrap();
            }
            let free = Options::new().wait(Duration::ZERO).open(place.store()).map(drop);
            assert!(!matches!(free, Err(StoreError::Busy { .. })), "round {round}: it is held");
        }
        assert!(signatures.len() > 60, "{}", signatures.len());
        key::must_be_once(place, &signatures);
    });
}

/// Only the key of the object signs, even if its files were replaced in the meantime.
#[test]
fn a_replaced_key_does_not_sign_on() {
    let files = "key = \"{dir}/plain\"";
    apart("a_replaced_key_does_not_sign_on", files, |place| {
        let alg = "SLH-DSA-SHA2-128f";
        let old = key::filed(place, alg, 0o600);
        let p = Client::new();
        let session = p.open(0);
        let signature = p.sign(session, CKM_SLH_DSA, b"m").unwrap();
        hasten_pq::verify(old.public_key(), b"m", &signature).unwrap();
        // The signature is begun with the old key, which is then replaced: nothing is signed.
        p.sign_init(session, CKM_SLH_DSA, p.private(session)).unwrap();
        let new = key::filed(place, alg, 0o600);
        let answer = p.sign_begun(session, b"m").map(drop);
        assert_eq!(answer, Err(CKR_KEY_HANDLE_INVALID), "{}", place.log());
        let signature = p.sign(session, CKM_SLH_DSA, b"m").unwrap();
        hasten_pq::verify(new.public_key(), b"m", &signature).unwrap();
        p.verify(session, CKM_SLH_DSA, (b"m", &signature)).unwrap();
    });
}

/// Only the key of the object signs, even if its store was replaced; held open or not.
#[test]
fn a_replaced_store_does_not_sign_on() {
    apart("a_replaced_store_does_not_sign_on", "hold = true", |place| {
        key::made(place, SET);
        let p = Client::new();
        let session = p.open(0);
        p.sign(session, CKM_HSS, b"m").unwrap();
        p.sign_init(session, CKM_HSS, p.private(session)).unwrap();
        std::fs::rename(place.store(), place.path().join("away")).unwrap();
        std::fs::rename(place.guard(), place.path().join("away.guard")).unwrap();
        key::made(place, SET);
        let with_new = p.sign(session, CKM_HSS, b"m");
        assert!(with_new.is_err(), "the store that is held is the one that was moved away");
        done(call!(p, C_CloseAllSessions, 0)).unwrap();
        let session = p.open(0);
        let signature = p.sign(session, CKM_HSS, b"m").unwrap();
        p.verify(session, CKM_HSS, (b"m", &signature)).unwrap();
        assert_eq!(key::index(&signature), 0);
    });
}

/// A PIN that is too long is rejected before memory is read or allocated, whatever the slot
/// contains.
#[test]
fn no_pin_is_longer_than_255_bytes() {
    apart("no_pin_is_longer_than_255_bytes", "", |place| {
        let p = Client::new();
        let session = p.open(0);
        for made in [false, true] {
            if made {
                p.log_in(session, PIN).unwrap();
                p.hss(session, (&[0x0a], &[0x08])).unwrap();
                done(call!(p, C_Logout, session)).unwrap();
            }
            for len in [256, 1 << 20, 1 << 40, 1 << 62, CK_ULONG::MAX >> 1, CK_ULONG::MAX] {
                let at = PIN.as_ptr().cast_mut();
                let answer = call!(p, C_Login, session, CKU_USER, at, len);
                assert_eq!(answer, CKR_PIN_LEN_RANGE, "{len}: {}", place.log());
            }
            p.log_in(session, PIN).unwrap();
            done(call!(p, C_Logout, session)).unwrap();
        }
    });
}

/// Without a configuration the module has no slots; a file named in the environment must exist.
#[test]
fn without_a_configuration_there_is_no_slot() {
    let test = "without_a_configuration_there_is_no_slot";
    match common::task() {
        None => {
            let place = Place::new("");
            let run = |named: Option<&str>, task: &str| {
                let mut command = place.command(test, task);
                command
                    .env_remove("HASTEN_PKCS11_CONF")
                    .envs(named.map(|n| ("HASTEN_PKCS11_CONF", n)));
                command.env("HOME", place.path()).env_remove("XDG_CONFIG_HOME");
                let ran = command.output().unwrap();
                assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            };
            if !std::path::Path::new("/etc/hasten/pkcs11.toml").exists() {
                run(None, "none");
            }
            run(Some("/nonexistent/conf.toml"), "absent");
        }
        Some((_, task)) => {
            let p = Client::load();
            if task == "absent" {
                assert_eq!(p.initialise(), Err(CKR_GENERAL_ERROR));
                return;
            }
            p.initialise().unwrap();
            let (mut count, mut info) = (7, CK_INFO::default());
            assert_eq!(call!(p, C_GetSlotList, 1, std::ptr::null_mut(), &mut count), CKR_OK);
            assert_eq!((count, call!(p, C_GetInfo, &mut info)), (0, CKR_OK));
            assert_eq!(info.libraryDescription, *b"No slots: see 'hasten pkcs11 -h'");
            assert_eq!(p.session(0, CKF_SERIAL_SESSION), Err(CKR_SLOT_ID_INVALID));
        }
    }
}

/// A set-user-id program ignores the configuration of its caller. The test needs root, a user
/// called nobody, and a file system that supports the set-user-id bit: `./test pkcs11` runs it.
#[test]
#[ignore = "needs root: ./test pkcs11"]
fn a_privileged_process_ignores_its_callers_environment() {
    use std::os::unix::fs::PermissionsExt;
    let test = "a_privileged_process_ignores_its_callers_environment";
    if let Some((_, _)) = common::task() {
        let p = Client::load();
        p.initialise().unwrap();
        let mut count = 7;
        assert_eq!(call!(p, C_GetSlotList, 1, std::ptr::null_mut(), &mut count), CKR_OK);
        assert_eq!(count, 0, "the caller's configuration was read");
        return;
    }
    let place = Place::new("");
    if std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(place.path()).unwrap()) != 0 {
        let why = "another user's program cannot be made here";
        hasten_report::skipped("a set-user-id host", why, "run it as root");
        return;
    }
    std::fs::set_permissions(place.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let program = place.path().join("program");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o4755)).unwrap();
    let module = place.path().join("module.so");
    std::fs::copy(common::module(), &module).unwrap();
    let inner = place.command(test, "task");
    let mut run = std::process::Command::new("setpriv");
    run.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
    run.args(inner.get_args());
    run.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = run.env("HASTEN_PKCS11", &module).current_dir(place.path()).output().unwrap();
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && place.log().is_empty(), "{told}\n{}", place.log());
}
