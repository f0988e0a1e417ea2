//! Rates of links in the form that people write.

use std::fmt;

/// Units of a rate, the smallest first, with the bits per second of each.
const UNITS: &[(&str, f64)] = &[("bit", 1.0), ("kbit", 1e3), ("Mbit", 1e6), ("Gbit", 1e9)];

/// The highest rate accepted, in bits per second: 10 Tbit/s.
const FASTEST: f64 = 1e13;

/// A link rate in bits per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate(f64);

impl Rate {
    /// Returns a rate of `bits` per second.
    pub const fn per_second(bits: f64) -> Self {
        Self(bits)
    }

    /// Parses a number followed by `bit`, `kbit`, `Mbit` or `Gbit`, with or without `/s`.
    pub fn read(text: &str) -> Option<Self> {
        let plain = text.strip_suffix("/s").unwrap_or(text);
        let bits = hasten_report::scaled(plain, UNITS, str::eq_ignore_ascii_case);
        bits.filter(|bits| (1.0..=FASTEST).contains(bits)).map(Self)
    }

    /// Returns the bits per second.
    pub fn bits(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = UNITS.iter().rev().find(|(_, scale)| self.0 >= *scale);
        let (unit, scale) = fits.unwrap_or(&UNITS[0]);
        write!(f, "{}{unit}", self.0 / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_unit_that_fits() {
        for (bits, text) in [(1e9, "1Gbit"), (2.5e9, "2.5Gbit"), (1e8, "100Mbit"), (5.0, "5bit")] {
            assert_eq!(Rate::per_second(bits).to_string(), text);
        }
    }
    #[test]
    fn rates_in_every_unit() {
        for (text, bits) in [("1Gbit", 1e9), ("100Mbit/s", 1e8), ("2.5gbit", 2.5e9), ("9kbit", 9e3)]
        {
            assert_eq!(Rate::read(text).map(Rate::bits), Some(bits), "{text}");
        }
        for text in ["", "1", "1G", "1GB", "0Gbit", "-1Gbit", "1Gbit/m", "1e30Gbit", "11000Gbit"] {
            assert_eq!(Rate::read(text), None, "{text}");
        }
    }

    #[test]
    fn rates_are_shown_as_read() {
        for text in ["1Gbit", "2.5Gbit", "100Mbit", "9kbit", "5bit"] {
            assert_eq!(Rate::read(text).map(|rate| rate.to_string()).as_deref(), Some(text));
        }
    }
}
