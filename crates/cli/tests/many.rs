//! Many files and many keys in one call: lists of names, several public keys, a signed list of
//! digests.

mod bench;

use std::fs;

use bench::{Bench, both};
use serde_json::Value;

/// Two keys of one parameter set, and three files signed by the first.
const TWO: &str = "hasten keygen --alg LMS_SHA256_M24_H5_W8 -k one --guard g.one
    hasten keygen --alg LMS_SHA256_M24_H5_W8 -k two --guard g.two
    for name in a b 'c d'; do echo $name > \"$name\"; done
    hasten sign one a b 'c d'";

fn ended(bench: &Bench, script: &str) -> (Option<i32>, String) {
    let done = bench.run(script);
    (done.status.code(), both(&done))
}

fn rows(said: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(&said[said.find('{').expect(said)..]).expect(said);
    report["rows"].as_array().expect(said).clone()
}

#[test]
fn names_come_from_a_list() {
    let bench = Bench::new();
    bench.ok(TWO);
    for script in [
        "ls a b 'c d' > list; hasten verify one --from list",
        "printf 'a\\0b\\0c d\\0' | hasten verify -p one --from - -0",
        "printf 'b\\nc d\\n' | hasten verify one --from - a",
        "printf 'a\\na.sig\\nb\\nb.sig\\nc d\\nc d.sig\\n' > turns; hasten verify one --pairs --from turns",
    ] {
        let said = bench.ok(script);
        assert!(said.contains("3 good, 0 bad, 0 could not be asked about"), "{script}: {said}");
    }
    let (status, said) = ended(&bench, "echo absent >> list; hasten verify one --from list");
    assert_eq!(status, Some(2), "{said}");
    for script in [
        ": > empty; hasten verify one --from empty",
        "hasten verify one --from absent",
        "echo - > stream; hasten verify one --from stream",
        "printf 'a\\na.sig\\nb\\n' | hasten verify one --pairs --from -",
        "hasten verify one -0 a",
    ] {
        bench.fails(script);
    }
}

#[test]
fn one_of_several_keys_says_good() {
    let bench = Bench::new();
    bench.ok(TWO);
    bench.ok("cat two/public.pem one/public.pem > both.pem; hasten sign two a --out a.two");
    let by = |script: &str| {
        let (status, said) = ended(&bench, script);
        assert_eq!(status, Some(0), "{script}: {said}");
        let row = &rows(&said)[0];
        (row["key_file"].as_str().expect(&said).to_owned(), row["key_number"].as_u64())
    };
    assert_eq!(by("hasten verify -p two -p one a --json"), ("one".into(), None));
    assert_eq!(by("hasten verify -p one -p two a a.two --json"), ("two".into(), None));
    assert_eq!(by("hasten verify both.pem a --json"), ("both.pem".into(), Some(2)));
    assert_eq!(by("hasten verify both.pem a a.two --json"), ("both.pem".into(), Some(1)));
    let (status, said) = ended(&bench, "hasten verify -p two -p both.pem b a.sig");
    assert_eq!(status, Some(1), "looked at, and good by none: {said}");
    // Each key uses its own index 0 once, so nothing is reused.
    bench.ok("hasten verify both.pem --pairs a a.sig a a.two");
    let said = bench.fails("hasten verify both.pem a a");
    assert!(said.contains("none of 2 keys could look at it"), "{said}");
    // A damaged key may have been the right one.
    bench.ok("sed '3s/^.../xxx/' both.pem > damaged.pem; sed 's/M/!/' both.pem > none.pem");
    bench.fails("hasten verify damaged.pem b b");
    bench.fails("hasten verify none.pem a");
    bench.fails("hasten scan both.pem a.sig");
    let said = bench.fails("cat a | hasten verify -p one -p two /dev/stdin a.sig");
    assert!(said.contains("can be read once only"), "{said}");
}

