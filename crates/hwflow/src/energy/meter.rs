//! Energy and accesses by the kind of work in each cycle, as the counters of a recording indicate.

use std::collections::BTreeMap;

/// Totals of the cycles of one kind.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Class {
    /// Number of cycles.
    pub cycles: f64,
    /// Energy of the netlist in picojoules, without leakage.
    pub picojoules: f64,
    /// Sums of columns of the recording, by column name.
    pub sums: BTreeMap<String, f64>,
}

/// Columns of a recording, and the totals since the current part began.
pub struct Meter {
    /// Columns that are added up. Their names begin with a dot.
    sums: Vec<(usize, String)>,
    /// Counters of cycles. Their names begin with a number sign.
    kinds: Vec<(usize, String)>,
    classes: Vec<Class>,
    /// Totals of the cycles that no counter has claimed yet.
    since: Class,
    counters: Vec<u64>,
}

impl Meter {
    /// Finds the columns by their names. The column `left_out` is ignored.
    pub fn new(names: &[&str], left_out: &str) -> Self {
        let of = |sign: char| {
            let named = names.iter().enumerate().filter(|(_, name)| **name != left_out);
            named.filter_map(|(at, name)| Some((at, name.strip_prefix(sign)?.to_owned()))).collect()
        };
        let kinds: Vec<(usize, String)> = of('#');
        let counters = vec![0; kinds.len()];
        let mut meter =
            Self { sums: of('.'), kinds, classes: Vec::new(), since: Class::default(), counters };
        meter.begin();
        meter
    }

    /// Resets the totals for a new part.
    pub fn begin(&mut self) {
        self.classes = vec![Class::default(); self.kinds.len()];
        self.since = Class::default();
    }

    /// Returns the totals of a single cycle.
    pub fn cycle(&self, row: &[u64], picojoules: f64) -> Class {
        let sums = self.sums.iter().map(|(at, name)| (name.clone(), row[*at] as f64));
        Class { cycles: 1.0, picojoules, sums: sums.collect() }
    }

    /// Adds a cycle. When counters change, the cycles since their last change are assigned to the
    /// kinds of these counters.
    pub fn take(&mut self, row: &[u64], picojoules: f64) {
        let cycle = self.cycle(row, picojoules);
        self.since.add(&cycle, 1.0, 1.0);
        let now: Vec<u64> = self.kinds.iter().map(|(at, _)| row[*at]).collect();
        let moved: Vec<f64> = now
            .iter()
            .zip(&self.counters)
            .map(|(now, old)| f64::from((*now as u32).wrapping_sub(*old as u32)))
            .collect();
        self.counters = now;
        let all: f64 = moved.iter().sum();
        if all > 0.0 {
            let since = std::mem::take(&mut self.since);
            for (class, cycles) in self.classes.iter_mut().zip(moved) {
                class.add(&since, cycles, cycles / all);
            }
        }
    }

    /// Returns the totals by kind of cycle.
    pub fn classes(&self) -> BTreeMap<String, Class> {
        let names = self.kinds.iter().map(|(_, name)| name.clone());
        names.zip(self.classes.iter().cloned()).collect()
    }
}

impl Class {
    /// Adds a share of another class as `cycles` cycles.
    pub fn add(&mut self, other: &Self, cycles: f64, share: f64) {
        self.cycles += cycles;
        self.picojoules += share * other.picojoules;
        for (name, sum) in &other.sums {
            *self.sums.entry(name.clone()).or_default() += share * sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_belong_to_the_counter_that_moves_behind_them() {
        let mut meter = Meter::new(&[".part", ".read", "a_i", "#waits", "#moves"], ".part");
        for (read, waits, moves, energy) in
            [(1, 0, 0, 5.0), (0, 3, 1, 3.0), (1, 3, 1, 2.0), (1, 3, 3, 4.0)]
        {
            meter.take(&[1, read, 9, waits, moves], energy);
        }
        let classes = meter.classes();
        let sums = |read: f64| BTreeMap::from([("read".to_owned(), read)]);
        let (waits, moves) = (&classes["waits"], &classes["moves"]);
        assert_eq!(*waits, Class { cycles: 3.0, picojoules: 6.0, sums: sums(0.75) });
        assert_eq!(*moves, Class { cycles: 3.0, picojoules: 8.0, sums: sums(2.25) });
        meter.begin();
        assert_eq!(meter.classes()["waits"], Class::default());
    }
}
