//! The adversary's programs. They run the built `hasten` as anybody could, and find out from the
//! signatures what it did.
//!
//! ```sh
//! cargo run --release -p hasten-attacks -- errors --tool target/release/hasten --json FILE
//! ```
//!
//! Each program examines every one-time key of every signature made, also of those broken off. It
//! exits with status 1 if one was used twice, a loss was silent, or the tool did something
//! forbidden.

mod calls;
mod copies;
mod disk;
mod errors;
mod inside;
mod killat;
mod ledger;
mod namespace;
mod parallel;
mod power;
mod progress;
mod scenario;
mod strikes;
mod trace;
mod walk;
mod weaklock;
mod yard;

use std::path::{Path, PathBuf};

use hasten_report::{Machine, argument, number};
use nix::sys::statfs::{OVERLAYFS_SUPER_MAGIC, statfs};
use strikes::Tally;
use yard::Setup;

/// A program: its name, its description, and its function.
type Program = (&'static str, &'static str, fn(&Setup) -> Tally);

const PROGRAMS: &[Program] = &[
    ("errors", "every call on a file fails in every way, in every command", errors::run),
    (
        "copies",
        "old copies, other keys' files, files changed one by one, wrong options",
        copies::run,
    ),
    ("kill-at", "killed before and after every call on a file, and again", killat::run),
    (
        "parallel",
        "many processes on one key: links, mounts, shards, stale caches, kills",
        parallel::run,
    ),
    ("power", "the power cut under a real ext4, the disk's cache lost or kept", power::run),
    (
        "weaklock",
        "two mounts of one folder that do not see each other's locks; overlays",
        weaklock::run,
    ),
];

/// Options that take a value.
const OPTIONS: [&str; 11] = [
    "--tool",
    "--seed",
    "--place",
    "--json",
    "--old",
    "--only",
    "--most",
    "--again",
    "--processes",
    "--rounds",
    "--cuts",
];
const SHORT: &str = "--short";

fn main() {
    let program = std::env::args().nth(1).and_then(|name| find(&name));
    let Some(program) = program.filter(|_| is_understood(std::env::args().skip(2))) else {
        usage();
        std::process::exit(2);
    };
    let setup = setup(program.0);
    let tally = program.2(&setup);
    report(program.0, &tally);
    if tally.wrong.is_empty() {
        drop(std::fs::remove_dir_all(&setup.place));
    } else {
        eprintln!("kept for inspection: {}", setup.place.display());
    }
    std::process::exit(i32::from(!tally.wrong.is_empty()));
}

fn find(name: &str) -> Option<&'static Program> {
    PROGRAMS.iter().find(|program| program.0 == name)
}

/// Returns false if a word is not an option of any program.
fn is_understood(mut words: impl Iterator<Item = String>) -> bool {
    while let Some(word) = words.next() {
        let known = word == SHORT || (OPTIONS.contains(&word.as_str()) && words.next().is_some());
        if !known {
            eprintln!("Not understood: {word}");
            return false;
        }
    }
    true
}

fn usage() {
    eprintln!(
        "Usage: hasten-attacks PROGRAM [--tool HASTEN] [--seed N] [--short] [--place DIR] [--json FILE]"
    );
    PROGRAMS.iter().for_each(|program| eprintln!("  {:<10} {}", program.0, program.1));
    eprintln!(
        "HASTEN is target/debug/hasten if not given. --old names a tool whose keys are to be upgraded."
    );
}

fn setup(name: &str) -> Setup {
    let tool = argument("--tool").unwrap_or_else(|| "target/debug/hasten".to_owned());
    let tool = Path::new(&tool).canonicalize().unwrap_or_else(|_| {
        eprintln!("No such tool: {tool}. Build it with 'cargo build -p hasten-cli', or name one with --tool.");
        std::process::exit(2);
    });
    let place = base().join(format!("attack-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a place to work in");
    let place = place.canonicalize().expect("just made");
    let short = std::env::args().any(|word| word == SHORT);
    Setup { tool, place, seed: number("--seed", 1), short }
}

/// Returns the directory for yards. It is never on an overlay, which the tool refuses.
fn base() -> PathBuf {
    let base = argument("--place").map_or_else(std::env::temp_dir, PathBuf::from);
    let kind = statfs(&base).map(|about| about.filesystem_type());
    if kind == Ok(OVERLAYFS_SUPER_MAGIC) { PathBuf::from("/dev/shm") } else { base }
}

fn report(name: &str, tally: &Tally) {
    for wrong in tally.wrong.iter().take(200) {
        eprintln!("WRONG: {wrong}");
    }
    let program = "cargo run --release -p hasten-attacks --";
    let schema = format!("hasten.attack-{name}/1");
    hasten_report::publish(&schema, program, Machine::this(), &tally.rows)
        .expect("the report is written");
    let cases: u64 = tally.rows.iter().filter_map(|row| row["cases"].as_u64()).sum();
    eprintln!("{name}: {cases} cases, {} wrong", tally.wrong.len());
}
