//! Logging in: the user's PIN is the passphrase of the store.

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use cryptoki_sys::*;
use hasten::Error;
use hasten::kernels::Kernels;
use hasten::keys::stateful::{Kept, Stateful};
use hasten::store::Options;
use zeroize::Zeroizing;

use crate::config::Config;
use crate::fault::Fault;
use crate::token::module::count_wrong;
use crate::token::slot::Slot;

/// Bytes of a PIN for a new key, at least and at most. A passphrase that is there may be shorter.
pub const PIN: std::ops::RangeInclusive<usize> = 4..=255;

/// All that the one who logged in has.
#[derive(Default)]
pub struct Key {
    /// The PIN, for a key that is still to be made.
    pub pin: Option<Zeroizing<Vec<u8>>>,
    /// The seeds.
    pub kept: Option<Kept>,
    /// The key, open, if the slot holds it.
    pub held: Option<Stateful<'static>>,
}

impl Key {
    /// Closes the key, and forgets its secret.
    pub fn end(self) -> Result<(), Fault> {
        if let Some(held) = self.held {
            held.close_confirmed()?;
        }
        Ok(())
    }
}

impl Slot {
    /// Checks the PIN, and counts a wrong one.
    pub fn log_in(&self, config: &Config, pin: &[u8]) -> Result<(), Fault> {
        let mut key = self.key()?;
        if self.logged_in.load(SeqCst) {
            return Err(Fault::Rv(CKR_USER_ALREADY_LOGGED_IN));
        }
        if self.wrong.load(SeqCst) >= config.tries {
            let line = "too many wrong PINs: this process gets no other try".to_owned();
            return Err(Fault::Told(CKR_PIN_LOCKED, line));
        }
        let opened = self.opened(pin);
        if matches!(opened, Err(Fault::Key(Error::Passphrase))) {
            count_wrong(&self.wrong);
        }
        *key = opened?;
        self.wrong.store(0, SeqCst);
        self.logged_in.store(true, SeqCst);
        Ok(())
    }

    /// Returns what the PIN opens. Where no key is, any PIN will be the passphrase of the new one.
    fn opened(&self, pin: &[u8]) -> Result<Key, Fault> {
        match self.sealed()? {
            Some(sealed) if !sealed.is_encrypted() => Err(Fault::Rv(CKR_USER_PIN_NOT_INITIALIZED)),
            Some(sealed) => {
                let kept = Some(sealed.open(Some(pin))?);
                Ok(Key { pin: Some(Zeroizing::new(pin.to_vec())), kept, held: None })
            }
            None if !PIN.contains(&pin.len()) => Err(Fault::Rv(CKR_PIN_LEN_RANGE)),
            None => Ok(Key { pin: Some(Zeroizing::new(pin.to_vec())), kept: None, held: None }),
        }
    }

    /// Opens the key, which this process alone then has.
    pub fn open(&self, key: &mut Key, wait: Duration) -> Result<Stateful<'static>, Fault> {
        if key.kept.is_none() {
            let sealed = self.sealed()?.ok_or(Fault::Rv(CKR_KEY_HANDLE_INVALID))?;
            let pin = key.pin.as_ref().map(|pin| &pin[..]);
            key.kept = Some(sealed.open(pin)?);
        }
        let kept = key.kept.as_ref().ok_or(Fault::Rv(CKR_USER_NOT_LOGGED_IN))?;
        let options = Options::new().wait(wait);
        Ok(Stateful::open(&self.place.store, options, kept, Kernels::best())?)
    }
}
