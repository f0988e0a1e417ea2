//! Systems on which no store can be kept: Windows, and all unknown systems.
//!
//! Locks, durable writes and renaming work differently there than a state requires, and were not
//! tested. Therefore no store is created or opened ([`Env::lacks`]), and every call on files fails.

use crate::env::{Env, File, Stat};
use crate::error::Errno;
use crate::filesystem::FileSystem;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The operating system, on which no store can be kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Os;

const NO: Errno = Errno::UNSUPPORTED;

impl Env for Os {
    fn lacks(&self) -> Option<&'static str> {
        Some("locks and durable writes on which the state of one-time keys can rest")
    }

    fn open(&self, _path: &Path) -> Result<Box<dyn File>, Errno> {
        Err(NO)
    }

    fn open_read(&self, _path: &Path) -> Result<Box<dyn File>, Errno> {
        Err(NO)
    }

    fn create(&self, _path: &Path) -> Result<Box<dyn File>, Errno> {
        Err(NO)
    }

    fn make_dir(&self, _path: &Path) -> Result<(), Errno> {
        Err(NO)
    }

    fn rename(&self, _from: &Path, _to: &Path) -> Result<(), Errno> {
        Err(NO)
    }

    fn remove(&self, _path: &Path) -> Result<(), Errno> {
        Err(NO)
    }

    fn resolve(&self, _path: &Path) -> Result<PathBuf, Errno> {
        Err(NO)
    }

    fn stat(&self, _path: &Path) -> Result<Stat, Errno> {
        Err(NO)
    }

    fn is_empty(&self, _dir: &Path) -> Result<bool, Errno> {
        Err(NO)
    }

    fn filesystem(&self, _path: &Path) -> Result<FileSystem, Errno> {
        Err(NO)
    }

    fn mark(&self) -> String {
        "?".into()
    }

    fn has_ended(&self, _mark: &str) -> bool {
        false
    }

    fn sync_dir(&self, _path: &Path) -> Result<(), Errno> {
        Err(NO)
    }

    fn pid(&self) -> u32 {
        std::process::id()
    }

    fn uid(&self) -> u32 {
        0
    }

    fn host(&self) -> String {
        String::new()
    }

    fn wall_ms(&self) -> u64 {
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn monotonic(&self) -> Duration {
        SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
    }

    fn random(&self, out: &mut [u8]) -> Result<(), Errno> {
        getrandom::fill(out).map_err(|_| Errno::IO)
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewKey, Options, StoreError};
    use std::sync::Arc;

    #[test]
    fn no_store_is_made_or_opened() {
        let place = tempfile::tempdir().expect("a directory");
        let options = || Options::new().env(Arc::new(Os)).guard(place.path().join("guard"));
        let (dir, key) = (place.path().join("key"), NewKey::new(8));
        let tried =
            [options().create(&dir, &key), options().begin(&dir, &key), options().open(&dir)];
        for tried in tried {
            let error = tried.err().expect("refused");
            assert!(matches!(error, StoreError::Lacks { .. }), "{error}");
            assert!(error.to_string().starts_with("this system has no locks and durable writes"));
        }
        assert!(options().peek(&dir).is_err());
        assert_eq!(std::fs::read_dir(place.path()).expect("read").count(), 0);
    }
}
