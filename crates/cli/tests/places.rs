//! The locations of a key and its guard, with the real command: copies, paths, file systems.

mod bench;

use bench::Bench;

/// `sign --guard RELATIVE` once, then a copy of the whole directory: both would use the same leaf
/// if each found a guard next to itself.
#[test]
fn a_relative_guard_still_guards_against_a_copy() {
    let bench = Bench::new();
    bench.ok("mkdir p; cd p; echo A > A; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard fw.guard");
    bench.ok("cd p; mv fw.guard g; hasten moved -k fw --guard g --yes; hasten sign -k fw A");
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

/// If the guard is given through a symbolic link, the stored path is that of the file itself.
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

/// Secret, nodes and public key of A with the state of B: they would sign with B's indices.
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

/// `--guard FILE` with other files: another key's log, a damaged guard, notes.
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

/// A key already bound to its public key is not created again because its secret is missing.
#[test]
fn what_is_left_of_a_whole_key_is_not_begun_anew() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k fw; cp -a fw whole"));
    let indices = "log.0 log.1 lock audit config";
    bench.ok(&format!("mkdir -m 700 bare; for f in {indices}; do cp -a fw/$f bare; done"));
    // Already bound to its public key: this is the rest of a complete key, and is not created
    // again.
    bench.ok("rm -r fw; mv bare fw");
    let refused = bench.fails(&format!("{KEYGEN} -k fw"));
    assert!(refused.contains("exists"), "{refused}");
    bench.ok("rm -r fw; mv whole fw; echo m > m; hasten moved -k fw --yes; hasten sign -k fw m");
}

/// Directories left by a key generation, or made by somebody else.
#[test]
fn a_directory_that_others_may_use_is_not_built_in() {
    let bench = Bench::new();
    bench.ok("mkdir -m 777 fw.partial");
    let refused = bench.fails(&format!("{KEYGEN} -k fw --guard g"));
    assert!(refused.contains("fw.partial") && refused.contains("somebody else"), "{refused}");
    bench.ok("chmod 700 fw.partial");
    if bench.run("chown 12345 fw.partial").status.success() {
        bench.fails(&format!("{KEYGEN} -k fw --guard g"));
        bench.ok("chown $(id -u) fw.partial");
    }
    bench.ok(&format!("{KEYGEN} -k fw --guard g"));
}

#[test]
fn the_threshold_is_met_whatever_a_reservation_takes() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k fw --guard g --reserve 4; echo m > m"));
    for _ in 0..8 {
        bench.ok("hasten sign -k fw m --force");
    }
    let refused = bench.fails("hasten sign -k fw m --force");
    assert!(refused.contains("2 indices left, threshold 2"), "{refused}");
    bench.ok("hasten sign -k fw m --force --ack-exhaustion");
}

#[test]
fn a_retired_key_may_have_its_secret_destroyed_later() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k fw --guard g; hasten retire -k fw --yes"));
    bench.fails("hasten retire -k fw --yes");
    bench.ok("hasten retire -k fw --yes --destroy-secret");
    assert!(!bench.path("fw/secret").exists());
}

/// `rm -r KEY; keygen -k KEY`, and two keys whose paths once led to the same name.
#[test]
fn the_guard_that_stands_in_the_way_is_named() {
    let bench = Bench::new();
    bench.ok(&format!("mkdir x; {KEYGEN} -k x/y; {KEYGEN} -k x%y"));
    let long = "n".repeat(200);
    bench.ok(&format!("mkdir -p {long}/{long}; {KEYGEN} -k {long}/{long}/fw; rm -r x/y"));
    let refused = bench.fails(&format!("{KEYGEN} -k x/y"));
    let guard =
        refused.split_whitespace().find(|word| word.ends_with(".guard")).unwrap().to_owned();
    assert!(refused.contains("guards another key, or one that was removed"), "{refused}");
    bench.ok(&format!("rm {guard}; {KEYGEN} -k x/y; echo m > m; hasten sign -k x/y m"));
}

#[test]
fn a_refusal_names_the_guard_that_was_looked_for() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k fw --guard g; mv g h; echo m > m"));
    let guard = bench.path("g");
    for command in ["sign -k fw m", "status -k fw"] {
        let refused = bench.fails(&format!("hasten {command}"));
        assert!(refused.contains(&format!("looked for is {}", guard.display())), "{refused}");
        assert!(!refused.contains("expected"), "{refused}");
    }
    let named = bench.fails("hasten sign -k fw m --guard elsewhere");
    assert!(named.contains("elsewhere"), "{named}");
    // A refused key can still be retired safely.
    bench.ok("hasten retire -k fw --yes");
}

