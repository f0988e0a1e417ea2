//! The file with the secret seeds of a key.
//!
//! A key without sectors has one seed. For a key with sectors the file contains the seeds of the
//! sectors whose indices this directory still has. With a passphrase each seed is encrypted
//! separately under one derived key, so a sector can be given to another directory without the
//! passphrase.
//!
//! The file begins with magic word, digest and key identifier ([`blob`](super::blob)); `format`
//! describes the rest. The secret is sealed before the public key is known. It is therefore bound
//! to the key's identifier, and the store binds the identifier to the public key.

mod format;
pub(super) mod lock;

use core::fmt;
use core::ops::Range;
use std::path::Path;

use chacha20poly1305::ChaCha20Poly1305;
use hasten_hbs::Sectors;
use hasten_store::{Identity, Options};
use zeroize::Zeroizing;

use self::{
    format::{ENTRY, Entry, Header},
    lock::PassphraseLock,
};
use super::blob::{self, Form, Owner};
use crate::{Error, KeyFile, encoding::PublicKey, scheme};

const FORM: Form = Form { file: KeyFile::Secret, magic: b"hstnkey2", old: b"hstnkey1" };

/// A sector number and its seed; the number is 0 in a key with a single seed.
pub type SectorSeed = (u32, Zeroizing<Vec<u8>>);

/// The secret seeds and settings of a key. `Debug` shows only the set; only this crate can read the
/// seeds.
pub struct Kept {
    /// Identifier of the key, the same as in its store.
    pub key_id: [u8; 16],
    /// Name of the parameter set.
    pub set: String,
    /// Indices per reservation of the command line.
    pub reserve: u64,
    /// Number of sectors of the whole key; 1 for a key with a single seed.
    pub sectors: u32,
    /// The set of the session trees, if the key signs only these ([`Sessions`](super::Sessions)).
    pub(super) sessions: Option<String>,
    /// The available seeds, in order of sectors.
    pub(super) seeds: Vec<SectorSeed>,
    /// The file in the current format, if it was read in the old format.
    pub(super) renewed: Option<Zeroizing<Vec<u8>>>,
}

impl Kept {
    /// Creates a key with sectors from the available seeds.
    pub fn new(
        key_id: [u8; 16],
        set: &str,
        reserve: u64,
        sectors: u32,
        seeds: Vec<SectorSeed>,
    ) -> Self {
        let (set, sessions, renewed) = (set.to_owned(), None, None);
        Self { key_id, set, reserve, sectors, sessions, seeds, renewed }
    }

    /// Creates a key with a single seed.
    pub fn of_one_seed(
        key_id: [u8; 16],
        set: &str,
        reserve: u64,
        seed: Zeroizing<Vec<u8>>,
    ) -> Self {
        Self::new(key_id, set, reserve, 1, vec![(0, seed)])
    }

    /// Returns the seed of a key that has a single one; `None` for a key with sectors. This is for
    /// a device that signs and keeps the state by itself. It requires the feature `hazmat`, because
    /// the owner of the seed can sign twice with the same index.
    #[cfg(feature = "hazmat")]
    pub fn device_seed(&self) -> Option<&[u8]> {
        match &self.seeds[..] {
            [(_, seed)] if self.sectors == 1 => Some(seed),
            _ => None,
        }
    }

    /// Returns the seeds in order of sectors; the warning of [`device_seed`](Self::device_seed)
    /// applies.
    #[cfg(feature = "hazmat")]
    pub fn sector_seeds(&self) -> &[SectorSeed] {
        &self.seeds
    }

