//! Tells what is known of a key before it is recovered, and what was done.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hasten_report::grouped;
use hasten_store::{Entry, Recovery, Status, StoreError};
use serde::Serialize;

use crate::error::Error;
use crate::store_args::{self, Opening};

/// Holds what log, guard and audit log say, and the newest index from outside.
pub struct Known {
    status: Status,
    last: Option<Entry>,
    newest: Option<u64>,
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
        // A damaged audit log keeps nobody from recovering a key; age and rate are then unknown.
        let entries = opening.options(dir)?.peek_audit(dir).unwrap_or_default();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_millis() as u64);
        let recovery = Recovery::of(&status, &entries, now);
        Ok(Self { last: entries.last().cloned(), newest, recovery, status })
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
            next_known: known.recovery.next,
            newest_record: known.last.as_ref().map(Entry::time),
            newest_record_age_seconds: known.recovery.age_ms / 1000,
            rate_per_day: known.recovery.rate_per_day.round(),
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
