//! `kill -9` in the middle of a key generation: the same command goes on, nothing but the last
//! seconds is lost, and the key is whole.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Seconds of work for plain registers on one thread, a moment for vectors.
const ALG: &str = "LMS_SHA256_M32_H15_W4";
/// A magic word, a digest and the key's id stand before what was kept; before the row in a cache
/// also its number.
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
