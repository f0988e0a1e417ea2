//! Keys for a limited number of signatures, compared with the kernels alone:
//! `cargo run --release -p hasten-measure --example limited -- --json FILE`.
//!
//! For each set one thread makes `--leaves N` leaves of a key, or all (`--whole NAME`, or
//! `--whole all`), and signs `--signatures N` times. A key with a whole tree also verifies its
//! signature. Compressions are counted in a separate run. The time of the kernel alone is that of
//! batches of compressions, timed every few milliseconds during the operation. The ratio is the
//! time of the operation divided by the time of its compressions on the kernel alone.
//! `--alg NAME,...` selects sets.
//!
//! `--keep FOLDER` stores the results of every whole key: the row of its tree, the signature, and
//! the measured rows. A set whose rows are already stored is not measured again.
//!
//! `HASTEN_DWARF` names a program that runs another implementation (`checks/interop/README.md`),
//! which then makes a key of each set and signs in the same run.

use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::params::{SETS, Set};
use hasten_hbs::slhdsa::{Context, LimitedGeneration, LimitedSigner, VerifyingKey};
use hasten_hbs::{Error, Progress};
use hasten_kernels::{Counter, Counting, Kernels, Which};
use hasten_measure::clock::thread_time;
use hasten_report::{Machine, argument, number, publish, round};
use serde::Serialize;
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Calls of a kernel in one window, and states in a batch.
const CALLS: usize = 32;
const BATCH: usize = 64;
/// Names of the measured implementations: this one and the other one.
const OURS: &str = "Hasten";
const DWARF: &str = "parallel-sphincsplus";
/// The message that is signed.
const MESSAGE: &[u8] = b"message";
/// Number of verifications that are timed.
const VERIFICATIONS: u64 = 1000;
/// Number of leaves of the tall tree whose compressions are counted; the count of the whole tree is
/// computed from them.
const COUNTED: u64 = 1 << 10;

#[derive(Serialize)]
struct Row {
    alg: &'static str,
    /// Implementation that did it.
    by: &'static str,
    op: &'static str,
    threads: usize,
    /// Number of leaves made in the tall tree, or of signatures or verifications.
    count: u64,
    /// Compressions of one operation; for key generation, of the whole tree.
    compressions: Option<u64>,
    /// Seconds of one operation on one thread; for key generation, of the whole tree.
    seconds: f64,
    /// Nanoseconds of one compression on the kernel alone, in the same run.
    kernel_ns: Option<f64>,
    /// Time of the operation divided by the time of its compressions on the kernel alone.
    ratio: Option<f64>,
    /// Peak memory of the process, including the program itself.
    peak_bytes: Option<u64>,
}

/// The kernels that a set uses, timed alone at intervals during an operation.
struct Between {
    kernels: Kernels<'static>,
    /// Compressions of one operation, by kernel.
    counts: [u64; 3],
    spent: Duration,
    windows: [(Duration, u64); 3],
    last: Duration,
}

const WHICH: [Which; 3] = [Which::Sha256, Which::Sha512, Which::Keccak];

impl Between {
    fn new(counter: &Counter) -> Self {
        let counts = WHICH.map(|which| counter.compressions(which));
        let windows = [(Duration::ZERO, 0); 3];
        let last = thread_time();
        Self { kernels: Kernels::best(), counts, spent: Duration::ZERO, windows, last }
    }

    /// Times a window of each kernel, if the last one was at least 10 ms ago.
    fn window(&mut self) {
        let begun = thread_time();
        if begun.saturating_sub(self.last) < Duration::from_millis(10) {
            return;
        }
        for at in (0..3).filter(|at| self.counts[*at] > 0).collect::<Vec<_>>() {
            let begun = thread_time();
            (0..CALLS).for_each(|_| self.compress(at));
            self.windows[at].0 += thread_time().saturating_sub(begun);
            self.windows[at].1 += (CALLS * BATCH) as u64;
        }
        self.last = thread_time();
        self.spent += self.last.saturating_sub(begun);
    }

    fn compress(&self, at: usize) {
        match WHICH[at] {
            Which::Sha256 => {
                let states = &mut std::hint::black_box([[7; 8]; BATCH]);
                self.kernels.sha256.compress(states, std::hint::black_box(&[[5; 64]; BATCH]));
            }
            Which::Sha512 => {
                let states = &mut std::hint::black_box([[7; 8]; BATCH]);
                self.kernels.sha512.compress(states, std::hint::black_box(&[[5; 128]; BATCH]));
            }
            _ => {
                let states = &mut std::hint::black_box([[7; 25]; BATCH]);
                self.kernels.keccak.compress(states, &[(); BATCH]);
            }
        }
    }

