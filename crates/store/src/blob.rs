//! Blobs: files that the layer above keeps in the store's directory, such as a secret seed or a
//! public cache. The store does not interpret them.

use crate::env::{Env, File, read_up_to, sync, write_all};
use crate::error::{Argument, Call, Errno, StoreError};
use crate::files::{LIMIT, must_fit, remove_if_there, replace};
use crate::options::Options;
use crate::store::Store;
use std::path::{Path, PathBuf};

impl Store {
    /// Writes `bytes` to a new file `name` (mode 0600), atomically and durably.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the blob exists; it is not changed. [`StoreError::Argument`] if
    /// the name is not a plain file name, or is one of the store's own files.
    /// [`StoreError::TooLong`] beyond 64 MiB.
    pub fn put_blob(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        match self.env.open(&blob_path(&self.dir, name)?) {
            Ok(_) => Err(StoreError::Exists),
            Err(Errno::NOT_FOUND) => self.replace_blob(name, bytes),
            Err(e) => Err(StoreError::io(Call::Open)(e)),
        }
    }

    /// Writes a blob as [`Store::put_blob`] does, but replaces an existing one. For caches and
    /// progress files.
    ///
    /// # Errors
    /// [`StoreError::TooLong`] beyond 64 MiB, or a failed call. The file then has the old content
    /// or the new, never a part.
    pub fn replace_blob(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.session.check_owner()?;
        blob_path(&self.dir, name)?;
        replace(&*self.env, &self.dir, name, bytes)
    }

    /// Replaces a secret as [`Store::replace_blob`] does, and then overwrites the old content with
    /// zeros. Copies that the disk itself made remain. After a crash between the two steps, the old
    /// bytes may remain in free blocks.
    ///
    /// # Errors
    /// A failed call.
    pub fn supersede_blob(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let old =
            self.env.open(&blob_path(&self.dir, name)?).map_err(StoreError::io(Call::Open))?;
        self.replace_blob(name, bytes)?;
        erase(&*old)
    }

    /// Reads a blob. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// [`StoreError::TooLong`] beyond 64 MiB, or a failed read.
    pub fn blob(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        read_blob(&*self.env, &self.dir, name)
    }

    /// Overwrites a blob with zeros and removes it. Copies that the disk itself made (snapshots,
    /// flash wear levelling) remain.
    ///
    /// # Errors
    /// A failed call.
    pub fn destroy_blob(&self, name: &str) -> Result<(), StoreError> {
        self.session.check_owner()?;
        destroy(&*self.env, &self.dir, name)
    }
}

/// Overwrites a blob with zeros and removes it. A missing blob is not an error.
fn destroy(env: &dyn Env, dir: &Path, name: &str) -> Result<(), StoreError> {
    let path = blob_path(dir, name)?;
    match env.open(&path) {
        Ok(file) => erase(&*file)?,
        Err(Errno::NOT_FOUND) => {}
        Err(e) => return Err(StoreError::io(Call::Open)(e).at(&path)),
    }
    remove_if_there(env, &path)?;
    env.sync_dir(dir).map_err(StoreError::io(Call::SyncDir))
}

impl Options {
    /// Destroys a blob as [`Store::destroy_blob`] does, without opening the store, which may be
    /// damaged. Takes the store's lock.
    ///
    /// # Errors
    /// [`StoreError::Busy`], or a failed call.
    pub fn erase_blob(&self, dir: impl AsRef<Path>, name: &str) -> Result<(), StoreError> {
        let _held = crate::lock::take(&self.env, dir.as_ref(), self.wait, false)?;
        destroy(&*self.env, dir.as_ref(), name)
    }

    /// Replaces a blob as [`Store::replace_blob`] does, for a caller that holds the store only as
    /// [`Indices`](crate::Indices). For caches.
    ///
    /// # Errors
    /// As [`Store::replace_blob`].
    pub fn replace_blob(
        &self,
        dir: impl AsRef<Path>,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), StoreError> {
        blob_path(dir.as_ref(), name)?;
        replace(&*self.env, dir.as_ref(), name, bytes)
    }

    /// Destroys a blob as [`Store::destroy_blob`] does, for a caller that holds the store only as
    /// [`Indices`](crate::Indices).
    ///
    /// # Errors
    /// A failed call.
    pub fn discard_blob(&self, dir: impl AsRef<Path>, name: &str) -> Result<(), StoreError> {
        destroy(&*self.env, dir.as_ref(), name)
    }

    /// Reads a secret blob without opening the store. Refuses a blob that other users may read, and
    /// a blob in a directory that other users may write to.
    ///
    /// # Errors
    /// [`StoreError::Exposed`], or a failed read.
    pub fn peek_secret(
        &self,
        dir: impl AsRef<Path>,
        name: &str,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let dir = dir.as_ref();
        let file = read_blob(&*self.env, dir, name)?;
        if file.is_some() {
            let whole = self.env.resolve(dir).map_err(|e| StoreError::io(Call::Stat)(e).at(dir))?;
            must_be_closed(&*self.env, &whole, 0o755)?;
            must_be_closed(&*self.env, &blob_path(&whole, name)?, 0o700)?;
        }
        Ok(file)
    }

    /// Reads a blob without opening the store, such as a public key.
    ///
    /// # Errors
    /// A failed read.
    pub fn peek_blob(
        &self,
        dir: impl AsRef<Path>,
        name: &str,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        read_blob(&*self.env, dir.as_ref(), name)
    }
}

/// Returns an error if the mode of a file grants other users more than `most`.
fn must_be_closed(env: &dyn Env, path: &Path, most: u32) -> Result<(), StoreError> {
    let mode = env.stat(path).map_err(|e| StoreError::io(Call::Stat)(e).at(path))?.mode;
    if mode & 0o077 & !most == 0 {
        return Ok(());
    }
    Err(StoreError::Exposed { path: path.to_owned(), mode, most })
}

/// Overwrites a file with zeros, durably.
fn erase(file: &dyn File) -> Result<(), StoreError> {
    erase_from(file, 0)
}

/// Overwrites a file with zeros from byte `at` on, durably.
pub(crate) fn erase_from(file: &dyn File, at: u64) -> Result<(), StoreError> {
    let size = file.size().map_err(StoreError::io(Call::Read))?.min(LIMIT).saturating_sub(at);
    write_all(file, &vec![0; usize::try_from(size).unwrap_or(0)], at)?;
    sync(file)
}

fn read_blob(env: &dyn Env, dir: &Path, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
    read_beside(env, &blob_path(dir, name)?)
}

/// Reads a whole file. Returns `None` if it does not exist.
pub(crate) fn read_beside(env: &dyn Env, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    let file = match env.open_read(path) {
        Ok(file) => file,
        Err(Errno::NOT_FOUND | Errno::NOT_A_DIRECTORY) => return Ok(None),
        Err(e) => return Err(StoreError::io(Call::Open)(e).at(path)),
    };
    let size = must_fit(path, file.size().map_err(StoreError::io(Call::Read))?)?;
    let mut bytes = vec![0; size];
    let n = read_up_to(&*file, &mut bytes, 0)?;
    bytes.truncate(n);
    Ok(Some(bytes))
}

fn blob_path(dir: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    let ours = ["log.0", "log.1", "lock", "audit", "config", "session", "signed", "grant", "stamp"]
        .contains(&name)
        || name.starts_with("session.")
        || name.ends_with(".partial");
    let good = !name.is_empty()
        && name.len() <= 64
        && !name.starts_with('.')
        && name.bytes().all(plain)
        && !ours;
    if good { Ok(dir.join(name)) } else { Err(StoreError::Argument(Argument::BlobName)) }
}
