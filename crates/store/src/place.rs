//! Where a store and its guard lie: a place that is shared or layered is refused.

use crate::config::Config;
use crate::env::{Env, parent};
use crate::error::{Call, Errno, StoreError};
use crate::filesystem::FileSystem;
use std::path::Path;

/// Returns what holds `path`, or, before it is made, the directory that is to hold it.
pub(crate) fn of(env: &dyn Env, path: &Path) -> Result<FileSystem, StoreError> {
    let found = match env.filesystem(path) {
        Err(Errno::NOT_FOUND) => env.filesystem(parent(path)),
        found => found,
    };
    found.map_err(|errno| StoreError::io(Call::FileSystem)(errno).at(path))
}

/// Refuses a place that is shared or layered, unless `config` says that it is accepted or watched.
pub(crate) fn check(env: &dyn Env, path: &Path, config: &Config) -> Result<(), StoreError> {
    let kind = of(env, path)?;
    if kind.locks_hold() || config.shared || config.witness {
        return Ok(());
    }
    Err(StoreError::WrongPlace { path: path.to_owned(), kind })
}
