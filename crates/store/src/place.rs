//! Checks of the file systems of a store and its guard. Shared and layered file systems are
//! refused.

use crate::config::Config;
use crate::env::{Env, parent};
use crate::error::{Call, Errno, StoreError};
use crate::filesystem::FileSystem;
use std::path::Path;

/// Returns the file system of `path` or, if it does not exist yet, of its parent directory.
pub(crate) fn of(env: &dyn Env, path: &Path) -> Result<FileSystem, StoreError> {
    let found = match env.filesystem(path) {
        Err(Errno::NOT_FOUND) => env.filesystem(parent(path)),
        found => found,
    };
    found.map_err(|errno| StoreError::io(Call::FileSystem)(errno).at(path))
}

/// Returns an error for a shared or layered file system, unless `config` accepts it or has a
/// witness.
pub(crate) fn check(env: &dyn Env, path: &Path, config: &Config) -> Result<(), StoreError> {
    let kind = of(env, path)?;
    if kind.locks_hold() || config.shared || config.witness {
        return Ok(());
    }
    Err(StoreError::WrongPlace { path: path.to_owned(), kind })
}
