//! Times in the form that people write.

use crate::micros;
use std::time::Duration;

/// Returns a time in its largest fitting unit: `100us`, `2.5ms`, `3s`.
pub fn show_time(time: Duration) -> String {
    show_micros(micros(time))
}

/// Returns microseconds in their largest fitting unit: `4.82ns`, `100us`.
pub fn show_micros(us: f64) -> String {
    match (us * 1e9).round() / 1e6 {
        0.0 => "0".to_owned(),
        ns if ns < 1e3 => format!("{ns}ns"),
        ns if ns < 1e6 => format!("{}us", ns / 1e3),
        ns if ns < 1e9 => format!("{}ms", ns / 1e6),
        ns => format!("{}s", ns / 1e9),
    }
}

/// Units of a time, in nanoseconds.
const TIMES: &[(&str, f64)] =
    &[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)];

/// The longest time accepted, in nanoseconds: one hour.
const LONGEST_NS: f64 = 3.6e12;

/// Reads a time: a number and one of `ns`, `us`, `ms`, `s`, at most an hour. A bare `0` is zero.
pub fn read_time(text: &str) -> Option<Duration> {
    read_micros(text).map(|us| Duration::from_nanos((us * 1e3).round() as u64))
}

/// Reads a time as microseconds, with fractions of a nanosecond, such as the period of a clock.
pub fn read_micros(text: &str) -> Option<f64> {
    if text == "0" {
        return Some(0.0);
    }
    let ns = scaled(text, TIMES, |unit, name| unit == name).filter(|ns| *ns <= LONGEST_NS)?;
    Some(ns / 1e3)
}

/// Reads a decimal number followed by a unit; `same` compares units.
pub fn scaled(text: &str, units: &[(&str, f64)], same: fn(&str, &str) -> bool) -> Option<f64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(digits);
    let (_, scale) = units.iter().find(|(name, _)| same(unit.trim_start(), name))?;
    number.parse::<f64>().ok().map(|number| number * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_unit_that_fits() {
        for (ns, text) in [(0, "0"), (250, "250ns"), (100_000, "100us"), (2_500_000, "2.5ms")] {
            assert_eq!(show_time(Duration::from_nanos(ns)), text);
        }
    }

    #[test]
    fn parts_of_a_nanosecond_stay() {
        for text in ["4.82ns", "2.5ns", "0.125ns", "7.62us"] {
            assert_eq!(read_micros(text).map(show_micros).as_deref(), Some(text));
        }
    }
    #[test]
    fn times_in_every_unit() {
        let cases = [("100us", 100_000), ("2.5ms", 2_500_000), ("1s", 1_000_000_000), ("7ns", 7)];
        for (text, ns) in cases {
            assert_eq!(read_time(text), Some(Duration::from_nanos(ns)), "{text}");
        }
        assert_eq!(read_time("100 us"), read_time("100µs"));
        assert_eq!(read_time("0"), Some(Duration::ZERO));
    }

    #[test]
    fn times_that_are_not() {
        for text in ["", "100", "us", "-1us", "1e3us", "nan", "inf", "1h", "2000000s", "1..2us"] {
            assert_eq!(read_time(text), None, "{text}");
        }
    }

    #[test]
    fn times_are_read_as_shown() {
        for text in ["0", "250ns", "100us", "2.5ms", "3s"] {
            assert_eq!(read_time(text).map(show_time).as_deref(), Some(text));
        }
    }
}
