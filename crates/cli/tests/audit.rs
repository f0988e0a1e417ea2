//! The audit record of signatures, with the real command.

mod bench;
#[path = "../../hasten/tests/recorded/mod.rs"]
mod recorded;

use bench::{Bench, both};
use hasten_store as store;

const KEY: &str = "hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g";

/// Signs three files, the third with a separate command.
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
    assert_eq!((code, said.matches("missing").count()), (Some(0), 1), "{said}");
    assert!(said.contains("missing    2 recorded, and not among"), "{said}");
    let json = bench.ok("hasten audit verify fw a.bin.sig --json 2>/dev/null");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(
        (rows.len(), &rows[1]["verdict"], &rows[1]["count"]),
        (2, &"missing".into(), &2.into())
    );
    let (code, said) = verify(&bench, "a.bin.sig --complete");
    assert_eq!((code, said.matches("missing").count()), (Some(1), 2), "{said}");
    bench.ok("mv c.bin hidden");
    let (code, said) = verify(&bench, "c.bin.sig");
    assert!(code == Some(0) && said.contains("unseen"), "{said}");
    bench.ok("echo other > a.bin; head -c 700 b.bin.sig > short.sig; echo no > n.sig");
    let (code, said) = verify(&bench, "a.bin.sig");
    assert!(code == Some(1) && said.contains("bad "), "{said}");
    for file in ["short.sig", "n.sig"] {
        let (code, said) = verify(&bench, file);
        assert!(code == Some(2) && said.contains("no-signature"), "{file}: {said}");
    }
}

