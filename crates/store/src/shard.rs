//! Shards: disjoint index ranges of one key in stores of their own.
//!
//! A shard has the same seed as its key: one leaked shard leaks the whole key. SP 800-208 does not
//! allow such an export.
//!
//! First a place is prepared for the offered range: the store of the shard, under a temporary name
//! and without the secret. Then the range is given away, durably in log, guard and witness, and
//! only then a [`Grant`] exists. Finally the grant gives the place its name. A crash after the
//! give-away loses the shard, which still counts as given.

mod arrival;
mod carried;
mod grant;

pub use carried::{Carried, ShardFile};
pub use grant::Unfinished;

use crate::create::{Place, blank};
use crate::env::random_id;
use crate::error::{Argument, StoreError};
use crate::identity::Identity;
use crate::options::Options;
use crate::record::Kind;
use crate::store::{Change, Store};
use std::ops::Range;
use std::path::Path;

/// A range that its store has given away permanently. Not `Clone`: it becomes one shard, or is
/// lost.
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
    /// Returns the range of indices.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
}

/// A range that could be given away. Nothing is given away yet.
#[derive(Debug)]
pub struct Offer(Grant);

impl Offer {
    /// Returns the range of indices.
    pub fn range(&self) -> Range<u64> {
        self.0.range()
    }
}

/// A place for a shard: its store is complete except for its name, so that little can fail after
/// the range is given away.
pub struct ShardPlace {
    place: Place,
    range: Range<u64>,
}

impl ShardPlace {
    /// Turns the place into the store of the granted range. Copy the secret into the store only
    /// after this has returned.
    ///
    /// # Errors
    /// [`StoreError::OtherGrant`] if the grant has another range than the place, and every failed
    /// call. The grant is returned, so that another place can be tried.
    pub fn settle(self, grant: Grant) -> Result<Store, (StoreError, Grant)> {
        if grant.range != self.range {
            return Err((StoreError::OtherGrant, grant));
        }
        self.place.settle().map_err(|error| (error, grant))
    }
}

impl Store {
    /// Offers the top `count` indices of the range. Nothing is given away yet.
    ///
    /// # Errors
    /// [`StoreError::Exhausted`] if fewer remain, [`StoreError::Retired`].
    pub fn offer(&self, count: u64) -> Result<Offer, StoreError> {
        let remaining = self.state.remaining();
        match count {
            _ if self.state.retired => Err(StoreError::Retired),
            0 => Err(StoreError::Argument(Argument::NoCount)),
            count if count > remaining => Err(StoreError::Exhausted { remaining }),
            count => Ok(Offer(self.grant(self.state.end - count..self.state.end))),
        }
    }

    /// Offers the highest whole sector that is still unused.
    ///
    /// # Errors
    /// [`StoreError::NoSector`] if the range does not end with a whole sector, otherwise as
    /// [`Store::offer`].
    pub fn offer_sector(&self) -> Result<Offer, StoreError> {
        let size = self.state.capacity / u64::from(self.state.sectors);
        let whole = self.state.end.is_multiple_of(size) && self.state.remaining() >= size;
        if self.state.sectors == 1 || !whole { Err(StoreError::NoSector) } else { self.offer(size) }
    }

    /// Gives away the offered range, durably.
    ///
    /// # Errors
    /// [`StoreError::OtherGrant`] if the offered range is no longer the unused top of the range,
    /// and every failed commit.
    pub fn give_offered(&mut self, Offer(grant): Offer) -> Result<Grant, StoreError> {
        let Range { start, end } = grant.range;
        if end != self.state.end
            || start < self.state.next
            || *grant.identity != self.state.identity()
        {
            return Err(StoreError::OtherGrant);
        }
        self.commit(&[Change::new(Kind::Give, start, end - start)])?;
        Ok(grant)
    }

    /// Gives away the top `count` indices of the range, durably.
    ///
    /// # Errors
    /// [`StoreError::Exhausted`] if fewer remain, and every failed commit.
    pub fn give(&mut self, count: u64) -> Result<Grant, StoreError> {
        let offer = self.offer(count)?;
        self.give_offered(offer)
    }

    /// Gives away the highest whole sector that is still unused, durably.
    ///
    /// # Errors
    /// [`StoreError::NoSector`] if the range does not end with a whole sector, otherwise as
    /// [`Store::give`].
    pub fn give_sector(&mut self) -> Result<Grant, StoreError> {
        let offer = self.offer_sector()?;
        self.give_offered(offer)
    }

    /// Returns the number of the sector that contains an index.
    pub fn sector_of(&self, index: u64) -> u64 {
        index / (self.state.capacity / u64::from(self.state.sectors))
    }

    pub(crate) fn grant(&self, range: Range<u64>) -> Grant {
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
    /// Prepares a place for the shard of an offered range, in `dir`, with a guard of its own.
    /// Nothing is given away, and nothing can be reserved from the place.
    ///
    /// # Errors
    /// As [`Options::create`].
    pub fn shard_place(
        self,
        dir: impl AsRef<Path>,
        offer: &Offer,
    ) -> Result<ShardPlace, StoreError> {
        self.place_of(dir.as_ref(), &offer.0)
    }

    /// Creates the store of a shard in `dir`, with a guard of its own. Copy the secret into the
    /// store only after this has returned.
    ///
    /// # Errors
    /// As [`Options::create`]. The grant is returned, so that another place can be tried.
    pub fn create_shard(
        self,
        dir: impl AsRef<Path>,
        grant: Grant,
    ) -> Result<Store, (StoreError, Grant)> {
        match self.place_of(dir.as_ref(), &grant) {
            Ok(place) => place.settle(grant),
            Err(error) => Err((error, grant)),
        }
    }

    fn place_of(self, dir: &Path, grant: &Grant) -> Result<ShardPlace, StoreError> {
        let (id, range) = (random_id(&*self.env)?, grant.range());
        let Grant { capacity, sectors, threshold, .. } = *grant;
        let state = blank(capacity, sectors, threshold, range.clone(), *grant.identity, id);
        Ok(ShardPlace { place: self.place(dir, state, grant.records)?, range })
    }
}
