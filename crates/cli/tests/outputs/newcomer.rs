//! First steps and typical mistakes: examples of the help texts in an empty folder, keys in the
//! wrong place, keys from variables and JSON, and the same command again after a refusal.

use std::fs;
use std::path::Path;

use super::Place;

/// Runs a shell line. Returns its status and all its output.
fn shell(place: &Place, line: &str) -> (Option<i32>, String) {
    let tool = Path::new(env!("CARGO_BIN_EXE_hasten")).parent().expect("a folder");
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").expect("a path"));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("{{ {line}\n}} 2>&1")]).current_dir(place.path("."));
    shell.env("PATH", path).env("XDG_STATE_HOME", place.path("state"));
    let done = shell.stdin(std::process::Stdio::null()).output().expect("a shell");
    (done.status.code(), String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Returns the examples of a help text.
fn examples(help: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(help);
    let text = fs::read_to_string(file).expect("a help").replace("\\\n", " ");
    let lines = text.lines().filter(|line| line.starts_with("  hasten "));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// Runs the examples of a help text that contain none of these words. Each must succeed.
fn run(place: &Place, help: &str, without: &[&str]) {
    let chosen = examples(help).into_iter();
    let chosen: Vec<_> = chosen.filter(|line| !without.iter().any(|w| line.contains(w))).collect();
    assert!(!chosen.is_empty(), "{help}");
    for line in chosen {
        let (status, said) = shell(place, &line);
        assert_eq!(status, Some(0), "{help}: {line}\n{said}");
    }
}

/// The main help's examples in an empty folder, and then those of other commands with their files.
#[test]
fn examples_run_in_an_empty_folder() {
    let place = Place(tempfile::tempdir().expect("a folder"));
    fs::write(place.path("firmware.bin"), "firmware").expect("written");
    // Measurements take long, and some builds cannot measure.
    run(&place, "hasten.txt", &["latency", "bench"]);
    let (status, said) = shell(
        &place,
        "mkdir release && cp firmware.bin release/a.bin && cp firmware.bin message.txt && \
         cp firmware.bin manifest.cbor && rm firmware.bin.sig && \
         hasten keygen --alg Ed25519 --out keys/web && \
         hasten keygen --alg LMS_SHA256_M24_H5_W8 --store keys/boot && \
         cp keys/boot/public.pem old.pem && cp keys/fw/public.pem new.pem",
    );
    assert_eq!(status, Some(0), "{said}");
    run(&place, "commands/sign.txt", &["--format lms", "--witness"]);
    run(&place, "commands/verify.txt", &["raw.pub", "vendor", "p7s"]);
    run(&place, "commands/cms/sign.txt", &["--cert"]);
    run(&place, "commands/inspect.txt", &["certificate.pem"]);
    run(&place, "commands/status.txt", &["--witness"]);
    run(&place, "commands/audit.txt", &[]);
    run(&place, "commands/audit/check.txt", &["pki", "--complete"]);
    run(&place, "commands/export.txt", &["raw.pub"]);
    run(&place, "commands/list.txt", &[]);
    let (status, said) = shell(&place, "mv release releases");
    assert_eq!(status, Some(0), "{said}");
    run(&place, "commands/scan.txt", &["vendor"]);
    run(&place, "commands/retire.txt", &[]);
}

#[test]
fn folders_above_a_new_key_are_made() {
    let place = Place::empty();
    for line in [
        "hasten keygen --alg LMS_SHA256_M24_H5_W8 --store a/b/fw",
        "hasten keygen --alg Ed25519 --out c/d/web",
        "hasten cert root --alg Ed25519 --name Root --out pki/root",
        "hasten cert root --alg LMS_SHA256_M24_H5_W8 --store e/f --name Root --out pki2/root",
        "hasten cert request --alg Ed25519 --dns www.example --out g/www",
        "hasten shard -k a/b/fw --count 4 --out part-of-fw",
        "hasten export-shard -k a/b/fw --count 4 --out shard",
        "hasten import-shard shard --store j/k/fw",
    ] {
        let (status, said) = shell(&place, line);
        assert_eq!(status, Some(0), "{line}\n{said}");
    }
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(place.path("a/b")).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o022, 0, "others may not write beside a key");
}

/// A refused command leaves nothing behind that blocks the correct one.
#[test]
fn a_refusal_does_not_block_the_retry() {
    let place = Place::empty();
    for (wrong, right) in [
        (
            "keygen --alg LMS_SHA256_M24_H5_W8 --store k --sectors 3",
            "keygen --alg LMS_SHA256_M24_H5_W8 --store k",
        ),
        (
            "keygen --alg LMS_SHA256_M24_H5_W8 --out x",
            "keygen --alg LMS_SHA256_M24_H5_W8 --store x",
        ),
        ("keygen --alg Ed25519 --store e", "keygen --alg Ed25519 --out e"),
        ("keygen --alg Ed25519 --out f --encrypt", "keygen --alg Ed25519 --out f"),
        (
            "keygen --alg LMS_SHA256_M24_H5_W8 --store l --guard m/g",
            "keygen --alg LMS_SHA256_M24_H5_W8 --store l",
        ),
        (
            "cert root --alg LMS_SHA256_M24_H5_W8 --name R --out r",
            "cert root --alg LMS_SHA256_M24_H5_W8 --store rk --name R --out r",
        ),
        (
            "cert leaf --alg Ed25519 --dns a.example --ca absent --out leaf",
            "cert root --alg Ed25519 --name R --out leaf",
        ),
        ("sign -k k absent --out s", "sign -k k m --out s"),
        ("sign -k k m --format cose --digest sha384 --out t", "sign -k k m --format cose --out t"),
        (
            "sign -k k m --format boot --out u",
            "sign -k k m --format boot --image-version 1 --out u",
        ),
        ("export -p e.pub --format lms --out exported", "export -p k --format lms --out exported"),
        ("export-shard -k k --count 4000 --out sh", "export-shard -k k --count 2 --out sh"),
        ("shard -k k --count 4000 --out part", "shard -k k --count 2 --out part"),
        ("import-shard m --store is", "import-shard sh --store is"),
    ] {
        let (status, said) = shell(&place, &format!("hasten {wrong}"));
        assert_eq!(status, Some(2), "{wrong}\n{said}");
        let (status, said) = shell(&place, &format!("hasten {right}"));
        assert_eq!(status, Some(0), "after {wrong}: {right}\n{said}");
    }
}

/// If something else is given instead of a key, it is recognised and named.
#[test]
fn another_thing_in_the_place_of_a_key_is_named() {
    let place = Place::with_key();
    place.good(&["keygen", "--alg", "Ed25519", "--out", "e"]);
    place.good(&["cert", "root", "--alg", "Ed25519", "--name", "R", "--out", "root"]);
    place.good(&["sign", "-k", "fw", "m"]);
    // A PKCS#8 file with the algorithm HSS/LMS, as written by Bouncy Castle.
    let der = b"\x30\x19\x02\x01\x00\x30\x0d\x06\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x03\x11\x04\x05\x00\x00\x00\x00\x01";
    fs::write(place.path("bc.p8"), der).expect("written");
    for (line, sentence, way) in [
        ("sign -k fw/public.pem m", "that is a public key, and a private key is wanted", "-k fw"),
        ("sign -k e.pub n", "that is a public key, and a private key is wanted", "e.key"),
        ("sign -k root.pem n", "that is a certificate, and a private key is wanted", "root.key"),
        ("sign -k bc.p8 n", "a private key with a state, of another program", "hasten import"),
        ("sign -k m.sig n", "that is a signature, and no key", "hasten inspect"),
        ("verify -p e.key m m.sig", "that is a private key, and a public key is wanted", "e.pub"),
        ("verify -p fw/secret m m.sig", "that is a private key", "public key"),
        ("verify -p m.sig m m.sig", "that is a signature, and no key", "hasten inspect"),
        ("export -p e.key --format pem --out exported", "that is a private key", "e.pub"),
        ("dual sign -k fw --second e.pub m", "that is a public key", "e.key"),
        (
            "status -k fw/public.pem",
            "that is a file, and a key with a state is a directory",
            "is its directory: -k fw",
        ),
        (
            "status -k e.key",
            "that is a file, and a key with a state is a directory",
            "hasten inspect",
        ),
    ] {
        let (status, said) = shell(&place, &format!("hasten {line}"));
        let right = status == Some(2) && said.contains(sentence) && said.contains(way);
        assert!(right, "{line}: {status:?}\n{said}");
    }
}

/// Keys as found in JSON, YAML and variables.
#[test]
fn pem_is_read_however_its_lines_are_broken() {
    let place = Place::with_key();
    place.good(&["keygen", "--alg", "SLH-DSA-SHA2-128f", "--out", "s"]);
    place.good(&["sign", "-k", "s.key", "m"]);
    type Form = fn(&str) -> String;
    let forms: [(&str, Form); 5] = [
        ("one line", |pem| pem.trim_end().replace('\n', " ")),
        ("no blanks", |pem| {
            let lines: Vec<_> = pem.lines().collect();
            format!(
                "{}\n{}\n{}",
                lines[0],
                lines[1..lines.len() - 1].concat(),
                lines[lines.len() - 1]
            )
        }),
        ("indented", |pem| pem.lines().map(|line| format!("    {line}\n")).collect()),
        ("words for line ends", |pem| format!("{{\"key\": \"{}\"}}", pem.replace('\n', "\\n"))),
        ("carriage returns", |pem| pem.replace('\n', "\r\n")),
    ];
    for (name, form) in forms {
        for file in ["s.key", "s.pub"] {
            let pem = String::from_utf8(place.read(file)).expect("text");
            fs::write(place.path(&format!("x{}", &file[1..])), form(&pem)).expect("written");
        }
        let (status, said) = shell(
            &place,
            "chmod 600 x.key && hasten sign -k x.key m --out x.sig --force && hasten verify -p x.pub m x.sig",
        );
        assert_eq!(status, Some(0), "{name}: {said}");
    }
}

/// Each mistake has its own hint.
#[test]
fn hints_fit_the_mistake() {
    let place = Place::with_key();
    for (line, way) in [
        ("keygen", "hasten keygen --for firmware --signatures 30000 --store keys/fw"),
        ("keygen --for firmware", "hasten keygen --for firmware --signatures 30000"),
        ("sign --key fw m", "did you mean -k?"),
        ("sign -k fw -dash", "-- -dash"),
        ("verify --pubkey fw m", "did you mean -p?"),
        ("sign", "usage: hasten sign"),
        ("verify m", "hasten verify KEY FILE [SIG]"),
        ("cert", "'hasten cert --help' lists the commands"),
        ("cms verify", "usage: hasten cms verify"),
        ("keygen --alg Ed25518", "did you mean Ed25519"),
        ("keygen --alg nothing-like-it", "'hasten list' shows the names"),
        ("list --alg ed25519", "XMSS-SHA2_10_256"),
    ] {
        let (status, said) = shell(&place, &format!("hasten {line}"));
        let generic = said.contains("'hasten --help' lists the commands");
        assert!(status == Some(2) && said.contains(way) && !generic, "{line}: {status:?}\n{said}");
    }
}
