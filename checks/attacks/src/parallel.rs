//! `parallel`: many processes sign with one key at once, under its own name, hard links, a symbolic
//! link and a bind mount; while shards are given away; while caches are replaced by old ones or
//! removed; some processes are killed at random.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hasten_report::number;
use hasten_store_sim::Dice;
use serde_json::{Value, json};

use crate::ledger::Ledger;
use crate::progress::Progress;
use crate::strikes::Tally;
use crate::yard::{Setup, Yard, adds_up};

/// Lines of the shell that a process of a storm runs in one round. `$ME` is the process's number,
/// `$N` the message of the round.
type Line = &'static str;

/// A storm: its name, the preparation of its key, and the lines of its processes in turn.
struct Storm {
    name: &'static str,
    alg: &'static str,
    prepare: &'static str,
    lines: &'static [Line],
    /// One process in this many is killed. 0 means none.
    killed: u64,
}

const HSS: &str = "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)";
const THREE: &str = "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)";
const XMSS: &str = "XMSSMT-SHA2_20/4_192";
const SIGN: Line = "exec \"$HASTEN\" sign -k key $N --wait 120s";

const STORMS: &[Storm] = &[
    Storm { name: "one key", alg: HSS, prepare: "", lines: &[SIGN], killed: 0 },
    Storm { name: "one key, some killed", alg: XMSS, prepare: "", lines: &[SIGN], killed: 3 },
    Storm {
        name: "hard links and a symbolic link",
        alg: HSS,
        // The first signature creates the file of signed messages. Without it, a hard-linked copy
        // of the directory would create another one and be refused.
        prepare: "echo message first >first; $HASTEN sign -k key first; cp -al key linked; ln -s key symbolic",
        lines: &[
            SIGN,
            "exec \"$HASTEN\" sign -k linked $N --wait 120s",
            "exec \"$HASTEN\" sign -k symbolic $N --wait 120s",
        ],
        killed: 0,
    },
    Storm {
        name: "a bind mount in another namespace",
        alg: HSS,
        prepare: "mkdir bound",
        lines: &[
            SIGN,
            "exec unshare -m sh -c \"mount --bind key bound && exec \\\"$HASTEN\\\" sign -k bound $N --wait 120s\"",
        ],
        killed: 0,
    },
    Storm {
        name: "signing and giving shards",
        alg: HSS,
        prepare: "",
        lines: &[
            SIGN,
            SIGN,
            "\"$HASTEN\" shard -k key --count 2 --out s$N --out-guard s$N.guard --wait 120s &&
             exec \"$HASTEN\" sign -k s$N $N --ack-exhaustion --wait 120s",
        ],
        killed: 0,
    },
    Storm {
        name: "caches of three levels put back old or removed, some killed",
        alg: THREE,
        prepare: "cp -a key old",
        lines: &[
            SIGN,
            "for f in cache growth; do cp old/$f key/$f 2>/dev/null; done; exec \"$HASTEN\" sign -k key $N --wait 120s",
            "rm -f key/growth; exec \"$HASTEN\" sign -k key $N --wait 120s",
            "cp key/growth old/growth 2>/dev/null; exec \"$HASTEN\" sign -k key $N --wait 120s",
        ],
        killed: 6,
    },
];

/// Runs every storm.
pub fn run(setup: &Setup) -> Tally {
    let mut tally = Tally::default();
    for (at, storm) in STORMS.iter().enumerate() {
        let (row, wrong) = rage(setup, at, storm);
        tally.rows.push(row);
        tally.wrong.extend(wrong.iter().map(|text| format!("{}: {text}", storm.name)));
    }
    tally
}

fn rage(setup: &Setup, at: usize, storm: &Storm) -> (Value, Vec<String>) {
    let yard = Yard::new(setup, &format!("parallel-{at}"));
    let begun = Instant::now();
    yard.must_shell(&format!(
        "set -e; \"$HASTEN\" keygen --alg '{}' -k key --guard guard --threads 1\n{}",
        storm.alg, storm.prepare
    ));
    let processes = number("--processes", 10);
    let rounds = number("--rounds", if setup.short { 4 } else { 40 });
    let (progress, refused) = (Progress::new("parallel"), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for me in 0..processes {
            let (yard, progress, refused) = (&yard, &progress, &refused);
            scope.spawn(move || {
                let mut dice = Dice(setup.seed * 1000 + me);
                for round in 0..rounds {
                    let line = storm.lines[((me + round) % storm.lines.len() as u64) as usize];
                    let killed = storm.killed > 0 && dice.below(storm.killed) == 0;
                    let pause = killed.then(|| Duration::from_micros(dice.below(60_000)));
                    let good = act(yard, line, &format!("m{me}.{round}"), pause);
                    refused.fetch_add(u64::from(!good), Ordering::Relaxed);
                    progress.step(0);
                }
            });
        }
    });
    judge(&yard, storm, (processes * rounds, refused.into_inner()), begun)
}

/// Runs one line to its end, or kills it after `pause`.
fn act(yard: &Yard, line: Line, message: &str, pause: Option<Duration>) -> bool {
    yard.message(message);
    let mut command: Command = yard.start(std::path::Path::new("/bin/sh"));
    command.arg("-c").arg(line).env("N", message).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a shell");
    if let Some(pause) = pause {
        std::thread::sleep(pause);
        drop(child.kill());
    }
    child.wait().is_ok_and(|status| status.success()) || pause.is_some()
}

fn judge(yard: &Yard, storm: &Storm, count: (u64, u64), begun: Instant) -> (Value, Vec<String>) {
    let mut wrong = Vec::new();
    let last = yard.sign("key", "last");
    if !last.good() {
        wrong.push(format!("signs no more: {}", last.err.trim()));
    }
    let status = yard.status("key").unwrap_or_default();
    if !adds_up(&status) || !status["refused"].is_null() {
        wrong.push(format!("the account in the end: {status}"));
    }
    if storm.killed == 0 && count.1 > 0 {
        wrong.push(format!("{} of {} commands failed", count.1, count.0));
    }
    let mut ledger = Ledger::new(storm.alg, &yard.path("key/public.pem")).expect("a key");
    ledger.enter_all(yard.dir());
    wrong.append(&mut ledger.wrong);
    let twice = wrong.iter().filter(|text| text.contains("twice")).count();
    let row = json!({
        "attack": storm.name, "alg": storm.alg, "cases": count.0, "failed": count.1, "signatures": ledger.good,
        "broken_off": ledger.torn, "lost_and_counted": status["lost"], "used_twice": twice,
        "otherwise_wrong": wrong.len() - twice, "seconds": begun.elapsed().as_secs_f64().round(),
    });
    (row, wrong)
}
