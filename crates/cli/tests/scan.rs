//! `hasten scan` and `verify --each` with files and folders, through the real command.

mod bench;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

use bench::{Bench, both};
use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::{Set, SignerLevel, generate};
use hasten_kernels::Kernels;
use serde_json::Value;

/// Signs with the given index of a key that does not record its signatures.
fn sign(index: u64, message: &[u8]) -> Vec<u8> {
    let set = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
    let mut signer = generate(set, &[7; 40], Kernels::best()).unwrap();
    let permit = Throwaway::starting_at(index).permit();
    let prepared = signer.prepare(permit, SignerLevel::None).unwrap();
    prepared.finish(message).unwrap().into_bytes()
}

/// Creates a key and a release of files, each with its index and its name as message.
fn release(files: &[(&str, u64)]) -> Bench {
    let bench = Bench::new();
    let set = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
    let signer = generate(set, &[7; 40], Kernels::best()).unwrap();
    fs::write(bench.path("key"), signer.public_key().as_bytes()).unwrap();
    fs::create_dir(bench.path("rel")).unwrap();
    for (name, index) in files {
        fs::write(bench.path(&format!("rel/{name}")), name).unwrap();
        let signature = sign(*index, name.as_bytes());
        fs::write(bench.path(&format!("rel/{name}.sig")), signature).unwrap();
    }
    bench
}

fn ran(bench: &Bench, script: &str) -> (Option<i32>, String) {
    let done = bench.run(script);
    (done.status.code(), both(&done))
}

fn rows(bench: &Bench, script: &str) -> Vec<Value> {
    let done = bench.run(&format!("{script} --json"));
    let json: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert!(json["schema"].as_str().unwrap().starts_with("hasten."), "{json}");
    json["rows"].as_array().unwrap().clone()
}

fn of(rows: &[Value], what: &str) -> Vec<Value> {
    rows.iter().filter(|row| row["what"] == what).cloned().collect()
}

