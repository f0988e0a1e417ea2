//! Shards: disjoint index ranges of one key in stores of their own.
//!
//! A shard shares the seed of its key: one leaked shard leaks all. SP 800-208 does not allow such
//! an export. A place is made for what is offered, under another name and without its secret. The
//! give-away is then durable in log, guard and witness before a [`Grant`] exists, and the place
//! gets its name only by a grant; a crash between the two loses the shard, which stays counted as
//! given.

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
    /// Returns the indices.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
}

/// A range that could be given away. Nothing is given yet.
#[derive(Debug)]
pub struct Offer(Grant);

impl Offer {
    /// Returns the indices.
    pub fn range(&self) -> Range<u64> {
        self.0.range()
    }
}

/// Where a shard will lie: everything of its store is made but its name, so that little can fail
/// once the range is given.
pub struct ShardPlace {
    place: Place,
    range: Range<u64>,
}

impl ShardPlace {
    /// Turns the place into the store of what was given. Copy the secret into it after this has
    /// returned.
    ///
    /// # Errors
    /// [`StoreError::OtherGrant`] for another range than the one the place was made for, and every
    /// failed call; the grant comes back, so that another place can be tried.
    pub fn settle(self, grant: Grant) -> Result<Store, (StoreError, Grant)> {
        if grant.range != self.range {
            return Err((StoreError::OtherGrant, grant));
        }
        self.place.settle().map_err(|error| (error, grant))
    }
}

impl Store {
    /// Describes the top `count` indices of the range as what could be given away.
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

    /// Describes the highest whole sector that is still untouched.
    ///
    /// # Errors
    /// [`StoreError::NoSector`] if the range does not end with a whole sector, otherwise as
    /// [`Store::offer`].
    pub fn offer_sector(&self) -> Result<Offer, StoreError> {
        let size = self.state.capacity / u64::from(self.state.sectors);
        let whole = self.state.end.is_multiple_of(size) && self.state.remaining() >= size;
        if self.state.sectors == 1 || !whole { Err(StoreError::NoSector) } else { self.offer(size) }
    }

    /// Gives away what was offered, durably.
    ///
    /// # Errors
    /// [`StoreError::OtherGrant`] if the range has another end or fewer indices by now, and every
    /// failed commit.
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

    /// Gives away the highest whole sector that is still untouched.
    ///
    /// # Errors
    /// [`StoreError::NoSector`] if the range does not end with a whole sector, otherwise as
    /// [`Store::give`].
    pub fn give_sector(&mut self) -> Result<Grant, StoreError> {
        let offer = self.offer_sector()?;
        self.give_offered(offer)
    }

    /// Returns the sector an index lies in.
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
    /// Makes a place for the shard of what is offered, in `dir`, with a guard of its own. Nothing
    /// is given away by it, and nothing can be reserved from it.
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

    /// Makes the store of a shard in `dir`, with a guard of its own. Copy the secret into it after
    /// this has returned.
    ///
    /// # Errors
    /// As [`Options::create`]; the grant comes back, so that another place can be tried.
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
