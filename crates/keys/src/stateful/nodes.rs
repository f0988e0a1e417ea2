//! Files with the public nodes of a key: those in use, and those of the trees that will be used
//! next.
//!
//! On loading, `cache` is checked against the public key, `leaves` against the secrets and `cache`.
//! `growth` cannot be checked in this way. If one of its trees were modified, the tree above would
//! sign it, and would later sign the correct tree with the same one-time key. The file is therefore
//! bound to the seeds. A file that does not match is ignored, and its trees are recomputed.

use std::path::{Path, PathBuf};

use hasten_store::{Options, Store};

use super::{
    Kept,
    blob::{self, Form, Owner},
    means::Means,
};
use crate::{Error, KeyFile};

const CACHE: Form = Form { file: KeyFile::Cache, magic: b"hstncch2", old: b"hstncch1" };
const LEAVES: Form = Form { file: KeyFile::Leaves, magic: b"hstnlvs2", old: b"hstnlvs1" };
const GROWTH: Form = Form { file: KeyFile::Growth, magic: b"hstngrw2", old: b"hstngrw1" };

/// Leaves are saved if loading without them takes more chain steps than this.
const COSTLY: u64 = 1 << 17;

/// Saves the nodes that the signer of a generated key needs to start again.
pub(super) fn keep(store: &Store, means: &Means<'_>) -> Result<(), Error> {
    let key_id = store.identity().key_id;
    store.replace_blob(blob::CACHE, &cache_of(&key_id, means))?;
    match leaves(&key_id, means) {
        Some(file) => Ok(store.replace_blob(blob::LEAVES, &file)?),
        None => Ok(()),
    }
}

/// Returns the file of the leaves next to the next index. Only keys that load slowly without it, in
/// more than some milliseconds, have one.
pub(super) fn leaves(key_id: &[u8; 16], means: &Means<'_>) -> Option<Vec<u8>> {
    let public = means.public_bytes();
    let file = || blob::wrap(&LEAVES, Some(key_id), public, &means.to_leaves());
    (means.load_cost() > COSTLY).then(file)
}

pub(super) fn cache_of(key_id: &[u8; 16], means: &Means<'_>) -> Vec<u8> {
    blob::wrap(&CACHE, Some(key_id), means.public_bytes(), &means.to_cache())
}

fn cache_file(dir: &Path, world: &Options) -> Result<Vec<u8>, Error> {
    world.peek_blob(dir, blob::CACHE)?.ok_or(Error::AbsentFile(KeyFile::Cache))
}

/// Checks the digest of the file with the nodes from which signing starts.
pub(super) fn look(dir: &Path, world: &Options, owner: &Owner, public: &[u8]) -> Result<(), Error> {
    blob::unwrap(&CACHE, owner, public, &cache_file(dir, world)?).map(drop)
}

/// The node files of an open key, and how far they were written.
pub(super) struct Nodes {
    dir: PathBuf,
    /// The options that give access to the files.
    world: Options,
    owner: Owner,
    growth: blob::Bound,
    turns: u64,
    used: bool,
}

impl Nodes {
    pub fn new(dir: &Path, world: Options, kept: &Kept, owner: Owner) -> Self {
        let growth = blob::Bound::new(&GROWTH, kept, owner);
        Self { dir: dir.to_owned(), world, owner, growth, turns: 0, used: false }
    }

    /// Returns the nodes from which signing starts, followed by the saved leaves. Fails if the
    /// nodes do not belong to this public key. Damaged leaves are left out and recomputed.
    pub fn cache(&self, public: &[u8]) -> Result<Vec<u8>, Error> {
        let file = cache_file(&self.dir, &self.world)?;
        let leaves = self.world.peek_blob(&self.dir, blob::LEAVES)?.unwrap_or_default();
        let leaves = blob::unwrap(&LEAVES, &self.owner, public, &leaves).unwrap_or_default();
        Ok([blob::unwrap(&CACHE, &self.owner, public, &file)?, leaves].concat())
    }

    /// Returns the same nodes after the store was bound: files of the old format are now refused.
    pub fn of_bound(mut self) -> Self {
        self.owner.old_allowed = false;
        self.growth = self.growth.of_bound();
        self
    }

    /// Writes all files again in the current format; the growth is written as it was read.
    pub fn renew(&self, store: &Store, means: &Means<'_>) -> Result<(), Error> {
        keep(store, means)?;
        let growth = self.growth()?;
        match growth.is_empty() {
            true => Ok(()),
            false => Ok(store.replace_blob(blob::GROWTH, &self.growth.wrap(&growth))?),
        }
    }

    /// Returns the file of the leaves if this session used the key and the leaves are worth saving.
    pub fn leaves(&self, means: &Means<'_>) -> Option<Vec<u8>> {
        self.used.then(|| leaves(&self.owner.key_id, means)).flatten()
    }

    /// Returns the finished parts of the trees that will be used next; empty if the file is absent
    /// or does not match.
    pub fn growth(&self) -> Result<Vec<u8>, Error> {
        let file = self.world.peek_blob(&self.dir, blob::GROWTH)?.unwrap_or_default();
        Ok(self.growth.unwrap(&file).to_vec())
    }

    /// Saves the upper signatures of trees that came into use. Called after every preparation,
    /// before its signature is released.
    pub fn prepared(&mut self, means: &Means<'_>) -> Result<(), Error> {
        self.used = true;
        if self.turns != means.turns() {
            self.world.replace_blob(
                &self.dir,
                blob::CACHE,
                &cache_of(&self.owner.key_id, means),
            )?;
            self.turns = means.turns();
        }
        Ok(())
    }

    /// Saves the growth at the end of a session.
    pub fn close(&self, means: &Means<'_>) -> Result<(), Error> {
        if !self.used {
            return Ok(());
        }
        let growth = means.growth();
        if growth.is_empty() {
            return Ok(());
        }
        let file = self.growth.wrap(&growth);
        Ok(self.world.replace_blob(&self.dir, blob::GROWTH, &file)?)
    }
}
