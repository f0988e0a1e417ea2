//! Several processes, forks, kills and restored backups must never use an index twice.

#![cfg(unix)]

mod common;

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};
use std::ptr::null_mut;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use common::client::{Client, UNTIL, call, half, number};
use common::{PIN, Place, apart, key, task};
use cryptoki_sys::*;

const SET: &str = "LMS_SHA256_M24_H10_W8";
const REFUSED: CK_RV = CKR_VENDOR_DEFINED | 0x4853_0001;
const BUSY: CK_RV = CKR_VENDOR_DEFINED | 0x4853_0002;

/// Makes `count` signatures and prints each of them.
fn sign(count: usize) {
    let p = Client::new();
    let session = p.open(0);
    for _ in 0..count {
        key::say(&p.sign(session, CKM_HSS, b"m").unwrap());
    }
    p.finalise().unwrap();
}

#[test]
fn two_processes_never_share_an_index() {
    const NAME: &str = "two_processes_never_share_an_index";
    if task().is_some() {
        return sign(20);
    }
    let place = Place::new("");
    place.configure("wait = 600", "");
    key::made(&place, SET);
    let both = [(); 2].map(|()| place.begin(NAME, "sign"));
    let both = both.map(|child| child.wait_with_output().unwrap());
    let signatures = both.map(|one| key::said(&one.stdout)).concat();
    assert_eq!(signatures.len(), 40, "{}", place.log());
    key::must_be_once(&place, &signatures);
    assert_eq!(key::status(&place).lost, 0);
}

#[test]
fn a_key_that_is_held_is_given_back() {
    const NAME: &str = "a_key_that_is_held_is_given_back";
    if let Some((_, task)) = task() {
        let p = Client::new();
        let session = p.open(0);
        let signed = p.sign(session, CKM_HSS, b"m");
        assert_eq!(signed.err(), (task == "refused").then_some(BUSY));
        if task != "ends" {
            p.finalise().unwrap();
        }
        return;
    }
    let place = Place::new("");
    place.configure("wait = 0", "hold = true");
    key::made(&place, SET);
    place.must(NAME, "signs");
    let store = hasten_pq::store::Options::new().open(place.store()).unwrap();
    place.must(NAME, "refused");
    assert!(place.log().contains("state busy"), "{}", place.log());
    drop(store);
    place.must(NAME, "signs");
    assert_eq!((key::status(&place).used, key::status(&place).lost), (2, 0));
    place.must(NAME, "ends");
    let status = key::status(&place);
    assert_eq!((status.used, status.lost, status.next), (2, 1, 3), "its record was in memory");
}

#[test]
fn a_held_key_is_given_back_at_logout() {
    const NAME: &str = "a_held_key_is_given_back_at_logout";
    apart(NAME, "hold = true", |place| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        p.hss(session, (&[0x0a], &[0x08])).unwrap();
        let open = || hasten_pq::store::Options::new().open(place.store()).err();
        assert_eq!(open(), None);
        p.sign(session, CKM_HSS, b"m").unwrap();
        assert!(open().is_some(), "it is held");
        assert_eq!(call!(p, C_Logout, session), CKR_OK);
        assert_eq!(open(), None);
        assert_eq!(key::status(place).used, 1);
    });
}

#[test]
fn a_fork_is_refused() {
    apart("a_fork_is_refused", "", fork_and_sign);
}

#[test]
fn a_fork_is_refused_a_key_that_is_held() {
    apart("a_fork_is_refused_a_key_that_is_held", "hold = true", fork_and_sign);
}

fn fork_and_sign(place: &Place) {
    key::made(place, SET);
    let p = Client::new();
    let session = p.open(0);
    let mut signatures = vec![p.sign(session, CKM_HSS, b"m").unwrap()];
    p.sign_init(session, CKM_HSS, p.private(session)).unwrap();
    let before = key::status(place);
    let child = {
        let p = Client::load();
        move || {
            let answers = [
                p.sign_begun(session, b"m").err(),
                p.session(0, CKF_SERIAL_SESSION).err(),
                p.finalise().err(),
            ];
            let all = answers.iter().all(|rv| *rv == Some(CKR_CRYPTOKI_NOT_INITIALIZED));
            let again = p.initialise().is_ok() && p.sign_begun(session, b"m").is_err();
            if all && again { Ok(()) } else { Err(std::io::Error::other("a fork signed")) }
        }
    };
    let mut command = Command::new("true");
    // SAFETY: it runs in the forked child, where no other thread of this program can hold a lock.
    let forked = unsafe { command.pre_exec(child) }.status();
    assert!(forked.is_ok_and(|status| status.success()));
    assert_eq!(key::status(place).next, before.next, "the fork reserved nothing");
    signatures.push(p.sign_begun(session, b"m").unwrap());
    p.finalise().unwrap();
    key::must_be_once(place, &signatures);
}

