//! The status of a verification: 1 means that a suitable key checked the signature and refused it,
//! and nothing else.

use std::fs;

use super::Place;

const ALG: &str = "LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8";

/// Returns a place with a signature of `m` in every format, and keys of other algorithms.
fn every_form() -> Place {
    let place = Place::with_key();
    place.good(&["keygen", "--alg", "Ed25519", "--out", "ed"]);
    place.good(&["keygen", "--alg", "SLH-DSA-SHA2-128f", "--out", "slh"]);
    place.good(&["sign", "-k", "fw", "m"]);
    for (format, out) in [("cms", "m.p7s"), ("cose", "m.cose"), ("lms", "m.bare")] {
        place.good(&["sign", "-k", "fw", "m", "--format", format, "--out", out]);
    }
    for (format, out) in [("boot", "m.boot"), ("boot-hss", "m.boot-hss")] {
        let image = ["--format", format, "--image-version", "3", "--out", out];
        place.good(&[&["sign", "-k", "fw", "m"], &image[..]].concat());
    }
    place.good(&["sign", "-k", "fw", "m", "--digest", "sha384", "--out", "m.digest"]);
    place.good(&["dual", "sign", "-k", "fw", "--second", "ed.key", "m"]);
    place.good(&["sign", "-k", "ed.key", "m", "--out", "m.ed"]);
    place.good(&["sign", "-k", "slh.key", "m", "--out", "m.slh"]);
    place
}

/// Runs a command. Returns its status and all its output.
fn said(place: &Place, arguments: &[&str]) -> (i32, String) {
    let done = place.run(arguments);
    let text = [done.stdout, done.stderr].concat();
    (done.status.code().expect("a status"), String::from_utf8(text).expect("text"))
}

fn verify(place: &Place, file: &str, signature: &str) -> (i32, String) {
    said(place, &["verify", "-p", "fw", file, signature])
}

#[test]
fn every_form_is_read_without_being_told() {
    let place = every_form();
    assert_eq!(verify(&place, "m", "m.sig").0, 0);
    for (signature, format) in [
        ("m.p7s", "cms"),
        ("m.cose", "cose"),
        ("m.bare", "lms"),
        ("m.boot", "boot"),
        ("m.boot-hss", "boot"),
    ] {
        let (status, text) = verify(&place, "m", signature);
        assert_eq!(status, 0, "{signature}: {text}");
        assert!(text.contains(&format!("{signature} is ")), "{text}");
        assert!(text.contains(&format!("read as with --format {format}")), "{text}");
        let (status, text) = said(&place, &["verify", "-p", "fw", "m", signature, "--json"]);
        assert_eq!(status, 0, "{signature}: {text}");
        assert!(text.contains(&format!("\"format\": \"{format}\"")), "{text}");
        let (status, text) = verify(&place, "n", signature);
        assert!(status == 1 && text.contains("BAD SIGNATURE"), "{signature} of n: {text}");
    }
    place.good(&["export", "-p", "fw", "--format", "lms", "--out", "bare.pub"]);
    let (status, text) = said(&place, &["verify", "-p", "bare.pub", "m", "m.sig"]);
    assert!(status == 0 && text.contains("read as with --format hss"), "{text}");
}

/// For a single file, its signature is found next to it, in any format. An image contains its own.
#[test]
fn a_signature_beside_the_file_is_found_in_every_form() {
    let place = every_form();
    for ending in ["p7s", "cose", "boot", "dual"] {
        fs::copy(place.path("m"), place.path(ending)).expect("a copy");
        let signature = format!("{ending}.{ending}");
        fs::copy(place.path(&format!("m.{ending}")), place.path(&signature)).expect("a copy");
        let (status, text) = said(&place, &["verify", "-p", "fw", ending]);
        assert!(text.contains(&signature), "{text}");
        assert_eq!(status, if ending == "dual" { 2 } else { 0 }, "{text}");
    }
    assert_eq!(said(&place, &["verify", "-p", "fw", "m.boot"]).0, 0);
    assert_eq!(said(&place, &["verify", "-p", "fw", "--each", "m", "m.boot", "p7s"]).0, 0);
    let (status, text) = said(&place, &["verify", "-p", "fw", "n"]);
    assert!(status == 2 && text.contains("reading n.sig: No such file"), "{text}");
}

