//! Keys for a limited number of signatures, against the kernels alone:
//! `cargo run --release -p hasten-measure --example limited -- --json FILE`.
//!
//! For each set one thread makes `--leaves N` leaves of a key, or all (`--whole NAME`), and signs
//! `--signatures N` times. Compressions are counted in a run of their own; the kernel's own time is
//! that of batches of compressions which are timed every few milliseconds in between. The ratio is
//! the time of the operation over compressions times that. `--alg NAME` measures one set.

use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::params::{SETS, Set};
use hasten_hbs::slhdsa::{Context, LimitedGeneration, LimitedSigner};
use hasten_hbs::{Error, Progress};
use hasten_kernels::{Counter, Counting, Kernels, Which};
use hasten_measure::clock::thread_time;
use hasten_report::{Machine, argument, number, publish, round};
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Duration;

/// Calls of a kernel in one window, and states in a batch.
const CALLS: usize = 32;
const BATCH: usize = 64;
/// Leaves of the tall tree whose compressions are counted: one row of units.
const COUNTED: u64 = 1 << 10;

#[derive(Serialize)]
struct Row {
    alg: &'static str,
    op: &'static str,
    threads: usize,
    /// Leaves of the tall tree that were made, or signatures.
    count: u64,
    /// Compressions of one operation; of key generation those of the whole tree.
    compressions: u64,
    /// Seconds of one operation on one thread; of key generation for the whole tree.
    seconds: f64,
    /// Nanoseconds of one compression by the kernel alone, in the same run.
    kernel_ns: f64,
    /// Time over compressions times the kernel's own.
    ratio: f64,
    /// The most memory the process held, program and all.
    peak_bytes: u64,
}

/// The kernels that a set uses, timed alone in between.
struct Between {
    kernels: Kernels<'static>,
    /// Compressions of one operation, by function.
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

    /// Times a window of each kernel, if the last one is some milliseconds ago.
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

    /// Returns nanoseconds that the kernels alone take for all compressions of an operation.
    fn alone(&self) -> f64 {
        let each = |(time, count): (Duration, u64)| time.as_nanos() as f64 / count.max(1) as f64;
        self.counts.iter().zip(self.windows).map(|(n, window)| *n as f64 * each(window)).sum()
    }

    /// Returns the row of an operation that took `time`, windows and all, for `share` of it.
    fn row(&self, set: &Set, op: &'static str, count: u64, time: Duration, share: f64) -> Row {
        let compressions = self.counts.iter().sum::<u64>();
        let nanos = (time.saturating_sub(self.spent)).as_nanos() as f64 / share;
        Row {
            alg: set.name,
            op,
            threads: 1,
            count,
            compressions,
            seconds: round(nanos / 1e9),
            kernel_ns: round(self.alone() / compressions as f64),
            ratio: round(nanos / self.alone()),
            peak_bytes: peak(),
        }
    }
}

/// Returns the most memory that this process held since [`forget_peak`].
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap_or_default();
    kilobytes << 10
}

fn forget_peak() {
    drop(std::fs::write("/proc/self/clear_refs", "5"));
}

fn begin<'k>(set: &'static Set, kernels: Kernels<'k>) -> Result<LimitedGeneration<'k>, Error> {
    LimitedGeneration::new(set, &vec![9; set.seed_bytes()], kernels)
}

/// Runs a generation up to leaf `last`.
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

fn keygen(set: &'static Set, leaves: u64) -> Result<Row, Error> {
    forget_peak();
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    grow(&mut begin(set, counting.kernels())?, COUNTED, &mut || ());
    let all = 1u64 << set.h;
    let mut between = Between::new(&counter);
    between.counts.iter_mut().for_each(|count| *count *= all / COUNTED);
    let mut generation = begin(set, Kernels::best())?;
    let begun = thread_time();
    grow(&mut generation, leaves, &mut || between.window());
    let time = thread_time().saturating_sub(begun);
    Ok(between.row(set, "keygen", leaves, time, leaves as f64 / all as f64))
}

/// Returns a signer of a tree whose row is zeros: it signs in the time of any other.
fn signer<'k>(set: &'static Set, kernels: Kernels<'k>) -> Result<LimitedSigner<'k>, Error> {
    let mut generation = begin(set, kernels)?;
    generation.resume(&vec![0; LimitedGeneration::row_bytes(set)])?;
    generation.run(1, &mut |_| ControlFlow::Continue(()))
}

fn sign(set: &'static Set, count: u64) -> Result<Row, Error> {
    forget_peak();
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let counted = signer(set, counting.kernels())?;
    counter.reset();
    counted.sign_uncounted_beyond_any_limit(Context::EMPTY, b"message", None, 1)?;
    let (mut between, mut ours) = (Between::new(&counter), signer(set, Kernels::best())?);
    let (mut permits, begun) = (Throwaway::new(), thread_time());
    for _ in 0..count {
        let prepared = ours.prepare(permits.permit())?;
        let watch = &mut |_| {
            between.window();
            ControlFlow::Continue(())
        };
        prepared.sign_watched(Context::EMPTY, b"message", None, watch)?;
    }
    let time = thread_time().saturating_sub(begun);
    Ok(between.row(set, "sign", count, time, count as f64))
}

fn main() -> Result<(), Error> {
    let asked = argument("--alg").map(|name| Set::named(&name)).transpose()?;
    let whole = argument("--whole").map(|name| Set::named(&name)).transpose()?;
    let sets = SETS.iter().filter(|set| set.limit.is_some());
    let mut rows = Vec::new();
    for set in sets.filter(|set| asked.is_none_or(|asked| asked == *set)) {
        let leaves = if whole == Some(set) { 1 << set.h } else { number("--leaves", 1 << 18) };
        rows.push(keygen(set, leaves)?);
        rows.push(sign(set, number("--signatures", 2))?);
    }
    let program = "cargo run --release -p hasten-measure --example limited --";
    publish("hasten.limited/1", program, Machine::this(), &rows).expect("the report is printed");
    Ok(())
}
