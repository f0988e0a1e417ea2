//! Import of a shard that came in a file. Its store is created only once.
//!
//! The register is a folder outside of all keys. It has a small file for each shard that was
//! imported on this machine, with the id of the store and its directory. The file is written before
//! the secret reaches that directory, so that a second import is refused, even if the first
//! directory was removed or moved. The register does not detect an import on another machine, or an
//! import after the register was restored from a copy. An outside witness that both imports ask
//! detects it.

use super::Carried;
use crate::blob::read_beside;
use crate::config::{bytes, path};
use crate::create::blank;
use crate::env::{absolute, parent};
use crate::error::{Call, FileKind, StoreError};
use crate::files::replace;
use crate::kind::stands_for;
use crate::lock;
use crate::log::Log;
use crate::options::Options;
use crate::record::{TAG, chain};
use crate::state::State;
use crate::store::Store;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"HASTENIM";

impl Options {
    /// Creates the store of a shard that came in a file, in `dir`, with a guard of its own, or
    /// continues an unfinished import. `register` is the folder in which this machine notes the
    /// imported shards. Call [`Store::arrive`] before writing the shard's secret there.
    ///
    /// # Errors
    /// [`StoreError::Imported`] if the shard was imported before, [`StoreError::WitnessTaken`] if
    /// the witness already watches a store; otherwise as [`Options::create`].
    pub fn create_carried(
        self,
        dir: &Path,
        carried: &Carried,
        register: &Path,
    ) -> Result<Store, StoreError> {
        let whole = absolute(&*self.env, dir)?;
        let ours = |found: &State| found.store_id == carried.store_id;
        let found = Log::look(&*self.env, dir).ok().map(|(_, found)| found.state).filter(ours);
        let untouched = found.map(|state| carried.is_untouched(&state));
        match (self.came(&carried.store_id, register)?, untouched) {
            (Some(dir), _) if dir != whole => Err(StoreError::Imported { dir }),
            (_, Some(true)) => self.open(dir),
            (None, None) => self.begin_carried(dir, carried),
            // The store was used, or the directory into which the secret was put is gone.
            _ => Err(StoreError::Imported { dir: whole }),
        }
    }

    fn begin_carried(self, dir: &Path, carried: &Carried) -> Result<Store, StoreError> {
        if let Some(witness) = &self.witness
            && witness.read()?.is_some()
        {
            return Err(StoreError::WitnessTaken);
        }
        let Carried { range, identity, store_id, capacity, sectors, threshold, records } =
            carried.clone();
        let state = blank(capacity, sectors, threshold, range, identity, store_id);
        self.place(dir, state, records)?.settle()
    }

    /// Returns the directory into which a shard was imported before, according to the register.
    /// Thereby a file is recognised even after its content was erased.
    ///
    /// # Errors
    /// A failed read.
    pub fn imported_before(
        &self,
        carried: &Carried,
        register: &Path,
    ) -> Result<Option<PathBuf>, StoreError> {
        self.came(&carried.store_id, register)
    }

    fn came(&self, store_id: &[u8; 16], register: &Path) -> Result<Option<PathBuf>, StoreError> {
        let file = self.check_register(register)?.join(name(store_id));
        let Some(entry) = read_beside(&*self.env, &file)? else { return Ok(None) };
        let other = match FileKind::of(&entry) {
            FileKind::Import | FileKind::Empty | FileKind::Unknown => None,
            found => Some(stands_for(&file, found, FileKind::Import)),
        };
        let damaged = || other.unwrap_or(StoreError::Damaged { file });
        decode(store_id, &entry).map(Some).ok_or_else(damaged)
    }
}

impl Store {
    /// Notes in the register, durably, that this shard was imported, and its directory. Write the
    /// shard's secret only after this has returned.
    ///
    /// # Errors
    /// [`StoreError::Imported`] if the shard was imported into another directory;
    /// [`StoreError::Busy`], and every failed call.
    pub fn arrive(&self, register: &Path) -> Result<(), StoreError> {
        self.arrive_as(&self.state.store_id, register)
    }

    /// Notes an import as [`Store::arrive`] does, for a key that was imported in another way and
    /// has its own `id`.
    ///
    /// # Errors
    /// As [`Store::arrive`].
    pub fn arrive_as(&self, id: &[u8; 16], register: &Path) -> Result<(), StoreError> {
        let (env, dir) = (&*self.env, absolute(&*self.env, &self.dir)?);
        let options = Options::new().env(std::sync::Arc::clone(&self.env));
        let options = options.accept_shared_filesystem(self.shared);
        let register = &*options.make_register(register)?;
        env.sync_dir(parent(register)).map_err(StoreError::io(Call::SyncDir))?;
        let path = register.join(lock::NAME);
        let held = env.open(&path).or_else(|_| env.create(&path)).or_else(|_| env.open(&path));
        let held = held.map_err(|e| StoreError::io(Call::Open)(e).at(&path))?;
        lock::wait_for(env, &*held, std::time::Duration::from_secs(5), || None)?;
        match options.came(id, register)? {
            Some(before) if before == dir => Ok(()),
            Some(dir) => Err(StoreError::Imported { dir }),
            None => replace(env, register, &name(id), &encode(id, &dir)?),
        }
    }
}

fn name(store_id: &[u8; 16]) -> String {
    let id: String = store_id.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{id}.shard")
}

fn encode(store_id: &[u8; 16], dir: &Path) -> Result<Vec<u8>, StoreError> {
    let dir = bytes(dir).ok_or(StoreError::GuardPath)?;
    Ok([MAGIC, &chain(store_id, dir)[..], dir].concat())
}

fn decode(store_id: &[u8; 16], entry: &[u8]) -> Option<PathBuf> {
    let (tag, dir) = entry.strip_prefix(MAGIC)?.split_first_chunk::<TAG>()?;
    (chain(store_id, dir) == *tag).then(|| path(dir))
}
