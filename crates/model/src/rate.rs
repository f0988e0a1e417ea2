//! Rates of links, as people write them.

use std::fmt;

/// Units of a rate, the smallest first, with the bits per second of each.
pub const UNITS: &[(&str, f64)] = &[("bit", 1.0), ("kbit", 1e3), ("Mbit", 1e6), ("Gbit", 1e9)];

/// A link rate in bits per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate(f64);

impl Rate {
    /// Returns a rate of `bits` per second.
    pub const fn per_second(bits: f64) -> Self {
        Self(bits)
    }

    /// Returns bits per second.
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
}
