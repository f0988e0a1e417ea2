//! One grammar: in every command, `KEY` as the first argument is the same as `-k KEY`.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the tool in `dir`, which also contains the guards.
fn hasten(dir: &Path, line: &str) -> Output {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_hasten"));
    tool.args(line.split_whitespace()).current_dir(dir).env("XDG_STATE_HOME", dir.join("state"));
    tool.output().expect("the tool runs")
}

/// Returns the output of a command that must end with status 0.
fn done(dir: &Path, line: &str) -> String {
    let output = hasten(dir, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the error output of a command that must be refused with status 2.
fn refused(dir: &Path, line: &str) -> String {
    let output = hasten(dir, line);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    said
}

/// Returns a folder with a stateful key `k`, a stateless key `e`, and a file `m`.
fn folder() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::write(place.path().join("m"), "a message").expect("written");
    done(place.path(), "keygen --alg LMS_SHA256_M24_H5_W8 --store k");
    done(place.path(), "keygen --alg Ed25519 --out e");
    place
}

/// Returns the text without times (a number and its unit), which differ from run to run.
fn untimed(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let is_unit = |word: &&str| ["ns", "us", "ms", "s"].contains(word);
    let is_time =
        |at: usize| is_unit(&words[at]) || (at + 1 < words.len() && is_unit(&words[at + 1]));
    (0..words.len()).filter(|at| !is_time(*at)).map(|at| words[at]).collect::<Vec<_>>().join(" ")
}

#[test]
fn reading_commands_take_the_key_in_every_place() {
    let place = folder();
    let dir = place.path();
    done(dir, "sign k m");
    done(dir, "export k/public.pem --format raw --out raw");
    for (before, behind) in [
        ("status", ""),
        ("audit show", ""),
        ("audit verify", "m.sig"),
        ("audit mend", ""),
        ("inspect", ""),
        ("scan", "m.sig"),
        ("verify", "m"),
        ("verify", "m m.sig"),
        ("verify", "--each m"),
        ("verify", "--pairs m m.sig"),
        ("moved", "--yes"),
    ] {
        let first = done(dir, &format!("{before} k {behind}"));
        for option in ["-k", "--store", "-p", "--pub"] {
            let named = done(dir, &format!("{before} {option} k {behind}"));
            assert_eq!(untimed(&named), untimed(&first), "{before} {option}");
            let last = done(dir, &format!("{before} {behind} {option} k"));
            assert_eq!(untimed(&last), untimed(&first), "{before} {behind} {option}");
        }
    }
}

#[test]
fn directory_and_file_stand_in_the_same_place() {
    let place = folder();
    let dir = place.path();
    done(dir, "sign k m --out s");
    done(dir, "sign e.key m --out t");
    for key in ["k", "k/public.pem"] {
        done(dir, &format!("verify {key} m s"));
        done(dir, &format!("verify -p {key} m s"));
        done(dir, &format!("scan {key} s"));
        done(dir, &format!("export {key} --format pem --out -"));
        done(dir, &format!("inspect {key}"));
    }
    done(dir, "verify e.pub m t");
    done(dir, "verify -p e.pub m t");
}

#[test]
fn changing_commands_take_the_key_in_both_places() {
    let place = folder();
    let dir = place.path();
    done(dir, "sign k m --out 1");
    done(dir, "sign -k k m --out 2");
    done(dir, "sign m -k k --out 3");
    done(dir, "sign --out 4 k m");
    done(dir, "cms sign k m --out 5");
    done(dir, "cms sign -k k m --out 6");
    done(dir, "shard k --count 1 --out a");
    done(dir, "shard -k k --count 1 --out b");
    done(dir, "export-shard k --count 1 --out c");
    done(dir, "export-shard -k k --count 1 --out d");
    done(dir, "recover k --index 10 --burn 1 --yes");
    done(dir, "recover -k k --index 12 --burn 1 --yes");
    done(dir, "retire a --yes");
    done(dir, "retire -k b --yes");
    let status = done(dir, "status k");
    assert!(status.contains("given      4"), "{status}");
}

#[test]
fn several_files_are_signed_in_both_forms() {
    let place = folder();
    let dir = place.path();
    std::fs::write(dir.join("n"), "another").expect("written");
    for key in ["k", "-k k", "e.key", "-k e.key"] {
        done(dir, &format!("sign {key} m n --force"));
        let public = key.replace("e.key", "e.pub");
        done(dir, &format!("verify {public} --each m n"));
    }
}

#[test]
fn a_missing_key_or_file_is_said() {
    let place = folder();
    let dir = place.path();
    for (line, says) in [
        ("sign m", "which key? m stands alone, and KEY comes first: hasten sign KEY FILE..."),
        ("sign k", "which file? only the key is named: hasten sign KEY FILE..."),
        ("sign -k k", "which file? only the key is named: hasten sign KEY FILE..."),
        (
            "verify m",
            "which key? m stands alone, and KEY comes first: hasten verify KEY FILE [SIG]",
        ),
        ("verify -p k", "which file? only the key is named"),
        ("audit verify k", "which file? only the key is named: hasten audit verify KEY SIG..."),
        ("sign", "<KEY"),
        ("verify", "<KEY"),
        ("status", "<KEY"),
        ("status k -k k", "cannot be used with"),
        ("retire k -k k", "cannot be used with"),
        ("scan", "<KEY"),
        ("scan k", "scan"),
    ] {
        let said = refused(dir, line);
        assert!(said.contains(says), "{line}: {said}");
    }
    let status = done(dir, "status k");
    assert!(status.contains("used       0"), "{status}");
}

#[test]
fn a_file_in_the_place_of_the_key_is_named() {
    let place = folder();
    let dir = place.path();
    std::fs::write(dir.join("n"), "another").expect("written");
    for line in ["sign m n", "verify m n"] {
        let said = refused(dir, line);
        assert!(said.contains("m: not a key in any encoding known here"), "{said}");
        assert!(said.contains("KEY comes first"), "{said}");
    }
}
