//! `hasten verify` of several files, and with a requested algorithm.

use std::fs;

use serde_json::Value;

use super::Place;

fn signed() -> Place {
    let place = Place::with_key();
    place.good(&["sign", "-k", "fw", "m", "n", "o"]);
    place
}

fn status(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let done = place.run(&[&["verify", "-p", "fw/public.pem"], arguments].concat());
    let said = [done.stdout, done.stderr].concat();
    (done.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn several_files_have_a_verdict_each() {
    let place = signed();
    let (code, said) = status(&place, &["--each", "m", "n", "o"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("n: good  LMS_SHA256_M24_H5") && said.contains("3 good, 0 bad"),
        "{said}"
    );
    assert_eq!(status(&place, &["--pairs", "m", "m.sig", "o", "o.sig"]).0, Some(0));
    assert_eq!(status(&place, &["m"]).0, Some(0), "its signature lies beside it");
    let (code, said) = status(&place, &["--pairs", "m", "m.sig", "o", "m.sig"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("o: BAD SIGNATURE") && said.contains("1 good, 1 bad"), "{said}");
}

#[test]
fn a_file_that_cannot_be_read_is_told_and_the_others_are_verified() {
    let place = signed();
    let (code, said) = status(&place, &["--each", "m", "absent", "o"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("absent: reading absent.sig: No such file"), "{said}");
    assert!(said.contains("2 good, 0 bad, 1 could not be asked about"), "{said}");
    fs::write(place.path("n"), "changed").unwrap();
    let (code, said) = status(&place, &["--each", "m", "absent", "n", "--json"]);
    assert_eq!(code, Some(1), "a bad signature is worse than an absent one");
    let report: Value = serde_json::from_str(&said).unwrap();
    let goods: Vec<_> = (0..3).map(|row| report["rows"][row]["good"].as_bool().unwrap()).collect();
    assert_eq!(goods, [true, false, false]);
    assert!(report["rows"][1]["error"].is_string() && report["rows"][2]["error"].is_null());
    assert_eq!(report["rows"][2]["signature_file"], "n.sig");
}

/// Two names may be a file and its signature, or the expansion of a shell pattern.
#[test]
fn nothing_is_guessed() {
    let place = signed();
    for arguments in [&["m", "n", "o"][..], &["--pairs", "m", "m.sig", "n"]] {
        let (code, said) = status(&place, arguments);
        assert_eq!(code, Some(2));
        assert!(said.contains("--each FILE...") && said.contains("--pairs FILE SIG..."), "{said}");
    }
    assert_eq!(status(&place, &["--each", "m", "-"]).0, Some(2));
    assert_eq!(status(&place, &["-", "-"]).0, Some(2));
}

/// An older version ignored the requested algorithm if the key named its own.
#[test]
fn the_algorithm_asked_for_is_the_only_one() {
    let place = signed();
    for public in ["fw", "fw/public.pem"] {
        let verify = |alg| place.run(&["verify", "-p", public, "--alg", alg, "m", "m.sig"]);
        let said = |alg| String::from_utf8(verify(alg).stderr).unwrap();
        assert_eq!(verify("nonsense").status.code(), Some(2));
        assert!(said("nonsense").contains("unknown algorithm 'nonsense'"), "{}", said("nonsense"));
        for other in ["XMSS-SHA2_10_256", "LMS_SHA256_M24_H5_W4", "Ed25519"] {
            assert_eq!(verify(other).status.code(), Some(2), "{other}");
            assert!(said(other).contains("belongs to another algorithm"), "{}", said(other));
        }
        for own in ["LMS_SHA256_M24_H5_W8", "HSS"] {
            assert_eq!(verify(own).status.code(), Some(0), "{own}: {}", said(own));
        }
    }
}
