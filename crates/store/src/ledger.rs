//! What the running session has reserved and recorded, in memory. Finds an index recorded twice.

use crate::error::StoreError;
use std::collections::BTreeMap;
use std::ops::Range;

/// Reserved and used indices of one session.
#[derive(Debug, Default)]
pub struct Ledger {
    granted: Vec<Range<u64>>,
    used: BTreeMap<u64, u64>,
    fresh: Vec<Range<u64>>,
}

impl Ledger {
    /// Adds a reserved range.
    pub fn grant(&mut self, range: Range<u64>) {
        match self.granted.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.granted.push(range),
        }
    }

    /// Marks `index` as used.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record(&mut self, index: u64) -> Result<(), StoreError> {
        if !self.granted.iter().any(|r| r.contains(&index)) {
            return Err(StoreError::NotReserved { index });
        }
        if self.is_used(index) {
            return Err(StoreError::AlreadyRecorded { index });
        }
        self.insert(index);
        match self.fresh.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => self.fresh.push(index..index + 1),
        }
        Ok(())
    }

    /// Up to `limit` runs of used indices that are not in the log yet.
    pub fn take_fresh(&mut self, limit: usize) -> Vec<Range<u64>> {
        self.fresh.drain(..limit.min(self.fresh.len())).collect()
    }

    /// How many indices were recorded and are not in the log yet.
    pub fn unwritten(&self) -> u64 {
        self.fresh.iter().map(|r| r.end - r.start).sum()
    }

    /// How many indices of `range` were recorded.
    pub fn used_within(&self, range: Range<u64>) -> u64 {
        let overlap = |(from, to): (&u64, &u64)| {
            (*to).min(range.end).saturating_sub((*from).max(range.start))
        };
        self.used.range(..range.end).map(overlap).sum()
    }

    fn is_used(&self, index: u64) -> bool {
        self.used.range(..=index).next_back().is_some_and(|(_, end)| index < *end)
    }

    fn insert(&mut self, index: u64) {
        let mut run = index..index + 1;
        if let Some(end) = self.used.remove(&run.end) {
            run.end = end;
        }
        match self.used.range_mut(..index).next_back() {
            Some((_, end)) if *end == index => *end = run.end,
            _ => drop(self.used.insert(run.start, run.end)),
        }
    }
}
