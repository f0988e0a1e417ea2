//! The MAC key for a key's values at a witness or in the state of a fleet.
//!
//! The MAC key is the HMAC-SHA-256 of a label and the key's identifier under the first seed. It is
//! stored unencrypted, so that commands that need no passphrase can check the values. It reveals
//! nothing about the seed. Keys made by an older version have none.
//!
//! The file contains a magic word, 32 bytes of key, and the SHA-256 of both.

use std::path::Path;

use hasten_store::{Identity, Options, Store};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{Kept, Rebuilt, digest_of, read_public_of};
use crate::{Error, KeyFile};

/// Name of the file.
pub(super) const NAME: &str = "service";
const MAGIC: &[u8; 8] = b"hstnsvc1";
const LABEL: &[u8] = b"hasten service key 1";

/// The MAC key.
pub type ServiceKey = Zeroizing<[u8; 32]>;

/// Writes the MAC key of a new key, before any of its values reaches a witness or a service.
pub(super) fn keep(store: &Store, kept: &Kept) -> Result<(), Error> {
    if store.blob(NAME)?.is_some() {
        return Ok(());
    }
    Ok(store.put_blob(NAME, &file_of(kept, &store.state().key_id)?)?)
}

fn file_of(kept: &Kept, key_id: &[u8; 16]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let (_, seed) = kept.seeds.first().ok_or(Error::NoSecret)?;
    let hmac: Hmac<Sha256> = KeyInit::new_from_slice(seed).map_err(|_| Error::Damaged)?;
    let key = hmac.chain_update(LABEL).chain_update(key_id).finalize();
    let mut file = Zeroizing::new([MAGIC, &key.into_bytes()[..]].concat());
    let digest = Sha256::digest(&*file);
    file.extend(digest);
    Ok(file)
}

/// Rebuilds a damaged file if the first seed is present. The file depends only on the seed and the
/// key's identifier. It is needed before the store is opened, because the witness uses it.
pub(super) fn mend(dir: &Path, world: &Options, kept: &Kept) -> Result<Option<Rebuilt>, Error> {
    let first = kept.seeds.first().is_some_and(|(sector, _)| *sector == 0);
    match look(dir, world) {
        Err(Error::DamagedFile(KeyFile::Service)) if first => {
            world.replace_blob(dir, NAME, &file_of(kept, &kept.key_id)?)?;
            Ok(Some(Rebuilt { file: KeyFile::Service, damaged: true }))
        }
        looked => looked.map(|()| None),
    }
}

/// Copies the MAC key of the store to a shard.
pub(super) fn share(from: &Store, to: &Store) -> Result<(), Error> {
    match from.blob(NAME)? {
        Some(file) if to.blob(NAME)?.is_none() => Ok(to.put_blob(NAME, &Zeroizing::new(file))?),
        _ => Ok(()),
    }
}

/// Returns the MAC key in `dir`, if the key has one.
///
/// # Errors
/// `State`, `DamagedFile`.
pub fn service_key(dir: &Path) -> Result<Option<ServiceKey>, Error> {
    Options::new().peek_blob(dir, NAME)?.map(|file| read(&Zeroizing::new(file))).transpose()
}

/// Returns the MAC key of an open store, if the key has one.
///
/// # Errors
/// `State`, `DamagedFile`.
pub fn service_key_of(store: &Store) -> Result<Option<ServiceKey>, Error> {
    store.blob(NAME)?.map(|file| read(&Zeroizing::new(file))).transpose()
}

/// Returns the identity of the key in `dir`. The state of a fleet is compared with it before any of
/// its values is used.
///
/// # Errors
/// `State`, `Unfinished`, `Damaged`.
pub fn identity_of(dir: &Path) -> Result<Identity, Error> {
    let key_id = Options::new().peek(dir)?.key_id;
    let key_id = u128::from_str_radix(&key_id, 16).map_err(|_| Error::Damaged)?.to_be_bytes();
    let public = match read_public_of(dir) {
        // The state is bound to the public key, whose file is rebuilt when the key is opened.
        Err(Error::DamagedFile(KeyFile::Public) | Error::Unfinished) => {
            let bound = Options::new().peek_identity(dir)?;
            if bound.is_bound() { bound.public } else { return Err(Error::Unfinished) }
        }
        read => digest_of(&read?)?,
    };
    Ok(Identity { key_id, public })
}

/// Checks the file, which may be absent.
pub(super) fn look(dir: &Path, world: &Options) -> Result<(), Error> {
    world.peek_blob(dir, NAME)?.map_or(Ok(()), |file| read(&Zeroizing::new(file)).map(drop))
}

fn read(file: &[u8]) -> Result<ServiceKey, Error> {
    let damaged = Error::DamagedFile(KeyFile::Service);
    let (body, digest) = file.split_at_checked(40).ok_or(damaged.clone())?;
    let key = body.strip_prefix(MAGIC).ok_or(damaged.clone())?;
    if Sha256::digest(body)[..] != *digest {
        return Err(damaged);
    }
    Ok(Zeroizing::new(key.try_into().map_err(|_| damaged)?))
}
