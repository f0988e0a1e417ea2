//! Many connections, several at a time, to measure what load a server can bear.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_report::{Summary, grouped, micros};
use hasten_store::visible;
use rustls_hasten::endpoint::connect::{self, Client, Tally};
use serde::Serialize;

use super::connect::talk;
use crate::commands::Connect;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::output::print;
use crate::progress::Progress;
use crate::report::{self, Machine};

/// Summary of all connections.
#[derive(Serialize)]
struct Row {
    handshakes: usize,
    at_once: usize,
    failed: usize,
    /// Reasons for failures, with the number of each.
    reasons: BTreeMap<String, usize>,
    /// Time from the first byte to the end of the handshake, as measured by the client.
    handshake_us: Summary,
    per_second: f64,
}

impl Row {
    fn line(&self) -> String {
        let [p50, p99, max] = [self.handshake_us.p50, self.handshake_us.p99, self.handshake_us.max]
            .map(|us| us / 1e3);
        let reasons: Vec<_> = self
            .reasons
            .iter()
            .map(|(why, count)| format!("\n{} FAILED  {}", grouped(*count as u64), visible(why)))
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

/// Connects `times` times. The exit status is 1 if any connection failed. A connection that could
/// not be tried counts as failed.
pub fn run(args: &Connect, client: &Client, times: usize) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen()?;
    let progress = Progress::new("connecting".into(), times as u64, "connections");
    let once = || match client.once(|to| talk(args, to, &mut std::io::sink())) {
        Ok(done) => done.map(|done| done.took),
        Err(error) => Err(Error::from(error).to_string()),
    };
    let told = |done| progress.at(done as u64);
    let begun = Instant::now();
    let tally = connect::many(times, args.at_once, || interrupt.asked(), told, once);
    let row = row(args.at_once, begun.elapsed(), tally);
    drop(progress);
    print(&match args.wanted.json {
        true => {
            let machine = Machine::with(crate::backend::best_name());
            report::new("hasten.connect/1", Some(machine), &[&row]).json()
        }
        false => row.line(),
    })?;
    interrupt.check()?;
    Ok(if row.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn row(at_once: usize, took: Duration, tally: Tally) -> Row {
    let (failed, connected) = (tally.failed(), tally.times.len());
    let times: Vec<_> = tally.times.into_iter().map(micros).collect();
    Row {
        handshakes: connected + failed,
        at_once,
        failed,
        reasons: tally.reasons,
        handshake_us: Summary::of(&times),
        per_second: connected as f64 / took.as_secs_f64(),
    }
}
