//! Where a key and its guard lie, through the real command: copies, paths, file systems.

mod bench;

use bench::Bench;

/// `sign --guard RELATIVE` once, then a copy of the whole place: both would take the same leaf if
/// each found a guard beside itself.
#[test]
fn a_relative_guard_still_guards_against_a_copy() {
    let bench = Bench::new();
    bench.ok("mkdir p; cd p; echo A > A; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard fw.guard");
    bench.ok("cd p; mv fw.guard g; hasten sign -k fw --guard g A");
    bench.ok("cp -r p copy; cd p; hasten sign -k fw A --out 1.sig");
    let refused = bench.fails("cd copy; hasten sign -k fw A --out 1.sig");
    assert!(refused.contains("old copy"), "{refused}");
    assert!(!bench.path("copy/1.sig").exists());
}

#[test]
fn a_relative_guard_that_was_kept_is_refused_until_it_is_named() {
    let bench = Bench::new();
    bench.ok("echo A > A; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g");
    bench.ok("printf 'g\\nalone\\n' > fw/config");
    for command in ["sign -k fw A", "status -k fw", "retire -k fw --yes"] {
        let refused = bench.fails(&format!("hasten {command}"));
        assert!(refused.contains("relative path") && refused.contains("--guard"), "{refused}");
    }
    bench.ok("hasten sign -k fw A --guard g && hasten sign -k fw A --out 2.sig");
}

/// Through a symbolic link the path that is kept is the file's own.
#[test]
fn the_guard_is_kept_without_symbolic_links() {
    let bench = Bench::new();
    bench.ok("echo A > A; mkdir real; ln -s real link");
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard link/g");
    bench.ok("rm link; hasten sign -k fw A");
}

#[test]
fn a_config_of_another_key_or_a_damaged_one_is_refused_by_name() {
    let bench = Bench::new();
    bench.ok("echo A > A; for k in a b; do hasten keygen --alg LMS_SHA256_M24_H5_W8 -k $k --guard $k.g; done");
    bench.ok("cp a/config kept; cp b/config a/config");
    let refused = bench.fails("hasten sign -k a A");
    assert!(refused.contains("a/config is damaged, or belongs to another key"), "{refused}");
    for change in
        ["s/alone/witness/", "s/a.g/b.g/", "s/^digest .*/digest 00/", "s/config 2/config 3/"]
    {
        bench.ok(&format!("sed '{change}' kept > a/config"));
        bench.fails("hasten sign -k a A");
        bench.fails("hasten status -k a");
    }
    bench.ok("cp kept a/config; hasten sign -k a A");
}

/// A store made before the file had a version.
#[test]
fn the_first_form_of_the_config_is_read_and_replaced() {
    let bench = Bench::new();
    bench.ok("echo A > A; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g");
    bench.ok("printf '%s/g\nalone\n' $PWD > fw/config; hasten status -k fw; cp fw/config old");
    assert!(bench.ok("cmp old fw/config; hasten sign -k fw A").contains("index      0"));
    let config = std::fs::read_to_string(bench.path("fw/config")).unwrap();
    assert!(
        config.starts_with("hasten-config 2\nguard /") && config.contains("\ndigest "),
        "{config}"
    );
}

/// Secret, nodes and public key of A beside the state of B: they would sign with B's indices.
#[test]
fn a_secret_of_another_key_signs_nothing() {
    let bench = Bench::new();
    bench.ok("echo M > M; for k in a b; do hasten keygen --alg LMS_SHA256_M24_H5_W8 -k $k --guard $k.g; done");
    bench.ok("hasten sign -k a M --out first.sig; cp a/secret a/cache a/public.pem b/");
    let refused = bench.fails("hasten sign -k b M --out second.sig");
    assert!(refused.contains("'secret' belongs to another key"), "{refused}");
    assert!(!bench.path("second.sig").exists());
    bench.ok("hasten sign -k a M --out third.sig");
}

const KEYGEN: &str = "hasten keygen --alg LMS_SHA256_M24_H5_W8";

/// `--guard FILE` of any file: another key's log, a damaged guard, notes.
#[test]
fn keygen_writes_over_no_file_that_is_named_as_its_guard() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k a --guard a.g; {KEYGEN} -k b --guard b.g; seq 3000 > notes"));
    bench.ok("echo short > short; cp b.g damaged; printf x | dd of=damaged bs=1 seek=50 conv=notrunc 2> /dev/null");
    bench.ok("printf x | dd of=damaged bs=1 seek=4150 conv=notrunc 2> /dev/null; mkfifo pipe; ln -s notes link");
    for guard in [
        "notes",
        "short",
        "a/log.0",
        "a/secret",
        "a.g",
        "damaged",
        "pipe",
        "link",
        "/dev/null",
        ".",
    ] {
        bench.ok(&format!("cp -a {guard} before 2> /dev/null; true"));
        let refused = bench.fails(&format!("timeout 9 {KEYGEN} -k new --guard {guard}"));
        let name = guard.trim_start_matches('/').rsplit('/').next().unwrap();
        assert!(refused.contains(name) || refused.contains("names no file"), "{guard}: {refused}");
        assert!(!bench.path("new").exists(), "{guard}");
        if bench.path(guard).is_file() && guard != "link" {
            bench.ok(&format!("cmp {guard} before"));
        }
        bench.ok("rm -rf before");
    }
    bench.ok(
        "echo m > m; hasten sign -k a m && hasten sign -k b m --force && seq 3000 | cmp - notes",
    );
}
