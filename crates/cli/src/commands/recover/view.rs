//! Tells what is known of a key before it is recovered, and what was done.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hasten_report::grouped;
use hasten_store::{Entry, Recovery, Status, StoreError};
use serde::Serialize;

use crate::error::Error;
use crate::output::{note, visible};
use crate::store_args::{self, Opening};
use crate::units;

/// Holds what log, guard and audit log say, and the newest index from outside.
pub struct Known {
    /// The account by log and guard.
    pub status: Status,
    last: Option<Entry>,
    newest: Option<u64>,
    /// The largest reservation of the log.
    reserved: u64,
    /// How far the key may have gone on.
    pub recovery: Recovery,
}

impl Known {
    /// Reads it without opening the key.
    pub fn of(dir: &Path, opening: &Opening, newest: Option<u64>) -> Result<Self, Error> {
        let status = store_args::peek(dir, opening)?;
        if newest.is_some_and(|index| !(status.start..status.end).contains(&index)) {
            return Err(Error::OtherRange { start: status.start, end: status.end });
        }
        // A damaged audit log keeps nobody from recovering a key; age and rate are then unknown,
        // and no proposal rests on them.
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

    /// Returns how many indices must be given up where the witness has seen so many commits that
    /// the log has not: each may have reserved as much as the largest reservation of the log.
    pub fn behind_the_witness(&self, commits: u64) -> u64 {
        let most = commits.saturating_mul(self.reserved);
        let wanted = self.status.next.saturating_add(most).min(self.status.end);
        let from = self.recovery.next.max(self.newest.map_or(0, |index| index.saturating_add(1)));
        wanted.saturating_sub(from)
    }
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
    newest_record_age_seconds: Option<u64>,
    /// Nothing where the log covers less than a day, or fewer than ten indices.
    rate_per_day: Option<f64>,
    /// The newest index that was named, or read from a signature.
    newest_index: Option<u64>,
    /// Commits that the outside witness has seen and the log has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness_ahead: Option<u64>,
    /// Nothing where nobody knows what was used since the newest record.
    pub proposed_burn: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    burned: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<u64>,
    /// All but what was done was said before the question.
    #[serde(skip)]
    pub is_told: bool,
    /// The key opens, and needs nothing.
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

    /// Adds what was done.
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

    /// Returns the last line: what was done, or else what is proposed.
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

/// Describes what is unknown where neither guard nor witness can be believed.
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
