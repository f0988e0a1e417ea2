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
