//! A worker process: waits for the key, reserves, uses and records indices, and repeats this until
//! it is killed.

use hasten_store::Options;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts a worker on a key.
pub fn start(key: &Path) -> Child {
    let mut run = Command::new(std::env::current_exe().expect("this program"));
    run.arg("--worker").arg(key);
    run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process")
}

/// Uses indices without end. Each index is written to a file of this process before it is recorded
/// in the store.
pub fn work(dir: &Path) {
    let out = dir.with_file_name(format!("{}.used", std::process::id()));
    let mut out = std::fs::File::options().append(true).create(true).open(out).expect("a file");
    for round in 0_u64.. {
        let Ok(mut store) = Options::new().wait(Duration::from_secs(60)).open(dir) else { return };
        for _ in 0..2 {
            let Ok(interval) = store.reserve(1 + round % 5) else { return };
            for permit in interval {
                permit.check().expect("good");
                writeln!(out, "{}", permit.index()).expect("written");
                if permit.index() % 7 != 0 {
                    permit.record().expect("recorded");
                }
            }
        }
        if round % 3 == 0 {
            drop(store.close());
        }
    }
}
