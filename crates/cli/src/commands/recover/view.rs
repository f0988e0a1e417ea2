//! Report on a key before its recovery, and on the result.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hasten_report::grouped;
use hasten_store::{Entry, Recovery, Status, StoreError};
use serde::Serialize;

use crate::error::Error;
use crate::output::{note, visible};
use crate::store_args::{self, Opening};
use crate::units;

/// State of a key according to its log, guard and audit log, and the newest index from outside.
pub struct Known {
    /// State according to log and guard.
    pub status: Status,
    last: Option<Entry>,
    newest: Option<u64>,
    /// Size of the largest reservation in the log.
    reserved: u64,
    /// Next index, age of the newest record, and rate of use.
    pub recovery: Recovery,
}

impl Known {
    /// Reads the state without opening the key.
    pub fn of(dir: &Path, opening: &Opening, newest: Option<u64>) -> Result<Self, Error> {
        let status = store_args::peek(dir, opening)?;
        if newest.is_some_and(|index| !(status.start..status.end).contains(&index)) {
            return Err(Error::OtherRange { start: status.start, end: status.end });
        }
        // A key can be recovered although its audit log is damaged. Age and rate are then unknown,
        // and no proposal depends on them.
        let entries = opening.options(dir)?.peek_audit(dir).unwrap_or_else(|error| {
            note(&format!("the audit log cannot be read: {error}"));
            Vec::new()
        });
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_millis() as u64);
        let recovery = Recovery::of(&status, &entries, now);
        let reserved = entries.iter().filter(|entry| entry.what == "reserve").map(|e| e.count);
        let reserved = reserved.max().unwrap_or(1).max(1);
        Ok(Self { last: entries.last().cloned(), newest, reserved, recovery, status })
    }

    /// Returns how many indices to give up if the witness has seen `commits` commits that are
    /// missing in the log. Each may have reserved as much as the largest reservation in the log.
    pub fn behind_the_witness(&self, commits: u64) -> u64 {
        let most = commits.saturating_mul(self.reserved);
        let wanted = self.status.next.saturating_add(most).min(self.status.end);
        let from = self.recovery.next.max(self.newest.map_or(0, |index| index.saturating_add(1)));
        wanted.saturating_sub(from)
    }
}

/// The report as it is printed.
#[derive(Serialize)]
pub struct Row {
    store: PathBuf,
    /// Reason why the key was refused.
    reason: Option<String>,
    /// Path at which the guard was expected.
    guard: PathBuf,
    generation: u64,
    next_in_log: u64,
    /// Next index according to log and guard: one more than the newest that they know.
    next_known: u64,
    /// Time of the newest record.
    newest_record: Option<String>,
    newest_record_age_seconds: Option<u64>,
    /// Indices per day; `None` if the log covers less than a day, or fewer than ten indices.
    rate_per_day: Option<f64>,
    /// Newest index, as named by the user or read from a signature.
    newest_index: Option<u64>,
    /// Commits that the outside witness has seen and that are missing in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness_ahead: Option<u64>,
    /// Number of indices proposed to be given up; `None` if nobody knows what was used since the
    /// newest record.
    pub proposed_burn: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    burned: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<u64>,
    /// True if everything but the result was printed before the question.
    #[serde(skip)]
    pub is_told: bool,
    /// True if the key opens and needs no recovery.
    #[serde(skip)]
    pub is_whole: bool,
}

impl Row {
    pub fn new(
        dir: &Path,
        known: &Known,
        refused: Option<&StoreError>,
        proposed: Option<u64>,
    ) -> Self {
        Self {
            store: dir.to_owned(),
            reason: refused.map(ToString::to_string),
            guard: known.status.guard.clone(),
            generation: known.status.generation,
            next_in_log: known.status.next,
            next_known: known.recovery.next,
            newest_record: known.last.as_ref().map(Entry::time),
            newest_record_age_seconds: known.recovery.age_ms.map(|ms| ms / 1000),
            rate_per_day: known.recovery.rate_per_day.map(f64::round),
            newest_index: known.newest,
            witness_ahead: None,
            proposed_burn: proposed,
            burned: None,
            next: None,
            remaining: None,
            is_told: false,
            is_whole: false,
        }
    }

    /// Adds the result of the recovery.
    pub fn done(&mut self, burned: u64, status: &Status) {
        (self.burned, self.next) = (Some(burned), Some(status.next));
        self.remaining = Some(status.remaining);
    }

    pub fn text(&self) -> String {
        let done = self.end();
        if self.is_told && self.burned.is_some() {
            return done;
        }
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.reason.iter().map(|reason| format!("refused    {reason}")));
        lines.push(format!("guard      {} was looked for", visible(&self.guard)));
        lines.push(match (&self.newest_record, self.newest_record_age_seconds) {
            (Some(time), Some(seconds)) => {
                format!("newest     record of {time}, {} ago", age(seconds))
            }
            _ => "newest     record unknown".to_owned(),
        });
        lines.push(match self.rate_per_day {
            Some(rate) => format!("rate       {} a day", units::indices(rate as u64)),
            None => "rate       unknown: the log covers less than a day, or fewer than ten indices"
                .to_owned(),
        });
        let (log, known) = (grouped(self.next_in_log), grouped(self.next_known));
        lines.push(format!("next       {log} in the log, {known} with the guard's word"));
        lines.push(match self.newest_index {
            Some(index) => format!("known      index {} is used", grouped(index)),
            None => {
                "known      no newer signature was named: --newest SIG or --index INDEX".to_owned()
            }
        });
        lines.extend(self.witness_ahead.map(|commits| {
            let commits = units::counted(commits, "commit", "commits");
            format!(
                "witness    has seen {commits} that this copy has not: later signatures may exist"
            )
        }));
        lines.push(done);
        if let (None, Some(count)) = (self.burned, self.proposed_burn) {
            let behind = self.newest_index.map_or(0, |index| index.saturating_add(1));
            let next = self.next_known.max(behind).saturating_add(count);
            let (from, last) = (grouped(self.next_in_log), grouped(next.saturating_sub(1)));
            let next = grouped(next);
            lines.push(format!("goes on    at index {next}: {from} to {last} sign no more"));
        }
        lines.join("\n")
    }

    /// Returns the last line: the result, or the proposal if there is no result yet.
    fn end(&self) -> String {
        match (self.burned, self.next, self.remaining) {
            (Some(burned), Some(next), Some(left)) => format!(
                "recovered  {} given up; next {}, remaining {}",
                units::indices(burned),
                grouped(next),
                grouped(left)
            ),
            _ => match self.proposed_burn {
                _ if self.is_whole => "whole      nothing is to be recovered".to_owned(),
                Some(count) => format!("proposed   --burn {count}"),
                None => format!("unknown    {UNKNOWN}"),
            },
        }
    }
}

/// Text for a key of which neither guard nor witness is trusted.
const UNKNOWN: &str = "how many indices were used after the newest record: neither the guard nor an \
    outside witness can tell, so no number is proposed";

fn age(seconds: u64) -> String {
    match seconds {
        s @ ..120 => format!("{s} s"),
        s @ 120..7200 => format!("{} min", s / 60),
        s @ 7200..172_800 => format!("{} h", s / 3600),
        s => format!("{} days", s / 86_400),
    }
}
