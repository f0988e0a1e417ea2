//! Human-readable clock times.

/// Formats a wall-clock time as `2026-11-21 19:05:09 UTC`, in the Gregorian calendar.
pub fn utc(since_epoch_ms: u64) -> String {
    let seconds = since_epoch_ms / 1000;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let [year, month, day] = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Converts a number of days since 1970-01-01 to year, month and day. The calculation uses years
/// that begin in March, so that a leap day is the last day of its year.
fn date(days: u64) -> [u64; 3] {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let march_first = era * 400 + year;
    let (month, day) = ((month + 2) % 12 + 1, day - (153 * month + 2) / 5 + 1);
    [march_first + u64::from(month <= 2), month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_the_calendar() {
        assert_eq!(utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc(951_782_399_999), "2000-02-28 23:59:59 UTC");
        assert_eq!(utc(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(1_795_287_909_123), "2026-11-21 19:05:09 UTC");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01 00:00:00 UTC");
    }
}