    /// Returns the nanoseconds that the kernels alone take for all compressions of one operation.
    fn alone(&self) -> f64 {
        let each = |(time, count): (Duration, u64)| time.as_nanos() as f64 / count.max(1) as f64;
        self.counts.iter().zip(self.windows).map(|(n, window)| *n as f64 * each(window)).sum()
    }

    /// Returns the row of an operation. `time` includes the windows, and covers `share` operations,
    /// which is less than 1 for a part of a key.
    fn row(&self, set: &Set, op: &'static str, count: u64, time: Duration, share: f64) -> Row {
        let compressions = self.counts.iter().sum::<u64>();
        let nanos = (time.saturating_sub(self.spent)).as_nanos() as f64 / share;
        Row {
            alg: set.name,
            by: OURS,
            op,
            threads: 1,
            count,
            compressions: Some(compressions),
            seconds: (nanos / 1e3).round() / 1e6,
            kernel_ns: Some(round(self.alone() / compressions as f64)),
            ratio: Some(round(nanos / self.alone())),
            peak_bytes: Some(peak()),
        }
    }
}

/// Returns the peak memory of this process since [`forget_peak`].
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap_or_default();
    kilobytes << 10
}

fn forget_peak() {
    drop(std::fs::write("/proc/self/clear_refs", "5"));
}

/// Returns a seed that differs between sets, the same as in `vectors/conformance`.
fn seed(set: &Set) -> Vec<u8> {
    let salt = set.name.bytes().fold(0_u8, |sum, c| sum.rotate_left(3) ^ c);
    (0..set.seed_bytes()).map(|i| (i as u8).wrapping_mul(151) ^ salt).collect()
}

fn begin<'k>(set: &'static Set, kernels: Kernels<'k>) -> Result<LimitedGeneration<'k>, Error> {
    LimitedGeneration::new(set, &seed(set), kernels)
}

/// Runs a key generation up to leaf `last`.
fn grow<'k>(
    generation: &mut LimitedGeneration<'k>,
    last: u64,
    each: &mut dyn FnMut(),
) -> Option<LimitedSigner<'k>> {
    let watch = &mut |p: Progress| {
        each();
        if p.done < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    generation.run(1, watch).ok()
}

/// Measures key generation; returns the signer if the key was completed.
fn keygen(
    set: &'static Set,
    leaves: Option<u64>,
) -> Result<(Row, Option<LimitedSigner<'static>>), Error> {
    forget_peak();
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    grow(&mut begin(set, counting.kernels())?, COUNTED, &mut || ());
    let all = 1u64 << set.h;
    let mut between = Between::new(&counter);
    between.counts.iter_mut().for_each(|count| *count *= all / COUNTED);
    let mut generation = begin(set, Kernels::best())?;
    let begun = thread_time();
    let made = grow(&mut generation, leaves.unwrap_or(u64::MAX), &mut || between.window());
    let time = thread_time().saturating_sub(begun);
    let leaves = leaves.unwrap_or(all);
    Ok((between.row(set, "keygen", leaves, time, leaves as f64 / all as f64), made))
}

/// Returns a signer whose row of tree nodes is all zeros: it signs as fast as a real one.
fn signer<'k>(set: &'static Set, kernels: Kernels<'k>) -> Result<LimitedSigner<'k>, Error> {
    let mut generation = begin(set, kernels)?;
    generation.resume(&vec![0; LimitedGeneration::row_bytes(set)])?;
    generation.run(1, &mut |_| ControlFlow::Continue(()))
}

/// Measures signing; also returns the last signature.
fn sign(
    set: &'static Set,
    mut ours: LimitedSigner<'_>,
    count: u64,
) -> Result<(Row, Vec<u8>), Error> {
    forget_peak();
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let counted = signer(set, counting.kernels())?;
    counter.reset();
    counted.sign_uncounted_beyond_any_limit(Context::EMPTY, MESSAGE, None, 1)?;
    let mut between = Between::new(&counter);
    let (mut permits, begun) = (Throwaway::new(), thread_time());
    let mut last = Vec::new();
    for _ in 0..count {
        let prepared = ours.prepare(permits.permit())?;
        let watch = &mut |_| {
            between.window();
            ControlFlow::Continue(())
        };
        last = prepared.sign_watched(Context::EMPTY, MESSAGE, None, watch)?.into_bytes();
    }
    let time = thread_time().saturating_sub(begun);
    Ok((between.row(set, "sign", count, time, count as f64), last))
}

