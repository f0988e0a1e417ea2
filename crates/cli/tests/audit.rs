//! The record of what was signed, through the real command.

mod bench;

use bench::{Bench, both};

const KEY: &str = "hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g";

/// Signs three files, one of them by a command of its own.
fn released() -> Bench {
    let bench = Bench::new();
    bench.ok(&format!("{KEY}; for f in a b c; do echo $f > $f.bin; done"));
    bench.ok("hasten sign -k fw a.bin b.bin --request-id R-41; hasten sign -k fw c.bin");
    bench
}

fn verify(bench: &Bench, files: &str) -> (Option<i32>, String) {
    let done = bench.run(&format!("hasten audit verify fw {files}"));
    (done.status.code(), both(&done))
}

#[test]
fn the_record_says_what_was_signed_by_whom_and_for_what() {
    let bench = released();
    let shown = bench.ok("hasten audit show fw");
    let sum = bench.ok("sha256sum < b.bin");
    let sum = sum.split_whitespace().next().unwrap();
    let line = shown.lines().find(|line| line.contains("b.bin")).unwrap();
    assert!(
        line.contains(sum) && line.contains("request R-41") && line.contains("signed"),
        "{line}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&bench.ok("hasten audit show fw --json 2>/dev/null")).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let told: Vec<_> = rows.iter().filter(|row| row["what"] == "signed").collect();
    assert_eq!(told.len(), 3);
    assert_eq!(told[2]["signed"]["file"], "c.bin");
    assert!(told[2]["signed"]["request"].is_null() && told[2]["session"].is_string());
    assert!(rows.last().unwrap()["what"] == "confirm", "guard and witness hold the head");
}

#[test]
fn signatures_agree_with_the_record_or_are_named() {
    let bench = released();
    let (code, said) = verify(&bench, "a.bin.sig b.bin.sig c.bin.sig");
    assert_eq!((code, said.matches("good ").count()), (Some(0), 3), "{said}");
    let (code, said) = verify(&bench, "a.bin.sig");
    assert_eq!((code, said.matches("missing").count()), (Some(0), 2), "{said}");
    assert_eq!(verify(&bench, "a.bin.sig --complete").0, Some(1));
    bench.ok("mv c.bin hidden");
    let (code, said) = verify(&bench, "c.bin.sig");
    assert!(code == Some(0) && said.contains("unseen"), "{said}");
    bench.ok("echo other > a.bin; head -c 700 b.bin.sig > short.sig; echo no > n.sig");
    for file in ["a.bin.sig", "short.sig", "n.sig"] {
        let (code, said) = verify(&bench, file);
        assert!(code == Some(1) && said.contains("bad "), "{file}: {said}");
    }
}

/// Two copies of one key that were both used, each with the guard of its own: an auditor sees it.
#[test]
fn an_index_that_signed_twice_or_outside_the_record_is_named() {
    let bench = Bench::new();
    bench.ok(&format!("{KEY}; echo a > a.bin; echo b > b.bin; cp -r fw copy; cp g copy.g"));
    bench.ok("hasten sign -k fw a.bin; hasten sign -k copy --guard copy.g b.bin");
    let (code, said) = verify(&bench, "a.bin.sig b.bin.sig");
    assert_eq!((code, said.matches("twice").count()), (Some(1), 2), "{said}");
    let (code, said) = verify(&bench, "b.bin.sig");
    assert!(code == Some(1) && said.contains("other"), "{said}");
    bench.ok("hasten sign -k copy --guard copy.g a.bin --out later.sig");
    let (code, said) = verify(&bench, "later.sig");
    assert!(code == Some(1) && said.contains("unknown"), "{said}");
}

#[test]
fn a_record_that_was_changed_fails_with_its_place() {
    let bench = released();
    bench.ok("sed -i s/R-41/R-42/ fw/signed");
    for command in ["audit show fw", "audit verify fw a.bin.sig", "status -k fw --audit"] {
        let refused = bench.fails(&format!("hasten {command}"));
        assert!(refused.contains("entry of index 0") && refused.contains("'signed'"), "{refused}");
    }
}

/// Returns a key of the old form, upgraded by its next signature.
fn upgraded() -> Bench {
    let bench = Bench::new();
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/../keys/tests/old");
    bench.ok(&format!("cp -r {old}/lms fw; cp {old}/lms.guard g; chmod -R go-rwx fw g"));
    bench.ok(&format!("cp {old}/message before; cp {old}/lms.sig before.sig; echo new > new"));
    bench.ok("hasten sign -k fw --guard g new");
    bench
}

#[test]
fn what_was_signed_before_there_were_records_is_a_case_of_its_own() {
    let bench = upgraded();
    let (code, said) = verify(&bench, "before.sig new.sig");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("unrecorded index 2") && said.contains("good       index 3"), "{said}");
    assert!(said.contains("1 of 2 unrecorded"), "{said}");
    let json = bench.ok("hasten audit verify fw before.sig new.sig --json 2>/dev/null");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["rows"][0]["verdict"], "unrecorded");
    assert!(json["rows"][0]["reason"].is_string() && json["rows"][1]["reason"].is_null());
    bench.ok("echo changed > before");
    let (code, said) = verify(&bench, "before.sig");
    assert!(code == Some(1) && said.contains("bad "), "{said}");
    assert_eq!(verify(&bench, "new.sig --complete").0, Some(0), "what is not recorded cannot miss");
}

/// Killed while it reads its second file: the first signature is out, and its record is not.
#[test]
fn a_signature_whose_process_died_before_the_record_is_unknown_with_the_reason() {
    let bench = Bench::new();
    bench.ok(&format!("{KEY}; echo a > a.bin; truncate -s 8G b.bin; echo c > c.bin"));
    bench.ok("hasten sign -k fw a.bin b.bin 2>/dev/null & signer=$!
        until [ -e a.bin.sig ]; do kill -0 $signer || exit 1; sleep 0.01; done
        kill -9 $signer; wait $signer; hasten sign -k fw c.bin");
    let (code, said) = verify(&bench, "a.bin.sig c.bin.sig");
    assert!(code == Some(1) && said.contains("unknown    index 0"), "{said}");
    assert!(said.contains("counts as lost: its process ended after the signature"), "{said}");
    assert!(said.contains("good       index 2"), "{said}");
    let json = bench.run("hasten audit verify fw a.bin.sig --json 2>/dev/null").stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(json["rows"][0]["reason"].as_str().unwrap().contains("lost"));
}
