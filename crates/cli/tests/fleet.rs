//! Keys whose state is in etcd, with the real command and a real cluster. Needs etcd; `./test etcd`
//! runs it.
#![cfg(feature = "etcd")]

#[path = "../../store-etcd/tests/etcd/cluster.rs"]
mod cluster;

use cluster::Cluster;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

struct Place {
    cluster: Cluster,
    /// Token with which a new signer joins.
    token: String,
}

impl Place {
    /// Generates a key of a fleet, and copies its directory for each signer.
    fn new(members: usize, signers: usize) -> Place {
        let mut place = Place { cluster: Cluster::start(members), token: String::new() };
        std::fs::write(place.path().join("message"), "firmware").expect("written");
        let made = place.keygen("key");
        assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
        place.token = place.token_of("key");
        for signer in 0..signers {
            let mut copy = Command::new("cp");
            let copied = place.run(copy.args(["-r", "key", &format!("key{signer}")]));
            assert!(copied.status.success());
        }
        place
    }

    fn path(&self) -> &Path {
        self.cluster.place.path()
    }

    fn token_of(&self, key: &str) -> String {
        let said = self.hasten(&["fleet", "token", "-k", key]);
        assert_eq!(said.status.code(), Some(0), "{}", text(&said.stderr));
        text(&said.stdout).trim().to_owned()
    }

    fn fleet(&self) -> String {
        self.named("fw")
    }

    fn named(&self, name: &str) -> String {
        format!("--fleet={name}@{}", self.cluster.urls().join(","))
    }

    fn keygen(&self, dir: &str) -> Output {
        self.keygen_as(dir, "fw")
    }

    fn keygen_as(&self, dir: &str, name: &str) -> Output {
        let guard = format!("{dir}.guard");
        let fleet = self.named(name);
        self.hasten(&[
            "keygen",
            "--alg",
            "XMSS-SHA2_10_256",
            "--store",
            dir,
            "--guard",
            &guard,
            &fleet,
        ])
    }

    fn run(&self, command: &mut Command) -> Output {
        command.current_dir(self.path()).stdin(Stdio::null()).output().expect("it runs")
    }

    fn hasten(&self, arguments: &[&str]) -> Output {
        let mut hasten = Command::new(env!("CARGO_BIN_EXE_hasten"));
        self.run(hasten.env("XDG_STATE_HOME", self.path().join("state")).args(arguments))
    }

    /// Makes a signature with one signer and its own guard. Returns its path, or the error output.
    fn sign(&self, signer: usize, out: &str, more: &[&str]) -> Result<PathBuf, String> {
        let (key, guard) = (format!("key{signer}"), format!("signer{signer}"));
        let sign = ["sign", "-k", &key, "--guard", &guard, "message", "--out", out];
        let sign = [&sign[..], &["--join", &self.token]].concat();
        let done = self.hasten(&[&sign[..], more].concat());
        match done.status.code() {
            Some(0) => Ok(self.path().join(out)),
            _ => Err(text(&done.stderr)),
        }
    }

