//! Dual signatures by every pair of keys: stateful and stateless, of one algorithm and of two.

mod bench;

use bench::{Bench, both};

/// Stateless algorithms that this build signs with.
fn stateless() -> Vec<&'static str> {
    let mut all = vec!["Ed25519", "SLH-DSA-SHA2-128f"];
    if cfg!(feature = "aws-lc") {
        all.extend(["ML-DSA-65", "ECDSA-P-256"]);
    }
    all
}

/// Generates a key of each algorithm, and a second Ed25519 key.
fn keys(bench: &Bench) -> Vec<(&'static str, String)> {
    bench.ok("echo message > m; echo another > n");
    let mut made: Vec<_> = stateless().into_iter().map(|alg| (alg, format!("k-{alg}"))).collect();
    made.push(("Ed25519", "k-other".to_owned()));
    for (alg, key) in &made {
        bench.ok(&format!("hasten keygen --alg {alg} --out {key}"));
    }
    made
}

/// Returns the output of a command that must end with status 1.
fn bad(bench: &Bench, script: &str) -> String {
    ends(bench, script, 1)
}

/// Returns the output of a command that must end with status `status`.
fn ends(bench: &Bench, script: &str, status: i32) -> String {
    let done = bench.run(script);
    assert_eq!(done.status.code(), Some(status), "{script}\n{}", both(&done));
    both(&done)
}

/// Returns the expected status for a file that names other keys: 1 if the given keys can check its
/// halves, otherwise 2.
fn status_of(fit: bool) -> i32 {
    if fit { 1 } else { 2 }
}

#[test]
fn every_pair_of_two_keys_signs_and_both_must_be_good() {
    let bench = Bench::new();
    let made = keys(&bench);
    for (first, one) in &made {
        for (second, two) in made.iter().filter(|(_, two)| two != one) {
            let said =
                bench.ok(&format!("hasten dual sign -k {one}.key --second {two}.key m --force"));
            assert!(said.contains(&format!("{first} and {second}")), "{said}");
            assert!(!said.contains("index"), "{said}");
            let verify = |keys: &str, files: &str| format!("hasten dual verify {keys} {files}");
            let keys = format!("-p {one}.pub --second {two}.pub");
            let said = bench.ok(&verify(&keys, "m"));
            assert!(said.starts_with(&format!("good  {first} and {second}")), "{said}");
            let turned = format!("-p {two}.pub --second {one}.pub");
            let said = ends(&bench, &verify(&turned, "m"), 2);
            assert!(said.contains("in the wrong order"), "{said}");
            assert!(bad(&bench, &verify(&keys, "n m.dual")).contains("neither half"));
            let third = made.iter().find(|(_, key)| key != one && key != two).unwrap();
            for (keys, of) in [
                (format!("-p {}.pub --second {two}.pub", third.1), first),
                (format!("-p {one}.pub --second {}.pub", third.1), second),
            ] {
                let said = ends(&bench, &verify(&keys, "m"), status_of(third.0 == *of));
                assert!(said.contains("not of these two keys"), "{said}");
            }
        }
    }
}

#[test]
fn a_cut_file_is_named_and_a_half_of_another_message_is_bad() {
    let bench = Bench::new();
    keys(&bench);
    bench.ok("hasten dual sign -k k-Ed25519.key --second k-SLH-DSA-SHA2-128f.key m --json > row");
    let row: serde_json::Value =
        serde_json::from_slice(&std::fs::read(bench.path("row")).unwrap()).unwrap();
    assert_eq!(row["rows"][0]["alg"], "Ed25519");
    assert_eq!(row["rows"][0]["second_alg"], "SLH-DSA-SHA2-128f");
    assert!(row["rows"][0].get("index").is_none(), "{row}");
    bench.ok("hasten dual sign -k k-Ed25519.key --second k-SLH-DSA-SHA2-128f.key n");
    let verify = "hasten dual verify -p k-Ed25519.pub --second k-SLH-DSA-SHA2-128f.pub m";
    let [whole, other] = ["m.dual", "n.dual"].map(|name| std::fs::read(bench.path(name)).unwrap());
    for cut in (40..112).chain([whole.len() / 2, whole.len() - 1]) {
        std::fs::write(bench.path("cut"), &whole[..cut]).unwrap();
        assert!(ends(&bench, &format!("{verify} cut"), 2).contains("cut short"), "{cut}");
    }
    std::fs::write(bench.path("long"), [&whole[..], b"x"].concat()).unwrap();
    assert!(ends(&bench, &format!("{verify} long"), 2).contains("damaged"));
    let first_of_other = [&other[..108], &whole[108..]].concat();
    std::fs::write(bench.path("mixed"), first_of_other).unwrap();
    assert!(bad(&bench, &format!("{verify} mixed")).contains("the first half"));
    std::fs::write(bench.path("mixed"), [&whole[..108], &other[108..]].concat()).unwrap();
    assert!(bad(&bench, &format!("{verify} mixed")).contains("the second half"));
    // The format is that of a stateful key: each half signs the first 40 bytes and the message.
    bench.ok("(head -c 40 m.dual; cat m) > signed; head -c 108 m.dual | tail -c 64 > half");
    bench.ok("hasten verify -p k-Ed25519.pub signed half");
}

#[test]
fn a_key_with_a_state_comes_first_and_one_key_is_no_pair() {
    let bench = Bench::new();
    keys(&bench);
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g");
    let said = bench.ok("hasten dual sign -k fw --second k-Ed25519.key m");
    assert!(said.contains("index      0 of 32") && said.contains("remaining  31"), "{said}");
    let said = bench.ok("hasten dual verify -p fw/public.pem --second k-Ed25519.pub m");
    assert!(said.contains("index 0 and Ed25519"), "{said}");
    let said = bench.fails("hasten dual sign -k k-Ed25519.key --second fw n");
    assert!(said.contains("has a state") && said.contains("-k"), "{said}");
    let said = bench.fails("hasten dual sign -k k-Ed25519.key --second k-Ed25519.key n");
    assert!(said.contains("these are one"), "{said}");
    let said = bench.fails("hasten dual sign -k k-Ed25519.key --second k-other.key n --guard g");
    assert!(said.contains("--guard is for keys with a state"), "{said}");
    bench.fails("hasten dual sign -k k-Ed25519.key --second k-other.key n --out k-Ed25519.key");
    bench.fails(
        "hasten dual sign -k k-Ed25519.key --second k-other.key n --out k-other.key --force",
    );
    bench.fails(
        "hasten dual sign -k k-Ed25519.key --second k-other.key n --out k-Ed25519.key --force",
    );
    assert!(!bench.path("n.dual").exists());
    assert!(bench.ok("hasten status -k fw").contains("used       1"));
}
