//! Indices that the running session has reserved and recorded, in memory. Detects an index that is
//! recorded twice.

use crate::error::StoreError;
use std::collections::BTreeMap;
use std::ops::Range;

/// Reserved and used indices of one session.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    granted: Runs,
    used: Runs,
    fresh: Vec<Range<u64>>,
    /// Indices recorded with a description of what they signed, and not in the log yet.
    told: Vec<Told>,
}

/// A used index, and the line that describes what it signed.
#[derive(Debug)]
pub(crate) struct Told {
    pub index: u64,
    pub line: Vec<u8>,
}

impl Ledger {
    /// Adds a reserved range.
    ///
    /// # Errors
    /// [`StoreError::ReservedTwice`] if an index of it was added before; then nothing is added.
    pub fn grant(&mut self, range: Range<u64>) -> Result<(), StoreError> {
        match self.granted.first_within(&range) {
            Some(index) => Err(StoreError::ReservedTwice { index }),
            None => {
                self.granted.insert(range);
                Ok(())
            }
        }
    }

    /// Marks `index` as used.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record(&mut self, index: u64) -> Result<(), StoreError> {
        self.take(index)?;
        match self.fresh.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => self.fresh.push(index..index + 1),
        }
        Ok(())
    }

    /// Marks `index` as used, as [`record`](Ledger::record) does, with the line that describes what
    /// it signed.
    pub fn tell(&mut self, index: u64, line: Vec<u8>) -> Result<(), StoreError> {
        self.take(index)?;
        self.told.push(Told { index, line });
        Ok(())
    }

    fn take(&mut self, index: u64) -> Result<(), StoreError> {
        if !self.granted.contains(index) {
            return Err(StoreError::NotReserved { index });
        }
        if self.used.contains(index) {
            return Err(StoreError::AlreadyRecorded { index });
        }
        self.used.insert(index..index + 1);
        Ok(())
    }

    /// Removes and returns up to `limit` indices with a description that are not in the log yet.
    pub fn take_told(&mut self, limit: usize) -> Vec<Told> {
        self.told.drain(..limit.min(self.told.len())).collect()
    }

    /// Removes and returns up to `limit` runs of used indices that are not in the log yet.
    pub fn take_fresh(&mut self, limit: usize) -> Vec<Range<u64>> {
        self.fresh.drain(..limit.min(self.fresh.len())).collect()
    }

    /// Returns the number of recorded indices that are not in the log yet.
    pub fn unwritten(&self) -> u64 {
        self.fresh.iter().map(|r| r.end - r.start).sum::<u64>() + self.told.len() as u64
    }

    /// Returns the number of indices in `range` that were recorded.
    pub fn used_within(&self, range: &Range<u64>) -> u64 {
        self.used.count_within(range)
    }
}

/// Disjoint runs of indices: a map from start to end. Adjacent runs are merged.
#[derive(Debug, Default)]
struct Runs(BTreeMap<u64, u64>);

impl Runs {
    fn contains(&self, index: u64) -> bool {
        self.0.range(..=index).next_back().is_some_and(|(_, end)| index < *end)
    }

    /// Returns the first index of `range` that is in a run.
    fn first_within(&self, range: &Range<u64>) -> Option<u64> {
        if range.start < range.end && self.contains(range.start) {
            return Some(range.start);
        }
        self.0.range(range.clone()).next().map(|(start, _)| *start)
    }

    fn count_within(&self, range: &Range<u64>) -> u64 {
        let overlap = |(from, to): (&u64, &u64)| {
            (*to).min(range.end).saturating_sub((*from).max(range.start))
        };
        self.0.range(..range.end).map(overlap).sum()
    }

    /// Adds a run that overlaps no run in the set.
    fn insert(&mut self, mut run: Range<u64>) {
        if let Some(end) = self.0.remove(&run.end) {
            run.end = end;
        }
        match self.0.range_mut(..run.start).next_back() {
            Some((_, end)) if *end == run.start => *end = run.end,
            _ => drop(self.0.insert(run.start, run.end)),
        }
    }
}
