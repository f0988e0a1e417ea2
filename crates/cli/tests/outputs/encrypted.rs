//! Private keys encrypted with a passphrase, including those that OpenSSL writes and reads.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::Place;

fn with_passphrase() -> Place {
    let place = Place::empty();
    fs::write(place.path("pass"), "correct horse\n").unwrap();
    fs::write(place.path("wrong"), "incorrect\n").unwrap();
    place
}

const PASS: [&str; 2] = ["--passphrase-file", "pass"];

fn openssl(place: &Place, arguments: &[&str]) -> bool {
    let done = Command::new("openssl").args(arguments).current_dir(place.0.path()).output();
    let done = done.expect("openssl is installed");
    if !done.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&done.stderr));
    }
    done.status.success()
}

/// An older version ended with status 0 and wrote the key unencrypted.
#[test]
fn a_stateless_key_is_encrypted_where_that_is_asked_for() {
    let place = with_passphrase();
    let made = place.good(&[&["keygen", "--alg", "Ed25519", "--out", "web"][..], &PASS].concat());
    assert!(made.contains("secret under a passphrase"), "{made}");
    let pem = String::from_utf8(place.read("web.key")).unwrap();
    assert!(pem.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----"), "{pem}");
    let said = place.refused(&["keygen", "--alg", "Ed25519", "--out", "other", "--encrypt"]);
    assert!(said.contains("a passphrase is needed"), "{said}");
    assert!(!place.path("other.key").exists(), "nothing is left in the clear");

    let said = place.refused(&["sign", "-k", "web.key", "m"]);
    assert!(said.contains("a passphrase is needed, and there is no terminal"), "{said}");
    let said = place.refused(&["sign", "-k", "web.key", "m", "--passphrase-file", "wrong"]);
    assert!(said.contains("web.key: the passphrase is missing or wrong"), "{said}");
    place.good(&[&["sign", "-k", "web.key", "m"][..], &PASS].concat());
    place.good(&["verify", "-p", "web.pub", "m", "m.sig"]);
    let seen = place.good(&["inspect", "web.key"]);
    assert!(seen.contains("encrypted private key"), "{seen}");
}

#[test]
fn the_key_of_an_authority_is_encrypted_too() {
    let place = with_passphrase();
    let root = ["cert", "root", "--alg", "Ed25519", "--name", "Root", "--out", "root"];
    place.good(&[&root[..], &PASS].concat());
    assert!(place.read("root.key").starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----"));
    let leaf = ["cert", "leaf", "--alg", "Ed25519", "--dns", "a.example", "--ca", "root"];
    let leaf = [&leaf[..], &["--out", "leaf"]].concat();
    let said = place.refused(&leaf);
    assert!(said.contains("a passphrase is needed"), "{said}");
    place.good(&[&leaf[..], &PASS].concat());
    place.good(&["cert", "verify", "leaf.pem", "--ca", "root.pem", "--dns", "a.example"]);
}

#[test]
fn openssl_reads_ours_and_we_read_openssls() {
    let place = with_passphrase();
    if Command::new("openssl").arg("version").output().is_err() {
        let way = "apt-get install openssl";
        hasten_report::skipped("encrypted keys of openssl", "there is no openssl", way);
        return;
    }
    place.good(&[&["keygen", "--alg", "Ed25519", "--out", "ours"][..], &PASS].concat());
    let public = ["pkey", "-in", "ours.key", "-passin", "file:pass", "-pubout", "-out", "theirs"];
    assert!(openssl(&place, &public));
    assert_eq!(place.read("theirs"), place.read("ours.pub"));

    assert!(openssl(&place, &["genpkey", "-algorithm", "ed25519", "-out", "plain"]));
    assert!(openssl(&place, &["pkey", "-in", "plain", "-pubout", "-out", "plain.pub"]));
    let convert = ["pkcs8", "-topk8", "-in", "plain", "-passout", "file:pass", "-out"];
    let ways = [
        &["pbes2"][..],
        &["aes128", "-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512"],
        &["scrypt", "-scrypt"],
        &["der", "-outform", "DER"],
    ];
    for way in ways {
        let [name, options @ ..] = way else { unreachable!("a name stands in front") };
        assert!(openssl(&place, &[&convert[..], &[name], options].concat()));
        let out = format!("{name}.sig");
        place.good(&[&["sign", "-k", name, "m", "--out", &out][..], &PASS].concat());
        place.good(&["verify", "-p", "plain.pub", "m", &out]);
    }
    assert!(openssl(&place, &[&convert[..], &["old", "-v1", "PBE-SHA1-3DES"]].concat()));
    let said = place.refused(&[&["sign", "-k", "old", "m"][..], &PASS].concat());
    assert!(said.contains("old: this key is encrypted in a way not read here"), "{said}");
}

#[test]
fn an_empty_passphrase_is_refused() {
    let place = with_passphrase();
    for text in ["", "\n", "\r\n"] {
        fs::write(place.path("pass"), text).unwrap();
        let said =
            place.refused(&[&["keygen", "--alg", "Ed25519", "--out", "web"][..], &PASS].concat());
        assert!(said.contains("the passphrase is empty"), "{said}");
        let store = ["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "-k", "fw", "--guard", "g"];
        let said = place.refused(&[&store[..], &PASS].concat());
        assert!(said.contains("the passphrase is empty"), "{said}");
    }
    assert_eq!(place.names(), ["m", "n", "o", "pass", "wrong"]);
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let place = with_passphrase();
    for option in [["--guard", "g"], ["--reserve", "4"], ["--sectors", "2"]] {
        let keygen = ["keygen", "--alg", "Ed25519", "--out", "web"];
        let said = place.refused(&[&keygen[..], &option].concat());
        let wanted = format!("{} is for keys with a state, and Ed25519 has none", option[0]);
        assert!(said.contains(&wanted), "{said}");
    }
    assert!(!place.path("web.key").exists());
    place.good(&["keygen", "--alg", "Ed25519", "--out", "web"]);
    for option in [&["--guard", "g"][..], &["--wait", "1s"], &["--ack-exhaustion"]] {
        let said = place.refused(&[&["sign", "-k", "web.key", "m"][..], option].concat());
        assert!(said.contains("is for keys with a state"), "{said}");
    }
    let root = ["cert", "root", "--alg", "Ed25519", "--name", "R", "--out", "r", "--guard", "g"];
    assert!(place.refused(&root).contains("--guard is for keys with a state"));
}

#[test]
fn a_key_that_everybody_can_read_is_refused() {
    let place = with_passphrase();
    place.good(&["keygen", "--alg", "Ed25519", "--out", "web"]);
    let set = |mode| {
        fs::set_permissions(place.path("web.key"), fs::Permissions::from_mode(mode)).unwrap();
    };
    set(0o644);
    let said = place.refused(&["sign", "-k", "web.key", "m"]);
    assert!(said.contains("every user of this machine can read this private key"), "{said}");
    assert!(said.contains("chmod 600 web.key"), "{said}");
    set(0o600);
    place.good(&["sign", "-k", "web.key", "m"]);
}

/// This is not an error, because a script may name the file for every key.
#[test]
fn a_passphrase_that_nothing_needs_is_said_to_be_unread() {
    let place = Place::with_key();
    place.good(&["keygen", "--alg", "Ed25519", "--out", "web"]);
    for key in ["fw", "web.key"] {
        let signed = ["sign", "-k", key, "m", "--force", "--passphrase-file"];
        let done = place.run(&[&signed[..], &["nowhere"]].concat());
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{said}");
        let expected = format!("{key} is not encrypted: --passphrase-file was not read");
        assert!(said.contains(&expected), "{said}");
    }
    let done = place.run(&["sign", "-k", "fw", "m", "--force"]);
    assert!(!String::from_utf8_lossy(&done.stderr).contains("--passphrase-file"));
}
