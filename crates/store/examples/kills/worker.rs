//! One process of the pack: waits for the key, reserves, uses, records, and again, until it is killed.

use hasten_store::Options;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts a worker of our own, or the command.
pub fn start(place: &Path, keys: &[PathBuf], command: Option<&str>, serial: u64) -> Child {
    let key = &keys[serial as usize % keys.len()];
    let mut run = match command {
        Some(command) => signing(place, key, command, serial),
        None => {
            let mut run = Command::new(std::env::current_exe().expect("this program"));
            run.arg("--worker").arg(key);
            run
        }
    };
    run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process")
}

fn signing(place: &Path, key: &Path, command: &str, serial: u64) -> Command {
    let message = place.join(format!("{serial}.message"));
    std::fs::write(&message, format!("message {serial}")).expect("a message");
    let signature = place.join(format!("{serial}.signature"));
    let fill = |word: &str| match word {
        "{key}" => key.into(),
        "{message}" => message.clone(),
        "{signature}" => signature.clone(),
        other => PathBuf::from(other),
    };
    let mut words = command.split_whitespace().map(fill);
    let mut run = Command::new(words.next().expect("a command"));
    run.args(words);
    run
}

/// Uses indices without end. What is used stands in a file of this process before it is recorded.
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