#[test]
fn a_secret_that_others_may_read_signs_nothing() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k fw --guard g; echo m > m; chmod 640 fw/secret"));
    let refused = bench.fails("hasten sign -k fw m");
    assert!(
        refused.contains("fw/secret has mode 640") && refused.contains("chmod 600"),
        "{refused}"
    );
    bench.ok("chmod 600 fw/secret; chmod 775 fw");
    let refused = bench.fails("hasten sign -k fw m");
    assert!(refused.contains("fw has mode 775") && refused.contains("chmod go-w"), "{refused}");
    bench.ok("chmod 755 fw; ln -s fw link; hasten sign -k link m");
}

#[test]
fn a_machine_identity_binds_a_key() {
    let bench = Bench::new();
    bench.ok(&format!("echo one > id; echo m > m; {KEYGEN} -k fw --guard g --machine-id-file id"));
    bench.ok("hasten sign -k fw m --machine-id-file id");
    let refused = bench.fails("hasten sign -k fw m --force");
    assert!(refused.contains("--machine-id-file"), "{refused}");
    let refused = bench.fails("echo two > id; hasten sign -k fw m --force --machine-id-file id");
    assert!(refused.contains("clone"), "{refused}");
    // These files are neither waited for nor read without limit, and no override lifts the refusal.
    bench.ok("mkfifo pipe; : > empty; head -c 5000 /dev/zero > long");
    for file in ["pipe", "/dev/zero", "empty", "long", "absent"] {
        for command in ["sign -k fw m --force", "recover -k fw --index 9 --burn 4 --yes"] {
            let line = format!("timeout 20 hasten {command} --machine-id-file {file}");
            let refused = bench.fails(&line);
            assert!(refused.contains("identity cannot be read"), "{file}: {refused}");
        }
    }
}

/// Auditors without write permission, and a store on a read-only mount.
#[test]
fn who_may_only_read_is_not_asked_for_more() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k fw --guard g; echo m > m; hasten sign -k fw m"));
    let look = "hasten status -k fw; hasten inspect fw; hasten verify -p fw m m.sig";
    let read_only = "mount --bind . . && cd . && mount -o remount,ro,bind .";
    if bench.run(&format!("unshare -m sh -c '{read_only}'")).status.success() {
        let script = format!("{read_only}; cd \"$PWD\"; {look}; hasten sign -k fw m --force");
        let said = bench.run(&format!("unshare -m sh -c '{script}'"));
        let said = bench::both(&said);
        assert!(said.contains("remaining  31") && said.contains("good  "), "{said}");
        assert!(said.contains("Read-only file system"), "{said}");
        for wrong in ["hasten keygen", "burn ", "recover", "not a store", "none here"] {
            assert!(!said.contains(wrong), "{wrong}: {said}");
        }
    } else {
        hasten_report::skipped("read-only mount", "no mounts are allowed here", "run it as root");
    }
}

/// The files are sparse, so that they use no disk space. With 1 GiB of address space, reading them
/// cannot succeed.
#[test]
fn a_file_of_a_key_that_has_a_terabyte_is_refused_by_name_and_takes_no_memory() {
    let bench = Bench::new();
    bench.ok("echo A > A; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g");
    for file in ["secret", "cache", "growth", "leaves", "public.pem"] {
        bench.ok(&format!("cp -p fw/{file} kept 2> /dev/null; truncate -s 1T fw/{file}"));
        let refused = bench.fails("ulimit -v 1048576; hasten sign -k fw --guard g A");
        let named = format!("fw/{file} has 1099511627776 bytes");
        assert!(refused.contains(&named), "{file}: {refused}");
        bench.ok(&format!("rm fw/{file}; mv kept fw/{file} || true"));
    }
    bench.ok("hasten sign -k fw A");
}

/// The directory of a shard is created before any index is given away.
#[test]
fn a_shard_that_cannot_be_made_costs_nothing() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k fw --guard g; mkdir taken; touch taken/file file"));
    for out in ["unmounted/shard", "taken", "file", "fw"] {
        let refused = bench.fails(&format!("hasten shard -k fw --count 8 --out {out}"));
        assert!(refused.contains(&format!("{out}:")), "{refused}");
        assert!(!refused.contains("fw/"), "the parent has no fault: {refused}");
    }
    let status = bench.ok("hasten status -k fw --json");
    assert!(status.contains("\"given\": 0,"), "{status}");
    bench.ok("hasten shard -k fw --count 8 --out shard; echo m > m; hasten sign -k shard m");
    assert!(!bench.path("fw/grant").exists(), "nothing is left to be finished");
}

/// A secret that is already gone counts as destroyed.
#[test]
fn a_secret_is_destroyed_as_often_as_it_is_asked_for() {
    let bench = Bench::new();
    bench.ok(&format!("{KEYGEN} -k fw --guard g"));
    for _ in 0..2 {
        bench.ok("hasten retire -k fw --destroy-secret --yes");
        assert!(!bench.path("fw/secret").exists());
    }
}
