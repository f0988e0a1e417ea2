//! Five figures of a set of samples: those of a summary, and the 99.9th percentile for the tail.

use hasten_model::explore::Time;
use hasten_report::{Summary, rank, round};

/// Returns the distribution of the samples. All figures are zero if there are no samples.
pub fn of(samples: &[f64]) -> Time {
    let Summary { min, p50, p99, max } = Summary::of(samples);
    let mut ranked = samples.to_vec();
    ranked.sort_by(f64::total_cmp);
    let p999 = ranked.get(rank(0.999, ranked.len())).copied().map(round);
    Time { min, p50, p99, p999, max }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_ranked_too() {
        let samples: Vec<f64> = (1..=1000).rev().map(f64::from).collect();
        let Time { min, p50, p99, p999, max } = of(&samples);
        assert_eq!([min, p50, p99, p999.unwrap(), max], [1.0, 500.0, 990.0, 999.0, 1000.0]);
        assert_eq!(of(&[]).p999, None);
    }
}
