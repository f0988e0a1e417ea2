//! Targets that must not be overwritten, and a full disk.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};

use super::Place;

#[test]
fn a_signature_does_not_replace_what_the_command_reads_or_a_file_of_a_key() {
    let place = Place::with_key();
    let kept = ["m", "fw/secret", "fw/log.0", "fw/public.pem", "g"];
    let before = kept.map(|name| place.read(name));
    for force in [&[][..], &["--force"]] {
        for (name, words) in [
            ("m", "this command reads that file"),
            ("fw/secret", "is the directory of a key"),
            ("fw/log.0", "is the directory of a key"),
            ("fw/new.sig", "is the directory of a key"),
            ("g", "this is the guard of a key"),
        ] {
            place.refused_with(&[&["sign", "-k", "fw", "m", "--out", name], force].concat(), words);
        }
    }
    assert_eq!(kept.map(|name| place.read(name)), before);
    assert!(!place.path("fw/new.sig").exists());
}

#[test]
fn a_stateless_signature_does_not_replace_its_key_or_the_guard_of_another() {
    let place = Place::with_key();
    place.good(&["keygen", "--alg", "Ed25519", "--out", "web"]);
    let before = ["web.key", "g"].map(|name| place.read(name));
    for name in ["web.key", "g", "fw/secret"] {
        place.refused(&["sign", "-k", "web.key", "m", "--out", name, "--force"]);
    }
    place.refused(&["sign", "-k", "web.key", "m", "--out", "web.key"]);
    assert_eq!(["web.key", "g"].map(|name| place.read(name)), before);
}

/// The file of `--witness file:` and its lock.
#[test]
fn a_result_does_not_replace_an_outside_witness() {
    let place = Place::with_key();
    let watched = ["-k", "far", "--guard", "far.guard", "--witness", "file:cell"];
    place.good(&[&["keygen", "--alg", "LMS_SHA256_M24_H5_W8"][..], &watched].concat());
    place.good(&[&["sign", "n"][..], &watched].concat());
    let before = place.read("cell");
    for name in ["cell", "cell.lock"] {
        let signed = ["sign", "-k", "fw", "m", "--out", name, "--force"];
        place.refused_with(&signed, "this is the outside witness of a key");
    }
    assert_eq!(place.read("cell"), before);
    fs::write(place.path("note"), "1.2 is out\n").unwrap();
    place.good(&["sign", "-k", "fw", "m", "--out", "note", "--force"]);
}

#[test]
fn what_is_no_regular_file_stays() {
    let place = Place::with_key();
    symlink("n", place.path("link")).unwrap();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    fs::create_dir(place.path("dir")).unwrap();
    for (name, words) in [
        ("link", "this is a symbolic link"),
        ("pipe", "this is a pipe"),
        ("dir", "this is a directory"),
        ("dir/", "this is a directory"),
        ("new/", "this is a directory"),
        ("/dev/stdout", "this is a symbolic link"),
    ] {
        for force in [&[][..], &["--force"]] {
            place.refused_with(&[&["sign", "-k", "fw", "m", "--out", name], force].concat(), words);
        }
    }
    assert_eq!(place.read("n"), b"message n");
    assert!(fs::symlink_metadata(place.path("pipe")).unwrap().file_type().is_fifo());
}

/// Uses a device of its own, so as not to risk /dev/null. Only root can make one.
#[test]
fn a_device_stays() {
    let place = Place::with_key();
    let made = Command::new("mknod").arg(place.path("null")).args(["c", "1", "3"]).output();
    if !made.is_ok_and(|done| done.status.success()) {
        hasten_report::skipped("a device stays", "no device can be made here", "run it as root");
        return;
    }
    place.refused_with(&["sign", "-k", "fw", "m", "--out", "null", "--force"], "this is a device");
    let kind = fs::symlink_metadata(place.path("null")).unwrap().file_type();
    assert!(kind.is_char_device());
}

#[test]
fn a_result_that_is_there_is_replaced_only_when_asked() {
    let place = Place::with_key();
    place.good(&["keygen", "--alg", "Ed25519", "--out", "web"]);
    fs::write(place.path("m.sig"), "the old one").unwrap();
    place.refused_with(&["sign", "-k", "fw", "m"], "--force replaces it");
    place.refused_with(&["sign", "-k", "web.key", "m"], "exists already");
    assert_eq!(place.read("m.sig"), b"the old one");
    place.good(&["sign", "-k", "fw", "m", "--force"]);
    place.good(&["verify", "-p", "fw", "m", "m.sig"]);
    place.refused(&["explore", "--alg", "XMSS-SHA2_10_256", "--html", "n"]);
    place.refused(&["analyze", "calls", "--alg", "XMSS-SHA2_10_256", "--svg", "n"]);
    assert_eq!(place.read("n"), b"message n");
}

/// An older version wrote through a link with the name FILE.sig.PID.partial.
#[test]
fn a_link_under_a_guessed_name_is_not_followed() {
    let place = Place::with_key();
    fs::write(place.path("victim"), "precious").unwrap();
    let script = "ln -s victim m.sig.$$.partial; exec \"$0\" sign -k fw m --guard g";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_hasten")]).current_dir(place.0.path());
    let done = shell.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(done.success());
    assert_eq!(place.read("victim"), b"precious");
    let kind = fs::symlink_metadata(place.path("m.sig")).unwrap().file_type();
    assert!(kind.is_file(), "the signature is a file of its own");
    place.good(&["verify", "-p", "fw", "m", "m.sig"]);
}

#[test]
fn a_signature_has_the_mode_that_the_user_wants_and_a_key_is_secret() {
    let place = Place::with_key();
    let script = "umask 077; \"$0\" sign -k fw m --guard g; umask 000; \
        \"$0\" sign -k fw n --guard g; \"$0\" keygen --alg Ed25519 --out web";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_hasten")]).current_dir(place.0.path());
    assert!(shell.output().unwrap().status.success());
    let mode = |name| fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(["m.sig", "n.sig", "web.key", "web.pub"].map(mode), [0o600, 0o644, 0o600, 0o644]);
}

/// Both files of a key are opened before either is written, so that never only one is left.
#[test]
fn a_pair_of_keys_is_whole_or_not_there() {
    let place = Place::empty();
    fs::write(place.path("web.pub"), "another one's").unwrap();
    let said = place.refused(&["keygen", "--alg", "Ed25519", "--out", "web"]);
    assert!(!said.contains("--force"), "{said}");
    assert!(said.contains("web.pub: a file of this name exists already"), "{said}");
    assert!(!place.path("web.key").exists());
    assert_eq!(place.read("web.pub"), b"another one's");
}
