//! Numbers for the recovery of a refused key: how many indices may have been used elsewhere, and
//! the evidence for that.

use crate::error::{Reason, Refusal, StoreError};
use crate::log::Entry;
use crate::status::Status;

const DAY_MS: u64 = 86_400_000;
/// Smallest number of indices from which a rate is computed. The log must also cover a day.
const LEAST_INDICES: u64 = 10;

/// State of a key, and its rate of use.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recovery {
    /// Next index according to log and guard.
    pub next: u64,
    /// End of the range.
    pub end: u64,
    /// Milliseconds since the newest record; `None` if none can be read.
    pub age_ms: Option<u64>,
    /// Indices reserved per day, averaged over the whole audit log; `None` if the log covers less
    /// than a day, or fewer than ten indices.
    pub rate_per_day: Option<f64>,
}

/// Evidence for a proposed number: the source that knows which indices were used after the newest
/// record of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The guard: it has seen every commit of this key, and its next index is known.
    Guard,
    /// The outside witness: it knows no newer commit than the log does.
    Witness,
    /// No evidence. No number may then be proposed.
    Nothing,
}

impl Evidence {
    /// Returns the evidence for a key that cannot be opened because of `refused`. `None` means that
    /// the key can be opened. `status` is the status of the key. `witnessed` is true if an outside
    /// witness agrees with the log.
    ///
    /// A reason that is not named here is no evidence. A new reason must be analysed before a
    /// number is proposed for it.
    pub fn of(refused: Option<&StoreError>, status: &Status, witnessed: bool) -> Evidence {
        let by_guard = match refused {
            None => true,
            Some(StoreError::Refused(refusal)) => guard_knows(refusal),
            // Only the session file prevents opening. The status has compared log and guard.
            Some(StoreError::OtherSession { .. }) => {
                status.refused.as_ref().is_none_or(guard_knows)
            }
            Some(_) => false,
        };
        match (by_guard, witnessed) {
            (true, _) => Evidence::Guard,
            (false, true) => Evidence::Witness,
            (false, false) => Evidence::Nothing,
        }
    }
}

/// Returns true if, as far as is known, all used indices are below the guard's next index.
fn guard_knows(refusal: &Refusal) -> bool {
    match refusal.reason {
        // The log was restored from a copy, and the guard was not.
        Reason::OldCopy => true,
        // The guard is missing, restored, unreadable, of another key or of another history. Its
        // content, if any, may be older than the newest signature.
        _ => false,
    }
}

impl Recovery {
    /// Computes the numbers from the status of the key, its audit log, and the current time in
    /// milliseconds since the Unix epoch.
    pub fn of(status: &Status, entries: &[Entry], now_ms: u64) -> Recovery {
        let next = status.refused.as_ref().map_or(status.next, |refusal| match refusal.reason {
            Reason::OldCopy | Reason::DamagedLog | Reason::OtherHistory => {
                refusal.next_expected.max(status.next)
            }
            _ => status.next,
        });
        let age = |last: &Entry| now_ms.saturating_sub(last.time_ms);
        let age_ms = entries.last().map(age);
        Recovery { next, end: status.end, age_ms, rate_per_day: rate(entries) }
    }

    /// Returns the number of indices that is proposed to be burned if there is evidence: `reserve`,
    /// which is the number that one command reserves, or twice the expected use since the newest
    /// record, whichever is larger. The result is limited to the indices that are left. `newest` is
    /// the newest index known to be used elsewhere.
    pub fn margin(&self, newest: Option<u64>, reserve: u64) -> u64 {
        let days = self.age_ms.unwrap_or(0) as f64 / DAY_MS as f64;
        let since = 2.0 * self.rate_per_day.unwrap_or(0.0) * days;
        let next = self.next.max(newest.map_or(0, |index| index.saturating_add(1)));
        let left = self.end.saturating_sub(next).max(1);
        reserve.max(since.ceil() as u64).clamp(1, left)
    }
}

