//! Checks whether branches or addresses depend on secrets: key generation and signing under
//! valgrind's memcheck, with the secret parts of the seed marked undefined.
//!
//! ```text
//! hasten-ct            records natively, then checks every case under valgrind, and the leaks
//! ```
//!
//! Only data that a signature publishes becomes defined again. For each case a native run signs,
//! and the hashes of the verifier are recorded. A value is public if the verifier computes it from
//! public data, or if it is part of the key, signature or cache. When the checked run computes such
//! a value, the value is declared defined. A branch or an address that depends on any other value
//! is an error. Every case is run once more with a branch on a hash that is not public, and that
//! run must fail.
#![cfg(target_arch = "x86_64")]

mod case;
mod memcheck;
mod public;
mod watch;

use case::{CASES, Case};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::{env, fs, thread};

/// Exit status of valgrind if there was an error.
const FOUND: i32 = 9;

/// Backends to check.
const BACKENDS: [&str; 2] = ["portable", "avx2"];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        [] => all(),
        ["check", name, backend, leak, file] => {
            case::named(name).check(backend, leak == "leak", public::Public::read(file.as_ref()));
            ExitCode::SUCCESS
        }
        _ => ExitCode::from(2),
    }
}

fn all() -> ExitCode {
    let (next, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut number = next.fetch_add(1, Relaxed);
        while let Some(case) = CASES.get(number) {
            wrong.fetch_add(check(number, case), Relaxed);
            number = next.fetch_add(1, Relaxed);
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    ExitCode::from(u8::from(wrong.into_inner() > 0))
}

/// Returns the number of runs of one case that did not end as they should.
fn check(number: usize, case: &Case) -> usize {
    let place = env::temp_dir().join(format!("hasten-ct-{}-{number}", std::process::id()));
    case.record().write(&place);
    let ends = |backend| {
        [run(case, backend, "none", &place, 0), run(case, backend, "leak", &place, FOUND)]
    };
    let wrong = BACKENDS.into_iter().flat_map(ends).filter(|good| !good).count();
    fs::remove_file(&place).expect("the file just written");
    wrong
}

/// Runs one case under valgrind. Returns true if it ended as it should.
fn run(case: &Case, backend: &str, leak: &str, place: &Path, wanted: i32) -> bool {
    let own: PathBuf = env::current_exe().expect("this program");
    let code = format!("--error-exitcode={FOUND}");
    let out = Command::new("valgrind")
        .args(["-q", "--error-limit=no", &code])
        .arg(own)
        .args(["check", case.name, backend, leak])
        .arg(place)
        .output()
        .expect("valgrind is installed");
    let good = out.status.code() == Some(wanted);
    let seen = if out.status.code() == Some(FOUND) { "dependence found" } else { "none found" };
    println!("{:<40} {backend:<9} {leak:<5} {seen} {}", case.name, if good { "" } else { "WRONG" });
    if !good {
        let words = String::from_utf8_lossy(&out.stderr);
        words.lines().take(40).for_each(|line| println!("  {line}"));
    }
    good
}
