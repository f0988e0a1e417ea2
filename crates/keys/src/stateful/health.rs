//! The files that signing will read, looked at without a passphrase and without opening the store.
//!
//! Digests are compared, and whose the files are. Nodes that fit their digest are compared with the
//! public key when the key is opened. `leaves` and `growth` are not looked at: loading makes them
//! anew unasked.

use std::path::Path;

use hasten_store::{Options, Status};

use super::{
    Sealed,
    blob::{self, Owner},
    digest_of,
    key::{fleet_in, read_public_in},
    nodes, service,
};
use crate::{Error, KeyFile, encoding::PublicKey, scheme};

/// One file that is absent, damaged or of another key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ailment {
    /// The file, and what is wrong with it.
    pub cause: Error,
    /// Opening the key makes the file anew.
    pub mends: bool,
}

/// Returns what is wrong with the files of the key in `dir`, whose account is `status`, in the
/// order in which signing meets it. Nothing is said of a key that signs nothing more, nor of one
/// whose generation has not ended.
///
/// # Errors
/// `State` when the store cannot be read.
pub fn ailments(dir: &Path, world: &Options, status: &Status) -> Result<Vec<Ailment>, Error> {
    let identity = world.peek_identity(dir)?;
    let in_fleet = world.peek_blob(dir, blob::FLEET)?.is_some();
    let begun = !identity.is_bound() && world.peek_blob(dir, blob::PUBLIC)?.is_none();
    if begun || status.retired || (status.remaining == 0 && !in_fleet) {
        return Ok(Vec::new());
    }
    let sealed = Sealed::of_store_in(dir, world);
    let whole =
        sealed.as_ref().is_ok_and(|sealed| sealed.here().len() == sealed.sectors() as usize);
    let sessions = sealed.as_ref().is_ok_and(|sealed| sealed.sessions().is_some());
    let public = read_public_in(dir, world).and_then(|public| {
        let other = identity.contradicts(&digest_of(&public)?);
        if other { Err(Error::DamagedFile(KeyFile::Public)) } else { Ok(public) }
    });
    let cache = |public: &PublicKey| {
        let durable = if sessions { scheme::without_level(public)? } else { public.clone() };
        nodes::look(dir, world, &Owner::of(&identity), &scheme::own_bytes(&durable)?)
    };
    let nodes = public.as_ref().map_or(Ok(()), cache);
    let public = public.map(drop).map_err(|error| match error {
        Error::Unfinished | Error::UnfinishedImport => Error::AbsentFile(KeyFile::Public),
        error => error,
    });
    let looked = [
        sealed.map(drop),
        fleet_in(dir, world).map(drop),
        service::look(dir, world),
        public,
        nodes,
    ];
    let made = |file: &KeyFile| matches!(file, KeyFile::Cache | KeyFile::Public);
    let mends = |cause: &Error| match cause {
        Error::DamagedFile(KeyFile::Service) => whole && !in_fleet,
        Error::AbsentFile(file) | Error::DamagedFile(file) => whole && made(file),
        _ => false,
    };
    let ailing = looked.into_iter().filter_map(Result::err);
    Ok(ailing.map(|cause| Ailment { mends: mends(&cause), cause }).collect())
}
