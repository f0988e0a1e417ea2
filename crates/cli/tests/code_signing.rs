//! Certificates of code-signing keys: valid for that purpose only, as Hasten and OpenSSL read them.

use std::path::Path;
use std::process::Command;

/// Returns the output of a command, both streams, and its status.
fn run(dir: &Path, program: &str, line: &str) -> (String, i32) {
    let mut command = Command::new(program);
    command.args(line.split(' ')).current_dir(dir).env("XDG_STATE_HOME", dir.join("state"));
    let done = command.output().unwrap();
    let printed = [done.stdout, done.stderr].concat();
    (String::from_utf8_lossy(&printed).into_owned(), done.status.code().unwrap())
}

fn hasten(dir: &Path, line: &str) -> (String, i32) {
    run(dir, env!("CARGO_BIN_EXE_hasten"), line)
}

fn good(dir: &Path, line: &str) -> String {
    let (printed, status) = hasten(dir, line);
    assert_eq!(status, 0, "{line}\n{printed}");
    printed
}

#[test]
fn a_certificate_for_signing_code_is_for_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    std::fs::write(dir.join("m"), "firmware").unwrap();
    good(dir, "cert root --alg Ed25519 --name Root --out root");
    let made = good(
        dir,
        "cert leaf --usage code-signing --alg LMS_SHA256_M24_H5_W8 --store fw --ca root --out fw",
    );
    assert!(made.starts_with("signer "), "{made}");
    good(dir, "cert leaf --alg Ed25519 --dns www.example --ca root --out www");
    let shown = good(dir, "cert show fw.pem");
    assert!(shown.contains("code signing") && !shown.contains("TLS"), "{shown}");

    let verdict = |file: &str, usage: &str| {
        hasten(dir, &format!("cert verify {file} --ca root.pem --for {usage}")).1
    };
    assert_eq!(verdict("fw.pem", "code-signing"), 0);
    assert_eq!(verdict("fw.pem", "codeSigning"), 0);
    assert_eq!([verdict("fw.pem", "server"), verdict("fw.pem", "client")], [1, 1]);
    assert_eq!(verdict("www.pem", "code-signing"), 1);
    assert_eq!(verdict("www.pem", "server"), 0);

    good(dir, "sign -k fw m");
    assert!(good(dir, "verify -p fw.pem m m.sig").contains("path was not checked"));
}

#[test]
fn openssl_reads_the_usage() {
    if Command::new("openssl").arg("version").output().is_err() {
        let way = "apt-get install openssl";
        hasten_report::skipped("openssl reads the usage", "there is no openssl", way);
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    good(dir, "cert root --alg Ed25519 --name Root --out root");
    good(dir, "cert leaf --usage codeSigning --alg Ed25519 --ca root --out fw");
    let (said, status) =
        run(dir, "openssl", "x509 -in fw.pem -noout -ext extendedKeyUsage,keyUsage");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("Code Signing") && said.contains("Digital Signature"), "{said}");
    assert!(!said.contains("Server") && !said.contains("Client"), "{said}");
    let (said, status) = run(dir, "openssl", "verify -CAfile root.pem fw.pem");
    assert_eq!(status, 0, "{said}");
    let (said, status) = run(dir, "openssl", "verify -CAfile root.pem -purpose sslserver fw.pem");
    assert_ne!(status, 0, "{said}");
}
