//! Windows of Hasten and a peer in turns, and their ratios.

use std::time::Duration;

use hasten_measure::windows::Subject;
use hasten_report::Summary;

use crate::side::Work;

/// Minimum number of windows of each side.
const FEWEST: usize = 2;

/// Microseconds per operation in each window, for Hasten and for the peer.
#[derive(Debug, Default, PartialEq)]
pub struct Turns {
    pub ours: Vec<f64>,
    pub theirs: Vec<f64>,
}

impl Turns {
    /// Measures until `enough` time has passed or `most` windows are taken, but at least two
    /// windows.
    ///
    /// # Errors
    /// A message, if the peer is a program and does not answer.
    pub fn take(
        most: usize,
        enough: Duration,
        ours: &mut dyn FnMut(),
        theirs: &mut Work,
    ) -> Result<Self, String> {
        let mut ours = Subject::brief(1, ours);
        let mut turns = Self::default();
        let mut turn = |theirs: &mut dyn FnMut() -> Result<f64, String>| {
            let began = hasten_measure::clock::elapsed();
            while turns.needs(most, || hasten_measure::clock::elapsed() - began < enough) {
                turns.ours.push(ours.window());
                turns.theirs.push(theirs()?);
            }
            Ok(())
        };
        match theirs {
            Work::Call(call) => {
                let mut subject = Subject::brief(1, call);
                turn(&mut || Ok(subject.window()))
            }
            Work::Asked(ask) => ask().and_then(|_warm| turn(ask)),
        }
        .map(|()| turns)
    }

    /// Returns true if another window is due.
    fn needs(&self, most: usize, early: impl FnOnce() -> bool) -> bool {
        let taken = self.ours.len();
        taken < FEWEST || taken < most && early()
    }

    /// Returns the peer's minimum time divided by Hasten's, and the ratio for each window.
    pub fn ratio(&self) -> (f64, Summary) {
        let [ours, theirs] = [&self.ours, &self.theirs].map(|times| Summary::of(times));
        let pairs = self.theirs.iter().zip(&self.ours);
        let each: Vec<f64> = pairs.map(|(theirs, ours)| theirs / ours).collect();
        ((theirs.min / ours.min * 100.0).round() / 100.0, Summary::of(&each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_the_least_and_of_each_window() {
        let turns = Turns { ours: vec![2.0, 4.0], theirs: vec![6.0, 5.0] };
        let (ratio, spread) = turns.ratio();
        assert_eq!((ratio, spread.min, spread.max), (2.5, 1.25, 3.0));
    }

    #[test]
    fn windows_end_by_time_or_number_but_two_are_taken() {
        let of = |taken| Turns { ours: vec![1.0; taken], theirs: vec![1.0; taken] };
        assert!(of(1).needs(1, || false));
        assert!(!of(2).needs(9, || false));
        assert!(of(2).needs(9, || true));
        assert!(!of(9).needs(9, || true));
    }

    #[test]
    fn a_program_that_fails_ends_the_windows() {
        let mut left = 3;
        let ask = move || {
            left -= 1;
            if left == 0 { Err("it is gone".to_owned()) } else { Ok(4.0) }
        };
        let turns =
            Turns::take(9, Duration::from_secs(9), &mut || {}, &mut Work::Asked(Box::new(ask)));
        assert_eq!(turns, Err("it is gone".to_owned()));
    }

    #[test]
    fn times_that_a_program_tells_are_taken_as_told() {
        let mut work = Work::Asked(Box::new(|| Ok(4.0)));
        let turns = Turns::take(3, Duration::from_secs(9), &mut || {}, &mut work).unwrap();
        assert_eq!((turns.theirs, turns.ours.len()), (vec![4.0; 3], 3));
    }
}
