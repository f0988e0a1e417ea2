//! Shards that move to another machine in a file and become a key there.
//!
//! The file contains the head from the store ([`hasten_store::Carried`]), then the data described
//! in `format`: the secret of the shard's sectors, the public key, its nodes, and the MAC key of
//! its witness. With a passphrase all of that is encrypted, and the head is authenticated with it.

mod format;

use std::{ops::Range, path::Path};

use hasten_store::{Carried, Options, ShardFile, Status, Store, StoreError, Unfinished};
use zeroize::Zeroizing;

use self::format::Content;
use super::{
    Kept, Sealed, blob, service,
    shard::{Share, forget, put_once, read},
};
use crate::Error;

/// Gives the top of the key in `store` away into the file `to`, from which [`import_shard`] makes a
/// store on another machine. `kept` contains the key's seeds. Those of the given indices go into
/// the file, encrypted if there is a `passphrase`.
///
/// The file is begun first, without a secret; if that fails, nothing is given. The give-away is
/// durable before the first secret byte reaches the file, and the file gets its name only when it
/// is complete. If a call is interrupted, the same call completes it. If a whole sector is given
/// away, its seed is erased here.
///
/// # Errors
/// `ShardPlace` if the file cannot be made, `State`, `OfFleet`, `ForeignFile`.
pub fn export_shard(
    store: &mut Store,
    share: Share,
    kept: &Kept,
    passphrase: Option<&[u8]>,
    to: &Path,
) -> Result<Range<u64>, Error> {
    if store.blob(blob::FLEET)?.is_some() {
        return Err(Error::OfFleet);
    }
    kept.must_be_of(&store.identity())?;
    let file = store.shard_file(to).map_err(Error::ShardPlace)?;
    let carried = released(store, share, kept, &file)?;
    if !file.is_named(&carried).map_err(Error::ShardPlace)? {
        let secret = Sealed::seal(&kept.of_sectors(carried.sectors())?, passphrase)?;
        let content = Content {
            secret,
            public: read(store, blob::PUBLIC)?,
            cache: read(store, blob::CACHE)?,
            service: Zeroizing::new(store.blob(service::NAME)?.unwrap_or_default()),
        };
        let whole = content.closed(&carried, passphrase)?;
        file.finish(&whole).map_err(Error::ShardPlace)?;
    }
    if let Some(secret) = store.blob(blob::SECRET)?.map(Zeroizing::new) {
        forget(store, &Sealed::read(&secret, &store.identity())?)?;
    }
    store.end_grant()?;
    Ok(carried.range())
}

/// Returns the shard of this share, given away for good to the store that the file will create.
fn released(
    store: &mut Store,
    share: Share,
    kept: &Kept,
    file: &ShardFile,
) -> Result<Carried, Error> {
    let unfinished = share.unfinished(store)?;
    let here = unfinished.as_ref().map(|unfinished| file.find(unfinished)).transpose();
    if let Some(carried) = here.map_err(Error::ShardPlace)?.flatten() {
        return Ok(carried);
    }
    let (carried, grant) = match unfinished {
        Some(Unfinished::Grant(grant)) => {
            let carried = begun(file, store.carry_granted(&grant)?, kept)?;
            (carried, grant)
        }
        _ => {
            let offer = share.offer(store)?;
            let carried = begun(file, store.carry(&offer)?, kept)?;
            (carried, store.give_retriable(offer)?)
        }
    };
    store.release_to_file(grant, &carried)?;
    Ok(carried)
}

/// Begins the file if the seeds for it are available.
fn begun(file: &ShardFile, carried: Carried, kept: &Kept) -> Result<Carried, Error> {
    kept.of_sectors(carried.sectors())?;
    file.begin(&carried).map_err(Error::ShardPlace)?;
    Ok(carried)
}

/// A parsed and complete shard file whose content is not decrypted yet.
pub struct SealedShard {
    carried: Carried,
    closed: format::Closed,
}

impl SealedShard {
    /// Parses a shard file.
    ///
    /// # Errors
    /// `NotAShard`, `BrokenShard`.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        let begun = Carried::is_begun(file);
        let none = if begun { Error::BrokenShard } else { Error::NotAShard };
        let carried = Carried::decode(file).ok_or(none)?;
        Ok(Self { carried, closed: format::Closed::read(file)? })
    }

    /// Parses a shard file on a machine with this register. If the file is incomplete, the register
    /// may show that the shard was imported and the file erased.
    ///
    /// # Errors
    /// As [`read`](Self::read); `State` with `Imported`.
    pub fn read_on(file: &[u8], world: &Options, register: &Path) -> Result<Self, Error> {
        let read = Self::read(file);
        if let (Err(Error::BrokenShard), Some(carried)) = (&read, Carried::decode(file))
            && let Some(dir) = world.imported_before(&carried, register)?
        {
            return Err(StoreError::Imported { dir }.into());
        }
        read
    }

    /// Returns the range of indices.
    pub fn range(&self) -> Range<u64> {
        self.carried.range()
    }

    /// Returns the number of indices of the whole key.
    pub fn capacity(&self) -> u64 {
        self.carried.capacity()
    }

    /// Returns true if a passphrase is needed.
    pub fn is_encrypted(&self) -> bool {
        self.closed.is_encrypted()
    }

    /// Decrypts the content.
    ///
    /// # Errors
    /// `Passphrase` if one is needed and is missing or wrong, or if both the head and the digest
    /// were modified; `BrokenShard`.
    pub fn open(self, passphrase: Option<&[u8]>) -> Result<OpenShard, Error> {
        let Self { carried, closed } = self;
        let content = closed.open(&carried, passphrase)?;
        let sealed = Sealed::read(&content.secret, &carried.identity());
        let sealed = sealed.map_err(|_| Error::BrokenShard)?;
        let whole = carried.sectors().all(|sector| sealed.here().contains(&sector));
        if whole { Ok(OpenShard { carried, content }) } else { Err(Error::BrokenShard) }
    }
}

/// The content of a shard file. It is not `Clone` and has no `Debug`.
pub struct OpenShard {
    carried: Carried,
    content: Content,
}

impl OpenShard {
    /// Returns the range of indices.
    pub fn range(&self) -> Range<u64> {
        self.carried.range()
    }
}

/// Makes the store of a shard in `dir`, with the guard given in `options`. `register` is the folder
/// in which this machine records imported shards, so that none is imported twice.
///
/// The store is made first, without a secret. The register records the shard durably before the
/// secret reaches the directory. The public key is written last, and without it nothing can sign.
/// If a call is interrupted, the same call completes it. Once the register has recorded the shard,
/// an import into another directory is refused.
///
/// # Errors
/// `State` with `Imported` if the shard was imported before, `Exists` if `dir` contains something
/// else.
pub fn import_shard(
    shard: &OpenShard,
    dir: &Path,
    options: Options,
    register: &Path,
) -> Result<Status, Error> {
    let OpenShard { carried, content } = shard;
    let store = options.create_carried(dir, carried, register)?;
    if store.blob(blob::PUBLIC)?.is_some() {
        return Err(StoreError::Imported { dir: dir.to_owned() }.into());
    }
    put_once(&store, blob::CACHE, &content.cache)?;
    if !content.service.is_empty() {
        put_once(&store, service::NAME, &content.service)?;
    }
    store.arrive(register)?;
    put_once(&store, blob::SECRET, &content.secret)?;
    put_once(&store, blob::PUBLIC, &content.public)?;
    Ok(store.close()?)
}
