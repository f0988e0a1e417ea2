//! The numbers by which a key that is refused is recovered: how far it may have gone on elsewhere.

use crate::error::Reason;
use crate::log::Entry;
use crate::status::Status;

const DAY_MS: f64 = 86_400_000.0;
const HOUR_MS: u64 = 3_600_000;

/// The state of a key, and how fast it went.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recovery {
    /// The next index as log and guard know it.
    pub next: u64,
    /// End of the range.
    pub end: u64,
    /// Milliseconds since the newest record; 0 if there is none.
    pub age_ms: u64,
    /// Indices reserved in a day, over the whole audit log; over an hour at least.
    pub rate_per_day: f64,
}

impl Recovery {
    /// Takes the account of the key, its audit log, and the time in milliseconds since the Unix
    /// epoch.
    pub fn of(status: &Status, entries: &[Entry], now_ms: u64) -> Recovery {
        let next = status.refused.as_ref().map_or(status.next, |refusal| match refusal.reason {
            Reason::OldCopy | Reason::OtherHistory => refusal.next_expected.max(status.next),
            _ => status.next,
        });
        let age = |last: &Entry| now_ms.saturating_sub(last.time_ms);
        let age_ms = entries.last().map_or(0, age);
        Recovery { next, end: status.end, age_ms, rate_per_day: rate(entries) }
    }

    /// Returns the count that is proposed to be given up: `reserve`, which one command reserves,
    /// and twice what the rate makes of the time since the newest record. `newest`: the newest
    /// index known from elsewhere.
    pub fn margin(&self, newest: Option<u64>, reserve: u64) -> u64 {
        let since = 2.0 * self.rate_per_day * (self.age_ms as f64 / DAY_MS);
        let next = self.next.max(newest.map_or(0, |index| index.saturating_add(1)));
        let left = self.end.saturating_sub(next).max(1);
        reserve.max(since.ceil() as u64).clamp(1, left)
    }
}

fn rate(entries: &[Entry]) -> f64 {
    let reserved: u64 = entries.iter().filter(|e| e.what == "reserve").map(|e| e.count).sum();
    let times = || entries.iter().map(|entry| entry.time_ms);
    let span = times().max().unwrap_or(0) - times().min().unwrap_or(0);
    reserved as f64 * DAY_MS / span.max(HOUR_MS) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_covers_a_command_and_twice_the_rate() {
        let day = Recovery { next: 100, end: 1000, age_ms: 86_400_000, rate_per_day: 30.0 };
        assert_eq!(day.margin(None, 4), 60);
        assert_eq!(day.margin(None, 64), 64);
        assert_eq!(day.margin(Some(979), 4), 20, "no more than is left");
        assert_eq!(day.margin(Some(u64::MAX), 4), 1);
        let fresh = Recovery { age_ms: 0, ..day };
        assert_eq!((fresh.margin(None, 4), fresh.margin(None, 0)), (4, 1));
    }
}
