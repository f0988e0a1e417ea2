//! Files next to the log, which are replaced atomically.

use crate::env::{Env, parent, sync, write_all};
use crate::error::{Call, Errno, StoreError};
use std::path::Path;

/// Largest size of a blob, in bytes. The largest blob of a key is under 34 MiB: the cache of an HSS
/// key with eight levels of height 25 has 2^17 nodes of 32 bytes per level, and a secret with 2^17
/// sectors has as many seeds.
pub(crate) const LIMIT: u64 = 1 << 26;

/// Converts the size of a blob to `usize` if it is within the limit. Call this before allocating
/// memory.
pub(crate) fn must_fit(path: &Path, size: u64) -> Result<usize, StoreError> {
    let fits = usize::try_from(size).ok().filter(|_| size <= LIMIT);
    fits.ok_or_else(|| StoreError::TooLong { file: path.to_owned(), size, most: LIMIT })
}

/// Writes a temporary file, syncs it and renames it, so that the file has the old content or the
/// new, never a part.
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

/// Returns true if `dir` contains a log file or a configuration.
pub(crate) fn has_files(env: &dyn Env, dir: &Path) -> bool {
    ["log.0", "log.1", "config"].iter().any(|name| env.stat(&dir.join(name)).is_ok())
}

/// Returns the error for a failed attempt to open `path`, a file that every store has. The error
/// names the file if other files of the store exist.
pub(crate) fn not_opened(env: &dyn Env, path: &Path, errno: Errno) -> StoreError {
    match StoreError::opening(path)(errno) {
        StoreError::NotAStore if has_files(env, parent(path)) => {
            StoreError::Absent { file: path.to_owned() }
        }
        error => error,
    }
}

/// Removes a file. A missing file is not an error.
pub(crate) fn remove_if_there(env: &dyn Env, path: &Path) -> Result<(), StoreError> {
    match env.remove(path) {
        Ok(()) | Err(Errno::NOT_FOUND) => Ok(()),
        Err(e) => Err(StoreError::io(Call::Remove)(e)),
    }
}

/// Returns true if `dir` is the directory of a store: at least two of the files that every key has
/// exist. This includes a store that is being created or has lost files. Nothing is opened.
///
/// # Errors
/// A failed call. The directory may then be one of a store.
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