#[test]
fn a_restored_backup_is_refused() {
    apart("a_restored_backup_is_refused", "", |place| {
        key::made(place, SET);
        let backup = place.path().join("backup");
        key::copy(&place.store(), &backup);
        let p = Client::new();
        let session = p.open(0);
        p.sign(session, CKM_HSS, b"m").unwrap();
        std::fs::remove_dir_all(place.store()).unwrap();
        key::copy(&backup, &place.store());
        assert_eq!(p.sign(session, CKM_HSS, b"m"), Err(REFUSED));
        assert!(place.log().contains("REFUSED: this store is an old copy"), "{}", place.log());
    });
}

/// Generates a key pair if there is none, and signs twice.
fn make_and_sign() {
    let p = Client::load();
    let Some((_, until)) = task() else { return };
    UNTIL.store(until.parse().unwrap(), SeqCst);
    p.initialise().unwrap();
    let session = p.open(0);
    p.log_in(session, PIN).unwrap();
    if p.find(session, &vec![]).len() == 2 {
        p.hss(session, (&[0x0b], &[0x08])).unwrap();
    }
    for _ in 0..2 {
        key::say(&p.sign(session, CKM_HSS, b"m").unwrap());
    }
    p.finalise().unwrap();
}

/// Kills the process before and after every call, from the first to the last.
#[test]
fn kills_between_calls_lose_nothing() {
    const NAME: &str = "kills_between_calls_lose_nothing";
    if task().is_some() {
        return make_and_sign();
    }
    let place = Place::new("");
    let mut signatures = Vec::new();
    for until in 1.. {
        let ran = place.run(NAME, &until.to_string());
        signatures.extend(key::said(&ran.stdout));
        if ran.status.success() {
            assert!(until > 30, "too few calls: {until}");
            break;
        }
        let killed = std::os::unix::process::ExitStatusExt::signal(&ran.status) == Some(9);
        assert!(killed, "{until}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    key::must_be_once(&place, &signatures);
}

/// Kills the process at times chosen with a fixed seed, regardless of what it is doing.
#[test]
fn kills_at_any_time_use_no_index_twice() {
    const NAME: &str = "kills_at_any_time_use_no_index_twice";
    if task().is_some() {
        return sign(1000);
    }
    let place = Place::new("");
    key::made(&place, "LMS_SHA256_M24_H15_W4");
    let (mut signatures, mut state) = (Vec::new(), 0x9e37_79b9_u32);
    for _ in 0..20 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut child = place.begin(NAME, "sign");
        let mut output = vec![0; 1];
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut output).unwrap();
        std::thread::sleep(Duration::from_micros(u64::from(state >> 12) % 400_000));
        child.kill().unwrap();
        child.wait().unwrap();
        pipe.read_to_end(&mut output).unwrap();
        signatures.extend(key::said(&output));
    }
    assert!(signatures.len() > 1, "the kills came before any signature");
    key::must_be_once(&place, &signatures);
}

/// Runs a task under strace, which manipulates the `when`-th system call of a kind.
fn traced(
    place: &Place,
    (test, task): (&str, &str),
    (call, what, when): (&str, &str, u32),
) -> Output {
    let plain = place.command(test, task);
    let mut strace = Command::new("strace");
    let inject = format!("inject={call}:{what}:when={when}");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject]);
    strace.arg(plain.get_program()).args(plain.get_args());
    strace.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    strace.output().expect("strace")
}

/// Kills the process at every system call that writes, syncs, locks or removes, from the first to
/// the last.
#[test]
#[ignore = "needs strace"]
fn kills_at_system_calls_use_no_index_twice() {
    const NAME: &str = "kills_at_system_calls_use_no_index_twice";
    if task().is_some() {
        return sign(2);
    }
    let place = Place::new("");
    key::made(&place, SET);
    let (mut signatures, mut kills) = (Vec::new(), 0);
    for call in ["pwrite64", "fdatasync", "fsync", "flock", "rename", "unlink", "ftruncate"] {
        for when in 1.. {
            let ran = traced(&place, (NAME, "sign"), (call, "signal=KILL", when));
            signatures.extend(key::said(&ran.stdout));
            if ran.status.success() {
                break;
            }
            kills += 1;
        }
    }
    println!("{kills} kills, {} signatures", signatures.len());
    assert!(kills > 20, "{kills} kills");
    key::must_be_once(&place, &signatures);
}

