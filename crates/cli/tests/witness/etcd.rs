//! `--witness` with a real etcd: of a machine and its clone, only one can continue. Needs etcd;
//! `./test etcd` runs it.

use crate::ports::free_port;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Etcd(Child);

impl Drop for Etcd {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn url() -> String {
    format!("http://127.0.0.1:{}", free_port())
}

fn start(data: &Path) -> (Etcd, String) {
    let (client, peer) = (url(), url());
    let mut run = Command::new("etcd");
    run.arg("--data-dir").arg(data).args(["--listen-client-urls", &client]);
    run.args(["--advertise-client-urls", &client, "--listen-peer-urls", &peer]);
    run.args(["--initial-advertise-peer-urls", &peer, "--initial-cluster"]);
    run.arg(format!("default={peer}")).stdout(Stdio::null()).stderr(Stdio::null());
    let etcd = Etcd(run.spawn().expect("etcd is installed (Debian: etcd-server)"));
    let end = Instant::now() + Duration::from_secs(30);
    while std::net::TcpStream::connect(client.trim_start_matches("http://")).is_err() {
        assert!(Instant::now() < end, "etcd does not serve");
        std::thread::sleep(Duration::from_millis(50));
    }
    (etcd, client)
}

fn hasten(place: &Path, arguments: &[&str]) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_hasten"));
    run.current_dir(place).args(arguments).stdin(Stdio::null()).output().expect("hasten runs")
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn of_a_machine_and_its_clone_one_goes_on() {
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path();
    let (_etcd, client) = start(&place.join("etcd"));
    let witness = format!("--witness=fw@{client}");
    std::fs::write(place.join("message"), "firmware").expect("written");
    let made =
        ["keygen", "--alg", "XMSS-SHA2_10_256", "--store", "key", "--guard", "guard", &witness];
    assert_eq!(hasten(place, &made).status.code(), Some(0));
    for (from, to) in [("key", "clone"), ("guard", "clone.guard")] {
        let copied = Command::new("cp").arg("-r").args([from, to]).current_dir(place).status();
        assert!(copied.expect("cp runs").success());
    }
    let sign = ["sign", "-k", "key", "message", "--out", "1.sig", &witness];
    assert_eq!(hasten(place, &sign).status.code(), Some(0));
    let clone =
        ["sign", "-k", "clone", "--guard", "clone.guard", "message", "--out", "2.sig", &witness];
    let refused = hasten(place, &clone);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("REFUSED") && said.contains("witness"), "{said}");
    assert!(!place.join("2.sig").exists());
    let alone = hasten(place, &["sign", "-k", "key", "message", "--out", "3.sig"]);
    assert_eq!(alone.status.code(), Some(2), "a key with a witness is not used without");
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_shard_is_watched_as_its_parent_is() {
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path();
    let (_etcd, client) = start(&place.join("etcd"));
    let witness = format!("--witness=fw@{client}");
    std::fs::write(place.join("message"), "firmware").expect("written");
    let made =
        ["keygen", "--alg", "XMSS-SHA2_10_256", "--store", "key", "--guard", "guard", &witness];
    assert_eq!(hasten(place, &made).status.code(), Some(0));
    let shard = ["shard", "-k", "key", "--count", "24", "--out", "shard", "--out-guard", "g2"];
    let given = hasten(place, &[&shard[..], &[&witness]].concat());
    let said = String::from_utf8_lossy(&given.stdout).into_owned();
    let own = format!("fw-1000@{client}");
    assert!(said.contains(&format!("witness    {own}")), "{said}");
    let sign = ["sign", "-k", "shard", "message", "--out", "1.sig"];
    assert_eq!(hasten(place, &sign).status.code(), Some(2), "not without its witness");
    let with_parents = hasten(place, &[&sign[..], &[&witness]].concat());
    assert_eq!(with_parents.status.code(), Some(2), "nor with its parent's");
    let own = format!("--witness={own}");
    assert_eq!(hasten(place, &[&sign[..], &[&own]].concat()).status.code(), Some(0));
    let named = format!("--out-witness=other@{client}");
    let shard = ["shard", "-k", "key", "--count", "24", "--out", "third", "--out-guard", "g3"];
    let given = hasten(place, &[&shard[..], &[&witness, &named]].concat());
    let said = String::from_utf8_lossy(&given.stdout).into_owned();
    assert!(said.contains(&format!("witness    other@{client}")), "{said}");
}
