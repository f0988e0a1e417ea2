//! Whole files beside the log: replaced at once or not at all.

use crate::env::{Env, parent, sync, write_all};
use crate::error::{Call, Errno, StoreError};
use std::path::Path;

/// A blob is no longer than this. The largest of a key is under 34 MiB: of HSS with eight levels of
/// height 25 the cache holds 2^17 nodes of 32 bytes a level, and a secret of 2^17 sectors has as
/// many seeds.
pub(crate) const LIMIT: u64 = 1 << 26;

/// Returns the size as memory counts it, if a blob can have it: no memory is taken before that is
/// known.
pub(crate) fn must_fit(path: &Path, size: u64) -> Result<usize, StoreError> {
    let fits = usize::try_from(size).ok().filter(|_| size <= LIMIT);
    fits.ok_or_else(|| StoreError::TooLong { file: path.to_owned(), size, most: LIMIT })
}

/// Writes beside, syncs, renames: the old content or the new, never a part.
pub(crate) fn replace(
    env: &dyn Env,
    dir: &Path,
    name: &str,
    bytes: &[u8],
) -> Result<(), StoreError> {
    must_fit(&dir.join(name), bytes.len() as u64)?;
    let partial = dir.join(format!("{name}.partial"));
    remove_if_there(env, &partial)?;
    let file = env.create(&partial).map_err(StoreError::io(Call::Open))?;
    write_all(&*file, bytes, 0)?;
    sync(&*file)?;
    env.rename(&partial, &dir.join(name)).map_err(StoreError::io(Call::Rename))?;
    env.sync_dir(dir).map_err(StoreError::io(Call::SyncDir))
}

/// Returns whether `dir` holds files that a store has.
pub(crate) fn has_files(env: &dyn Env, dir: &Path) -> bool {
    ["log.0", "log.1", "config"].iter().any(|name| env.stat(&dir.join(name)).is_ok())
}

/// Returns the error of a failed opening of `path`, which every store has: it is named where others
/// of them are there.
pub(crate) fn not_opened(env: &dyn Env, path: &Path, errno: Errno) -> StoreError {
    match StoreError::opening(path)(errno) {
        StoreError::NotAStore if has_files(env, parent(path)) => {
            StoreError::Absent { file: path.to_owned() }
        }
        error => error,
    }
}

/// Removes a file; one that is gone already stays gone.
pub(crate) fn remove_if_there(env: &dyn Env, path: &Path) -> Result<(), StoreError> {
    match env.remove(path) {
        Ok(()) | Err(Errno::NOT_FOUND) => Ok(()),
        Err(e) => Err(StoreError::io(Call::Remove)(e)),
    }
}

/// Returns whether `dir` is the directory of a store, also of one that is being made or that has
/// lost files: two of those that every key has are there. Nothing is opened.
///
/// # Errors
/// A failed call: the directory may be one then.
pub fn is_store(dir: &Path) -> std::io::Result<bool> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let mut count = 0;
    for name in ["config", "log.0", "log.1", "lock", "secret"] {
        match dir.join(name).symlink_metadata() {
            Ok(data) => count += u32::from(data.is_file()),
            Err(cause) if matches!(cause.kind(), NotFound | NotADirectory) => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(count >= 2)
}
