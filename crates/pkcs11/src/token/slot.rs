//! A slot: the places of its keys, and what of them can be seen without a passphrase.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};

use cryptoki_sys::*;
use hasten::Error;
use hasten::hbs::Set;
use hasten::keys::encoding::{PublicKey, published_sizes};
use hasten::keys::stateful::{Sealed, read_public_of};
use hasten::store::{Options, Status, StoreError};
use serde::{Deserialize, Serialize};

use crate::config::Place;
use crate::fault::Fault;
use crate::sets::{Numbers, numbers};
use crate::token::files::KeyFiles;
use crate::token::login::Key;

/// The file beside the store that holds a key's label and identifier, both public.
pub const TAGS: &str = "pkcs11";

/// One slot.
pub struct Slot {
    /// Where its keys lie.
    pub place: Place,
    /// Wrong PINs since the last right one.
    pub wrong: AtomicU32,
    /// The user is logged in.
    pub logged_in: AtomicBool,
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
        let (wrong, logged_in) = (AtomicU32::new(0), AtomicBool::new(false));
        Self { place, wrong, logged_in, key: Mutex::default() }
    }

    /// Returns the keys of the one who logged in; waits for the thread that uses them.
    pub fn key(&self) -> Result<MutexGuard<'_, Key>, Fault> {
        let defect = |_| Fault::Told(CKR_DEVICE_ERROR, "this key met a defect before".to_owned());
        self.key.lock().map_err(defect)
    }

    /// Ends what the user has: closes the key, and forgets its secret.
    pub fn log_out(&self) -> Result<(), Fault> {
        self.logged_in.store(false, SeqCst);
        std::mem::take(&mut *self.key()?).end()
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
        !pair.locked || self.logged_in.load(SeqCst)
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
