//! Points in time in seconds since 1970, and their text form.

use der::DateTime;

use crate::Error;

/// The validity period of a certificate, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first valid second.
    pub not_before: u64,
    /// The last valid second.
    pub not_after: u64,
}

/// Parses a time: `YYYY-MM-DD` (the beginning of that day) or `YYYY-MM-DDTHH:MM:SSZ`.
///
/// # Errors
/// `BadTime`.
pub fn unix_seconds(text: &str) -> Result<u64, Error> {
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let time: DateTime = whole.parse().map_err(|_| Error::BadTime)?;
    Ok(time.unix_duration().as_secs())
}

/// Returns the time in the syntax of [`unix_seconds`]; the last second of 9999 for any later time.
pub fn written(seconds: u64) -> String {
    let time = DateTime::from_unix_duration(core::time::Duration::from_secs(seconds));
    time.unwrap_or(DateTime::INFINITY).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_seconds() {
        assert_eq!(unix_seconds("1970-01-02"), Ok(86_400));
        assert_eq!(unix_seconds("2026-11-21T12:00:01Z"), Ok(1_795_262_401));
        assert_eq!(written(1_795_262_401), "2026-11-21T12:00:01Z");
        for text in ["", "2026-13-01", "2026-1-1", "yesterday", "2026-11-21 12:00:01"] {
            assert_eq!(unix_seconds(text), Err(Error::BadTime), "{text}");
        }
    }
}
