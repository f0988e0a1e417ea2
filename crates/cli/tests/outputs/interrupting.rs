//! Ctrl-C and full disks: no file is left behind, and no index is lost.

use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::Place;

/// An older version was killed silently by the signal and left its unfinished file.
#[test]
fn an_interrupted_signature_leaves_nothing() {
    let place = Place::with_key();
    for signal in [Signal::INT, Signal::TERM] {
        let mut sign = place.command(&["sign", "-k", "fw", "-", "--out", "m.sig"]);
        sign.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = sign.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        kill_process(Pid::from_child(&child), signal).unwrap();
        let stopped = std::time::Instant::now();
        // The pipe stays open, so only the signal ends the command.
        let mut child = child;
        let pipe = child.stdin.take();
        let done = child.wait_with_output().unwrap();
        drop(pipe);
        assert!(stopped.elapsed() < Duration::from_secs(5));
        assert_eq!(done.status.code(), Some(2), "{:?}", done.status);
        assert_eq!(String::from_utf8_lossy(&done.stderr), "hasten: interrupted\n");
        assert_eq!(place.names(), ["fw", "g", "m", "n", "o"]);
        assert_eq!(place.next(), 0);
    }
}

/// `kill -9` leaves nothing behind either, if the file system supports files without names.
#[test]
fn a_killed_signature_leaves_nothing() {
    let place = Place::with_key();
    let mut sign = place.command(&["sign", "-k", "fw", "big", "--out", "m.sig"]);
    std::fs::File::create(place.path("big")).unwrap().set_len(64 << 30).unwrap();
    let mut child = sign.stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(child.try_wait().unwrap(), None, "it reads 64 GiB in half a second");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(place.names(), ["big", "fw", "g", "m", "n", "o"]);
}

/// A file system in its own mount namespace: 16 KiB, completely used by one file.
#[test]
fn a_full_disk_takes_no_index() {
    let place = Place::with_key();
    let script = "mkdir full && mount -t tmpfs -o size=16k none full && cp m full/m && \
        head -c 8192 /dev/zero > full/filler; head -c 8192 /dev/zero >> full/filler; \
        \"$0\" sign -k fw m --out full/m.sig; echo status $?; \
        \"$0\" sign -k fw m full/m; echo status $?; ls full";
    let mut shell = Command::new("unshare");
    shell.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_hasten")]);
    let done = shell.current_dir(place.0.path()).output();
    let Ok(done) = done.map(|done| String::from_utf8_lossy(&done.stdout).into_owned()) else {
        hasten_report::skipped("full disk", "no 'unshare' here", "apt-get install util-linux");
        return;
    };
    if !done.contains("status") {
        hasten_report::skipped("full disk", "no file system can be mounted", "run it as root");
        return;
    }
    assert_eq!(done, "status 2\nstatus 2\nfiller\nm\n");
    assert_eq!(place.next(), 0);
}

/// An older version reported that no index was used although the signature was good. Here each
/// write to the key's files fails once. If a signature exists, the error names it and its index.
#[test]
fn a_signature_that_could_not_be_recorded_is_named() {
    let place = Place::with_key();
    if !Command::new("strace").args(["-f", "true"]).output().is_ok_and(|run| run.status.success()) {
        let way = "apt-get install strace";
        hasten_report::skipped("writes that fail", "no 'strace' may run here", way);
        return;
    }
    let mut named = 0;
    for call in 1..=8 {
        // Leaves nothing for the next signature to record about the previous failure.
        place.good(&["sign", "-k", "fw", "n", "--force"]);
        let out = format!("{call}.sig");
        let mut traced = Command::new("strace");
        traced.args(["-f", "-o", "/dev/null", "-e", "trace=pwrite64", "-e"]);
        traced.arg(format!("inject=pwrite64:error=ENOSPC:when={call}"));
        traced.arg(env!("CARGO_BIN_EXE_hasten")).args(["sign", "-k", "fw", "m", "--out", &out]);
        let done = traced.current_dir(place.0.path()).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        let whole = place.path(&out).exists();
        assert!(whole || done.status.code() == Some(2), "call {call}: {said}");
        if whole {
            place.good(&["verify", "-p", "fw", "m", &out]);
        }
        if whole && !done.status.success() {
            assert!(said.contains(&format!("{out} is a whole signature with index ")), "{said}");
            named += 1;
        }
    }
    assert!(named > 0, "no write behind the signature failed");
}

/// A file system without nameless files, such as FAT and many network file systems. The unfinished
/// file has a random name and is removed by the second Ctrl-C at the latest.
#[test]
fn where_files_need_names_none_is_left() {
    let place = Place::with_key();
    std::fs::File::create(place.path("big")).unwrap().set_len(64 << 30).unwrap();
    let mut sign = place.command(&["sign", "-k", "fw", "big", "--out", "m.sig"]);
    let child = sign.env("HASTEN_TEST_NAMED", "1").stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let partial = |names: &[String]| names.iter().filter(|name| name.ends_with(".partial")).count();
    assert_eq!(partial(&place.names()), 1, "{:?}", place.names());
    for _ in 0..2 {
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&done.stderr), "hasten: interrupted\n");
    assert_eq!(place.names(), ["big", "fw", "g", "m", "n", "o"]);

    let named = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.env("HASTEN_TEST_NAMED", "1").output().unwrap().status.code()
    };
    assert_eq!(named(&["sign", "-k", "fw", "m"]), Some(0));
    assert_eq!(named(&["sign", "-k", "fw", "m"]), Some(2), "it is there already");
    assert_eq!(named(&["sign", "-k", "fw", "m", "--force"]), Some(0));
    assert_eq!(named(&["keygen", "--alg", "Ed25519", "--out", "web"]), Some(0));
    place.good(&["verify", "-p", "fw", "m", "m.sig"]);
    assert_eq!(partial(&place.names()), 0, "{:?}", place.names());
}
