//! A slot: the places of its keys, and what of them can be seen without a passphrase.

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

/// The file beside the store that holds a key's label and identifier, both public.
pub const TAGS: &str = "pkcs11";

/// One slot.
///
/// The sessions of a slot live in epochs: an epoch ends when its last session is closed, and when
/// the user logs out. A user's keys are of one epoch, and are forgotten with it. An epoch ends, and
/// a login takes effect, under the lock of the sessions; a login is written under the lock of the
/// key too. So a login without its session, or a key without either, cannot come about.
pub struct Slot {
    /// Where its keys lie.
    pub place: Place,
    /// Wrong PINs since the last right one.
    pub wrong: AtomicU32,
    /// The number of the epoch now.
    epoch: AtomicU64,
    /// The epoch of the last login.
    login: AtomicU64,
    key: Mutex<Key>,
}

/// The label and the identifier that C_GenerateKeyPair was given.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tags {
    /// CKA_LABEL.
    pub label: Option<String>,
    /// CKA_ID, in hexadecimal.
    pub id: Option<String>,
}

/// A key pair, as it can be seen without the passphrase.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The public key.
    pub public: PublicKey,
    /// The numbers of its scheme.
    pub numbers: &'static Numbers,
    /// The parameter set of a key with a state, with all its levels; none without a state.
    pub set: Option<&'static Set>,
    /// Its private key needs a login.
    pub locked: bool,
    /// Label and identifier.
    pub tags: Tags,
}

impl Pair {
    /// Returns the bytes of a signature, at most.
    pub fn most(&self) -> usize {
        self.set.map_or(self.public.row.sizes.output, |set| published_sizes(set).1)
    }
}

impl Slot {
    /// Makes the slot of a place. Nothing is read yet.
    pub fn new(place: Place) -> Self {
        let (epoch, login) = (AtomicU64::new(1), AtomicU64::new(0));
        Self { place, wrong: AtomicU32::new(0), epoch, login, key: Mutex::default() }
    }

    /// Returns the number of the epoch now.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(SeqCst)
    }

    /// Ends the epoch. The caller has the lock of the sessions, and calls [`forget`](Self::forget)
    /// without it afterwards.
    pub fn end_epoch(&self) {
        self.epoch.fetch_add(1, SeqCst);
    }

    /// Returns whether the user is logged in.
    pub fn is_logged_in(&self) -> bool {
        self.login.load(SeqCst) == self.epoch()
    }

    /// Makes the login of `epoch` count. The caller has the lock of the sessions.
    pub fn admit(&self, epoch: u64) {
        self.login.store(epoch, SeqCst);
    }

    /// Returns the keys of this epoch; waits for the thread that uses them. Those of an earlier one
    /// are closed and forgotten first.
    pub fn key(&self) -> Result<MutexGuard<'_, Key>, Fault> {
        let defect = |_| Fault::Told(CKR_DEVICE_ERROR, "this key met a defect before".to_owned());
        let mut key = self.key.lock().map_err(defect)?;
        let epoch = self.epoch();
        if key.epoch != epoch {
            std::mem::replace(&mut *key, Key { epoch, ..Key::default() }).end()?;
        }
        Ok(key)
    }

    /// Closes and forgets the keys of the epochs before.
    pub fn forget(&self) -> Result<(), Fault> {
        self.key().map(drop)
    }

    /// Returns the directory of the key with a state.
    pub fn store(&self) -> Result<&Path, Fault> {
        self.place.store.as_deref().ok_or_else(|| no_place("store", "with a state"))
    }

    /// Returns the files of the key without a state.
    pub fn files(&self) -> Result<KeyFiles<'_>, Fault> {
        let prefix = self.place.key.as_deref();
        prefix.map(KeyFiles).ok_or_else(|| no_place("key", "without a state"))
    }

    /// Returns the sealed secret of the key with a state; `None` where none was made yet.
    pub fn sealed(&self) -> Result<Option<Sealed>, Fault> {
        let Some(dir) = &self.place.store else { return Ok(None) };
        match Sealed::of_store(dir) {
            Ok(sealed) => Ok(Some(sealed)),
            Err(Error::NoSecret | Error::State(StoreError::NotAStore)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns, of each place that is named, whether its secret is encrypted; `None` where no key
    /// was made yet.
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

    /// Returns the key pair with a state; `None` where there is none, or none that is finished.
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
        // A key with a limit, of a draft, has no numbers in PKCS#11.
        let numbers = numbers(public.row).filter(|_| set.limit.is_none());
        let (locked, tags) = (sealed.is_encrypted(), tags(dir));
        Ok(numbers.map(|numbers| Pair { public, numbers, set: Some(set), locked, tags }))
    }

    /// Returns the key pair without a state; `None` where there is none, or of an algorithm that
    /// has no mechanism here.
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

    /// Returns whether the private half of a pair can be seen and used.
    pub fn is_open(&self, pair: &Pair) -> bool {
        !pair.locked || self.is_logged_in()
    }

    /// Returns the account of the key's indices.
    pub fn status(&self) -> Result<Status, Fault> {
        Ok(Options::new().peek(self.store()?)?)
    }
}

/// Returns what was kept beside the store; a damaged file counts as none.
fn tags(dir: &Path) -> Tags {
    let file = Options::new().peek_blob(dir, TAGS).ok().flatten();
    let text = file.and_then(|file| String::from_utf8(file).ok());
    text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
}

fn no_place(setting: &str, what: &str) -> Fault {
    let line = format!("the configuration names no '{setting}' for a key {what} in this slot");
    Fault::Told(CKR_TOKEN_WRITE_PROTECTED, line)
}