fn rate(entries: &[Entry]) -> Option<f64> {
    let reserved: u64 = entries.iter().filter(|e| e.what == "reserve").map(|e| e.count).sum();
    let times = || entries.iter().map(|entry| entry.time_ms);
    let span = times().max()?.saturating_sub(times().min()?);
    let enough = span >= DAY_MS && reserved >= LEAST_INDICES;
    enough.then(|| reserved as f64 * DAY_MS as f64 / span as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_covers_a_command_and_twice_the_rate() {
        let (age_ms, rate_per_day) = (Some(DAY_MS), Some(30.0));
        let day = Recovery { next: 100, end: 1000, age_ms, rate_per_day };
        assert_eq!(day.margin(None, 4), 60);
        assert_eq!(day.margin(None, 64), 64);
        assert_eq!(day.margin(Some(979), 4), 20, "no more than is left");
        assert_eq!(day.margin(Some(u64::MAX), 4), 1);
        let fresh = Recovery { age_ms: Some(0), ..day };
        assert_eq!((fresh.margin(None, 4), fresh.margin(None, 0)), (4, 1));
        let unknown = Recovery { rate_per_day: None, ..day };
        assert_eq!((unknown.margin(None, 4), unknown.margin(None, 0)), (4, 1));
    }

    #[test]
    fn a_short_log_has_no_rate() {
        let entry = |time_ms: u64, count: u64| Entry {
            schema: "hasten.audit/1",
            seq: 1,
            generation: 1,
            time_ms,
            what: "reserve",
            first: 0,
            count,
            pid: 1,
            uid: 1,
            host: String::new(),
            session: String::new(),
            signed: None,
        };
        assert_eq!(rate(&[]), None);
        assert_eq!(rate(&[entry(0, 8), entry(120_000, 8)]), None, "two minutes");
        assert_eq!(rate(&[entry(0, 4), entry(DAY_MS, 5)]), None, "nine indices");
        assert_eq!(rate(&[entry(0, 10), entry(2 * DAY_MS, 10)]), Some(10.0));
    }

    #[test]
    fn an_old_log_beside_its_guard_is_the_only_refusal_with_evidence() {
        let identity = crate::identity::Identity { key_id: [1; 16], public: [2; 32] };
        let state = crate::create::blank(64, 1, 4, 0..64, identity, [3; 16]);
        let status = crate::status::account(&state, false);
        let found = |error: &StoreError, status: &Status, witnessed| {
            Evidence::of(Some(error), status, witnessed)
        };
        let reasons = [
            Reason::OldGuard,
            Reason::OtherHistory,
            Reason::NoGuard,
            Reason::DamagedGuard,
            Reason::ForeignGuard,
            Reason::Witness,
            Reason::WitnessEmpty,
            Reason::Overtaken,
            Reason::OtherKey,
            Reason::Service,
        ];
        let refused = |reason| StoreError::Refused(Refusal::of_status(reason, &status));
        for reason in reasons {
            let error = refused(reason);
            assert_eq!(found(&error, &status, false), Evidence::Nothing, "{reason:?}");
            assert_eq!(found(&error, &status, true), Evidence::Witness, "{reason:?}");
        }
        assert_eq!(found(&refused(Reason::OldCopy), &status, false), Evidence::Guard);
        assert_eq!(found(&StoreError::EpochChanged, &status, false), Evidence::Nothing);
        assert_eq!(found(&StoreError::WitnessMoved, &status, false), Evidence::Nothing);
        let held = StoreError::OtherSession { file: "session".into(), holder: None };
        assert_eq!(found(&held, &status, false), Evidence::Guard);
        let lost = Refusal::of_status(Reason::NoGuard, &status);
        let lost = Status { refused: Some(lost), ..status };
        assert_eq!(found(&held, &lost, false), Evidence::Nothing);
    }
}
