//! Logging in: the user's PIN is the passphrase of the slot's keys.

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use cryptoki_sys::*;
use hasten_pq::Error;
use hasten_pq::kernels::Kernels;
use hasten_pq::keys::stateful::{Kept, Stateful};
use hasten_pq::keys::stateless::Signer;
use hasten_pq::store::Options;
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
    /// The epoch that all of it is of.
    pub epoch: u64,
    /// The PIN, for a key that is still to be made.
    pub pin: Option<Zeroizing<Vec<u8>>>,
    /// The seeds of the key with a state.
    pub kept: Option<Kept>,
    /// The key with a state, open, if the slot holds it.
    pub held: Option<Stateful<'static>>,
    /// The key without a state.
    pub signer: Option<Signer<'static>>,
}

impl Key {
    /// Closes the key, and forgets its secret.
    pub fn end(self) -> Result<(), Fault> {
        if let Some(held) = self.held {
            held.close()?;
        }
        Ok(())
    }
}

impl Slot {
    /// Checks the PIN, and counts a wrong one. `in_session` does something under the lock of the
    /// sessions, if the session of this login still is.
    pub fn log_in(
        &self,
        config: &Config,
        pin: &[u8],
        in_session: impl Fn(&dyn Fn() -> Result<(), Fault>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut key = self.key()?;
        let epoch = key.epoch;
        let still = || match self.epoch() == epoch {
            true => Ok(()),
            false => Err(Fault::Rv(CKR_SESSION_CLOSED)),
        };
        in_session(&still)?;
        if self.is_logged_in() {
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
        *key = Key { epoch, ..opened? };
        self.wrong.store(0, SeqCst);
        in_session(&|| still().map(|()| self.admit(epoch)))
    }

    /// Returns what the PIN opens: every key that is encrypted. Where a key is still to be made,
    /// the PIN will be its passphrase.
    fn opened(&self, pin: &[u8]) -> Result<Key, Fault> {
        if pin.len() > *PIN.end() {
            return Err(Fault::Rv(CKR_PIN_LEN_RANGE));
        }
        let locks = self.locks()?;
        if !locks.contains(&Some(true)) {
            if !locks.contains(&None) {
                return Err(Fault::Rv(CKR_USER_PIN_NOT_INITIALIZED));
            }
            if !PIN.contains(&pin.len()) {
                return Err(Fault::Rv(CKR_PIN_LEN_RANGE));
            }
        }
        let mut key = Key { pin: Some(Zeroizing::new(pin.to_vec())), ..Key::default() };
        if let Some(sealed) = self.sealed()?.filter(|sealed| sealed.is_encrypted()) {
            key.kept = Some(sealed.open(Some(pin))?);
        }
        if let Ok(files) = self.files()
            && files.sealed()?.is_some_and(|sealed| sealed.is_encrypted())
        {
            key.signer = Some(files.signer(Some(pin))?);
        }
        Ok(key)
    }

    /// Opens the key with a state, which this process alone then has.
    pub fn open(&self, key: &mut Key, wait: Duration) -> Result<Stateful<'static>, Fault> {
        if key.kept.is_none() {
            let sealed = self.sealed()?.ok_or(Fault::Rv(CKR_KEY_HANDLE_INVALID))?;
            let pin = key.pin.as_ref().map(|pin| &pin[..]);
            key.kept = Some(sealed.open(pin)?);
        }
        let kept = key.kept.as_ref().ok_or(Fault::Rv(CKR_USER_NOT_LOGGED_IN))?;
        let options = Options::new().wait(wait);
        let opened = Stateful::open(self.store()?, options, kept, Kernels::best());
        if opened.is_err() {
            // The next call reads the seeds anew: these may be those of a key that was replaced.
            key.kept = None;
        }
        Ok(opened?)
    }
}
