//! `kill -9` in a loop over the real `hasten sign`, from several processes at once, on a real file
//! system. Every signature made is collected, and no index may occur twice.
//!
//! The short form runs with the other tests. The long form, whose result is published:
//!
//! ```sh
//! HASTEN_KILLS=10000 HASTEN_RESULT=results/state-kills.json cargo test -p hasten-cli --test kills
//! ```
//!
//! `HASTEN_BIN` names another build of the tool.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hasten_kernels::Kernels;
use hasten_keys::{stateful::read_public_of, verify::verify};
use hasten_report::{Machine, Origin, Report, test_command};
use hasten_store::{Options, Status};

const WORKERS: u64 = 3;
const MESSAGE: &[u8] = b"firmware";

/// Counts and signatures of the run.
#[derive(Default)]
struct Tally {
    killed: u64,
    ended: u64,
    signatures: BTreeMap<u64, PathBuf>,
    twice: Vec<u64>,
}

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn with_key(alg: &str) -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        fs::write(place.path("m"), MESSAGE).unwrap();
        let mut keygen =
            place.hasten(&["keygen", "--alg", alg, "--store", "key", "--guard", "guard"]);
        assert!(keygen.status().unwrap().success());
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn hasten(&self, arguments: &[&str]) -> Command {
        let built = || env!("CARGO_BIN_EXE_hasten").into();
        let mut command = Command::new(std::env::var_os("HASTEN_BIN").unwrap_or_else(built));
        command.args(arguments).current_dir(self.dir.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn sign(&self, out: &str) -> Child {
        self.hasten(&["sign", "-k", "key", "m", "--out", out, "--wait", "300s"]).spawn().unwrap()
    }

    fn status(&self) -> Status {
        Options::new().guard(self.path("guard")).peek(self.path("key")).unwrap()
    }
}

/// Starts a signature, kills it after `pause` unless it has ended, and keeps the result.
fn one(place: &Place, number: u64, pause: Duration, tally: &Mutex<Tally>) {
    let name = format!("{number}.sig");
    let mut child = place.sign(&name);
    std::thread::sleep(pause);
    let ended = child.try_wait().unwrap().is_some();
    if !ended {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut tally = tally.lock().unwrap();
    *(if ended { &mut tally.ended } else { &mut tally.killed }) += 1;
    let path = place.path(&name);
    if let Ok(signature) = fs::read(&path) {
        let index = u32::from_be_bytes(signature[..4].try_into().unwrap()).into();
        if tally.signatures.insert(index, path).is_some() {
            tally.twice.push(index);
        }
    }
}

fn storm(place: &Place, kills: u64) -> Tally {
    let begun = Instant::now();
    assert!(place.sign("first.sig").wait().unwrap().success());
    let alone = begun.elapsed();
    let (tally, started) = (Mutex::new(Tally::default()), AtomicU64::new(0));
    let spread = (2 * WORKERS * alone.as_micros() as u64).max(1);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while tally.lock().unwrap().killed < kills {
                    let number = started.fetch_add(1, Ordering::Relaxed);
                    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                    one(place, number, Duration::from_micros(mixed % spread), &tally);
                }
            });
        }
    });
    tally.into_inner().unwrap()
}

fn check(place: &Place, tally: &Tally) -> Status {
    assert!(tally.twice.is_empty(), "indices used twice: {:?}", tally.twice);
    let public = read_public_of(&place.path("key")).unwrap();
    for path in tally.signatures.values() {
        let signature = fs::read(path).unwrap();
        assert_eq!(verify(&public, &mut &MESSAGE[..], &signature, Kernels::best()), Ok(()));
    }
    // One more signature succeeds. It also settles the account of the last kill.
    assert!(place.sign("last.sig").wait().unwrap().success());
    let status = place.status();
    assert_eq!(status.used + status.lost + status.remaining, status.capacity, "{status:?}");
    assert_eq!(status.next, status.used + status.lost, "every index that is gone is accounted for");
    assert!(status.refused.is_none());
    status
}

fn publish(path: &Path, tally: &Tally, status: &Status, seconds: f64) {
    let test = "cargo test -p hasten-cli --test kills";
    let command = test_command(&["HASTEN_KILLS", "HASTEN_RESULT"], test);
    let row = serde_json::json!({
        "kills": tally.killed, "ended": tally.ended, "processes": WORKERS, "signatures": tally.signatures.len(),
        "indices_twice": tally.twice.len(), "used": status.used, "lost": status.lost,
        "remaining": status.remaining, "capacity": status.capacity, "seconds": seconds.round(),
    });
    let (origin, machine, rows) = (Origin::checked_out(), Machine::this(), [row]);
    let report = Report::new("hasten.kills/1", command, origin, machine, &rows);
    hasten_report::write(path, &report).unwrap();
}

#[test]
fn no_index_twice_however_often_it_is_killed() {
    let kills = std::env::var("HASTEN_KILLS").map_or(60, |text| text.parse().unwrap());
    let place = Place::with_key(if kills > 300 { "XMSS-SHA2_16_256" } else { "XMSS-SHA2_10_256" });
    let begun = Instant::now();
    let tally = storm(&place, kills);
    assert!(tally.ended > 0 && !tally.signatures.is_empty(), "some must get through");
    let status = check(&place, &tally);
    if let Ok(path) = std::env::var("HASTEN_RESULT") {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        publish(&root.join(path), &tally, &status, begun.elapsed().as_secs_f64());
    }
}
