//! All inputs are checked before an index is used, and no signature is written that does not
//! verify.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Place;

#[test]
fn every_file_is_looked_at_first() {
    let place = Place::with_key();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    fs::write(place.path("o.sig"), "an old one").unwrap();
    for (files, words) in [
        (["m", "n", "absent"], "reading absent: No such file"),
        (["m", "n", "fw"], "fw: among several files, only regular files are signed"),
        (["m", "n", "pipe"], "pipe: among several files, only regular files are signed"),
        (["m", "n", "o"], "o.sig: a file of this name exists already"),
        (["m", "n", "m"], "m.sig: two results of this command would have this name"),
        (["m", "n", "./m"], "m.sig: two results of this command would have this name"),
    ] {
        place.refused_with(&[&["sign", "-k", "fw"], &files[..]].concat(), words);
    }
    let forced = ["sign", "-k", "fw", "o", "o.sig", "--force"];
    place.refused_with(&forced, "o.sig: this command reads that file");
    assert_eq!(place.read("o.sig"), b"an old one");
    assert!(!place.path("m.sig").exists() && !place.path("n.sig").exists());
    place.good(&["sign", "-k", "fw", "m", "n"]);
    assert_eq!(place.next(), 2);
}

/// An older version held the key while it waited for its message.
#[test]
fn a_slow_pipe_does_not_hold_the_key() {
    let place = Place::with_key();
    let mut slow = place.command(&["sign", "-k", "fw", "-", "--out", "slow.sig"]);
    let mut slow = slow.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut pipe = slow.stdin.take().unwrap();
    // More than is kept in memory, and more than a pipe holds, so the command is reading now.
    let message = vec![7; 5 << 20];
    pipe.write_all(&message).unwrap();
    place.good(&["sign", "-k", "fw", "m", "--wait", "0s"]);
    drop(pipe);
    assert!(slow.wait().unwrap().success());
    fs::write(place.path("copy"), message).unwrap();
    place.good(&["verify", "-p", "fw", "copy", "slow.sig"]);
}

/// A faulty signature may reveal values with which others can be forged.
#[test]
fn a_faulty_signature_is_not_written() {
    let place = Place::with_key();
    place.good(&["keygen", "--alg", "Ed25519", "--out", "web"]);
    let mut faulty = place.command(&["sign", "-k", "fw", "m"]);
    let done = faulty.env("HASTEN_TEST_FAULT", "1").output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(said.contains("FAULT: the signature of m did not verify"), "{said}");
    assert!(said.contains("index 0 is lost"), "{said}");
    let mut faulty = place.command(&["sign", "-k", "web.key", "m", "n"]);
    let done = faulty.env("HASTEN_TEST_FAULT", "1").output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(place.names(), ["fw", "g", "m", "n", "o", "web.key", "web.pub"]);
    let made = place.good(&["sign", "-k", "fw", "m"]);
    assert!(made.contains("index      1 of 32"), "{made}");
}

/// The check can be turned off. A fault is then not noticed.
#[test]
fn the_check_can_be_turned_off() {
    let place = Place::with_key();
    let mut faulty = place.command(&["sign", "-k", "fw", "m", "--verify-after=false"]);
    assert!(faulty.env("HASTEN_TEST_FAULT", "1").status().unwrap().success());
    let done = place.run(&["verify", "-p", "fw", "m", "m.sig"]);
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn names_that_are_no_text_are_signed_and_told() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::with_key();
    let name = std::ffi::OsStr::from_bytes(b"A\xff");
    fs::write(place.0.path().join(name), "message").unwrap();
    let mut sign = place.command(&["sign", "-k", "fw", "--json"]);
    let done = sign.arg(name).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report["rows"][0]["signature_file"], "A\u{fffd}.sig");
    assert!(place.0.path().join(std::ffi::OsStr::from_bytes(b"A\xff.sig")).exists());
}

/// The path of a key is text in JSON, whatever its bytes are, in every command.
#[test]
fn directories_whose_names_are_no_text_are_told() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::empty();
    let name = |bytes: &'static [u8]| std::ffi::OsStr::from_bytes(bytes);
    let run = |words: &[&str], names: &[&std::ffi::OsStr]| {
        let done = place.command(words).args(names).arg("--json").output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{words:?} {names:?}: {said}");
        let report: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert!(report["command"].is_string());
    };
    let (key, shard, web) = (name(b"k\xff"), name(b"s\xfe"), name(b"w\xfd"));
    run(&["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "-k"], &[key]);
    run(&["status", "-k"], &[key]);
    run(&["sign", "m", "-k"], &[key]);
    run(&["verify", "m", "-p"], &[key]);
    run(&["inspect"], &[key]);
    run(&["shard", "--count", "4", "-k"], &[key, name(b"--out"), shard]);
    run(&["keygen", "--alg", "Ed25519", "--out"], &[web]);
    run(&["cert", "root", "--alg", "Ed25519", "--name", "R", "--out"], &[name(b"r\xfc")]);
    run(&["retire", "--yes", "-k"], &[shard]);
}

#[test]
fn beside_a_signature_on_the_standard_output_the_report_is_plain_json() {
    let place = Place::with_key();
    let done = place.run(&["sign", "-k", "fw", "m", "--out", "-", "--json"]);
    assert!(done.status.success());
    let report: Value = serde_json::from_slice(&done.stderr).expect("nothing but JSON");
    assert_eq!(report["schema"], "hasten.sign/1");
    assert_eq!(report["rows"][0]["signature_bytes"], done.stdout.len());
    assert!(report["machine"]["cpu"].is_string());
}

#[test]
fn errors_are_json_where_json_is_asked_for() {
    let place = Place::with_key();
    for (arguments, kind, words) in [
        (&["sign", "-k", "fw", "absent", "--json"][..], "file", "No such file"),
        (&["sign", "-k", "fw", "m", "--jsno", "--json"], "arguments", "--jsno"),
        (&["sign", "-k", "none", "m", "--json"], "file", "none"),
        (&["sign", "-k", "fw", "m", "--out", "g", "--json"], "file", "guard"),
    ] {
        let done = place.run(arguments);
        assert_eq!(done.status.code(), Some(2));
        let report: Value = serde_json::from_slice(&done.stderr).expect("nothing but JSON");
        assert_eq!(report["schema"], "hasten.error/1");
        assert_eq!((&report["kind"], &report["status"]), (&kind.into(), &2.into()));
        let sentence = report["error"].as_str().unwrap();
        assert!(sentence.contains(words), "{sentence}");
    }
}