#[test]
fn a_directory_has_one_signature() {
    let bench = Bench::new();
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k key --guard g; mkdir -p rel/sub
        echo a > rel/a; echo b > rel/sub/b; printf x > \"$(printf 'rel/new\\nline')\"");
    let said = bench.ok("hasten sign key --manifest rel/SUMS rel");
    assert!(said.contains("index      0 of 32") && said.contains("remaining  31"), "{said}");
    bench.ok("cd rel && sha256sum --check --strict --quiet SUMS");
    let said = bench.ok("hasten verify key/public.pem --manifest rel/SUMS --json");
    assert_eq!(rows(&said).len(), 4, "the list and three files: {said}");
    // The list also verifies from another directory, and with a signature stored elsewhere.
    bench.ok("mv rel moved; mv moved/SUMS.sig s; cd moved/sub; hasten verify ../../key --manifest ../SUMS ../../s");
    bench.ok("mv moved rel; mv s rel/SUMS.sig");
    // A list written by sha256sum is signed like any file, and verified in the same way.
    bench.ok("(cd rel; sha256sum a sub/b > FOREIGN); hasten sign key rel/FOREIGN");
    bench.ok("hasten verify key --manifest rel/FOREIGN; rm rel/FOREIGN rel/FOREIGN.sig");

    let (status, said) = ended(&bench, "echo c >> rel/a; hasten verify key --manifest rel/SUMS");
    assert!(status == Some(1) && said.contains("rel/a: CHANGED"), "{said}");
    bench.ok("echo a > rel/a; hasten verify key --manifest rel/SUMS; mv rel/sub/b b");
    let (status, said) = ended(&bench, "hasten verify key --manifest rel/SUMS");
    assert!(status == Some(2) && said.contains("1 could not be asked about"), "{said}");
    bench.ok("mkfifo rel/sub/b");
    assert_eq!(ended(&bench, "timeout 20 hasten verify key --manifest rel/SUMS").0, Some(2));
    bench.ok("rm rel/sub/b; mv b rel/sub/b");
    // If the list has no good signature, none of its content is trusted.
    let (status, said) = ended(
        &bench,
        "sed 's/sub/bus/' rel/SUMS > rel/FORGED; hasten verify key --manifest rel/FORGED rel/SUMS.sig",
    );
    assert!(status == Some(1) && !said.contains("rel/a"), "{said}");
    for list in ["../a", "/etc/passwd"] {
        let line = format!("{}  {list}\n", "0".repeat(64));
        fs::write(bench.path("rel/OUT"), line).unwrap();
        let said =
            bench.fails("hasten sign key rel/OUT --force; hasten verify key --manifest rel/OUT");
        assert!(said.contains("outside of the folder"), "{said}");
    }
    let said = bench.fails(
        "echo text > rel/TEXT; hasten sign key rel/TEXT; hasten verify key --manifest rel/TEXT",
    );
    assert!(said.contains("line 1") && said.contains("sha256sum"), "{said}");
}

#[test]
fn a_list_that_is_refused_takes_no_index() {
    let bench = Bench::new();
    bench.ok(
        "hasten keygen --alg LMS_SHA256_M24_H5_W8 -k key --guard g; mkdir rel up; echo a > rel/a",
    );
    for script in [
        "hasten sign key --manifest rel/SUMS up",
        "hasten sign key --manifest rel/SUMS rel absent",
        "hasten sign key --manifest up/SUMS rel",
        "hasten sign key --manifest - rel",
        "echo m | hasten sign key --manifest rel/SUMS -",
        "hasten sign key --manifest rel/SUMS",
        "echo old > rel/SUMS; hasten sign key --manifest rel/SUMS rel",
        "touch rel/SUMS.sig; hasten sign key --manifest rel/SUMS rel --force < /dev/null; rm rel/SUMS*; mkfifo rel/SUMS.sig; hasten sign key --manifest rel/SUMS rel",
    ] {
        bench.fails(script);
    }
    bench.ok("rm rel/SUMS*");
    let said = bench.ok("hasten status key");
    assert!(said.contains("31"), "one index was used, by --force: {said}");
    // A list without its signature, as left by Ctrl-C, does not block the next signature.
    bench.ok("hasten sign key --manifest rel/SUMS rel; rm rel/SUMS.sig; hasten sign key --manifest rel/SUMS rel");
}

/// A terminal shows the progress of reading a file that takes longer than a second.
#[test]
fn a_slow_file_shows_a_bar() {
    let bench = Bench::new();
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k key --guard g; hasten keygen --alg SLH-DSA-SHA2-128f --out slh; seq 30 > whole
        hasten sign key whole --out s; hasten sign slh.key whole --out t");
    let slowly = "mkfifo $0.pipe; (for n in $(seq 30); do echo $n; sleep 0.05; done > $0.pipe) &";
    let shown = &|(name, command): (&str, &str)| {
        let pty = r#"import pty, sys; sys.exit(pty.spawn(["sh", "-c", sys.argv[1]]) >> 8)"#;
        let said =
            // A dumb terminal, or one without a name, gets no progress bar.
            bench.ok(&format!("{slowly} TERM=xterm python3 -c '{pty}' '{command}'").replace("$0", name));
        assert!(said.contains(&format!("reading {name}.pipe")), "{command}: {said:?}");
    };
    std::thread::scope(|threads| {
        for case in [
            ("a", "hasten sign key a.pipe --out o"),
            ("b", "hasten verify key b.pipe s"),
            ("c", "hasten sign slh.key c.pipe --out p"),
            ("d", "hasten verify slh.pub d.pipe t"),
        ] {
            threads.spawn(move || shown(case));
        }
        let quiet = bench.ok(&format!("{slowly} hasten verify key $0.pipe s").replace("$0", "e"));
        assert!(!quiet.contains("reading"), "{quiet}");
    });
}
