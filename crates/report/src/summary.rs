//! Summaries of many samples: minimum, median, 99th percentile, maximum.

use std::time::Duration;

use serde::Serialize;

/// Four figures of a set of samples, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Smallest sample.
    pub min: f64,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Largest sample.
    pub max: f64,
}

impl Summary {
    /// Returns the summary of the samples. Percentiles are samples, by the nearest-rank rule; all
    /// figures are zero if there are no samples.
    pub fn of(samples: &[f64]) -> Self {
        let mut ranked = samples.to_vec();
        ranked.sort_by(f64::total_cmp);
        let at = |share: f64| ranked.get(rank(share, ranked.len())).copied().map_or(0.0, round);
        Self { min: at(0.0), p50: at(0.50), p99: at(0.99), max: at(1.0) }
    }

    /// Returns the summary with `us` added to all four figures.
    pub fn plus(self, us: f64) -> Self {
        let later = |value: f64| round(value + us);
        let Self { min, p50, p99, max } = self;
        Self { min: later(min), p50: later(p50), p99: later(p99), max: later(max) }
    }

    /// Returns a summary with all four figures equal, for a quantity that does not vary.
    pub fn constant(value: f64) -> Self {
        Self::of(&[value])
    }
}

/// Returns the zero-based rank of the percentile `share` among `count` samples.
pub fn rank(share: f64, count: usize) -> usize {
    ((share * count as f64).ceil() as usize).saturating_sub(1)
}

/// Rounds to four decimals: to a tenth of a nanosecond if the unit is a microsecond.
pub fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Returns a time in microseconds.
pub fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank() {
        let samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let four = Summary::of(&samples);
        assert_eq!(four, Summary { min: 1.0, p50: 50.0, p99: 99.0, max: 100.0 });
        assert_eq!(Summary::of(&[3.0, 1.0, 2.0]).p50, 2.0);
        assert_eq!(Summary::of(&[5.0]), Summary::constant(5.0));
        assert_eq!(Summary::of(&[]), Summary::constant(0.0));
    }
}
