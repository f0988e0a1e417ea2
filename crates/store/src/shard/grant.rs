//! A grant in progress, which is kept so that an interrupted creation of a shard can be finished.
//!
//! The file `grant` names the range before it is given away. At first no shard of the grant can
//! sign, and the grant can be obtained again for any place. Before the secret is copied,
//! [`Store::release`] names the one store that may get it. From then on only that store can be
//! finished. The file is removed when the shard is complete.

use super::{Grant, Offer};
use crate::env::read_up_to;
use crate::error::{Call, Errno, StoreError};
use crate::files::{remove_if_there, replace};
use crate::log::{Entry, Log};
use crate::record::{Kind, TAG, chain, get_u64, put_u64};
use crate::state::{State, bytes16};
use crate::store::{Change, Store};
use std::ops::Range;
use std::path::Path;

/// File name of the grant in progress.
pub const NAME: &str = "grant";
const MAGIC: &[u8; 8] = b"HASTENGR";
const LENGTH: usize = 56;
/// Id in place of the store that may get the secret, as long as none may get it.
pub(super) const NOBODY: [u8; 16] = [0; 16];

/// A range, and the id of the store that may get its secret.
type Kept = (Range<u64>, [u8; 16]);

/// An earlier give-away whose shard was not finished.
#[derive(Debug)]
pub enum Unfinished {
    /// No shard of the range can sign. The grant is available again.
    Grant(Grant),
    /// One store may already have the secret. Only that store may be finished.
    Released {
        /// The range that was given away.
        range: Range<u64>,
        /// Id of the shard's store.
        store_id: [u8; 16],
    },
}

impl Unfinished {
    /// Returns the range that was given away.
    pub fn range(&self) -> Range<u64> {
        match self {
            Self::Grant(grant) => grant.range(),
            Self::Released { range, .. } => range.clone(),
        }
    }
}

impl Store {
    /// Gives a range away as [`Store::give_offered`] does. Until [`Store::release`], the grant can
    /// be obtained again with [`Store::unfinished_grant`]. Nothing may be signed with the shard
    /// before its store is released.
    ///
    /// # Errors
    /// As [`Store::give_offered`], and a failed write.
    pub fn give_retriable(&mut self, offer: Offer) -> Result<Grant, StoreError> {
        self.write_grant(&offer.range(), NOBODY)?;
        self.give_offered(offer)
    }

    /// Returns the last give-away, if its shard was not finished.
    ///
    /// # Errors
    /// A failed read.
    pub fn unfinished_grant(&self) -> Result<Option<Unfinished>, StoreError> {
        let Some((range, store_id)) = self.read_grant()? else { return Ok(None) };
        if range.start != self.state.end || range.end > self.state.top || range.is_empty() {
            return Ok(None);
        }
        Ok(Some(match store_id {
            // An old file that was put back is ignored: the log knows that a shard was released.
            NOBODY if self.was_released(&range)? => return Ok(None),
            NOBODY => Unfinished::Grant(self.grant(range)),
            store_id => Unfinished::Released { range, store_id },
        }))
    }

    /// Names, durably, the store that gets the secret of the granted range. No other store gets it.
    ///
    /// # Errors
    /// [`StoreError::OtherGrant`] if `shard` is not an unused shard of this range, and a failed
    /// write.
    pub fn release(&mut self, shard: &Store) -> Result<(), StoreError> {
        let unfinished = self.unfinished_grant()?.ok_or(StoreError::OtherGrant)?;
        if !self.is_unused_shard(shard.state(), &unfinished) {
            return Err(StoreError::OtherGrant);
        }
        let range = unfinished.range();
        self.write_grant(&range, shard.state().store_id)?;
        self.commit(&[Change::new(Kind::Adopt, range.start, range.end - range.start)])
    }

    /// Returns true if the log says that a shard of this range was released.
    fn was_released(&self, range: &Range<u64>) -> Result<bool, StoreError> {
        let of_range =
            |entry: &Entry| (entry.first, entry.count) == (range.start, range.end - range.start);
        Ok(self.audit()?.iter().any(|entry| entry.what == "adopt" && of_range(entry)))
    }

    /// Returns true if the store in `dir` is the shard to be finished: it has this key and range,
    /// was never used and, if a store was released, is that store.
    pub fn is_to_be_finished(&self, dir: &Path, unfinished: &Unfinished) -> bool {
        let found = Log::look(&*self.env, dir).ok();
        found.is_some_and(|(_, found)| self.is_unused_shard(&found.state, unfinished))
    }

    fn is_unused_shard(&self, shard: &State, unfinished: &Unfinished) -> bool {
        let range = unfinished.range();
        let ours = shard.identity() == self.state.identity();
        let untouched = (shard.start, shard.next, shard.end, shard.top)
            == (range.start, range.start, range.end, range.end);
        let named = match unfinished {
            Unfinished::Grant(_) => true,
            Unfinished::Released { store_id, .. } => shard.store_id == *store_id,
        };
        ours && untouched && !shard.retired && named
    }

    /// Removes the file `grant` after the shard is complete.
    ///
    /// # Errors
    /// A failed call.
    pub fn end_grant(&self) -> Result<(), StoreError> {
        remove_if_there(&*self.env, &self.dir.join(NAME))?;
        self.env.sync_dir(&self.dir).map_err(StoreError::io(Call::SyncDir))
    }

    pub(super) fn write_grant(
        &self,
        range: &Range<u64>,
        store_id: [u8; 16],
    ) -> Result<(), StoreError> {
        self.session.check_owner()?;
        let mut out = [0; LENGTH];
        out[..8].copy_from_slice(MAGIC);
        put_u64(&mut out, 8, range.start);
        put_u64(&mut out, 16, range.end);
        out[24..40].copy_from_slice(&store_id);
        let tag = self.tag_of_grant(&out);
        out[LENGTH - TAG..].copy_from_slice(&tag);
        replace(&*self.env, &self.dir, NAME, &out)
    }

    /// Reads the range and the released store from the file `grant`. Returns `None` if there is no
    /// grant, or none of this store.
    fn read_grant(&self) -> Result<Option<Kept>, StoreError> {
        let path = self.dir.join(NAME);
        let file = match self.env.open_read(&path) {
            Ok(file) => file,
            Err(Errno::NOT_FOUND) => return Ok(None),
            Err(e) => return Err(StoreError::io(Call::Open)(e).at(&path)),
        };
        let mut bytes = [0; LENGTH];
        read_up_to(&*file, &mut bytes, 0)?;
        let whole =
            bytes[..8] == MAGIC[..] && self.tag_of_grant(&bytes)[..] == bytes[LENGTH - TAG..];
        let range = get_u64(&bytes, 8)..get_u64(&bytes, 16);
        Ok(whole.then(|| (range, bytes16(&bytes, 24))))
    }

    fn tag_of_grant(&self, bytes: &[u8; LENGTH]) -> [u8; TAG] {
        chain(&self.state.store_id, &bytes[..LENGTH - TAG])
    }
}
