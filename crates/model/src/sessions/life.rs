//! Lifetime of an identity.

use hasten_report::grouped;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Returns the number of messages in `days` days at `rate` messages per second.
pub fn messages(days: u64, rate: usize) -> u64 {
    days.saturating_mul(DAY).saturating_mul(rate as u64)
}

/// Returns the time that `messages` messages last at `rate` per second, in its two largest units.
pub fn time(messages: u64, rate: usize) -> String {
    let seconds = messages / (rate as u64).max(1);
    let (unit, part, names) = match seconds {
        0..HOUR => (MINUTE, 1, ["minutes", "seconds"]),
        HOUR..DAY => (HOUR, MINUTE, ["hours", "minutes"]),
        _ => (DAY, HOUR, ["days", "hours"]),
    };
    let [whole, rest] = [seconds / unit, seconds % unit / part];
    format!("{} {} and {rest} {}", grouped(whole), names[0], names[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_has_two_units() {
        assert_eq!(time(messages(400, 7), 7), "400 days and 0 hours");
        assert_eq!(time(3 * 86_400 + 2 * 3600 + 59, 1), "3 days and 2 hours");
        assert_eq!(time(86_399_000, 1000), "23 hours and 59 minutes");
        assert_eq!(time(32, 1), "0 minutes and 32 seconds");
        assert_eq!(time(1 << 20, 0), "12 days and 3 hours");
    }
}
