//! The public nodes of a key, as they lie beside its store: those in use, and those of the trees
//! that follow.
//!
//! `cache` is checked against the public key when it is loaded, `leaves` against the secrets and `cache`. `growth` cannot be: a tree in it
//! that was changed would be signed by the tree above, and then the right one with the same
//! one-time key. It is therefore bound to the seeds; what does not fit is left aside, and the trees are
//! made anew.

use std::path::{Path, PathBuf};

use hasten_hbs::Signer;
use hasten_store::{Options, Store};

use super::{Kept, blob};
use crate::Error;

const CACHE_MAGIC: &[u8; 8] = b"hstncch1";
const LEAVES_MAGIC: &[u8; 8] = b"hstnlvs1";
const GROWTH_MAGIC: &[u8; 8] = b"hstngrw1";

/// Steps of chains from which on leaves are kept.
const COSTLY: u64 = 1 << 17;

/// Keeps what the signer of a key that was generated needs to start again.
pub(super) fn keep(store: &Store, signer: &Signer<'_>) -> Result<(), Error> {
    store.replace_blob(blob::CACHE, &cache_of(signer))?;
    match leaves(signer) {
        Some(file) => Ok(store.replace_blob(blob::LEAVES, &file)?),
        None => Ok(()),
    }
}

/// The file of the leaves next to the next index, for keys that take long to load without: more
/// than some milliseconds.
pub(super) fn leaves(signer: &Signer<'_>) -> Option<Vec<u8>> {
    let file = || blob::wrap(LEAVES_MAGIC, signer.public_key().as_bytes(), &signer.to_leaves());
    (signer.load_cost() > COSTLY).then(file)
}

fn cache_of(signer: &Signer<'_>) -> Vec<u8> {
    blob::wrap(CACHE_MAGIC, signer.public_key().as_bytes(), &signer.to_cache())
}

/// The nodes of an open key: what is kept of them, and how far that is.
pub(super) struct Nodes {
    dir: PathBuf,
    growth: blob::Bound,
    turns: u64,
    used: bool,
}

impl Nodes {
    pub fn new(dir: &Path, kept: &Kept) -> Self {
        let growth = blob::Bound::new(GROWTH_MAGIC, kept);
        Self { dir: dir.to_owned(), growth, turns: 0, used: false }
    }

    /// What signing starts from; `Damaged` when it does not belong to this public key. Leaves that
    /// were kept come behind it; if they are damaged they are left out, and computed.
    pub fn cache(&self, public: &[u8]) -> Result<Vec<u8>, Error> {
        let file = Options::new().peek_blob(&self.dir, blob::CACHE)?.ok_or(Error::Damaged)?;
        let leaves = Options::new().peek_blob(&self.dir, blob::LEAVES)?.unwrap_or_default();
        let leaves = blob::unwrap(LEAVES_MAGIC, public, &leaves).unwrap_or_default();
        Ok([blob::unwrap(CACHE_MAGIC, public, &file)?, leaves].concat())
    }

    /// The trees that follow, as far as they were made; nothing if there is nothing that fits.
    pub fn growth(&self) -> Result<Vec<u8>, Error> {
        let file = Options::new().peek_blob(&self.dir, blob::GROWTH)?.unwrap_or_default();
        Ok(self.growth.unwrap(&file).to_vec())
    }

    /// After every preparation, before its signature is given away: where trees were put into use,
    /// the vouchers for them are kept.
    pub fn prepared(&mut self, signer: &Signer<'_>) -> Result<(), Error> {
        self.used = true;
        if self.turns != signer.turns() {
            Options::new().replace_blob(&self.dir, blob::CACHE, &cache_of(signer))?;
            self.turns = signer.turns();
        }
        Ok(())
    }

    /// Whether anything was prepared in this session.
    pub fn used(&self) -> bool {
        self.used
    }

    /// At the end of a session.
    pub fn close(&self, signer: &Signer<'_>) -> Result<(), Error> {
        if !self.used {
            return Ok(());
        }
        let growth = signer.growth();
        if growth.is_empty() {
            return Ok(());
        }
        let file = self.growth.wrap(&growth);
        Ok(Options::new().replace_blob(&self.dir, blob::GROWTH, &file)?)
    }
}
