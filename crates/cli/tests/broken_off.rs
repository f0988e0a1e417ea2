//! `kill -9` in the middle of a key generation: the same command continues it, only the last
//! seconds of work are lost, and the key is complete.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Key generation takes seconds with the portable code on one thread, and a moment with vectors.
const ALG: &str = "LMS_SHA256_M32_H15_W4";
/// Length of the magic word, digest and key id before the stored values. In a cache, the number of
/// a row follows before its values.
const HEAD: usize = 8 + 32 + 16;

fn hasten(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasten"));
    command.args(arguments).current_dir(place).stdout(Stdio::null());
    command
}

fn keygen(place: &Path, how: &[&str]) -> Child {
    let what = ["keygen", "--alg", ALG, "--store", "key", "--guard", "guard"];
    hasten(place, &[&what[..], how].concat()).spawn().unwrap()
}

fn kill_when_something_is_kept(place: &Path) {
    let mut child = keygen(place, &["--threads", "1", "--backend", "portable"]);
    let (begun, progress) = (Instant::now(), place.join("key/progress"));
    while !progress.exists() {
        assert_eq!(child.try_wait().unwrap(), None, "whole before it could be killed");
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing was kept");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_key_generation_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path();
    kill_when_something_is_kept(place);
    let kept = fs::read(place.join("key/progress")).unwrap()[HEAD..].to_vec();
    assert!(!kept.is_empty());
    fs::write(place.join("m"), "firmware").unwrap();
    let sign = || hasten(place, &["sign", "-k", "key", "m"]).stderr(Stdio::null()).status();
    assert_eq!(sign().unwrap().code(), Some(2), "an unfinished key signs nothing");

    assert!(keygen(place, &[]).wait().unwrap().success());
    assert!(!place.join("key/progress").exists());
    let cache = fs::read(place.join("key/cache")).unwrap();
    assert!(cache[HEAD + 8..].starts_with(&kept), "the tree that was begun");
    assert!(cache.len() > HEAD + 8 + kept.len(), "some of it was still to do");
    assert!(sign().unwrap().success());
    let verify = hasten(place, &["verify", "-p", "key/public.pem", "m", "m.sig"]).status();
    assert!(verify.unwrap().success());
}
