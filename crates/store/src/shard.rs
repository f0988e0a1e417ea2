//! Shards: disjoint index ranges of one key in stores of their own.
//!
//! A shard shares the seed of its key: one leaked shard leaks all. SP 800-208 does not allow such an export.
//! The give-away is durable in log, guard and witness before a [`Grant`] exists, and the other directory is made only
//! from a grant; a crash between the two loses the shard, which stays counted as given.

use crate::create::{blank, random_id};
use crate::error::{Argument, StoreError};
use crate::identity::Identity;
use crate::options::Options;
use crate::record::Kind;
use crate::store::{Change, Store};
use std::ops::Range;
use std::path::Path;

/// A range that its store has given away for good. Not `Clone`; becomes one shard, or is lost.
#[derive(Debug)]
#[must_use = "the range is given away already: a grant that is dropped is lost"]
pub struct Grant {
    range: Range<u64>,
    identity: Box<Identity>,
    capacity: u64,
    sectors: u32,
    threshold: u64,
    records: u64,
}

impl Grant {
    /// The indices.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
}

impl Store {
    /// Gives away the top `count` indices of the range, durably.
    ///
    /// # Errors
    /// [`StoreError::Exhausted`] if fewer remain, and every failed commit.
    pub fn give(&mut self, count: u64) -> Result<Grant, StoreError> {
        let remaining = self.state.remaining();
        if self.state.retired {
            return Err(StoreError::Retired);
        }
        if count == 0 || count > remaining {
            return Err(if count == 0 {
                StoreError::Argument(Argument::NoCount)
            } else {
                StoreError::Exhausted { remaining }
            });
        }
        let range = self.state.end - count..self.state.end;
        self.commit(&[Change::new(Kind::Give, range.start, count)])?;
        Ok(self.grant(range))
    }

    /// Gives away the highest whole sector that is still untouched.
    ///
    /// # Errors
    /// [`StoreError::NoSector`] if the range does not end with a whole sector, otherwise as [`Store::give`].
    pub fn give_sector(&mut self) -> Result<Grant, StoreError> {
        let size = self.state.capacity / u64::from(self.state.sectors);
        let whole = self.state.end.is_multiple_of(size) && self.state.remaining() >= size;
        if self.state.sectors == 1 || !whole {
            return Err(StoreError::NoSector);
        }
        self.give(size)
    }

    /// The sector an index lies in.
    pub fn sector_of(&self, index: u64) -> u64 {
        index / (self.state.capacity / u64::from(self.state.sectors))
    }

    fn grant(&self, range: Range<u64>) -> Grant {
        Grant {
            threshold: self.state.threshold.min((range.end - range.start) / 16),
            range,
            identity: Box::new(self.state.identity()),
            capacity: self.state.capacity,
            sectors: self.state.sectors,
            records: self.log.records_per_file(),
        }
    }
}

impl Options {
    /// Makes the store of a shard in `dir`, with a guard of its own. Copy the secret into it after this has returned.
    ///
    /// # Errors
    /// As [`Options::create`]; the grant comes back, so that another place can be tried.
    pub fn create_shard(
        self,
        dir: impl AsRef<Path>,
        grant: Grant,
    ) -> Result<Store, (StoreError, Grant)> {
        let id = match random_id(&*self.env) {
            Ok(id) => id,
            Err(e) => return Err((e, grant)),
        };
        let state = blank(
            grant.capacity,
            grant.sectors,
            grant.threshold,
            grant.range.clone(),
            *grant.identity,
            id,
        );
        let records = grant.records;
        self.create_with(dir.as_ref(), state, records).map_err(|e| (e, grant))
    }
}
