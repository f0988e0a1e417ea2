//! The secret seeds of a key, as they lie in its store.
//!
//! A key of one seed has one; of a key in sectors the file holds those whose indices this
//! directory still has. Under a passphrase each is encrypted by itself, under one derived key, so
//! that a sector goes to another directory without the passphrase.
//!
//! The file: magic word, digest ([`blob`](super::blob)), then what `format` says.

mod format;
mod lock;

use core::fmt;
use core::ops::Range;
use std::path::Path;

use hasten_hbs::Sectors;
use hasten_store::Options;
use zeroize::Zeroizing;

use self::{
    format::{ENTRY, Entry, Header},
    lock::PassphraseLock,
};
use super::blob;
use crate::Error;

const MAGIC: &[u8; 8] = b"hstnkey1";

/// A sector, 0 in a key of one seed, and its seed.
pub type SectorSeed = (u32, Zeroizing<Vec<u8>>);

/// What is kept of a key besides its nodes. `Debug` shows the set alone.
pub struct Kept {
    /// Name of the parameter set.
    pub set: String,
    /// Indices that one reservation of the command line sets aside.
    pub reserve: u64,
    /// Sectors of the whole key; 1 for none.
    pub sectors: u32,
    /// The seeds at hand, by sector.
    pub seeds: Vec<SectorSeed>,
}

impl Kept {
    /// A key of one seed.
    pub fn of_one_seed(set: &str, reserve: u64, seed: Zeroizing<Vec<u8>>) -> Self {
        Self { set: set.to_owned(), reserve, sectors: 1, seeds: vec![(0, seed)] }
    }

    /// The seeds, as the schemes take them.
    ///
    /// # Errors
    /// `Scheme` with `BadSeed`.
    pub fn sectors(&self) -> Result<Sectors<'_>, Error> {
        let here = self.seeds.iter().map(|(sector, seed)| (*sector, &***seed)).collect();
        Ok(Sectors::of(self.sectors, here)?)
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("set", &self.set).finish_non_exhaustive()
    }
}

/// The file's bytes, read and found undamaged; the seeds still closed.
pub struct Sealed {
    header: Header,
    entries: Vec<Entry>,
}

impl Sealed {
    /// The file of a key, to be kept in its store.
    ///
    /// # Errors
    /// `Randomness`, or `Passphrase` when none can be derived from.
    pub fn seal(kept: &Kept, passphrase: Option<&[u8]>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let lock = passphrase.map(|_| PassphraseLock::fresh()).transpose()?;
        let Kept { set, reserve, sectors, seeds } = kept;
        let header = Header { set: set.clone(), reserve: *reserve, sectors: *sectors, lock };
        let locked = header.lock.as_ref().zip(passphrase);
        let cipher = locked.map(|(lock, word)| lock.cipher(word)).transpose()?;
        let close = |(sector, seed): &SectorSeed| {
            let nonce = cipher.as_ref().map(|_| lock::random()).transpose()?;
            let mut entry = Entry { sector: *sector, nonce, body: seed.clone() };
            if let Some((cipher, nonce)) = cipher.as_ref().zip(nonce) {
                lock::close(cipher, nonce, &header.context(&entry), &mut entry.body)?;
            }
            Ok(entry)
        };
        let entries = seeds.iter().map(close).collect::<Result<_, Error>>()?;
        Ok(Self { header, entries }.file())
    }

    fn file(&self) -> Zeroizing<Vec<u8>> {
        let header = self.header.encode();
        let bodies: usize = self.entries.iter().map(|entry| ENTRY + entry.body.len()).sum();
        // Of its full size at once: a buffer that grows leaves copies behind.
        let mut whole = Zeroizing::new(Vec::with_capacity(header.len() + bodies));
        whole.extend(header);
        self.entries.iter().for_each(|entry| self.header.append(entry, &mut whole));
        Zeroizing::new(blob::wrap(MAGIC, &[], &whole))
    }

    /// The file that holds only the seeds of these sectors, as closed as they are here.
    ///
    /// # Errors
    /// `NoSecret` if none of them is here.
    pub(super) fn file_of(&self, sectors: Range<u32>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let copy = |e: &Entry| Entry { body: e.body.clone(), ..*e };
        let entries = self.entries.iter().filter(|e| sectors.contains(&e.sector)).map(copy);
        let header = Header { set: self.header.set.clone(), lock: self.header.lock, ..self.header };
        let some = Self { header, entries: entries.collect() };
        if some.entries.is_empty() { Err(Error::NoSecret) } else { Ok(some.file()) }
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// `Damaged`.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        let mut rest = blob::unwrap(MAGIC, &[], file)?;
        let header = Header::decode(&mut rest).ok_or(Error::Damaged)?;
        let entries = header.entries(rest).ok_or(Error::Damaged)?;
        Ok(Self { header, entries })
    }

    /// Reads the file of the key in `dir`, without opening its store.
    ///
    /// # Errors
    /// `NoSecret` when there is none (the key was destroyed, or is no key), `Damaged`.
    pub fn of_store(dir: &Path) -> Result<Self, Error> {
        let file = Options::new().peek_blob(dir, blob::SECRET)?.ok_or(Error::NoSecret)?;
        Self::read(&Zeroizing::new(file))
    }

    /// Name of the parameter set.
    pub fn set(&self) -> &str {
        &self.header.set
    }

    /// Indices that one reservation of the command line sets aside.
    pub fn reserve(&self) -> u64 {
        self.header.reserve
    }

    /// Sectors of the whole key; 1 for none.
    pub fn sectors(&self) -> u32 {
        self.header.sectors
    }

    /// The sectors whose seeds are here.
    pub fn here(&self) -> Vec<u32> {
        self.entries.iter().map(|entry| entry.sector).collect()
    }

    /// Whether a passphrase is needed.
    pub fn is_encrypted(&self) -> bool {
        self.header.lock.is_some()
    }

    /// Opens the seeds.
    ///
    /// # Errors
    /// `Passphrase` when one is needed and missing or wrong.
    pub fn open(self, passphrase: Option<&[u8]>) -> Result<Kept, Error> {
        let Self { header, entries } = self;
        let unlock = |lock: &PassphraseLock| lock.cipher(passphrase.ok_or(Error::Passphrase)?);
        let cipher = header.lock.as_ref().map(unlock).transpose()?;
        let open = |mut entry: Entry| {
            if let Some((cipher, nonce)) = cipher.as_ref().zip(entry.nonce) {
                let context = header.context(&entry);
                lock::open(cipher, nonce, &context, &mut entry.body)?;
            }
            Ok((entry.sector, entry.body))
        };
        let seeds = entries.into_iter().map(open).collect::<Result<_, Error>>()?;
        let Header { set, reserve, sectors, .. } = header;
        Ok(Kept { set, reserve, sectors, seeds })
    }
}
