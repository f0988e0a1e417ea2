//! The register of imports is in one place. If it is not accessible, nothing is imported. A file
//! that was imported once is not imported again under another guard.

mod bench;

use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown};
use std::path::Path;
use std::process::Output;

use bench::{Bench, both};

/// Environments in which the user's state directory cannot be created.
const NOWHERE: [&str; 8] = [
    "-u HOME",
    "HOME=",
    "HOME=/nonexistent",
    "HOME=home",
    "HOME=$PWD/file",
    "HOME=$PWD/empty/none",
    "HOME=/nonexistent XDG_STATE_HOME=/nonexistent/.local/state",
    "-u HOME XDG_STATE_HOME=state",
];

/// Returns a place with a shard's file, a copy of it, and a key of another program.
fn place() -> Bench {
    let bench = Bench::new();
    bench.ok("printf a > A; printf b > B; mkdir g1 g2 empty; touch file");
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k key --guard key.guard");
    bench.ok("hasten export-shard -k key --count 8 --out s1; cp s1 s2");
    let theirs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/lms/hash-sigs/one");
    bench.ok(&format!("cp {theirs}.prv one.prv; cp {theirs}.pub one.pub"));
    bench
}

/// Returns both import commands. The first imports the shard in `file`.
fn imports(file: &str, to: &str, guard: &str) -> [String; 2] {
    [
        format!("hasten import-shard {file} --store {to} --guard {guard}/x"),
        format!(
            "hasten import one.prv -p one.pub --burned-through 11 --store {to} --guard {guard}/x"
        ),
    ]
}

/// Runs a command in an environment changed by `env`.
fn within(bench: &Bench, env: &str, command: &str) -> Output {
    bench.run(&format!("unset XDG_STATE_HOME; env {env} {command}"))
}

fn files(bench: &Bench) -> String {
    bench.ok("find . | sort")
}

/// Checks that both commands are refused with these words and change nothing.
fn refused(bench: &Bench, env: &str, options: &str, words: &str) {
    let before = files(bench);
    for command in imports("s1", "a", "g1") {
        let done = within(bench, env, &format!("{command} {options}"));
        let said = both(&done);
        assert_eq!(done.status.code(), Some(2), "{env}: {command}: {said}");
        assert!(said.contains(words) && said.contains("--register DIR"), "{env}: {said}");
        assert_eq!(files(bench), before, "{env}: {command}");
    }
}

#[test]
fn without_a_state_directory_nothing_is_imported() {
    let bench = place();
    for env in NOWHERE {
        refused(&bench, env, "", "register of imports");
    }
    assert!(!Path::new("/nonexistent").exists(), "root made it");
}

/// Two imports of one file under two guards once signed two messages with one index.
#[test]
fn a_register_that_is_named_knows_what_came() {
    for which in 0..2 {
        let bench = place();
        let named = "--register imports";
        let first = &imports("s1", "a", "g1")[which];
        let done = within(&bench, "-u HOME", &format!("{first} {named}"));
        assert!(done.status.success(), "{}", both(&done));
        let second = &imports("s2", "b", "g2")[which];
        for (env, named) in [("-u HOME", named), ("HOME=$PWD", "--register ./empty/../imports")] {
            let done = within(&bench, env, &format!("{second} {named}"));
            let said = both(&done);
            assert_eq!(done.status.code(), Some(2), "{said}");
            assert!(said.contains("imported before"), "{said}");
        }
        bench.ok("hasten sign -k a A");
        assert!(!bench.path("b").join("public.pem").exists());
    }
}

/// A relative XDG_STATE_HOME would mean another register in every working directory.
#[test]
fn a_relative_state_directory_is_ignored() {
    let bench = place();
    bench.ok("mkdir home other");
    let first = &imports("s1", "a", "g1")[0];
    let done = within(&bench, "HOME=$PWD/home XDG_STATE_HOME=state", first);
    assert!(done.status.success(), "{}", both(&done));
    assert!(bench.path("home/.local/state/hasten/imports").is_dir());
    assert!(!bench.path("state").exists());
    let again = "sh -c 'cd other && hasten import-shard ../s2 --store b --guard ../g2/x'";
    let said = both(&within(&bench, "HOME=$PWD/home XDG_STATE_HOME=state", again));
    assert!(said.contains("imported before"), "{said}");
}

#[test]
fn a_folder_that_others_may_write_to_holds_no_register() {
    let bench = place();
    bench.ok("mkdir -p home/.local/state/hasten/imports");
    let words = "is no folder of this user alone";
    for folder in ["home/.local/state/hasten", "home/.local/state/hasten/imports"] {
        let path = bench.path(folder);
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o777)).unwrap();
        refused(&bench, "HOME=$PWD/home", "", words);
        refused(&bench, "-u HOME", &format!("--register {folder}"), words);
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o700)).unwrap();
        // Owned by another user, as 'sudo' leaves it. Only root can create this here.
        if chown(&path, Some(65_534), None).is_ok() {
            refused(&bench, "HOME=$PWD/home", "", words);
            chown(&path, Some(0), None).unwrap();
        }
    }
    refused(&bench, "-u HOME", "--register file", words);
    refused(&bench, "-u HOME", "--register key", "is the directory of a key");
    refused(&bench, "-u HOME", "--register a", "is the directory of a key");
    refused(&bench, "-u HOME", "--register none/imports", "none");
}

#[test]
fn a_register_in_memory_is_remarked_upon() {
    let Ok(place_in_memory) = tempfile::tempdir_in("/dev/shm") else { return };
    let bench = place();
    let home = place_in_memory.path().join("home");
    std::fs::DirBuilder::new().mode(0o700).create(&home).unwrap();
    for command in imports("s1", "a", "g1") {
        let done = within(&bench, &format!("HOME={}", home.display()), &command);
        let said = both(&done);
        assert!(done.status.success(), "{said}");
        assert!(said.contains("the register of imports lies in memory"), "{said}");
        bench.ok("rm -r a g1/x");
    }
}
