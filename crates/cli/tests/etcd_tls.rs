//! etcd with TLS, client certificates and users, and gateways that are another server. Needs etcd
//! and openssl; `./test etcd` runs it.
#![cfg(feature = "etcd")]

#[path = "../../store-etcd/tests/etcd/ports.rs"]
mod ports;

use ports::free_port;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Etcd {
    child: Child,
    url: String,
}

impl Drop for Etcd {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn run(place: &Path, line: &str) {
    let mut words = line.split_whitespace();
    let mut run = Command::new(words.next().expect("a program"));
    let done = run.env("ETCDCTL_API", "3").args(words).current_dir(place).output();
    let done = done.unwrap_or_else(|error| panic!("{line}: {error}"));
    assert!(done.status.success(), "{line}: {}", text(&done.stderr));
}

/// Issues an authority, with a server and a client certificate.
fn certificates(place: &Path, authority: &str) {
    let new = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    run(
        place,
        &format!(
            "openssl req -x509 {new} -keyout {authority}.key -out {authority}.pem -subj /CN={authority} -days 9"
        ),
    );
    std::fs::write(place.join("names"), "subjectAltName=IP:127.0.0.1\n").expect("written");
    // With users, etcd's gateway accepts no client certificate that has a common name.
    for (end, subject) in [("server", "/CN=server"), ("client", "/O=signers")] {
        let name = format!("{authority}-{end}");
        let request =
            format!("openssl req {new} -keyout {name}.key -out {name}.csr -subj {subject}");
        run(place, &request);
        let issuer = format!("-CA {authority}.pem -CAkey {authority}.key -CAcreateserial");
        let ends = format!("-in {name}.csr -out {name}.pem -days 9 -extfile names");
        run(place, &format!("openssl x509 -req {issuer} {ends}"));
    }
}

/// Starts a member with `data`, certified by `authority`. It trusts clients certified by `ours`.
fn etcd(place: &Path, data: &str, authority: &str) -> Etcd {
    let (port, peer) = (free_port(), format!("http://127.0.0.1:{}", free_port()));
    let url = format!("https://127.0.0.1:{port}");
    let mut run = Command::new("etcd");
    run.current_dir(place).args(["--data-dir", data, "--log-level", "error"]);
    run.args(["--listen-client-urls", &url, "--advertise-client-urls", &url]);
    run.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
    run.args(["--initial-cluster", &format!("default={peer}"), "--force-new-cluster"]);
    run.args(["--cert-file", &format!("{authority}-server.pem")]);
    run.args(["--key-file", &format!("{authority}-server.key")]);
    run.args(["--client-cert-auth", "--trusted-ca-file", "ours.pem"]);
    let child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("etcd is installed");
    let etcd = Etcd { child, url };
    let end = Instant::now() + Duration::from_secs(30);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < end, "etcd does not serve");
        std::thread::sleep(Duration::from_millis(50));
    }
    etcd
}

struct Place {
    dir: tempfile::TempDir,
    etcd: Etcd,
}

const TLS: [&str; 6] =
    ["--etcd-ca", "ours.pem", "--etcd-cert", "ours-client.pem", "--etcd-key", "ours-client.key"];
const USER: [&str; 4] = ["--etcd-user", "signer", "--etcd-password-file", "password"];

impl Place {
    /// Starts a cluster that requires certificates, and later also a password.
    fn new() -> Place {
        let dir = tempfile::tempdir().expect("a directory");
        certificates(dir.path(), "ours");
        certificates(dir.path(), "theirs");
        for (name, text) in [("message", "firmware"), ("password", "pass-word\n"), ("wrong", "no")]
        {
            std::fs::write(dir.path().join(name), text).expect("written");
        }
        let etcd = etcd(dir.path(), "data", "ours");
        let place = Place { dir, etcd };
        for line in [
            "user add root:boss",
            "user grant-role root root",
            "user add signer:pass-word",
            "role add signs",
            "role grant-permission signs --prefix=true readwrite hasten/",
            "user grant-role signer signs",
            "auth enable",
        ] {
            place.ctl(line);
        }
        place
    }

