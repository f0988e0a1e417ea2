//! Brings the files of a key of the old form up to today's, under the store's lock.
//!
//! The old form knew no identity: its files are taken as they are, once more, and checked against
//! the public key by the scheme before anything is written. Each file is replaced whole; the last
//! step binds the store to the public key. Until then files of both forms are read, so that an
//! upgrade that was broken off at any point goes on at the next opening; from then on none of the
//! old form is.

use hasten_store::Store;
use sha2::{Digest, Sha256};

use super::{Kept, blob, means::Means, nodes::Nodes};
use crate::Error;

/// Does what is left to do; true if there was anything.
pub(super) fn bring_up(
    store: &mut Store,
    nodes: &Nodes,
    means: &Means<'_>,
    kept: &Kept,
) -> Result<bool, Error> {
    if store.identity().is_bound() {
        return Ok(false);
    }
    renew_secret(store, kept)?;
    nodes.renew(store, means)?;
    store.bind(Sha256::digest(means.public_bytes()).into())?;
    Ok(true)
}

/// Replaces a secret of the old form by the same one, bound to the key. Not again one that an
/// upgrade before has replaced.
pub(super) fn renew_secret(store: &Store, kept: &Kept) -> Result<(), Error> {
    match &kept.renewed {
        Some(file) => Ok(store.supersede_blob(blob::SECRET, file)?),
        None => Ok(()),
    }
}
