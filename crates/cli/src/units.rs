//! Times and link rates as people write them: `100us`, `10ms`, `1Gbit`.

use std::time::Duration;

pub use hasten_model::Rate;
use hasten_model::rate::UNITS as RATES;
#[cfg(feature = "measure")]
pub use hasten_report::show_time;

use crate::error::BadValue;

const TIMES: &[(&str, f64)] =
    &[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)];

/// The longest time accepted, in nanoseconds: one hour.
const LONGEST_NS: f64 = 3.6e12;

/// The fastest link accepted, in bits per second: 10 Tbit.
const FASTEST: f64 = 1e13;

/// Returns a time: a number and one of `ns`, `us`, `ms`, `s`, at most an hour. A bare `0` is zero.
pub fn time(text: &str) -> Result<Duration, BadValue> {
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    scaled(text, TIMES, |unit, name| unit == name)
        .filter(|ns| *ns <= LONGEST_NS)
        .map(|ns| Duration::from_nanos(ns.round() as u64))
        .ok_or_else(|| BadValue::Time(text.to_owned()))
}

/// Returns a time that is not zero.
pub fn positive_time(text: &str) -> Result<Duration, BadValue> {
    time(text).ok().filter(|time| !time.is_zero()).ok_or_else(|| BadValue::Time(text.to_owned()))
}

/// Returns a day or a moment, in seconds since 1970.
pub fn moment(text: &str) -> Result<u64, BadValue> {
    hasten_keys::x509::unix_seconds(text).map_err(|_| BadValue::Moment(text.to_owned()))
}

/// Seconds since 1970.
pub fn now() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

/// Returns a whole number above 0.
pub fn count(text: &str) -> Result<usize, BadValue> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| BadValue::Count(text.to_owned()))
}

/// Returns how often something happens in a second: a whole number above 0, or one of thousands or
/// millions, as `10k`.
pub fn frequency(text: &str) -> Result<usize, BadValue> {
    let (number, scale) = match text.strip_suffix('k') {
        Some(number) => (number, 1000),
        None => text.strip_suffix('M').map_or((text, 1), |number| (number, 1_000_000)),
    };
    let scaled = count(number).ok().and_then(|number| number.checked_mul(scale));
    scaled.ok_or_else(|| BadValue::Count(text.to_owned()))
}

/// Returns a number of bytes from 1 to `most`.
pub fn bytes(text: &str, most: usize) -> Result<usize, BadValue> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| BadValue::Bytes { given: text.to_owned(), most })
}

/// Returns a link rate: a number and one of `bit`, `kbit`, `Mbit`, `Gbit`, with or without `/s`.
pub fn rate(text: &str) -> Result<Rate, BadValue> {
    let plain = text.strip_suffix("/s").unwrap_or(text);
    scaled(plain, RATES, str::eq_ignore_ascii_case)
        .filter(|bits| (1.0..=FASTEST).contains(bits))
        .map(Rate::per_second)
        .ok_or_else(|| BadValue::Rate(text.to_owned()))
}

fn scaled(text: &str, units: &[(&str, f64)], same: fn(&str, &str) -> bool) -> Option<f64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(digits);
    let (_, scale) = units.iter().find(|(name, _)| same(unit.trim_start(), name))?;
    number.parse::<f64>().ok().map(|number| number * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_every_unit() {
        let cases = [("100us", 100_000), ("2.5ms", 2_500_000), ("1s", 1_000_000_000), ("7ns", 7)];
        for (text, ns) in cases {
            assert_eq!(time(text).unwrap().as_nanos(), ns, "{text}");
        }
        assert_eq!(time("100 us").unwrap(), time("100µs").unwrap());
        assert_eq!(time("0").unwrap(), Duration::ZERO);
    }

    #[test]
    fn times_that_are_not() {
        for text in ["", "100", "us", "-1us", "1e3us", "nan", "inf", "1h", "2000000s", "1..2us"] {
            assert!(time(text).is_err(), "{text}");
        }
        assert!(positive_time("0us").is_err());
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

    #[test]
    fn rates_in_every_unit() {
        for (text, bits) in [("1Gbit", 1e9), ("100Mbit/s", 1e8), ("2.5gbit", 2.5e9), ("9kbit", 9e3)]
        {
            assert_eq!(rate(text).unwrap().bits(), bits, "{text}");
        }
        for text in ["", "1", "1G", "1GB", "0Gbit", "-1Gbit", "1Gbit/m", "1e30Gbit", "11000Gbit"] {
            assert!(rate(text).is_err(), "{text}");
        }
    }

    #[test]
    #[cfg(feature = "measure")]
    fn times_are_shown_as_written() {
        for text in ["0", "250ns", "100us", "2.5ms", "3s"] {
            assert_eq!(show_time(time(text).unwrap()), text);
        }
    }

    #[test]
    fn rates_are_shown_as_written() {
        for text in ["1Gbit", "2.5Gbit", "100Mbit", "9kbit", "5bit"] {
            assert_eq!(rate(text).unwrap().to_string(), text);
        }
    }
}
