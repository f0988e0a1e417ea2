//! File systems that do not keep the promises that a state needs, with the real command. The tests
//! need root and a separate mount namespace. Without these they are skipped, and the simulated file
//! systems in `crates/store-sim/tests/weak_locks.rs` must do.

mod bench;

use bench::Bench;

/// Runs `script` in a separate mount namespace. Returns `None` if mounts are not allowed.
fn mounted(bench: &Bench, needs: &str, script: &str) -> Option<String> {
    let probe = format!("unshare -m sh -c 'set -e; {needs}' > probe 2>&1");
    if !bench.run(&probe).status.success() {
        let name = format!("mounts {needs}");
        hasten_report::skipped(&name, "mounts of this kind are not allowed here", "run it as root");
        return None;
    }
    std::fs::write(bench.path("script"), script).unwrap();
    Some(bench.ok("unshare -m sh script 2>&1"))
}

const KEY: &str = "hasten keygen --alg LMS_SHA256_M24_H5_W8";

/// A key and its guard in an image: two containers start with the same files.
#[test]
fn a_key_in_a_container_image_is_refused() {
    let bench = Bench::new();
    bench.ok(&format!(
        "echo A > A; mkdir lower upper work merged; {KEY} -k lower/fw --guard lower/g"
    ));
    let mount = "mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged";
    let script = format!(
        "{mount}; hasten sign -k merged/fw A --guard merged/g; echo status $?; \
         {KEY} -k merged/new --guard g2; echo status $?; {KEY} -k new --guard merged/g3; echo status $?; \
         hasten sign -k merged/fw A --guard merged/g --shared-filesystem-accepted; hasten status -k merged/fw"
    );
    let Some(said) = mounted(&bench, mount, &script) else { return };
    assert_eq!(said.matches("lies in a container's image (overlay)").count(), 3, "{said}");
    assert_eq!(said.matches("status 2").count(), 3, "{said}");
    assert_eq!(said.matches("volume").count(), 3, "the way out is said: {said}");
    assert!(
        said.contains("the key lies on overlay, accepted") && said.contains("index      0"),
        "{said}"
    );
    assert!(!bench.path("upper/new").exists());
}

/// A register of imports in an image: every container would import the same file. An outside
/// witness does not detect this, because two imports may name two witnesses.
#[test]
fn a_register_in_a_container_image_is_refused() {
    let bench = Bench::new();
    bench.ok(&format!("mkdir lower upper work merged; {KEY} -k key --guard g"));
    bench.ok("hasten export-shard -k key --count 8 --out s");
    let mount = "mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged";
    let import = "hasten import-shard s -k in --guard g2";
    let script = format!(
        "{mount}; unset XDG_STATE_HOME; export HOME=$PWD/merged
        {import}; echo status $?; {import} --witness file:w; echo status $?
        {import} --register merged/r; echo status $?
        {import} --shared-filesystem-accepted; echo status $?"
    );
    let Some(said) = mounted(&bench, mount, &script) else { return };
    assert_eq!(said.matches("lies in a container's image (overlay)").count(), 3, "{said}");
    assert_eq!(said.matches("status 2").count(), 3, "{said}");
    assert!(said.contains("status 0"), "{said}");
}

/// Two FUSE mounts of one directory grant the lock twice. If two sessions run at once, each still
/// gets its own indices, or is refused.
#[test]
fn two_fuse_mounts_of_one_key() {
    let bench = Bench::new();
    bench.ok("echo A > A; mkdir real a b");
    let mount = "bindfs real a; bindfs real b";
    let key = "hasten keygen --alg LMS_SHA256_M24_H10_W8 -k a/fw --guard a/g";
    let script = format!(
        "{mount}
        {key}; echo status $?
        {key} --shared-filesystem-accepted; hasten status -k a/fw --guard a/g
        n=0; while [ $n -lt 20 ]; do
          n=$((n + 1))
          hasten sign -k a/fw A --guard a/g --out one.$n > log 2>&1 &
          hasten sign -k b/fw A --guard b/g --out two.$n > log2 2>&1; wait
        done
        umount a b"
    );
    let Some(said) = mounted(&bench, &format!("{mount}; umount a b"), &script) else { return };
    assert!(said.contains("shared file system (FUSE)") && said.contains("status 2"), "{said}");
    assert!(said.contains("the key lies on FUSE, accepted"), "{said}");
    let names = (1..=20).flat_map(|n| [format!("one.{n}"), format!("two.{n}")]);
    let made = names.filter_map(|name| std::fs::read(bench.path(&name)).ok());
    let indices: Vec<Vec<u8>> = made.map(|signature| signature[4..8].to_vec()).collect();
    let different: std::collections::BTreeSet<_> = indices.iter().collect();
    assert!(indices.len() >= 20, "one of two signs at least: {}", indices.len());
    assert_eq!(indices.len(), different.len(), "no index twice");
}

#[test]
fn a_guard_in_memory_is_said() {
    let bench = Bench::new();
    let mount = "mkdir -p mem; mount -t tmpfs none mem";
    let script = format!("{mount}; {KEY} -k fw --guard mem/g; hasten status -k fw");
    let Some(said) = mounted(&bench, mount, &script) else { return };
    // If TMPDIR itself is in memory, the key is too.
    let told = ["the guard lies in memory", "the key and its guard lie in memory"];
    assert_eq!(told.map(|told| said.matches(told).count()).iter().sum::<usize>(), 2, "{said}");
    assert!(said.contains("the guard lies on tmpfs"), "{said}");
}
