//! Counts the toggles of 64 copies of a netlist separately, and computes Welch's t between two
//! groups of traces.

use super::lanes::Word;

/// One counter per copy. Bit k of each copy's counter is in plane k.
#[derive(Default)]
pub struct Counters {
    planes: Vec<Word>,
}

impl Counters {
    /// Increments the counters of the copies that are set.
    pub fn add(&mut self, mut copies: Word) {
        for plane in &mut self.planes {
            let carry = *plane & copies;
            *plane ^= copies;
            copies = carry;
            if copies == 0 {
                return;
            }
        }
        if copies != 0 {
            self.planes.push(copies);
        }
    }

    /// Returns the count of a copy.
    pub fn of(&self, copy: u32) -> u64 {
        let bit = |(k, plane): (usize, &Word)| (plane >> copy & 1) << k;
        self.planes.iter().enumerate().map(bit).sum()
    }
}

/// Statistics of a group of samples in one cycle.
#[derive(Debug, Default, Clone, Copy)]
pub struct Samples {
    count: f64,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

impl Samples {
    /// Adds a sample (Welford's update).
    pub fn add(&mut self, sample: f64) {
        self.count += 1.0;
        let distance = sample - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (sample - self.mean);
    }

    /// Returns the variance of the mean.
    fn of_mean(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }

    /// Returns Welch's t. If neither group has any variance, it is 0 for equal means and `None`
    /// otherwise.
    pub fn t(&self, other: &Self) -> Option<f64> {
        let (distance, variance) = (self.mean - other.mean, self.of_mean() + other.of_mean());
        match (distance == 0.0, variance > 0.0) {
            (true, _) => Some(0.0),
            (false, true) => Some(distance / variance.sqrt()),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::played::Random;
    use super::*;

    #[test]
    fn ones_are_counted_by_copy() {
        let mut counters = Counters::default();
        for at in 0..1000_u64 {
            counters.add(if at % 3 == 0 { 0b111 } else { 0b001 });
        }
        assert_eq!([0, 1, 2, 3].map(|copy| counters.of(copy)), [1000, 334, 334, 0]);
    }

    fn group(samples: &[f64]) -> Samples {
        let mut group = Samples::default();
        samples.iter().for_each(|sample| group.add(*sample));
        group
    }

    #[test]
    fn t_is_that_of_the_textbook() {
        // Means 3 and 6, variances 2.5 and 10 of five samples each: -3 / sqrt(0.5 + 2).
        let (one, other) = (group(&[1., 2., 3., 4., 5.]), group(&[2., 4., 6., 8., 10.]));
        assert!((one.t(&other).unwrap() + 3.0 / 2.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(group(&[2., 2.]).t(&group(&[2., 2.])), Some(0.0));
        assert_eq!(group(&[2., 2.]).t(&group(&[3., 3.])), None);
    }

    #[test]
    fn equal_groups_stay_below_and_others_do_not() {
        let mut random = Random(5);
        let mut weights =
            |bits: u64| (0..4000).map(|_| f64::from((random.next() & bits).count_ones())).collect();
        let (one, same): (Vec<f64>, Vec<f64>) = (weights(u64::MAX), weights(u64::MAX));
        let fewer: Vec<f64> = weights(u64::MAX >> 1);
        assert!(group(&one).t(&group(&same)).unwrap().abs() < 4.5);
        assert!(group(&one).t(&group(&fewer)).unwrap() > 4.5);
    }
}