#[test]
fn nothing_that_was_not_looked_at_is_a_bad_signature() {
    let place = every_form();
    let beginning = |of: &str, bytes: usize| {
        let name = format!("{of}.{bytes}");
        fs::write(place.path(&name), &place.read(of)[..bytes]).expect("written");
        name
    };
    let empty = beginning("m.sig", 0);
    let (cut, cut_cms) = (beginning("m.sig", 100), beginning("m.p7s", 100));
    let (cut_cose, cut_boot) = (beginning("m.cose", 100), beginning("m.boot", 100));
    let cut_dual = beginning("m.dual", 700);
    fs::write(place.path("long"), [place.read("m.sig"), vec![0; 7]].concat()).expect("written");
    let cases = [
        (empty.as_str(), "is empty".to_owned()),
        (&cut, "is cut short: 100 of 784 bytes".to_owned()),
        (
            "long",
            format!("is no signature of this key: it has 791 bytes, and one of {ALG} has 784"),
        ),
        (&cut_cms, "is a signature in CMS that is cut short or damaged: 100 bytes".to_owned()),
        (&cut_cose, "is a signature in COSE that is cut short".to_owned()),
        (&cut_boot, "is a signed image for a boot ROM that is cut short".to_owned()),
        (&cut_dual, "is a dual signature that is cut short".to_owned()),
        ("m.dual", "is a dual signature, which needs both keys".to_owned()),
        ("m.digest", "is a signature of the file's SHA-384 digest".to_owned()),
        ("m.ed", format!("is a signature of Ed25519, and the key is of {ALG}")),
        ("m.slh", "is a signature of SLH-DSA-SHA2-128f, ".to_owned()),
        ("fw/public.pem", "is no signature: it is a public key".to_owned()),
        ("ed.key", "is no signature: it is a private key".to_owned()),
        ("fw/config", "is no signature: it is a file of a stateful key".to_owned()),
    ];
    for (signature, sentence) in cases {
        let (status, text) = verify(&place, "m", signature);
        let right = status == 2 && text.contains(&format!("{signature} {sentence}"));
        assert!(right && text.contains("hint: "), "{signature}: {status}\n{text}");
    }
    for (file, signature) in [("m.sig", "m"), ("m.p7s", "m"), ("m.cose", "n"), ("m.dual", "m")] {
        let (status, text) = verify(&place, file, signature);
        assert!(status == 2 && text.contains("the two names are exchanged"), "{file}: {text}");
    }
}

/// A message that is as long as a signature, given instead of the signature.
#[test]
fn an_exchange_is_found_even_if_both_have_one_length() {
    let place = every_form();
    fs::write(place.path("long"), [7; 64]).expect("written");
    place.good(&["sign", "-k", "ed.key", "long"]);
    let (status, text) = said(&place, &["verify", "-p", "ed.pub", "long.sig", "long"]);
    assert!(status == 2 && text.contains("the two names are exchanged"), "{text}");
    assert_eq!(said(&place, &["verify", "-p", "ed.pub", "n", "long.sig"]).0, 1);
    assert_eq!(said(&place, &["verify", "-p", "ed.pub", "long", "m.ed"]).0, 1);
}