/// Measures verification of a signature. Checks that it is good, and bad for another message.
fn verify(set: &'static Set, public: &[u8], signature: &[u8]) -> Result<Row, Error> {
    forget_peak();
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let counted = VerifyingKey::from_bytes(&counting.kernels(), set, public)?;
    counter.reset();
    counted.verify(Context::EMPTY, MESSAGE, signature)?;
    let mut between = Between::new(&counter);
    let ours = VerifyingKey::from_bytes(&Kernels::best(), set, public)?;
    assert!(ours.verify(Context::EMPTY, b"another", signature).is_err(), "{}", set.name);
    let begun = thread_time();
    for _ in 0..VERIFICATIONS {
        ours.verify(Context::EMPTY, MESSAGE, signature)?;
        between.window();
    }
    let time = thread_time().saturating_sub(begun);
    Ok(between.row(set, "verify", VERIFICATIONS, time, VERIFICATIONS as f64))
}

/// Returns the times of the other implementation for key generation, signing and verification. The
/// program prints one line per operation: its name and its seconds.
fn dwarf(set: &'static Set) -> Vec<Row> {
    let Some(program) = std::env::var_os("HASTEN_DWARF") else { return Vec::new() };
    let ran = std::process::Command::new(program).args(["time", set.name]).output();
    let printed = ran.expect("HASTEN_DWARF names a program").stdout;
    let printed = String::from_utf8(printed).expect("it prints text");
    let row = |op| {
        let seconds = printed.lines().find_map(|line| line.strip_prefix(op)?.trim().parse().ok());
        let (compressions, kernel_ns, ratio, peak_bytes) = (None, None, None, None);
        let (alg, by, threads, count) = (set.name, DWARF, 1, 1);
        seconds.map(|seconds| Row {
            alg,
            by,
            op,
            threads,
            count,
            compressions,
            seconds,
            kernel_ns,
            ratio,
            peak_bytes,
        })
    };
    ["keygen", "sign", "verify"].into_iter().filter_map(row).collect()
}

/// Measures a set: a whole key, or only the first `leaves` leaves of one.
fn measure(set: &'static Set, leaves: Option<u64>, rows: &mut Vec<Row>) -> Result<(), Error> {
    let (row, made) = keygen(set, leaves)?;
    rows.push(row);
    let Some(made) = made else {
        let ours = signer(set, Kernels::best())?;
        rows.push(sign(set, ours, number("--signatures", 2))?.0);
        return Ok(());
    };
    keep(set, "row", &made.to_cache());
    let public = made.verifying_key().as_bytes().to_vec();
    let (row, signature) = sign(set, made, number("--signatures", 2))?;
    rows.push(row);
    rows.push(verify(set, &public, &signature)?);
    keep(set, "sig", &signature);
    Ok(())
}

/// Returns the path of a file of a set in the folder of `--keep`, if that is given.
fn kept(set: &Set, ending: &str) -> Option<PathBuf> {
    argument("--keep").map(|folder| Path::new(&folder).join(format!("{}.{ending}", set.name)))
}

fn keep(set: &Set, ending: &str, bytes: &[u8]) {
    if let (Some(folder), Some(file)) = (argument("--keep"), kept(set, ending)) {
        std::fs::create_dir_all(folder).expect("the folder of --keep is made");
        std::fs::write(file, bytes).expect("the file is written");
    }
}

/// Returns the rows of a set: the stored ones if there are any, else newly measured.
fn rows_of(set: &'static Set, leaves: Option<u64>) -> Result<Vec<Value>, Error> {
    let before = kept(set, "json").and_then(|file| std::fs::read(file).ok());
    if let Some(rows) = before.and_then(|text| serde_json::from_slice(&text).ok()) {
        return Ok(rows);
    }
    let mut rows = Vec::new();
    measure(set, leaves, &mut rows)?;
    rows.extend(dwarf(set));
    let value = |row| serde_json::to_value(row).expect("rows are numbers and names");
    let rows: Vec<Value> = rows.into_iter().map(value).collect();
    let text = serde_json::to_vec(&rows).expect("rows are numbers and names");
    keep(set, "json", &text);
    Ok(rows)
}

fn main() -> Result<(), Error> {
    let named = |name: Option<String>| name.map(|name| Set::named(&name)).transpose();
    let (asked, whole) = (argument("--alg"), argument("--whole"));
    let all = whole.as_deref() == Some("all");
    let whole = named(whole.filter(|_| !all))?;
    let sets = SETS.iter().filter(|set| set.limit.is_some());
    let mut rows = Vec::new();
    let asked: Vec<&str> = asked.iter().flat_map(|asked| asked.split(',')).collect();
    asked.iter().try_for_each(|name| Set::named(name).map(drop))?;
    for set in sets.filter(|set| asked.is_empty() || asked.contains(&set.name)) {
        let leaves = (!all && whole != Some(set)).then(|| number("--leaves", 1 << 18));
        rows.extend(rows_of(set, leaves)?);
    }
    let program = "cargo run --release -p hasten-measure --example limited --";
    publish("hasten.limited/1", program, Machine::this(), &rows).expect("the report is printed");
    Ok(())
}
