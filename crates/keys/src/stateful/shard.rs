//! Transfer of a range of indices to a second directory.

use std::ops::Range;
use std::path::Path;

use hasten_store::{Offer, Options, State, Status, Store, Unfinished};
use zeroize::Zeroizing;

use super::{Sealed, blob, service};
use crate::Error;

/// What is given away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// This number of indices, from the top.
    Indices(u64),
    /// The highest sector that is still complete.
    Sector,
}

impl Share {
    /// Returns the first index of the share. If a give-away of the same size is unfinished, this is
    /// its first index.
    ///
    /// # Errors
    /// `State` if reading fails.
    pub fn first(self, store: &Store) -> Result<u64, Error> {
        let unfinished = self.unfinished(store)?;
        let state = store.state();
        let next = state.end.saturating_sub(self.count(state));
        Ok(unfinished.map_or(next, |grant| grant.range().start))
    }

    fn count(self, state: &State) -> u64 {
        if let Self::Indices(count) = self { count } else { sector_size(state) }
    }

    pub(super) fn offer(self, store: &Store) -> Result<Offer, Error> {
        Ok(match self {
            Self::Indices(count) => store.offer(count)?,
            Self::Sector => store.offer_sector()?,
        })
    }

    /// Returns the unfinished give-away of the same size, if there is one.
    pub(super) fn unfinished(self, store: &Store) -> Result<Option<Unfinished>, Error> {
        let count = self.count(store.state());
        let same = |grant: &Unfinished| grant.range().end - grant.range().start == count;
        Ok(store.unfinished_grant()?.filter(same))
    }
}

/// Gives the top of the key in `store` to a new store in `to`, with the seeds that belong to it.
///
/// A place in `to` is made first, without a secret; if that fails, nothing is given. The give-away
/// is durable before the first secret byte reaches the shard. If a call is interrupted, the same
/// call completes it. If a whole sector is given away, its seed is erased here. If both sides keep
/// indices of one seed, a leak of either shard exposes the other.
///
/// # Errors
/// `ShardPlace` if `to` cannot be made, `State`, `OfFleet`.
pub fn give_shard(
    store: &mut Store,
    share: Share,
    to: &Path,
    options: Options,
) -> Result<Status, Error> {
    if store.blob(blob::FLEET)?.is_some() {
        return Err(Error::OfFleet);
    }
    let public = [blob::CACHE, blob::PUBLIC].map(|name| Ok((name, read(store, name)?)));
    let public = public.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let secret = store.blob(blob::SECRET)?.map(Zeroizing::new);
    let sealed = secret.map(|file| Sealed::read(&file, &store.identity())).transpose()?;
    let shard = given(store, share, sealed.as_ref(), to, options)?;
    for (name, file) in &public {
        put_once(&shard, name, file)?;
    }
    service::share(store, &shard)?;
    hand_over(store, &shard, sealed.as_ref())?;
    let status = shard.close()?;
    sealed.map_or(Ok(()), |sealed| forget(store, &sealed))?;
    store.end_grant()?;
    Ok(status)
}

/// Reads a file that every finished key has.
pub(super) fn read(store: &Store, name: &str) -> Result<Vec<u8>, Error> {
    store.blob(name)?.ok_or(Error::Unfinished)
}

/// Returns the open store of the shard, without its secret. Continues an unfinished give-away of
/// the same size.
fn given(
    store: &mut Store,
    share: Share,
    sealed: Option<&Sealed>,
    to: &Path,
    options: Options,
) -> Result<Store, Error> {
    let unfinished = share.unfinished(store)?;
    if unfinished.as_ref().is_some_and(|grant| store.is_to_be_finished(to, grant)) {
        return options.open(to).map_err(Error::ShardPlace);
    }
    if let Some(Unfinished::Grant(grant)) = unfinished {
        let shard = options.create_shard(to, grant);
        return shard.map_err(|(error, _)| Error::ShardPlace(error));
    }
    let offer = share.offer(store)?;
    sealed.ok_or(Error::NoSecret)?.file_of(sectors(store.state(), offer.range()))?;
    let place = options.shard_place(to, &offer).map_err(Error::ShardPlace)?;
    let grant = store.give_retriable(offer)?;
    place.settle(grant).map_err(|(error, _)| Error::ShardPlace(error))
}

/// Writes a file, unless an earlier attempt has written it.
pub(super) fn put_once(shard: &Store, name: &str, file: &[u8]) -> Result<(), Error> {
    match shard.blob(name)? {
        Some(_) => Ok(()),
        None => Ok(shard.put_blob(name, file)?),
    }
}

/// Writes the secret into the shard. From then on only the shard may use its range.
fn hand_over(store: &mut Store, shard: &Store, sealed: Option<&Sealed>) -> Result<(), Error> {
    if shard.blob(blob::SECRET)?.is_some() {
        return Ok(());
    }
    let state = shard.state();
    let ours = sectors(state, state.start..state.top);
    let secret = sealed.ok_or(Error::NoSecret)?.file_of(ours)?;
    store.release(shard)?;
    Ok(shard.put_blob(blob::SECRET, &secret)?)
}

/// Returns true if the border between the remaining and the given indices is inside a sector, so
/// that both sides have its seed. `first` is the first given index.
pub fn shares_seed(left: &Status, first: u64) -> bool {
    let size = left.capacity / u64::from(left.sectors);
    left.end > left.start && !first.is_multiple_of(size)
}

fn sector_size(state: &State) -> u64 {
    state.capacity / u64::from(state.sectors)
}

/// Returns the sectors that a range of indices overlaps.
fn sectors(state: &State, range: Range<u64>) -> Range<u32> {
    let size = sector_size(state);
    (range.start / size) as u32..range.end.div_ceil(size) as u32
}

/// Erases the seeds of sectors in which this store has no indices left.
pub(super) fn forget(store: &Store, sealed: &Sealed) -> Result<(), Error> {
    let state = store.state();
    if state.start == state.end {
        return Ok(store.destroy_blob(blob::SECRET)?);
    }
    let ours = sectors(state, state.start..state.end);
    if sealed.here().iter().all(|sector| ours.contains(sector)) {
        return Ok(());
    }
    Ok(store.supersede_blob(blob::SECRET, &sealed.file_of(ours)?)?)
}