    fn status(&self, signer: usize) -> BTreeMap<String, u64> {
        let (key, guard) = (format!("key{signer}"), format!("signer{signer}"));
        let said = self.hasten(&["status", "-k", &key, "--guard", &guard, "--json"]);
        let said: serde_json::Value = serde_json::from_slice(&said.stdout).expect("JSON");
        let row = said["rows"][0].as_object().expect("a row");
        row.iter().filter_map(|(key, value)| Some((key.clone(), value.as_u64()?))).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn index(signature: &Path) -> u64 {
    let bytes = std::fs::read(signature).expect("a signature");
    u32::from_be_bytes(bytes[..4].try_into().expect("an index")).into()
}

/// Nothing listens on port 1. The address is reported, and another one can be named afterwards.
#[test]
fn key_generation_says_which_address_does_not_answer() {
    let place = tempfile::tempdir().expect("a folder");
    let keygen = |port: u16| {
        let fleet = format!("--fleet=fw@http://127.0.0.1:{port}");
        let mut hasten = Command::new(env!("CARGO_BIN_EXE_hasten"));
        hasten.current_dir(place.path()).env("XDG_STATE_HOME", place.path().join("state"));
        hasten.args(["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "--store", "key", &fleet]);
        let done = hasten.stdin(Stdio::null()).output().expect("it runs");
        (done.status.code(), text(&done.stderr))
    };
    for port in [1, 2] {
        let (status, said) = keygen(port);
        let address = format!("fw@http://127.0.0.1:{port}: etcd did not answer");
        assert!(status == Some(2) && said.contains(&address), "{said}");
    }
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn signers_in_parallel_use_no_index_twice_while_the_leader_dies() {
    const SIGNERS: usize = 4;
    let mut place = Place::new(3, SIGNERS);
    let storm = |place: &Place, round: usize| {
        let many = |signer| {
            (0..8).filter_map(move |n| {
                place.sign(signer, &format!("{round}-{signer}-{n}.sig"), &["--wait", "20s"]).ok()
            })
        };
        std::thread::scope(|scope| {
            let work =
                (0..SIGNERS).map(|signer| scope.spawn(move || many(signer).collect::<Vec<_>>()));
            let work: Vec<_> = work.collect();
            work.into_iter().flat_map(|signer| signer.join().expect("a signer")).collect::<Vec<_>>()
        })
    };
    let mut signatures = storm(&place, 0);
    assert_eq!(signatures.len(), 8 * SIGNERS, "nothing is in the way");
    place.cluster.kill_leader();
    signatures.extend(storm(&place, 1));
    let mut indices: Vec<u64> = signatures.iter().map(|path| index(path)).collect();
    indices.sort_unstable();
    let made = indices.len();
    indices.dedup();
    assert_eq!(indices.len(), made, "an index was used twice");
    for path in &signatures {
        let path = path.to_str().expect("a name");
        let good = place.hasten(&["verify", "-p", "key/public.pem", "message", path]);
        assert_eq!(good.status.code(), Some(0));
    }
    for signer in 0..SIGNERS {
        place
            .sign(signer, &format!("last{signer}"), &["--wait", "20s"])
            .expect("the rest signs on");
    }
    let status = place.status(0);
    assert_eq!(status["used"] + status["lost"], status["next"], "a loss was silent: {status:?}");
    assert!(status["used"] >= (made + SIGNERS) as u64 - status["lost"], "{status:?}");
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn every_signer_refuses_a_restored_snapshot() {
    let mut place = Place::new(1, 3);
    (0..2).for_each(|s| _ = place.sign(s, &format!("before{s}"), &[]).expect("signed"));
    let snapshot = place.cluster.snapshot();
    (0..2).for_each(|s| _ = place.sign(s, &format!("after{s}"), &[]).expect("signed"));
    place.cluster.restore(&snapshot, "other");
    for signer in [0, 1, 2, 0] {
        let refused = place.sign(signer, "refused", &[]).expect_err("refused");
        assert!(refused.contains("REFUSED"), "signer {signer}: {refused}");
    }
    assert!(!place.path().join("refused").exists());
    let status = ["status", "-k", "key0", "--guard", "signer0"];
    let said = place.hasten(&status);
    assert_eq!(said.status.code(), Some(2));
    assert!(text(&said.stderr).contains("REFUSED"));
    let recover = ["recover", "-k", "key1", "--guard", "signer1", "--yes", "--burn", "7"];
    let said = place.hasten(&recover);
    assert_eq!(said.status.code(), Some(0), "{}", text(&said.stderr));
    let burned = place.sign(1, "burned", &[]).expect("overridden");
    assert_eq!(index(&burned), 11, "behind what this signer knows, and what was burned");
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn the_directory_alone_signs_nothing() {
    let place = Place::new(1, 1);
    let said = place.hasten(&[
        "keygen",
        "--alg",
        "XMSS-SHA2_10_256",
        "--store",
        "second",
        "--guard",
        "g2",
        &place.fleet(),
    ]);
    assert!(text(&said.stderr).contains("exists already"), "another key of the same name");
    let sharded =
        place.hasten(&["shard", "-k", "key", "--count", "1", "--out", "x", "--out-guard", "xg"]);
    assert!(text(&sharded.stderr).contains("from a fleet"), "{}", text(&sharded.stderr));
    let both = place.hasten(&[
        "sign",
        "-k",
        "key",
        "message",
        "--out",
        "s",
        "--guard",
        "key.guard.signer",
    ]);
    assert_eq!(both.status.code(), Some(0), "the machine that made the key is the first signer");
    std::fs::remove_file(place.path().join("key/fleet")).expect("removed");
    let alone = place.hasten(&["sign", "-k", "key", "message", "--out", "alone"]);
    assert!(text(&alone.stderr).contains("too few indices left: 0"), "{}", text(&alone.stderr));
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn the_commands_of_a_fleet_say_what_it_is() {
    let place = Place::new(1, 0);
    let urls = place.cluster.urls().join(",");
    let status = text(&place.hasten(&["status", "-k", "key"]).stdout);
    assert!(status.contains(&format!("fleet      fw@{urls}")), "{status}");
    let inspect = text(&place.hasten(&["inspect", "key"]).stdout);
    assert!(inspect.contains(&format!("fleet                fw@{urls}")), "{inspect}");
    let several = place.hasten(&["sign", "-k", "key", "message", "key.guard"]);
    assert!(text(&several.stdout).contains("message.sig: index 0"), "{}", text(&several.stderr));
    let retired = place.hasten(&["retire", "-k", "key", "--yes", "--destroy-secret"]);
    assert!(text(&retired.stdout).contains("1,022 indices burned, 2 were used"));
    assert!(!place.path().join("key/secret").exists());
    std::thread::sleep(Duration::from_millis(10));
    let again = place.hasten(&["retire", "-k", "key", "--yes"]);
    assert!(text(&again.stderr).contains("the key was retired"));
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn idle_and_new_signers_refuse_a_cluster_restored_by_its_defaults() {
    let mut place = Place::new(1, 4);
    let sign = |place: &Place, signer, out: &str| place.sign(signer, out, &[]).map(|_| ());
    for round in 0..4 {
        (0..2).for_each(|s| sign(&place, s, &format!("{round}-{s}")).expect("signed"));
    }
    let snapshot = place.cluster.snapshot();
    (0..3).for_each(|n| sign(&place, 0, &format!("after{n}")).expect("signed"));
    place.cluster.restore(&snapshot, "fresh");
    for (signer, who) in [(1, "idle"), (2, "new"), (0, "active"), (3, "new, later")] {
        let refused = sign(&place, signer, "refused").expect_err(who);
        assert!(refused.contains("REFUSED"), "{who}: {refused}");
    }
    assert!(!place.path().join("refused").exists());
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_signer_without_a_guard_joins_with_a_token_alone() {
    let place = Place::new(1, 1);
    let alone = ["sign", "-k", "key0", "--guard", "fresh", "message", "--out", "alone"];
    let refused = place.hasten(&alone);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said.contains("REFUSED") && said.contains("fresh") && said.contains("--join"),
        "{said}"
    );
    let wrong = place.hasten(&[&alone[..], &["--join", "hf1.00"]].concat());
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong.stderr));
    assert!(!place.path().join("alone").exists());
    let joined = place.hasten(&[&alone[..], &["--join", &place.token]].concat());
    assert_eq!(joined.status.code(), Some(0), "{}", text(&joined.stderr));
}

/// A signer is identified by its guard. A command that names the guard of another signer of the
/// same key continues as that signer, one at a time.
#[test]
#[ignore = "needs etcd: ./test etcd"]
fn signers_that_swap_their_guards_use_no_index_twice_and_halt_nobody() {
    let place = Place::new(1, 2);
    (0..2).for_each(|s| _ = place.sign(s, &format!("own{s}"), &[]).expect("signed"));
    let mut indices = vec![0, 1];
    for (signer, guard) in [(0, 1), (1, 0), (0, 0), (1, 1), (0, 1), (1, 0)] {
        let (key, guard) = (format!("key{signer}"), format!("signer{guard}"));
        let out = format!("swapped{}", indices.len());
        let said = place.hasten(&["sign", "-k", &key, "--guard", &guard, "message", "--out", &out]);
        assert_eq!(said.status.code(), Some(0), "{key}, {guard}: {}", text(&said.stderr));
        indices.push(index(&place.path().join(out)));
    }
    let expected: Vec<u64> = (0..8).collect();
    assert_eq!(indices, expected);
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_key_takes_no_index_of_another_fleet() {
    let place = Place::new(1, 0);
    let made = place.keygen_as("other", "other");
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let foreign = place.named("other");
    let token = place.token_of("other");
    let sign = ["sign", "-k", "key", "--guard", "fresh", "message", "--out", "stolen", &foreign];
    for more in [&[][..], &["--join", &token], &["--join", &place.token]] {
        let refused = place.hasten(&[&sign[..], more].concat());
        assert_eq!(refused.status.code(), Some(2), "{more:?}: {}", text(&refused.stderr));
    }
    assert!(!place.path().join("stolen").exists());
    let own = ["sign", "-k", "other", "message", "--out", "own"];
    assert_eq!(place.hasten(&own).status.code(), Some(0), "the other fleet was not touched");
    assert_eq!(index(&place.path().join("own")), 0);
}

/// Returns the example program: a built one, if `HASTEN_EXAMPLES` names a folder with it.
fn example() -> Command {
    if let Some(folder) = std::env::var_os("HASTEN_EXAMPLES") {
        return Command::new(Path::new(&folder).join("fleet"));
    }
    let mut cargo = Command::new(env!("CARGO"));
    let what = ["run", "--quiet", "--locked", "-p", "hasten-store-etcd", "--example", "fleet"];
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    cargo.args(what).args(["--manifest-path", manifest, "--"]);
    cargo
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn the_example_program_signs_as_two_signers_of_a_fleet() {
    let place = Place::new(1, 2);
    let indices = [0, 1].map(|signer| {
        let mut example = example();
        let (key, guard) = (format!("key{signer}"), format!("signer{signer}"));
        let signed = place.run(example.args([&key, &guard, "message", &place.token]));
        assert!(signed.status.success(), "{}", text(&signed.stderr));
        let verified = place.hasten(&["verify", "-p", "key/public.pem", "message"]);
        assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stderr));
        index(&place.path().join("message.sig"))
    });
    assert_ne!(indices[0], indices[1]);
}
