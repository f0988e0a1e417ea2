//! What was chosen when the store was made: where its guard is, whether it has a witness.

use crate::env::{Env, absolute, read_up_to, sync, write_all};
use crate::error::{Call, StoreError};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

const NAME: &str = "config";
const LIMIT: usize = 8192;

/// Choices made at creation. Two lines of text: the guard's path, `witness` or `alone`.
pub struct Config {
    /// The guard file.
    pub guard: PathBuf,
    /// The store was made with a witness and is never opened without one.
    pub witness: bool,
}

impl Config {
    /// Writes the file durably (but for the directory's entry).
    pub fn save(&self, env: &dyn Env, dir: &Path) -> Result<(), StoreError> {
        let path = dir.join(NAME);
        let file =
            env.open(&path).or_else(|_| env.create(&path)).map_err(StoreError::io(Call::Open))?;
        let text = self.encode()?;
        write_all(&*file, &text, 0)?;
        file.set_size(text.len() as u64).map_err(StoreError::io(Call::Write))?;
        sync(&*file)
    }

    /// Replaces the file: the guard has moved.
    pub fn replace(&self, env: &dyn Env, dir: &Path) -> Result<(), StoreError> {
        crate::blob::replace(env, dir, NAME, &self.encode()?)
    }

    /// The guard's path: the one `named` now, or the one that was kept. Either is absolute, so that
    /// a copy of the store looks for the guard of the original and not for a copy beside itself.
    pub fn guard(&self, env: &dyn Env, named: Option<&Path>) -> Result<PathBuf, StoreError> {
        match named {
            Some(path) => absolute(env, path),
            None if self.guard.is_absolute() => Ok(self.guard.clone()),
            None => Err(StoreError::RelativeGuard),
        }
    }

    fn encode(&self) -> Result<Vec<u8>, StoreError> {
        let mut text = self.guard.as_os_str().as_bytes().to_vec();
        if text.contains(&b'\n') || text.len() > LIMIT / 2 {
            return Err(StoreError::Argument);
        }
        text.extend_from_slice(if self.witness { b"\nwitness\n" } else { b"\nalone\n" });
        Ok(text)
    }

    /// Reads the file.
    pub fn load(env: &dyn Env, dir: &Path) -> Result<Config, StoreError> {
        let file = env.open(&dir.join(NAME)).map_err(|_| StoreError::NotAStore)?;
        let mut text = vec![0; LIMIT];
        let n = read_up_to(&*file, &mut text, 0)?;
        let mut lines = text[..n].split(|b| *b == b'\n');
        let guard = lines.next().filter(|l| !l.is_empty()).ok_or(StoreError::NotAStore)?;
        let witness = match lines.next() {
            Some(b"witness") => true,
            Some(b"alone") => false,
            _ => return Err(StoreError::NotAStore),
        };
        Ok(Config { guard: PathBuf::from(OsString::from_vec(guard.to_vec())), witness })
    }
}
