//! Giving a range of indices to a second directory.

use std::ops::Range;
use std::path::Path;

use hasten_store::{Options, State, Status, Store};
use zeroize::Zeroizing;

use super::{Sealed, blob, service};
use crate::Error;

/// What is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// The top indices, so many.
    Indices(u64),
    /// The highest sector that is still whole.
    Sector,
}

impl Share {
    /// The first index that would be given.
    pub fn first(self, state: &State) -> u64 {
        let size = state.capacity / u64::from(state.sectors);
        let count = if let Self::Indices(count) = self { count } else { size };
        state.end.saturating_sub(count)
    }
}

/// Gives the top of the key in `store` to a new store in `to`, with the seeds that belong to it.
///
/// The give-away is durable before the first secret byte reaches `to`; a crash in between loses
/// the range. A seed whose sector is given away whole is erased here; where both sides keep
/// indices of one seed, one leaked shard leaks the other.
///
/// # Errors
/// `State`; when `to` cannot be made, the range stays given away and is lost. `OfFleet`.
pub fn give_shard(
    store: &mut Store,
    share: Share,
    to: &Path,
    options: Options,
) -> Result<Status, Error> {
    if store.blob(blob::FLEET)?.is_some() {
        return Err(Error::OfFleet);
    }
    let read = |name| store.blob(name).map_err(Error::from)?.ok_or(Error::Unfinished);
    let files = [blob::CACHE, blob::PUBLIC].map(|name| (name, read(name)));
    if let Some((_, Err(error))) = files.iter().find(|(_, file)| file.is_err()) {
        return Err(error.clone());
    }
    let sealed = Sealed::read(&Zeroizing::new(read(blob::SECRET)?), &store.identity())?;
    let grant = match share {
        Share::Indices(count) => store.give(count)?,
        Share::Sector => store.give_sector()?,
    };
    let secret = sealed.file_of(sectors(store.state(), grant.range()))?;
    let shard = options.create_shard(to, grant).map_err(|(error, _)| Error::State(error))?;
    shard.put_blob(blob::SECRET, &secret)?;
    for (name, file) in files {
        shard.put_blob(name, &file?)?;
    }
    service::share(store, &shard)?;
    let status = shard.close()?;
    forget(store, &sealed)?;
    Ok(status)
}

/// The sectors that a range of indices touches.
fn sectors(state: &State, range: Range<u64>) -> Range<u32> {
    let size = state.capacity / u64::from(state.sectors);
    (range.start / size) as u32..range.end.div_ceil(size) as u32
}

/// Erases the seeds of sectors of which this store has no index any more.
fn forget(store: &Store, sealed: &Sealed) -> Result<(), Error> {
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
