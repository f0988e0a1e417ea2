//! A slot: the place of one key, and what of it can be seen without its passphrase.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};

use cryptoki_sys::*;
use hasten::Error;
use hasten::hbs::Set;
use hasten::keys::encoding::PublicKey;
use hasten::keys::stateful::{Sealed, read_public_of};
use hasten::store::{Options, Status, StoreError};
use serde::{Deserialize, Serialize};

use crate::config::Place;
use crate::fault::Fault;
use crate::token::login::Key;

/// The file beside the store that holds a key's label and identifier, both public.
pub const TAGS: &str = "pkcs11";

/// One slot.
pub struct Slot {
    /// Where its key lies.
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
    /// The parameter set; of HSS with all its levels.
    pub set: &'static Set,
    /// Label and identifier.
    pub tags: Tags,
}

impl Slot {
    /// Makes the slot of a place. Nothing is read yet.
    pub fn new(place: Place) -> Self {
        let (wrong, logged_in) = (AtomicU32::new(0), AtomicBool::new(false));
        Self { place, wrong, logged_in, key: Mutex::default() }
    }

    /// Returns the key of the one who logged in; waits for the thread that uses it.
    pub fn key(&self) -> Result<MutexGuard<'_, Key>, Fault> {
        let defect = |_| Fault::Told(CKR_DEVICE_ERROR, "this key met a defect before".to_owned());
        self.key.lock().map_err(defect)
    }

    /// Ends what the user has: closes the key, and forgets its secret.
    pub fn log_out(&self) -> Result<(), Fault> {
        self.logged_in.store(false, SeqCst);
        std::mem::take(&mut *self.key()?).end()
    }

    /// Returns the sealed secret; `None` where no key was made yet.
    pub fn sealed(&self) -> Result<Option<Sealed>, Fault> {
        match Sealed::of_store(&self.place.store) {
            Ok(sealed) => Ok(Some(sealed)),
            Err(Error::NoSecret | Error::State(StoreError::NotAStore)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the key pair; `None` where there is none, or none that is finished.
    pub fn pair(&self) -> Result<Option<Pair>, Fault> {
        let public = match read_public_of(&self.place.store) {
            Ok(public) => public,
            Err(Error::Unfinished | Error::State(StoreError::NotAStore)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let Some(sealed) = self.sealed()? else { return Ok(None) };
        let set = Set::named(sealed.set())?;
        // A key with a limit, of a draft, has no numbers in PKCS#11.
        let known = set.limit.is_none();
        Ok(known.then(|| Pair { public, set, tags: self.tags() }))
    }

    /// Returns what was kept beside the store; a damaged file counts as none.
    fn tags(&self) -> Tags {
        let file = Options::new().peek_blob(&self.place.store, TAGS).ok().flatten();
        let text = file.and_then(|file| String::from_utf8(file).ok());
        text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
    }

    /// Returns whether there is a secret that needs a passphrase, or will be one.
    pub fn needs_login(&self) -> Result<bool, Fault> {
        Ok(self.sealed()?.is_none_or(|sealed| sealed.is_encrypted()))
    }

    /// Returns whether private objects can be seen and used.
    pub fn is_open(&self) -> Result<bool, Fault> {
        Ok(self.logged_in.load(SeqCst) || !self.needs_login()?)
    }

    /// Returns the account of the key's indices.
    pub fn status(&self) -> Result<Status, Fault> {
        Ok(Options::new().peek(&self.place.store)?)
    }
}
