//! The public nodes of a key, as they lie beside its store: those in use, and those of the trees
//! that follow.
//!
//! `cache` is checked against the public key when it is loaded, `leaves` against the secrets and
//! `cache`. `growth` cannot be: a tree in it that was changed would be signed by the tree above,
//! and then the right one with the same one-time key. It is therefore bound to the seeds; what does
//! not fit is left aside, and the trees are made anew.

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

/// Steps of chains from which on leaves are kept.
const COSTLY: u64 = 1 << 17;

/// Keeps what the signer of a key that was generated needs to start again.
pub(super) fn keep(store: &Store, means: &Means<'_>) -> Result<(), Error> {
    let key_id = store.identity().key_id;
    store.replace_blob(blob::CACHE, &cache_of(&key_id, means))?;
    match leaves(&key_id, means) {
        Some(file) => Ok(store.replace_blob(blob::LEAVES, &file)?),
        None => Ok(()),
    }
}

/// Returns the file of the leaves next to the next index, for keys that take long to load without:
/// more than some milliseconds.
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

/// Looks at the digest of the nodes from which signing starts.
pub(super) fn look(dir: &Path, world: &Options, owner: &Owner, public: &[u8]) -> Result<(), Error> {
    blob::unwrap(&CACHE, owner, public, &cache_file(dir, world)?).map(drop)
}

/// The nodes of an open key: what is kept of them, and how far that is.
pub(super) struct Nodes {
    dir: PathBuf,
    /// The world in which the files are.
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

    /// Returns what signing starts from; refused when it does not belong to this public key. Leaves
    /// that were kept come behind it; if they are damaged they are left out, and computed.
    pub fn cache(&self, public: &[u8]) -> Result<Vec<u8>, Error> {
        let file = cache_file(&self.dir, &self.world)?;
        let leaves = self.world.peek_blob(&self.dir, blob::LEAVES)?.unwrap_or_default();
        let leaves = blob::unwrap(&LEAVES, &self.owner, public, &leaves).unwrap_or_default();
        Ok([blob::unwrap(&CACHE, &self.owner, public, &file)?, leaves].concat())
    }

    /// Does the same, once the store is bound.
    pub fn of_bound(mut self) -> Self {
        self.owner.old_allowed = false;
        self.growth = self.growth.of_bound();
        self
    }

    /// Writes all of them anew, in today's form; growth as it was read.
    pub fn renew(&self, store: &Store, means: &Means<'_>) -> Result<(), Error> {
        keep(store, means)?;
        let growth = self.growth()?;
        match growth.is_empty() {
            true => Ok(()),
            false => Ok(store.replace_blob(blob::GROWTH, &self.growth.wrap(&growth))?),
        }
    }

    /// Returns the leaves, as they are to be kept at the end of a session that used the key.
    pub fn leaves(&self, means: &Means<'_>) -> Option<Vec<u8>> {
        self.used.then(|| leaves(&self.owner.key_id, means)).flatten()
    }

    /// Returns the trees that follow, as far as they were made; nothing if there is nothing that
    /// fits.
    pub fn growth(&self) -> Result<Vec<u8>, Error> {
        let file = self.world.peek_blob(&self.dir, blob::GROWTH)?.unwrap_or_default();
        Ok(self.growth.unwrap(&file).to_vec())
    }

    /// Keeps the upper signatures of trees that were put into use. It is called after every
    /// preparation, before its signature is given away.
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

    /// Keeps them at the end of a session.
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