    /// Returns the seeds in the form that the schemes require; the warning of
    /// [`device_seed`](Self::device_seed) applies.
    ///
    /// # Errors
    /// `Scheme` with `BadSeed`.
    #[cfg(feature = "hazmat")]
    pub fn sectors(&self) -> Result<Sectors<'_>, Error> {
        self.for_scheme()
    }

    /// Returns a copy that contains only the seeds of these sectors.
    ///
    /// # Errors
    /// `NoSecret` if one of them is not available.
    pub(super) fn of_sectors(&self, sectors: Range<u32>) -> Result<Self, Error> {
        let here = self.seeds.iter().filter(|(sector, _)| sectors.contains(sector));
        let seeds: Vec<SectorSeed> = here.cloned().collect();
        if seeds.len() != sectors.len() {
            return Err(Error::NoSecret);
        }
        let sessions = self.sessions.clone();
        Ok(Self {
            sessions,
            ..Self::new(self.key_id, &self.set, self.reserve, self.sectors, seeds)
        })
    }

    /// Returns the public key to state for `published`, the key of these seeds. For a key that
    /// signs session trees its number of levels includes theirs.
    pub(super) fn stated(&self, published: PublicKey) -> Result<PublicKey, Error> {
        if self.sessions.is_some() { scheme::with_level(&published) } else { Ok(published) }
    }

    /// Returns the public key of these seeds, given the stated public key.
    pub(super) fn durable(&self, stated: &PublicKey) -> Result<PublicKey, Error> {
        if self.sessions.is_some() { scheme::without_level(stated) } else { Ok(stated.clone()) }
    }

    /// Fails if these seeds are of another key than the state.
    pub(super) fn must_be_of(&self, identity: &Identity) -> Result<(), Error> {
        let ours = self.key_id == identity.key_id;
        if ours { Ok(()) } else { Err(Error::ForeignFile(KeyFile::Secret)) }
    }

    /// Returns the seed of a key with a single one.
    ///
    /// # Errors
    /// `Scheme` with `BadSeed` for a key with sectors.
    pub(super) fn only_seed(&self) -> Result<&[u8], Error> {
        match &self.seeds[..] {
            [(_, seed)] if self.sectors == 1 => Ok(seed),
            _ => Err(hasten_hbs::Error::BadSeed.into()),
        }
    }

    /// Returns the seeds in the form that the schemes require.
    ///
    /// # Errors
    /// `Scheme` with `BadSeed`.
    pub(super) fn for_scheme(&self) -> Result<Sectors<'_>, Error> {
        let here = self.seeds.iter().map(|(sector, seed)| (*sector, &***seed)).collect();
        Ok(Sectors::of(self.sectors, here)?)
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("set", &self.set).finish_non_exhaustive()
    }
}

/// A parsed secret file, with its digest verified; the seeds are not decrypted yet.
pub struct Sealed {
    header: Header,
    entries: Vec<Entry>,
    /// Identifier of the key in the store of the same directory.
    owner: [u8; 16],
}

impl Sealed {
    /// Returns the contents of the secret file for a key's store.
    ///
    /// # Errors
    /// `Randomness`; `Passphrase` if no key can be derived from the passphrase.
    pub fn seal(kept: &Kept, passphrase: Option<&[u8]>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let lock = passphrase.map(|_| PassphraseLock::fresh()).transpose()?;
        let locked = lock.as_ref().zip(passphrase);
        let cipher = locked.map(|(lock, word)| lock.cipher(word)).transpose()?;
        Ok(Self::closed(kept, lock, cipher.as_ref())?.file())
    }

    /// Seals the seeds with a cipher derived by `lock`.
    fn closed(
        kept: &Kept,
        lock: Option<PassphraseLock>,
        cipher: Option<&ChaCha20Poly1305>,
    ) -> Result<Self, Error> {
        let Kept { key_id, set, reserve, sectors, sessions, seeds, .. } = kept;
        let (key_id, set, sessions) = (Some(*key_id), set.clone(), sessions.clone());
        let (reserve, sectors) = (*reserve, *sectors);
        let header = Header { key_id, set, reserve, sectors, sessions, lock };
        let close = |(sector, seed): &SectorSeed| {
            let nonce = cipher.map(|_| lock::random()).transpose()?;
            let mut entry = Entry { sector: *sector, nonce, body: seed.clone() };
            if let Some((cipher, nonce)) = cipher.zip(nonce) {
                lock::close(cipher, nonce, &header.context(&entry), &mut entry.body)?;
            }
            Ok(entry)
        };
        let entries = seeds.iter().map(close).collect::<Result<_, Error>>()?;
        Ok(Self { header, entries, owner: kept.key_id })
    }