/// Two copies of one key that were both used, each with its own guard: an auditor detects it.
#[test]
fn an_index_that_signed_twice_or_outside_the_record_is_named() {
    let bench = Bench::new();
    bench.ok(&format!("{KEY}; echo a > a.bin; echo b > b.bin; cp -r fw copy; cp g copy.g"));
    bench.ok("hasten moved -k copy --guard copy.g --yes");
    bench.ok("hasten sign -k fw a.bin; hasten sign -k copy --guard copy.g b.bin");
    let (code, said) = verify(&bench, "a.bin.sig b.bin.sig");
    assert_eq!((code, said.matches("twice").count()), (Some(1), 2), "{said}");
    let (code, said) = verify(&bench, "b.bin.sig");
    assert!(code == Some(1) && said.contains("other"), "{said}");
    bench.ok("hasten sign -k copy --guard copy.g a.bin --out later.sig");
    let (code, said) = verify(&bench, "later.sig");
    assert!(code == Some(0) && said.contains("unknown") && said.contains("if the"), "{said}");
    bench.ok("cp a.bin later");
    let (code, said) = verify(&bench, "later.sig");
    assert!(code == Some(1) && said.contains("another copy of the key signs"), "{said}");
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

/// Returns a key of the old format, upgraded by its next signature.
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

/// The signer is killed while it reads its second file. The first signature is written, but not its
/// record.
#[test]
fn a_signature_whose_process_died_before_the_record_is_unknown_with_the_reason() {
    let bench = Bench::new();
    bench.ok(&format!("{KEY}; echo a > a.bin; truncate -s 8G b.bin; echo c > c.bin"));
    bench.ok("hasten sign -k fw a.bin b.bin 2>/dev/null & signer=$!
        until [ -e a.bin.sig ]; do kill -0 $signer || exit 1; sleep 0.01; done
        kill -9 $signer; wait $signer; hasten sign -k fw c.bin");
    let (code, said) = verify(&bench, "a.bin.sig c.bin.sig");
    assert!(code == Some(0) && said.contains("unknown    index 0"), "{said}");
    assert!(said.contains("counts as lost: its process ended after the signature"), "{said}");
    assert!(said.contains("good       index 2"), "{said}");
    let json = bench.run("hasten audit verify fw a.bin.sig --json 2>/dev/null").stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(json["rows"][0]["reason"].as_str().unwrap().contains("lost"));
}

/// Every command that signs with one key, each writing a different file.
const DOORS: &str = "
    hasten sign -k k m
    hasten sign -k k m --digest sha384 --out d.sig; cp m d
    hasten sign -k k m --format cms
    hasten cms sign -k k m --attached --pem
    hasten sign -k k m --format cose
    hasten sign -k k m --format boot --image-version 7
    hasten dual sign -k k --second e.key m
    hasten cert root --alg LMS_SHA256_M24_H5_W8 -k k --name Root --out root
    hasten cert intermediate --alg Ed25519 --ca root --ca-store k --name Below --out below
    hasten cert leaf --alg Ed25519 --ca root --ca-store k --dns a.example --out leaf
    hasten cert request --alg LMS_SHA256_M24_H5_W8 -k k --name Wish --out wish";

const PURPOSES: [&str; 11] = [
    "message",
    "message",
    "cms",
    "cms",
    "cose",
    "boot",
    "dual",
    "certificate",
    "certificate",
    "certificate",
    "certificate request",
];

fn through_all_doors() -> Bench {
    let bench = Bench::new();
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k k; hasten keygen --alg Ed25519 --out e");
    bench.ok(&format!("set -e; printf 'not whole words' > m; {DOORS}"));
    bench
}

/// The files of all signatures. `audit verify` reads each of them directly.
const MADE: &str =
    "m.sig d.sig m.p7s m.p7m m.cose m.boot m.dual root.pem below.pem leaf.pem wish.csr";

#[test]
fn every_door_is_recorded_and_good_to_an_audit() {
    let bench = through_all_doors();
    recorded::must_tell(&bench.path("k"), &PURPOSES, None);
    let done = bench.run(&format!("hasten audit verify k {MADE} --complete"));
    let said = both(&done);
    let good = said.lines().filter(|line| line.starts_with("good ")).count();
    assert_eq!((done.status.code(), good), (Some(0), PURPOSES.len()), "{said}");
    let shown = bench.ok("hasten audit show k");
    assert_eq!(shown.matches("SHA-256").count(), PURPOSES.len(), "{shown}");
    assert!(shown.contains("Root (certificate)  SHA-256"), "{shown}");
}

/// A file that contains its own message is verified without the message file, in DER and in PEM.
#[test]
fn a_structure_that_holds_its_message_needs_no_file_beside_it() {
    let bench = through_all_doors();
    bench.ok("mv m.boot alone.boot; mv m.p7m alone.p7m; rm m");
    bench
        .ok("grep -v - root.pem | base64 -d > root.der; grep -v - wish.csr | base64 -d > wish.der");
    let all = "alone.boot alone.p7m root.der wish.der";
    let done = bench.run(&format!("hasten audit verify k {all}"));
    let said = both(&done);
    assert_eq!((done.status.code(), said.matches("good ").count()), (Some(0), 4), "{said}");
}

/// Another key's files, and changed ones. Only the latter are accused, if they name this key.
#[test]
fn an_audit_accuses_only_where_it_knows() {
    let bench = through_all_doors();
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k other
        hasten cert root --alg LMS_SHA256_M24_H5_W8 -k other --name Other --out other
        hasten cert request --alg LMS_SHA256_M24_H5_W8 -k other --name Other --out other
        hasten cert leaf --alg Ed25519 --ca other --ca-store other --name Theirs --out theirs
        hasten sign -k other m --format boot --image-version 7 --out other.boot
        hasten cms sign -k other m --attached --out other.p7m
        hasten cert root --alg Ed25519 --name Plain --out plain");
    let others = "other.pem other.csr theirs.pem other.boot other.p7m plain.pem";
    let done = bench.run(&format!("hasten audit verify k {others}"));
    let said = both(&done);
    assert_eq!((done.status.code(), said.matches("foreign ").count()), (Some(0), 6), "{said}");
    bench.ok("grep -v - root.pem | base64 -d > bent.der
        printf X | dd of=bent.der bs=1 seek=700 conv=notrunc
        { head -c 70 m.boot; printf X; tail -c +72 m.boot; } > bent.boot");
    let at_end = "size=$(stat -c %s bent.der); printf X | dd of=bent.der bs=1 seek=$((size - 9)) conv=notrunc";
    bench.ok(at_end);
    let done = bench.run("hasten audit verify k bent.der");
    let said = both(&done);
    assert!(done.status.code() == Some(1) && said.starts_with("bad "), "{said}");
}

/// A part of a key, a recovered key, and the part that was given away. Genuine signatures from
/// before the recovery, or of another part, do not count against this store.
#[test]
fn signatures_of_other_parts_and_times_are_not_accused() {
    let bench = Bench::new();
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k k --guard g; for f in a b c; do echo $f > $f; done");
    bench.ok("hasten sign -k k --guard g a; cp -r k backup; hasten sign -k k --guard g b");
    bench.ok("hasten shard -k k --guard g --count 8 --out part --out-guard part.g");
    bench.ok("hasten sign -k part --guard part.g c");
    let done = bench.run("hasten audit verify k a.sig b.sig c.sig");
    let said = both(&done);
    assert!(done.status.code() == Some(0) && said.contains("given      index 24"), "{said}");
    let done = bench.run("hasten audit verify part a.sig b.sig c.sig");
    let said = both(&done);
    assert_eq!((done.status.code(), said.matches("elsewhere ").count()), (Some(0), 2), "{said}");
    assert!(said.contains("good       index 24"), "{said}");
    bench.ok("rm -r k g; mv backup k; hasten recover -k k --burn 4 --yes; echo d > d; hasten sign -k k d");
    let done = bench.run("hasten audit verify k a.sig b.sig d.sig");
    let said = both(&done);
    assert!(done.status.code() == Some(0) && said.contains("earlier    index 1"), "{said}");
}