#[test]
fn a_release_without_a_fault_is_listed_with_its_gaps_and_what_is_left() {
    let bench = release(&[("a", 0), ("b", 1), ("c", 5), ("d", 7)]);
    bench
        .ok("mkdir rel/deep && cp rel/b.sig rel/deep/copy.sig && ln -s ../a.sig rel/deep/link.sig");
    let (code, said) = ran(&bench, "hasten scan key rel");
    assert_eq!(code, Some(0), "{said}");
    for line in ["0  good", "rel/b.sig = rel/deep/copy.sig", "2-4  gap", "6  gap"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let sum = "4 indices used, 0 twice, 2 gaps, highest 7, 24 of 32 left; 10 files, 4 that are no signatures";
    assert!(said.contains(sum), "{said}");
    let rows = rows(&bench, "hasten scan -p key rel");
    let gaps: Vec<_> =
        of(&rows, "gap").iter().map(|r| (r["first"].clone(), r["last"].clone())).collect();
    assert_eq!(gaps, [(2.into(), 4.into()), (6.into(), 6.into())]);
    let sum = &of(&rows, "sum")[0];
    assert_eq!(
        (&sum["highest"], &sum["left"], &sum["indices"]),
        (&7.into(), &24.into(), &4.into())
    );
    assert_eq!(of(&rows, "index")[1]["files"].as_array().unwrap().len(), 2);
}

#[test]
fn an_index_used_twice_is_named_with_both_files() {
    let bench = release(&[("a", 0), ("b", 1), ("c", 1), ("d", 2)]);
    let (code, said) = ran(&bench, "hasten scan key rel");
    assert!(code == Some(1) && said.contains("REUSED     rel/b.sig, rel/c.sig"), "{said}");
    assert!(said.contains("1 twice"), "{said}");
    let reused: Vec<_> = of(&rows(&bench, "hasten scan key rel"), "index")
        .into_iter()
        .filter(|row| row["verdict"] == "reused")
        .collect();
    assert_eq!((reused.len(), &reused[0]["index"]), (1, &1.into()));
    let files: Vec<_> = reused[0]["files"].as_array().unwrap().iter().map(|f| &f["file"]).collect();
    assert_eq!(files, ["rel/b.sig", "rel/c.sig"]);
    bench.ok("mkdir sigs && cp rel/*.sig sigs");
    let (code, said) = ran(&bench, "hasten scan key sigs");
    assert!(code == Some(1) && said.contains("CLAIMED    sigs/b.sig, sigs/c.sig"), "{said}");
    assert!(said.contains("no proof") && !said.contains("REUSED"), "{said}");
}

#[test]
fn several_good_signatures_with_one_index_are_not_good_together() {
    let bench = release(&[("a", 0), ("b", 1), ("c", 1)]);
    let key = "hasten verify -p ../key --alg LMS_SHA256_M24_H5_W8";
    for how in ["--each a b c", "--pairs a a.sig b b.sig c c.sig"] {
        let (code, said) = ran(&bench, &format!("cd rel && {key} {how}"));
        assert_eq!(code, Some(1), "{said}");
        assert_eq!(said.matches("REUSED index 1").count(), 2, "{said}");
        assert!(
            said.contains("b.sig and c.sig") && said.contains("1 good, 0 bad, 2 reused"),
            "{said}"
        );
    }
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k other --guard g");
    let two = "hasten verify -p other -p key --each rel/a rel/b rel/c";
    let (code, said) = ran(&bench, two);
    assert!(code == Some(1) && said.contains("1 good, 0 bad, 2 reused"), "two keys: {said}");
    let rows = rows(&bench, "hasten verify -p key --each rel/a rel/b rel/c");
    let good: Vec<_> = rows.iter().map(|row| row["good"].clone()).collect();
    assert_eq!(good, [true, false, false]);
    assert_eq!(rows[1]["reused"]["index"], 1);
    assert_eq!(rows[2]["reused"]["signature_files"], serde_json::json!(["rel/b.sig", "rel/c.sig"]));
    bench.ok("cp rel/b rel/again && cp rel/b.sig rel/again.sig");
    let (code, said) = ran(&bench, "hasten verify -p key --each rel/a rel/b rel/again rel/b");
    assert!(code == Some(0) && said.contains("4 good, 0 bad, 0 could"), "copies: {said}");
}

#[test]
fn names_come_from_a_list_with_any_bytes_in_them() {
    let bench = release(&[("a", 0), ("b", 0)]);
    bench.ok("mv rel/b.sig \"$(printf 'rel/new\\nline\\033[31m.sig')\"; rm rel/b");
    let list = "hasten scan key --from";
    let (code, said) = ran(&bench, &format!("find rel -name '*.sig' -print0 | {list} - -0"));
    assert!(code == Some(1) && said.contains(r"new\nline\u{1b}[31m.sig"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
    bench.ok("printf 'rel/a.sig\\n\\nrel\\n' > list");
    assert_eq!(ran(&bench, &format!("{list} list")).0, Some(1));
    let (code, said) = ran(&bench, &format!("echo rel/gone.sig | {list} - rel/a.sig"));
    assert!(code == Some(2) && said.contains("unread") && said.contains("rel/gone.sig"), "{said}");
    assert!(said.contains("good       rel/a.sig"), "the others are reported: {said}");
    let (code, said) = ran(&bench, &format!("head -c 70000 /dev/zero | tr '\\0' x | {list} -"));
    assert!(code == Some(2) && said.contains("hasten: reading -"), "{said}");
    for wrong in ["hasten scan", "hasten scan key", "hasten scan -p key", "hasten scan key rel -0"]
    {
        bench.fails(wrong);
    }
}

#[test]
fn a_signature_that_is_cut_short_is_named() {
    let bench = release(&[("a.bin", 0), ("b.bin", 1), ("c.bin", 2)]);
    bench.ok("head -c 700 rel/b.bin.sig > rel/other && cp rel/other rel/b.bin.sig");
    bench.ok(": > rel/c.bin.sig");
    let (status, said) = ran(&bench, "hasten scan key rel");
    assert_eq!(status, Some(0), "{said}");
    let named =
        |file: &str, why: &str| said.lines().any(|line| line.contains(file) && line.ends_with(why));
    assert!(named("rel/b.bin.sig", ": 700 bytes, where a signature of this key has 784"), "{said}");
    assert!(named("rel/c.bin.sig", "empty"), "{said}");
    assert!(!said.contains("rel/other"), "{said}");
    // If nothing of the key is found, nothing is known.
    bench.ok("mkdir empty");
    let (status, said) = ran(&bench, "hasten scan key empty");
    assert!(status == Some(2) && said.contains("nothing is known"), "{said}");
}

/// A folder may contain anything: nothing in it blocks the scan or makes it fail.
#[test]
fn what_a_folder_holds_besides_signatures_does_no_harm() {
    let bench = release(&[("a", 0)]);
    bench
        .ok("cd rel && mkfifo pipe && ln -s . loop && ln -s ../rel/loop b && truncate -s 1G large");
    bench.ok("cd rel && head -c 5000 /dev/urandom > noise && head -c 100 a.sig > short.sig");
    bench.ok("cd rel && : > empty && cp a.sig big.sig && truncate -s 70M big.sig");
    bench.ok("cd rel && printf '\\060\\204\\377\\377\\377\\377' > der && printf '\\233' > cbor");
    bench.ok("cd rel; i=0; while [ $i -lt 3000 ]; do printf '\\060\\200'; i=$((i+1)); done > deep");
    bench.ok(
        "hasten keygen --alg Ed25519 --out rel/e && hasten sign -k rel/e.key rel/a --out rel/e.sig",
    );
    let begun = Instant::now();
    let (code, said) = ran(&bench, "timeout 60 hasten scan key rel");
    assert!(code == Some(0) && begun.elapsed() < Duration::from_secs(50), "{said}");
    assert!(
        said.contains("rel/pipe  a pipe") && said.contains("rel/loop  a link to a folder"),
        "{said}"
    );
    assert!(said.contains("1 index used, 0 twice, 0 gaps"), "{said}");
    // A pipe named on the command line is reported as a file that was not read.
    let (code, said) = ran(&bench, "timeout 60 hasten scan key rel/a.sig rel/pipe");
    assert!(code == Some(2) && said.contains("unread        rel/pipe"), "{said}");
    bench.ok("ln -s nowhere rel/dangling.sig");
    let (code, said) = ran(&bench, "hasten scan key rel");
    assert!(code == Some(2) && said.contains("rel/dangling.sig"), "{said}");
    // The signed file of a signature is a pipe, which is not opened.
    bench.ok("rm rel/dangling.sig rel/a && mkfifo rel/a");
    let (code, said) = ran(&bench, "timeout 60 hasten scan key rel");
    assert!(code == Some(0) && said.contains("0  unseen"), "{said}");
    let key = bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g 2>&1");
    assert!(key.contains("LMS"), "{key}");
    let (code, said) = ran(&bench, "hasten scan fw .");
    assert!(code == Some(0) && said.contains("./fw  the directory of a key"), "{said}");
}

#[test]
fn names_that_are_no_text_are_read() {
    let bench = release(&[("a", 0)]);
    let name = std::ffi::OsStr::from_bytes(b"rel/\xff.sig");
    fs::rename(bench.path("rel/a.sig"), bench.path("").join(name)).unwrap();
    let (code, said) = ran(&bench, "hasten scan key rel");
    assert!(code == Some(0) && said.contains("rel/\u{fffd}.sig"), "{said}");
}

#[test]
fn keys_without_a_state_are_refused_and_limited_ones_counted() {
    let bench = release(&[("a", 0)]);
    bench.ok("hasten keygen --alg Ed25519 --out e");
    assert!(bench.fails("hasten scan e.pub rel").contains("no state"));
    bench.ok("hasten keygen --alg TOY-SHA2-128-2 -k toy --guard g");
    bench.ok("mkdir few; for f in a b c d; do echo $f > few/$f; hasten sign -k toy few/$f; done");
    let (code, said) = ran(&bench, "cp few/a.sig few/copy.sig; hasten scan toy few");
    assert!(code == Some(0) && said.contains("4 signatures, 0 of 4 left"), "{said}");
    let (code, said) = ran(&bench, "head -c 1872 /dev/urandom > few/more.sig; hasten scan toy few");
    assert!(code == Some(1) && said.contains("5 signatures, 1 not verified"), "{said}");
    assert!(said.contains("MORE THAN THE LIMIT"), "{said}");
}
