//! Tells what is known of a key before it is recovered, and what was done.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hasten_store::{Entry, Reason, Status, StoreError};
use serde::Serialize;

use crate::error::Error;
use crate::store_args::{Opening, fleet};
use crate::table::grouped;

const DAY_MS: f64 = 86_400_000.0;
const HOUR_MS: u64 = 3_600_000;

/// Holds what log, guard and audit log say, and the newest index from outside.
pub struct Known {
    status: Status,
    last: Option<Entry>,
    age_ms: u64,
    rate_per_day: f64,
    newest: Option<u64>,
    /// The next index as log and guard know it.
    pub next: u64,
}

impl Known {
    /// Reads it without opening the key.
    pub fn of(dir: &Path, opening: &Opening, newest: Option<u64>) -> Result<Self, Error> {
        let of = |error: StoreError| Error::key(dir)(error.into());
        let status = match fleet::of(dir, opening)? {
            None => opening.options(dir)?.peek(dir),
            #[cfg(feature = "etcd")]
            Some(fleet) => fleet.peek(),
            #[cfg(not(feature = "etcd"))]
            Some(fleet) => match fleet {},
        };
        let status = status.map_err(of)?;
        if newest.is_some_and(|index| !(status.start..status.end).contains(&index)) {
            return Err(Error::OtherRange { start: status.start, end: status.end });
        }
        // A damaged audit log keeps nobody from recovering a key; age and rate are then unknown.
        let entries = opening.options(dir)?.peek_audit(dir).unwrap_or_default();
        let last = entries.last().cloned();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_millis() as u64);
        let age_ms = last.as_ref().map_or(0, |entry| now.saturating_sub(entry.time_ms));
        let next = status.refused.as_ref().map_or(status.next, |refusal| match refusal.reason {
            Reason::OldCopy | Reason::OtherHistory => refusal.next_expected.max(status.next),
            _ => status.next,
        });
        Ok(Self { last, age_ms, rate_per_day: rate(&entries), newest, next, status })
    }

    /// Returns what is proposed to be given up: what one command reserves, and twice what the rate
    /// of the audit log makes of the time since its newest record.
    pub fn margin(&self, reserve: u64) -> u64 {
        let since = 2.0 * self.rate_per_day * (self.age_ms as f64 / DAY_MS);
        let next = self.next.max(self.newest.map_or(0, |index| index + 1));
        let left = self.status.end.saturating_sub(next).max(1);
        reserve.max(since.ceil() as u64).clamp(1, left)
    }
}

/// Returns indices reserved in a day, over the whole audit log; over an hour at least.
fn rate(entries: &[Entry]) -> f64 {
    let reserved: u64 = entries.iter().filter(|e| e.what == "reserve").map(|e| e.count).sum();
    let times = || entries.iter().map(|entry| entry.time_ms);
    let span = times().max().unwrap_or(0) - times().min().unwrap_or(0);
    reserved as f64 * DAY_MS / span.max(HOUR_MS) as f64
}

/// Holds what is printed.
#[derive(Serialize)]
pub struct Row {
    store: PathBuf,
    /// Why the key was refused.
    reason: Option<String>,
    /// The guard that was looked for.
    guard: PathBuf,
    generation: u64,
    next_in_log: u64,
    /// The newest index that log or guard know, and one.
    next_known: u64,
    /// When the newest record was written.
    newest_record: Option<String>,
    newest_record_age_seconds: u64,
    rate_per_day: f64,
    /// The newest index that was named, or read from a signature.
    newest_index: Option<u64>,
    pub proposed_burn: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    burned: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<u64>,
}

impl Row {
    pub fn new(dir: &Path, known: &Known, refused: Option<&StoreError>, proposed: u64) -> Self {
        Self {
            store: dir.to_owned(),
            reason: refused.map(ToString::to_string),
            guard: known.status.guard.clone(),
            generation: known.status.generation,
            next_in_log: known.status.next,
            next_known: known.next,
            newest_record: known.last.as_ref().map(Entry::time),
            newest_record_age_seconds: known.age_ms / 1000,
            rate_per_day: known.rate_per_day.round(),
            newest_index: known.newest,
            proposed_burn: proposed,
            burned: None,
            next: None,
            remaining: None,
        }
    }

    /// Adds what was done.
    pub fn done(&mut self, burned: u64, status: &Status) {
        (self.burned, self.next) = (Some(burned), Some(status.next));
        self.remaining = Some(status.remaining);
    }

    pub fn text(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.reason.iter().map(|reason| format!("refused    {reason}")));
        lines.push(format!("guard      {} was looked for", self.guard.display()));
        lines.push(match &self.newest_record {
            Some(time) => format!("newest     record of {time}, {} ago", self.age()),
            None => "newest     record unknown".to_owned(),
        });
        lines.push(format!("rate       {} indices a day", grouped(self.rate_per_day as u64)));
        let (log, known) = (grouped(self.next_in_log), grouped(self.next_known));
        lines.push(format!("next       {log} in the log, {known} with the guard's word"));
        lines.push(match self.newest_index {
            Some(index) => format!("known      index {} is used", grouped(index)),
            None => {
                "known      no newer signature was named: --newest SIG or --index INDEX".to_owned()
            }
        });
        lines.push(match (self.burned, self.next, self.remaining) {
            (Some(burned), Some(next), Some(left)) => format!(
                "recovered  {} indices given up; next {}, remaining {}",
                grouped(burned),
                grouped(next),
                grouped(left)
            ),
            _ => format!("proposed   --burn {}", self.proposed_burn),
        });
        lines.join("\n")
    }

    fn age(&self) -> String {
        match self.newest_record_age_seconds {
            s @ ..120 => format!("{s} s"),
            s @ 120..7200 => format!("{} min", s / 60),
            s @ 7200..172_800 => format!("{} h", s / 3600),
            s => format!("{} days", s / 86_400),
        }
    }
}
