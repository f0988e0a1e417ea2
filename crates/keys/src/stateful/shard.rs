//! Giving a range of indices to a second directory.

use std::path::Path;

use hasten_store::{Options, Status, Store};

use super::blob;
use crate::Error;

/// Gives the top `count` indices of the key in `store` to a new store in `to`.
///
/// The give-away is durable before the first secret byte reaches `to`; a crash in between loses
/// the range. Both directories then hold the same seed: one leaked shard leaks all.
///
/// # Errors
/// `State`; when `to` cannot be made, the range stays given away and is lost.
pub fn give_shard(
    store: &mut Store,
    count: u64,
    to: &Path,
    options: Options,
) -> Result<Status, Error> {
    let read = |name| store.blob(name).map_err(Error::from)?.ok_or(Error::Unfinished);
    let files = [blob::SECRET, blob::CACHE, blob::PUBLIC].map(|name| (name, read(name)));
    if let Some((_, Err(error))) = files.iter().find(|(_, file)| file.is_err()) {
        return Err(error.clone());
    }
    let grant = store.give(count)?;
    let shard = options.create_shard(to, grant).map_err(|(error, _)| Error::State(error))?;
    for (name, file) in files {
        shard.put_blob(name, &zeroize::Zeroizing::new(file?))?;
    }
    Ok(shard.close()?)
}