/// Kills at system calls during the generation of a stateless key pair. An interrupted generation
/// is continued, no private key is overwritten, and in the end there is one pair, which signs.
#[test]
#[ignore = "needs strace"]
fn kills_at_system_calls_lose_no_pair_without_a_state() {
    const NAME: &str = "kills_at_system_calls_lose_no_pair_without_a_state";
    if task().is_some() {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        let mut public = half(CKO_PUBLIC_KEY, CKK_SLH_DSA);
        public.push((CKA_PARAMETER_SET, number(CKP_SLH_DSA_SHA2_128F)));
        let private = half(CKO_PRIVATE_KEY, CKK_SLH_DSA);
        let there = p.find(session, &vec![(CKA_CLASS, number(CKO_PRIVATE_KEY))]).len();
        if there == 0 {
            p.generate(session, CKM_SLH_DSA_KEY_PAIR_GEN, (&public, &private)).unwrap();
        }
        let signature = p.sign(session, CKM_SLH_DSA, b"m").unwrap();
        return p.verify(session, CKM_SLH_DSA, (b"m", &signature)).unwrap();
    }
    let mut kills = 0;
    for call in ["openat", "write", "fsync", "renameat2", "rename", "link", "unlink"] {
        for when in 1.. {
            let place = Place::new("key = \"{dir}/plain\"");
            let ran = traced(&place, (NAME, "make"), (call, "signal=KILL", when));
            let private = std::fs::read(place.path().join("plain.key")).ok();
            place.must(NAME, "make again");
            let after = std::fs::read(place.path().join("plain.key")).unwrap();
            assert!(private.is_none_or(|before| before == after), "{call} {when}: another key");
            if ran.status.success() {
                break;
            }
            kills += 1;
        }
    }
    println!("{kills} kills");
    assert!(kills > 20, "{kills} kills");
}

/// A disk error at every call that writes or syncs. Either a signature is returned, or the error
/// states that its index is lost, or nothing was reserved.
#[test]
#[ignore = "needs strace"]
fn a_signature_that_fails_loses_its_index_and_says_so() {
    const NAME: &str = "a_signature_that_fails_loses_its_index_and_says_so";
    if task().is_some() {
        let p = Client::new();
        let session = p.open(0);
        return match p.sign(session, CKM_HSS, b"m") {
            Ok(signature) => key::say(&signature),
            Err(answer) => println!("answer {answer:#x}"),
        };
    }
    let place = Place::new("");
    key::made(&place, SET);
    let (mut signatures, mut lost) = (Vec::new(), 0);
    for call in ["pwrite64", "fdatasync", "fsync"] {
        for when in 1.. {
            let before = key::status(&place).next;
            let ran = traced(&place, (NAME, "sign"), (call, "error=EIO", when));
            let told = String::from_utf8_lossy(&ran.stdout).into_owned();
            let said = key::said(&ran.stdout);
            if told.contains("answer 0xc8530003") {
                lost += 1;
                assert!(
                    place.log().contains(&format!("index {before} is lost")),
                    "{}",
                    place.log()
                );
                assert!(key::status(&place).next > before);
            }
            let failed = told.contains("answer");
            assert!(failed != (said.len() == 1), "{told}");
            signatures.extend(said);
            if !failed {
                break;
            }
        }
    }
    println!("{lost} lost, {} signatures", signatures.len());
    assert!(lost > 0, "no error came after the reservation");
    key::must_be_once(&place, &signatures);
}

#[test]
fn threads_of_one_process_share_a_key() {
    apart("threads_of_one_process_share_a_key", "", |place| {
        key::made(place, SET);
        let p = Client::new();
        let signatures = std::thread::scope(|scope| {
            let one = || {
                let session = p.open(0);
                (0..5).map(|_| p.sign(session, CKM_HSS, b"m").unwrap()).collect::<Vec<_>>()
            };
            let threads = [(); 4].map(|()| scope.spawn(one));
            threads.map(|thread| thread.join().unwrap()).concat()
        });
        assert_eq!(signatures.len(), 20);
        key::must_be_once(place, &signatures);
        assert_eq!(call!(p, C_Finalize, null_mut()), CKR_OK);
    });
}
