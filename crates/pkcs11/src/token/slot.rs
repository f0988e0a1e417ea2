//! A slot: the places of its keys, and the information that is available without a passphrase.

use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};

use cryptoki_sys::*;
use hasten_pq::Error;
use hasten_pq::hbs::Set;
use hasten_pq::keys::encoding::{PublicKey, published_sizes};
use hasten_pq::keys::stateful::{Sealed, read_public_of};
use hasten_pq::store::{Options, Status, StoreError};
use serde::{Deserialize, Serialize};

use crate::config::Place;
use crate::fault::Fault;
use crate::sets::{Numbers, numbers};
use crate::token::files::KeyFiles;
use crate::token::login::Key;

/// The file in the store's directory with a key's label and identifier, which are both public.
pub const TAGS: &str = "pkcs11";

/// One slot.
///
/// The sessions of a slot are divided into epochs. An epoch ends when the last session is closed,
/// and when the user logs out. The keys of a logged-in user belong to one epoch and are discarded
/// when it ends. Ending an epoch and completing a login require the sessions lock; a login also
/// requires the lock of the key. A login without a session, or a key without either, is therefore
/// impossible.
pub struct Slot {
    /// The places of the keys.
    pub place: Place,
    /// Number of wrong PINs since the last correct one.
    pub wrong: AtomicU32,
    /// The number of the current epoch.
    epoch: AtomicU64,
    /// The epoch of the last login.
    login: AtomicU64,
    key: Mutex<Key>,
}

/// The label and the identifier given to C_GenerateKeyPair.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tags {
    /// CKA_LABEL.
    pub label: Option<String>,
    /// CKA_ID, in hexadecimal.
    pub id: Option<String>,
}

/// The information about a key pair that is available without the passphrase.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The public key.
    pub public: PublicKey,
    /// The PKCS#11 numbers of the scheme.
    pub numbers: &'static Numbers,
    /// The parameter set of a stateful key, with all its levels; `None` for a stateless key.
    pub set: Option<&'static Set>,
    /// True if the private key requires a login.
    pub locked: bool,
    /// The label and the identifier.
    pub tags: Tags,
}

impl Pair {
    /// Returns the maximum size of a signature in bytes.
    pub fn most(&self) -> usize {
        self.set.map_or(self.public.row.sizes.output, |set| published_sizes(set).1)
    }
}

impl Slot {
    /// Creates the slot of a place. Nothing is read yet.
    pub fn new(place: Place) -> Self {
        let (epoch, login) = (AtomicU64::new(1), AtomicU64::new(0));
        Self { place, wrong: AtomicU32::new(0), epoch, login, key: Mutex::default() }
    }

