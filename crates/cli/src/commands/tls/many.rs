//! Many connections, some at a time: what a server bears.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use hasten_report::Summary;
use serde::Serialize;

use super::connect::Client;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::output::print;
use crate::progress::Progress;
use crate::report::{self, Machine};
use crate::table::grouped;

/// Holds what came of all of them.
#[derive(Serialize)]
struct Row {
    handshakes: usize,
    at_once: usize,
    failed: usize,
    /// Each reason, and how often.
    reasons: BTreeMap<String, usize>,
    /// From the first byte to the end of the handshake, as the client saw it.
    handshake_us: Summary,
    per_second: f64,
}

#[derive(Default)]
struct Seen {
    times: Vec<f64>,
    reasons: BTreeMap<String, usize>,
}

impl Row {
    fn line(&self) -> String {
        let [p50, p99, max] = [self.handshake_us.p50, self.handshake_us.p99, self.handshake_us.max]
            .map(|us| us / 1e3);
        let reasons: Vec<_> = self
            .reasons
            .iter()
            .map(|(why, count)| format!("\n{} FAILED  {why}", grouped(*count as u64)))
            .collect();
        format!(
            "{} handshakes, {} at a time: {} failed, {:.0} per second; {p50:.1} ms at the median, {p99:.1} ms p99, {max:.1} ms at most{}",
            grouped(self.handshakes as u64),
            self.at_once,
            grouped(self.failed as u64),
            self.per_second,
            reasons.concat(),
        )
    }
}

/// Does one thread's share: takes the next until none is left. One that could not be tried has
/// failed.
fn work(
    client: &Client<'_>,
    left: &AtomicUsize,
    interrupt: &Interrupt,
    progress: &Progress,
    seen: &Mutex<Seen>,
) {
    let next =
        || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
    while let (false, Ok(_)) = (interrupt.asked(), next()) {
        let done = client.once().unwrap_or_else(|error| Err(error.to_string()));
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        match done {
            Ok(done) => seen.times.push(done.row.handshake_us.min),
            Err(reason) => *seen.reasons.entry(reason).or_default() += 1,
        }
        progress.at((seen.times.len() + seen.reasons.values().sum::<usize>()) as u64);
    }
}

/// Connects `times` times; status 1 if any failed.
pub fn run(client: &Client<'_>, times: usize) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen()?;
    let (left, seen) = (AtomicUsize::new(times), Mutex::default());
    let progress = Progress::new("connecting".into(), times as u64, "connections");
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..client.args.at_once.min(times) {
            scope.spawn(|| work(client, &left, &interrupt, &progress, &seen));
        }
    });
    let took = begun.elapsed().as_secs_f64();
    drop(progress);
    let seen: Seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    let failed = seen.reasons.values().sum();
    let row = Row {
        handshakes: seen.times.len() + failed,
        at_once: client.args.at_once,
        failed,
        reasons: seen.reasons,
        handshake_us: Summary::of(&seen.times),
        per_second: seen.times.len() as f64 / took,
    };
    print(&match client.args.wanted.json {
        true => {
            report::new("hasten.connect/1", Some(Machine::with(crate::names::best_name())), &[&row])
                .json()
        }
        false => row.line(),
    })?;
    interrupt.check()?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