    fn ctl(&self, line: &str) {
        let tls = "--cacert ours.pem --cert ours-client.pem --key ours-client.key";
        run(self.path(), &format!("etcdctl --endpoints {} {tls} {line}", self.etcd.url));
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn hasten(&self, arguments: &[&[&str]]) -> Output {
        let mut run = Command::new(env!("CARGO_BIN_EXE_hasten"));
        run.current_dir(self.path()).args(arguments.concat()).stdin(Stdio::null());
        run.env("XDG_STATE_HOME", self.path().join("state")).output().expect("hasten runs")
    }

    fn keygen(&self, dir: &str, more: &[&str]) -> Output {
        let guard = format!("{dir}.guard");
        let alg = ["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "-k", dir, "--guard", &guard];
        self.hasten(&[&alg, &TLS, &USER, more])
    }

    fn refused(&self, arguments: &[&[&str]]) -> String {
        let done = self.hasten(arguments);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {}", text(&done.stderr));
        text(&done.stderr)
    }
}

fn index(signature: PathBuf) -> u32 {
    let bytes = std::fs::read(signature).expect("a signature");
    u32::from_be_bytes(bytes[4..8].try_into().expect("an index"))
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_fleet_and_a_witness_behind_tls_and_a_password() {
    let place = Place::new();
    let fleet = format!("--fleet=fw@{}", place.etcd.url);
    let made = place.keygen("key", &[&fleet]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let sign = ["sign", "-k", "key", "message", "--out"];
    for n in 0..2 {
        let out = format!("{n}.sig");
        let done = place.hasten(&[&sign, &[&out], &TLS, &USER]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        assert_eq!(index(place.path().join(out)), n);
    }
    let out = ["refused.sig"];
    let no_authority = place.refused(&[&sign, &out, &USER]);
    assert!(no_authority.contains("certificate of the authority"), "{no_authority}");
    let theirs = ["--etcd-ca", "theirs.pem", TLS[2], TLS[3], TLS[4], TLS[5]];
    let foreign = [
        "--etcd-ca",
        "ours.pem",
        "--etcd-cert",
        "theirs-client.pem",
        "--etcd-key",
        "theirs-client.key",
    ];
    let wrong = ["--etcd-user", "signer", "--etcd-password-file", "wrong"];
    for (tls, user) in [
        (&theirs[..], &USER[..]),
        (&foreign, &USER),
        (&TLS[..2], &USER),
        (&TLS, &wrong),
        (&TLS, &[]),
    ] {
        let said = place.refused(&[&sign, &out, tls, user]);
        assert!(said.contains("did not answer"), "{tls:?} {user:?}: {said}");
    }
    assert!(!place.path().join("refused.sig").exists());
    let witness = format!("--witness=etcd:w@{}", place.etcd.url);
    let made = place.keygen("watched", &[&witness]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let sign = ["sign", "-k", "watched", "message", "--out", "w.sig", &witness];
    let done = place.hasten(&[&sign, &TLS, &USER]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_forked_gateway_gives_two_signers_nothing() {
    let place = Place::new();
    let fleet = format!("--fleet=fw@{}", place.etcd.url);
    assert_eq!(place.keygen("key", &[&fleet]).status.code(), Some(0));
    let token = place.hasten(&[&["fleet", "token", "-k", "key"], &TLS, &USER]);
    let token = text(&token.stdout).trim().to_owned();
    // Two servers continue from the same state, one for each signer, without a certificate of ours.
    run(place.path(), "cp -r data forked");
    run(place.path(), "cp -r data forked-again");
    let forks =
        [etcd(place.path(), "forked", "theirs"), etcd(place.path(), "forked-again", "theirs")];
    for (n, fork) in forks.iter().enumerate() {
        let (guard, out) = (format!("signer{n}"), format!("{n}.sig"));
        let there = format!("--fleet=fw@{}", fork.url);
        let sign = [
            "sign", "-k", "key", "--guard", &guard, "message", "--out", &out, "--join", &token,
            &there,
        ];
        place.refused(&[&sign, &TLS, &USER]);
        assert!(!place.path().join(&out).exists());
    }
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn plain_http_goes_to_loopback_alone() {
    let dir = tempfile::tempdir().expect("a directory");
    for way in [
        "--fleet=fw@http://10.0.0.1:2379",
        "--witness=etcd:fw@http://10.0.0.1:2379",
        "--witness=fw@http://127.0.0.1:2379,http://etcd.example:2379",
    ] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_hasten"));
        run.current_dir(dir.path()).args(["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "-k", "key"]);
        let done = run.args(["--guard", "guard", way]).output().expect("hasten runs");
        assert_eq!(done.status.code(), Some(2));
        assert!(text(&done.stderr).contains("over https only"), "{}", text(&done.stderr));
    }
}
