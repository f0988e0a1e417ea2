//! A check of the files that signing will read, without a passphrase and without opening the store.
//!
//! It checks the digest and the owner of each file. Whether intact nodes match the public key is
//! checked when the key is opened. `leaves` and `growth` are not checked: loading the key
//! recomputes them automatically.

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

/// A file that is absent, damaged or of another key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ailment {
    /// The file and its fault.
    pub cause: Error,
    /// True if opening the key rebuilds the file.
    pub mends: bool,
}

/// Returns the faults of the files of the key in `dir`, in the order in which signing meets them.
/// `status` is the status of the key. The result is empty for a key that can sign no more, and for
/// one whose generation is unfinished.
///
/// # Errors
/// `State` if the store cannot be read.
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
