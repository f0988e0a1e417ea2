//! `kill -9` of the real tool with a key for a limited number of signatures. No signature is made
//! beyond the limit, and a killed key generation can be continued. The parameter sets are small
//! ones with a limit of 4.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use hasten_kernels::Kernels;
use hasten_keys::{stateful::read_public_of, verify::verify};
use hasten_store::{Options, Status};

const MESSAGE: &[u8] = b"boot image";
/// Length of the magic word, digest and key id before the stored values.
const HEAD: usize = 8 + 32 + 16;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("m"), MESSAGE).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn hasten(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hasten"));
        command.args(arguments).current_dir(self.0.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn keygen(&self, alg: &str) -> Command {
        self.hasten(&["keygen", "--alg", alg, "--store", "key", "--guard", "guard"])
    }

    fn sign(&self, out: &str) -> Command {
        self.hasten(&["sign", "-k", "key", "m", "--out", out, "--ack-exhaustion"])
    }

    fn status(&self) -> Status {
        Options::new().guard(self.path("guard")).peek(self.path("key")).unwrap()
    }

    fn verifies(&self, signature: &Path) -> bool {
        let public = read_public_of(&self.path("key")).unwrap();
        let signature = fs::read(signature).unwrap();
        verify(&public, &mut &MESSAGE[..], &signature, Kernels::best()).is_ok()
    }
}

/// Runs a command and kills it after `pause`, unless it has ended.
fn killed(mut command: Command, pause: Duration) {
    let mut child = command.spawn().unwrap();
    std::thread::sleep(pause);
    // Fails if the command has ended already, which is fine.
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn never_more_signatures_than_the_limit_however_often_it_is_killed() {
    for round in 0..6u64 {
        let place = Place::new();
        assert!(place.keygen("TOY-SHA2-128-2").status().unwrap().success());
        let mut tried = 0;
        while place.status().next < 4 {
            let pause = (tried + 1u64).wrapping_mul(0x9e37_79b9 + round) % 40;
            killed(place.sign(&format!("{tried}.sig")), Duration::from_millis(pause));
            tried += 1;
            assert!(tried < 1000, "some must get through");
        }
        let Output { status, stderr, .. } =
            place.sign("beyond.sig").stderr(Stdio::piped()).output().unwrap();
        assert_eq!(status.code(), Some(2));
        assert!(String::from_utf8_lossy(&stderr).contains("too few indices left"));
        assert!(!place.path("beyond.sig").exists());
        let made: Vec<_> =
            (0..tried).map(|i| place.path(&format!("{i}.sig"))).filter(|p| p.exists()).collect();
        assert!(made.len() <= 4 && made.iter().all(|signature| place.verifies(signature)));
        let status = place.status();
        assert!(status.used + status.lost + status.reserved >= made.len() as u64, "{status:?}");
        assert_eq!((status.capacity, status.remaining), (4, 0), "{status:?}");
    }
}

#[test]
fn a_generation_that_was_killed_goes_on() {
    const ALG: &str = "TOY-SHA2-128-2-TALL";
    let (place, begun) = (Place::new(), Instant::now());
    // Half a minute with the portable code on one thread, a second or two with vectors.
    let slow = place.keygen(ALG).args(["--threads", "1", "--backend", "portable"]).spawn();
    let mut slow = slow.unwrap();
    while !place.path("key/progress").exists() {
        assert_eq!(slow.try_wait().unwrap(), None, "whole before it could be killed");
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing was kept");
        std::thread::sleep(Duration::from_millis(10));
    }
    slow.kill().unwrap();
    slow.wait().unwrap();
    let kept = fs::read(place.path("key/progress")).unwrap()[HEAD..].to_vec();
    assert_eq!(place.sign("none").status().unwrap().code(), Some(2), "it is not finished");
    assert!(place.keygen(ALG).status().unwrap().success());
    assert!(fs::read(place.path("key/cache")).unwrap()[HEAD..].starts_with(&kept));
    assert!(!kept.is_empty() && !place.path("key/progress").exists());
    assert!(place.sign("s").status().unwrap().success());
    assert!(place.verifies(&place.path("s")));
    assert_eq!(place.keygen(ALG).status().unwrap().code(), Some(2), "it is not made again");
}

/// Ctrl-C ends a signature. Its index is lost, and nothing else.
#[test]
fn a_signature_that_is_interrupted_loses_its_index_alone() {
    let place = Place::new();
    assert!(place.keygen("TOY-SHA2-128-2-TALL").status().unwrap().success());
    let mut slow =
        place.sign("s").args(["--backend", "portable", "--threads", "1"]).spawn().unwrap();
    while place.status().next == 0 {
        assert_eq!(slow.try_wait().unwrap(), None, "it ended first");
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = rustix::process::Pid::from_child(&slow);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(slow.wait().unwrap().code(), Some(2));
    assert!(!place.path("s").exists());
    assert!(place.sign("t").status().unwrap().success());
    let status = place.status();
    assert_eq!((status.used, status.lost, status.remaining), (1, 1, 2));
    assert!(place.verifies(&place.path("t")));
}