    fn file(&self) -> Zeroizing<Vec<u8>> {
        let header = self.header.encode();
        let bodies: usize = self.entries.iter().map(|entry| ENTRY + entry.body.len()).sum();
        // The buffer has its full size from the start: a growing buffer leaves copies of secrets in
        // memory.
        let mut whole = Zeroizing::new(Vec::with_capacity(header.len() + bodies));
        whole.extend(header);
        self.entries.iter().for_each(|entry| self.header.append(entry, &mut whole));
        Zeroizing::new(blob::wrap(&FORM, self.header.key_id.as_ref(), &[], &whole))
    }

    /// Returns a file with only the seeds of these sectors, encrypted as they are here.
    ///
    /// # Errors
    /// `NoSecret` if none of them is available.
    pub(super) fn file_of(&self, sectors: Range<u32>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let copy = |e: &Entry| Entry { body: e.body.clone(), ..*e };
        let entries = self.entries.iter().filter(|e| sectors.contains(&e.sector)).map(copy);
        let Header { key_id, reserve, sectors, lock, .. } = self.header;
        let (set, sessions) = (self.header.set.clone(), self.header.sessions.clone());
        let header = Header { key_id, set, reserve, sectors, sessions, lock };
        let some = Self { header, entries: entries.collect(), owner: self.owner };
        if some.entries.is_empty() { Err(Error::NoSecret) } else { Ok(some.file()) }
    }

    /// Parses a secret file that belongs to a store with this identity.
    ///
    /// # Errors
    /// `DamagedFile`, `ForeignFile`.
    pub fn read(file: &[u8], identity: &Identity) -> Result<Self, Error> {
        let mut rest = blob::unwrap(&FORM, &Owner::of(identity), &[], file)?;
        let (key_id, _) = blob::read(&FORM, &[], file)?;
        let damaged = || Error::DamagedFile(FORM.file);
        let header = Header::decode(key_id, &mut rest).ok_or_else(damaged)?;
        let entries = header.entries(rest).ok_or_else(damaged)?;
        Ok(Self { header, entries, owner: identity.key_id })
    }

    /// Reads the secret file of the key in `dir` without opening its store.
    ///
    /// # Errors
    /// `NoSecret` if there is none (the key was destroyed, or `dir` is not a key), `DamagedFile`,
    /// `ForeignFile`.
    pub fn of_store(dir: &Path) -> Result<Self, Error> {
        Self::of_store_in(dir, &Options::new())
    }

    /// Reads like [`of_store`](Self::of_store), with the file access of these options.
    ///
    /// # Errors
    /// As [`of_store`](Self::of_store).
    pub fn of_store_in(dir: &Path, world: &Options) -> Result<Self, Error> {
        let file = world.peek_secret(dir, blob::SECRET)?.ok_or(Error::NoSecret)?;
        Self::read(&Zeroizing::new(file), &world.peek_identity(dir)?)
    }

    /// Returns the name of the parameter set.
    pub fn set(&self) -> &str {
        &self.header.set
    }

    /// Returns the number of indices per reservation of the command line.
    pub fn reserve(&self) -> u64 {
        self.header.reserve
    }

    /// Returns the name of the set of the session trees, if the key signs only these.
    pub fn sessions(&self) -> Option<&str> {
        self.header.sessions.as_deref()
    }

    /// Returns the number of sectors of the whole key; 1 for a key with a single seed.
    pub fn sectors(&self) -> u32 {
        self.header.sectors
    }

    /// Returns the sectors whose seeds are available.
    pub fn here(&self) -> Vec<u32> {
        self.entries.iter().map(|entry| entry.sector).collect()
    }

    /// Returns true if a passphrase is needed.
    pub fn is_encrypted(&self) -> bool {
        self.header.lock.is_some()
    }

    /// Decrypts the seeds.
    ///
    /// # Errors
    /// `Passphrase` if one is needed and is missing or wrong.
    pub fn open(self, passphrase: Option<&[u8]>) -> Result<Kept, Error> {
        let Self { header, entries, owner } = self;
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
        let mut kept = Kept::new(owner, &header.set, header.reserve, header.sectors, seeds);
        kept.sessions.clone_from(&header.sessions);
        if header.key_id.is_none() {
            kept.renewed = Some(Self::closed(&kept, header.lock, cipher.as_ref())?.file());
        }
        Ok(kept)
    }
}