/// Containers: another algorithm gives no verdict, another key of the same algorithm does.
#[test]
fn a_container_of_another_key() {
    let place = every_form();
    place.good(&["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "-k", "same", "--guard", "g2"]);
    place.good(&["keygen", "--alg", "LMS_SHA256_M24_H5_W4", "-k", "other", "--guard", "g3"]);
    for signature in ["m.sig", "m.p7s", "m.cose", "m.boot", "m.bare"] {
        let (status, text) = said(&place, &["verify", "-p", "same", "m", signature]);
        assert!(status == 1 && text.contains("BAD SIGNATURE"), "{signature}: {text}");
        let (status, text) = said(&place, &["verify", "-p", "other", "m", signature]);
        assert!(status == 2 && text.contains(&format!("is a signature of {ALG}")), "{text}");
        let (status, text) = said(&place, &["verify", "-p", "ed.pub", "m", signature]);
        assert_eq!(status, 2, "{signature}: {text}");
        let (status, text) = said(&place, &["verify", "-p", "slh.pub", "m", signature]);
        assert_eq!(status, 2, "{signature}: {text}");
    }
    let cms = |public: &str, signature: &str| {
        said(&place, &["cms", "verify", "-p", public, "--content", "m", signature])
    };
    assert_eq!(cms("fw", "m.p7s").0, 0);
    for (public, signature, status, sentence) in [
        ("same", "m.p7s", 1, "BAD SIGNATURE"),
        ("other", "m.p7s", 2, "is a signature of LMS_SHA256_M24_H5"),
        ("slh.pub", "m.p7s", 2, "is a signature of another algorithm"),
        ("fw", "m.sig", 2, "and not of the form asked for"),
        ("fw", "m.cose", 2, "is a signature in COSE, and not of the form asked for"),
    ] {
        let (found, text) = cms(public, signature);
        assert!(found == status && text.contains(sentence), "{public} {signature}: {text}");
    }
    let (status, text) = said(&place, &["cms", "verify", "--ca", "fw/public.pem", "m.p7s"]);
    assert_eq!(status, 2, "{text}");
}

#[test]
fn dual_signatures_that_were_not_looked_at() {
    let place = every_form();
    let whole = place.read("m.dual");
    let dual = |file: &str, signature: &str| {
        said(&place, &["dual", "verify", "-p", "fw", "--second", "ed.pub", file, signature])
    };
    assert_eq!(dual("m", "m.dual").0, 0);
    assert_eq!(dual("n", "m.dual").0, 1);
    for length in [0, 1, 39, 40, 44, 100, whole.len() - 1] {
        fs::write(place.path("cut"), &whole[..length]).expect("written");
        let (status, text) = dual("m", "cut");
        assert_eq!(status, 2, "{length}: {text}");
    }
    assert_eq!(dual("m", "m.sig").0, 2);
    // A changed length with nothing missing counts as a changed signature.
    for at in [43, 40 + 4 + 784 + 3] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(place.path("changed"), changed).expect("written");
        let (status, text) = dual("m", "changed");
        assert_eq!(status, 1, "{at}: {text}");
    }
}

#[test]
fn an_audit_names_what_is_no_signature() {
    let place = every_form();
    fs::write(place.path("empty"), "").expect("written");
    fs::write(place.path("cut"), &place.read("m.sig")[..100]).expect("written");
    for signature in ["empty", "cut", "m.ed", "n"] {
        let (status, text) = said(&place, &["audit", "verify", "fw", "m.sig", signature]);
        assert!(status == 2 && text.contains("no-signature"), "{signature}: {text}");
    }
    let mut changed = place.read("m.sig");
    changed[300] ^= 1;
    fs::write(place.path("n.sig"), changed).expect("written");
    assert_eq!(said(&place, &["audit", "verify", "fw", "n.sig"]).0, 1);
    let (status, text) = said(&place, &["audit", "verify", "fw", "n.sig", "empty"]);
    assert_eq!(status, 1, "a bad signature is worse than none: {text}");
}

/// A single changed byte anywhere, also in the numbers: the signature is bad, and nothing else.
#[test]
fn a_changed_byte_stays_a_bad_signature() {
    let place = every_form();
    for (public, signature) in [("fw", "m.sig"), ("ed.pub", "m.ed"), ("slh.pub", "m.slh")] {
        let whole = place.read(signature);
        let places = (0..whole.len()).filter(|at| *at < 16 || at % 211 == 0);
        for at in places.chain([whole.len() - 1]) {
            let mut changed = whole.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(place.path("changed"), changed).expect("written");
            let (status, text) = said(&place, &["verify", "-p", public, "m", "changed"]);
            assert!(status == 1 && text.contains("BAD SIGNATURE"), "{signature} {at}: {text}");
        }
    }
}

/// Wrong lengths, which gave status 1 in an older version.
#[test]
fn a_wrong_length_is_no_verdict() {
    let place = every_form();
    for (public, signature) in [("fw", "m.sig"), ("ed.pub", "m.ed"), ("slh.pub", "m.slh")] {
        let whole = place.read(signature);
        let longer = |more: usize| [whole.clone(), vec![0; more]].concat();
        let half = whole.len() / 2;
        for bytes in
            [vec![], vec![0], whole[..half].to_vec(), whole[1..].to_vec(), longer(1), longer(999)]
        {
            fs::write(place.path("other"), &bytes).expect("written");
            let (status, text) = said(&place, &["verify", "-p", public, "m", "other"]);
            assert!(status == 2 && !text.contains("BAD"), "{signature} {}: {text}", bytes.len());
        }
    }
}

/// Returns the status and output of `inspect` for a file or directory.
fn inspected(place: &Place, file: &str) -> (i32, String) {
    said(place, &["inspect", file])
}

#[test]
fn every_file_that_is_written_is_named() {
    let place = every_form();
    place.good(&["cert", "root", "--alg", "Ed25519", "--name", "Root", "--out", "root"]);
    place.good(&["cert", "request", "--alg", "Ed25519", "--name", "Web", "--out", "web"]);
    place.good(&["export-shard", "-k", "fw", "--count", "2", "--out", "shard"]);
    for (file, sentence) in [
        ("m.p7s", "signature in CMS"),
        ("m.cose", "signature in COSE"),
        ("m.boot", "signed image for a boot ROM, --format boot\n"),
        ("m.boot-hss", "signed image for a boot ROM, --format boot-hss"),
        ("m.dual", "dual signature"),
        ("m.sig", "signature, raw"),
        ("m.slh", "signature, raw"),
        ("root.pem", "certificate, PEM"),
        ("web.csr", "certificate request"),
        ("shard", "shard of a stateful key"),
        ("g", "guard of a stateful key"),
        ("fw", "stateful key in a store"),
        ("fw/config", "file of a stateful key, the choices of a store"),
        ("fw/secret", "secret seeds of a stateful key"),
        ("fw/log.0", "file of a stateful key, a log file"),
        ("fw/signed", "the record of what was signed"),
        ("ed.key", "private key"),
        ("ed.pub", "public key"),
    ] {
        let (status, text) = inspected(&place, file);
        assert!(status == 0 && text.contains(sentence), "{file}: {status} {text}");
    }
    fs::write(place.path("recording"), b"hchrec1\n\0\x3c").expect("written");
    fs::write(place.path("mark"), "hasten-mark-1 00").expect("written");
    // The outer structure of a PFX: version 3, content of type data, a MAC.
    let pfx = [
        b"\x30\x1a\x02\x01\x03\x30\x0f\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01\xa0".as_slice(),
        b"\x02\x04\x00\x30\x04\x04\x00\x04\x00",
    ];
    fs::write(place.path("store.p12"), pfx.concat()).expect("written");
    assert!(inspected(&place, "recording").1.contains("recording of a channel"));
    assert!(inspected(&place, "mark").1.contains("mark of a channel"));
    let (status, text) = inspected(&place, "store.p12");
    assert!(status == 0 && text.contains("PKCS#12 is not read here: 'openssl pkcs12"), "{text}");
}

/// A pipe in place of a file of the key does not block the command.
#[test]
fn a_pipe_in_a_key_is_not_waited_for() {
    for file in ["public.pem", "config", "secret", "log.0", "cache", "fleet"] {
        let place = Place::with_key();
        drop(fs::remove_file(place.path("fw").join(file)));
        let made = std::process::Command::new("mkfifo").arg(place.path("fw").join(file)).status();
        assert!(made.expect("mkfifo runs").success());
        let mut child = place.command(&["inspect", "fw"]).spawn().expect("the tool runs");
        let begun = std::time::Instant::now();
        let ended = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break Some(status),
                None if begun.elapsed().as_secs() > 20 => break None,
                None => std::thread::sleep(std::time::Duration::from_millis(20)),
            }
        };
        drop(child.kill());
        assert!(ended.is_some(), "{file}: inspect waits for a pipe");
    }
}
