//! A time with its spread.

use serde::{Deserialize, Serialize};

use super::round;

/// A time with its distribution; all figures are equal if it was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// Smallest.
    pub min: f64,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p999: Option<f64>,
    /// Largest.
    pub max: f64,
}

impl Time {
    /// Returns a time that does not vary.
    #[must_use]
    pub fn constant(us: f64) -> Self {
        let us = round(us);
        Self { min: us, p50: us, p99: us, p999: None, max: us }
    }

    /// Returns the time of two parts in sequence: each figure is added.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let p999 = self.p999.or(other.p999).map(|_| self.tail() + other.tail());
        let sum = |a: f64, b: f64| round(a + b);
        Self {
            min: sum(self.min, other.min),
            p50: sum(self.p50, other.p50),
            p99: sum(self.p99, other.p99),
            p999: p999.map(round),
            max: sum(self.max, other.max),
        }
    }

    /// Returns the figure to compare with a budget: the 99.9th percentile if it is known, else the
    /// 99th.
    #[must_use]
    pub fn tail(&self) -> f64 {
        self.p999.unwrap_or(self.p99)
    }
}