    /// Returns the number of the current epoch.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(SeqCst)
    }

    /// Ends the epoch. The caller holds the sessions lock, releases it afterwards, and then calls
    /// [`forget`](Self::forget).
    pub fn end_epoch(&self) {
        self.epoch.fetch_add(1, SeqCst);
    }

    /// Returns true if the user is logged in.
    pub fn is_logged_in(&self) -> bool {
        self.login.load(SeqCst) == self.epoch()
    }

    /// Completes the login of `epoch`. The caller holds the sessions lock.
    pub fn admit(&self, epoch: u64) {
        self.login.store(epoch, SeqCst);
    }

    /// Returns the keys of the current epoch, after waiting for the thread that uses them. Keys of
    /// an earlier epoch are closed and discarded first.
    pub fn key(&self) -> Result<MutexGuard<'_, Key>, Fault> {
        let defect = |_| Fault::Told(CKR_DEVICE_ERROR, "this key met a defect before".to_owned());
        let mut key = self.key.lock().map_err(defect)?;
        let epoch = self.epoch();
        if key.epoch != epoch {
            std::mem::replace(&mut *key, Key { epoch, ..Key::default() }).end()?;
        }
        Ok(key)
    }

    /// Closes and discards the keys of earlier epochs.
    pub fn forget(&self) -> Result<(), Fault> {
        self.key().map(drop)
    }

    /// Returns the directory of the stateful key.
    pub fn store(&self) -> Result<&Path, Fault> {
        self.place.store.as_deref().ok_or_else(|| no_place("store", "with a state"))
    }

    /// Returns the files of the stateless key.
    pub fn files(&self) -> Result<KeyFiles<'_>, Fault> {
        let prefix = self.place.key.as_deref();
        prefix.map(KeyFiles).ok_or_else(|| no_place("key", "without a state"))
    }

    /// Returns the sealed secret of the stateful key; `None` if there is no key yet.
    pub fn sealed(&self) -> Result<Option<Sealed>, Fault> {
        let Some(dir) = &self.place.store else { return Ok(None) };
        match Sealed::of_store(dir) {
            Ok(sealed) => Ok(Some(sealed)),
            Err(Error::NoSecret | Error::State(StoreError::NotAStore)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns for each configured key whether its secret is encrypted; `None` if there is no key
    /// yet.
    pub fn locks(&self) -> Result<Vec<Option<bool>>, Fault> {
        let mut locks = Vec::new();
        if self.place.store.is_some() {
            locks.push(self.sealed()?.map(|sealed| sealed.is_encrypted()));
        }
        if let Some(prefix) = &self.place.key {
            locks.push(KeyFiles(prefix).sealed()?.map(|sealed| sealed.is_encrypted()));
        }
        Ok(locks)
    }

    /// Returns the stateful key pair; `None` if there is none, or if it is unfinished.
    pub fn kept_pair(&self) -> Result<Option<Pair>, Fault> {
        let Some(dir) = &self.place.store else { return Ok(None) };
        let public = match read_public_of(dir) {
            Ok(public) => public,
            Err(
                Error::Unfinished | Error::UnfinishedImport | Error::State(StoreError::NotAStore),
            ) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let Some(sealed) = self.sealed()? else { return Ok(None) };
        let set = Set::named(sealed.set())?;
        // A key with a signature limit, from a draft, has no numbers in PKCS#11.
        let numbers = numbers(public.row).filter(|_| set.limit.is_none());
        let (locked, tags) = (sealed.is_encrypted(), tags(dir));
        Ok(numbers.map(|numbers| Pair { public, numbers, set: Some(set), locked, tags }))
    }

    /// Returns the stateless key pair; `None` if there is none, or if its algorithm has no
    /// mechanism here.
    pub fn filed_pair(&self) -> Result<Option<Pair>, Fault> {
        let Some(prefix) = &self.place.key else { return Ok(None) };
        let files = KeyFiles(prefix);
        let (Some(public), Some(sealed)) = (files.public()?, files.sealed()?) else {
            return Ok(None);
        };
        let (locked, tags) = (sealed.is_encrypted(), files.tags());
        let numbers = numbers(public.row);
        Ok(numbers.map(|numbers| Pair { public, numbers, set: None, locked, tags }))
    }

    /// Returns true if the private key of a pair is visible and usable.
    pub fn is_open(&self, pair: &Pair) -> bool {
        !pair.locked || self.is_logged_in()
    }

    /// Returns the status of the stateful key's indices.
    pub fn status(&self) -> Result<Status, Fault> {
        Ok(Options::new().peek(self.store()?)?)
    }
}

/// Returns the saved label and identifier; both are absent if the file is damaged.
fn tags(dir: &Path) -> Tags {
    let file = Options::new().peek_blob(dir, TAGS).ok().flatten();
    let text = file.and_then(|file| String::from_utf8(file).ok());
    text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
}

fn no_place(setting: &str, what: &str) -> Fault {
    let line = format!("the configuration names no '{setting}' for a key {what} in this slot");
    Fault::Told(CKR_TOKEN_WRITE_PROTECTED, line)
}
