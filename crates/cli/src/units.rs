//! Times and link rates as people write them: `100us`, `10ms`, `1Gbit`.

use std::time::Duration;

#[cfg(feature = "measure")]
use crate::error::BadValue;
pub use hasten_model::Rate;
use hasten_report::read_time;

/// Parses a time: a number and one of `ns`, `us`, `ms`, `s`, at most an hour. A bare `0` is zero.
pub fn time(text: &str) -> Result<Duration, BadValue> {
    read_time(text).ok_or_else(|| BadValue::Time(text.to_owned()))
}

/// Parses a time that is not zero.
pub fn positive_time(text: &str) -> Result<Duration, BadValue> {
    time(text).ok().filter(|time| !time.is_zero()).ok_or_else(|| BadValue::Time(text.to_owned()))
}

/// Parses a day or a moment. Returns seconds since 1970.
pub fn moment(text: &str) -> Result<u64, BadValue> {
    hasten_keys::x509::unix_seconds(text).map_err(|_| BadValue::Moment(text.to_owned()))
}

/// Returns the present time in seconds since 1970.
pub fn now() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

/// Returns a count with its noun: `1 signature`, `1,024 signatures`.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    let noun = if count == 1 { one } else { several };
    format!("{} {noun}", hasten_report::grouped(count))
}

/// Returns a count of indices: `1 index`, `1,022 indices`.
pub fn indices(count: u64) -> String {
    counted(count, "index", "indices")
}

/// Returns a count of signatures.
pub fn signatures(count: u64) -> String {
    counted(count, "signature", "signatures")
}

/// Returns microseconds in the unit that suits a person, to two or three digits: `1.2 us`, `51 ms`,
/// `75 s`.
pub fn read_by_people(us: f64) -> String {
    let ns = us * 1e3;
    let units = [(1.0, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s")];
    let shown = |(scale, unit): (f64, &str)| {
        let value = ns / scale;
        // A value that rounds to 1,000 is shown in the next unit.
        let digits = usize::from(value < 9.95);
        (value < 999.5 || unit == "s").then(|| format!("{value:.digits$} {unit}"))
    };
    units.into_iter().find_map(shown).unwrap_or_else(|| format!("{us} us"))
}

/// Parses a whole number above 0.
pub fn count(text: &str) -> Result<usize, BadValue> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| BadValue::Count(text.to_owned()))
}

/// Parses a frequency per second: a whole number above 0, optionally in thousands or millions, such
/// as `10k`.
pub fn frequency(text: &str) -> Result<usize, BadValue> {
    let (number, scale) = match text.strip_suffix('k') {
        Some(number) => (number, 1000),
        None => text.strip_suffix('M').map_or((text, 1), |number| (number, 1_000_000)),
    };
    let scaled = count(number).ok().and_then(|number| number.checked_mul(scale));
    scaled.ok_or_else(|| BadValue::Count(text.to_owned()))
}

/// Parses a number of bytes from 1 to `most`.
pub fn bytes(text: &str, most: usize) -> Result<usize, BadValue> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| BadValue::Bytes { given: text.to_owned(), most })
}

/// Parses the number of bytes in the message of a model or an experiment.
pub fn message_bytes(text: &str) -> Result<usize, BadValue> {
    bytes(text, 1 << 16)
}

/// Parses a link rate: a number and one of `bit`, `kbit`, `Mbit`, `Gbit`, with or without `/s`.
pub fn rate(text: &str) -> Result<Rate, BadValue> {
    Rate::read(text).ok_or_else(|| BadValue::Rate(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_at_all_is_none_where_one_is_needed() {
        assert_eq!(time("0us"), Ok(Duration::ZERO));
        assert_eq!(positive_time("0us"), Err(BadValue::Time("0us".into())));
        assert_eq!(rate("1GB"), Err(BadValue::Rate("1GB".into())));
    }

    #[test]
    fn times_stand_in_the_unit_that_a_person_reads() {
        let cases = [
            (0.0, "0.0 ns"),
            (0.482, "482 ns"),
            (1.234, "1.2 us"),
            (9.96, "10 us"),
            (110.2, "110 us"),
            (999.6, "1.0 ms"),
            (51_229.5, "51 ms"),
            (75_495_316.6, "75 s"),
            (4_000_000_000.0, "4000 s"),
        ];
        for (us, text) in cases {
            assert_eq!(read_by_people(us), text);
        }
    }

    #[test]
    fn one_is_not_several() {
        let counts = [0, 1, 2, 1022].map(indices);
        assert_eq!(counts, ["0 indices", "1 index", "2 indices", "1,022 indices"]);
        assert_eq!([1, 2].map(signatures), ["1 signature", "2 signatures"]);
    }

    #[test]
    fn frequencies_in_thousands() {
        for (text, each) in [("1", 1), ("10k", 10_000), ("2M", 2_000_000)] {
            assert_eq!(frequency(text).unwrap(), each, "{text}");
        }
        for text in ["0", "k", "1.5k", "1kk", "99999999999999999999k", ""] {
            assert!(frequency(text).is_err(), "{text}");
        }
    }
}
