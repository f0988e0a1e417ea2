//! Login: the user's PIN is the passphrase of the slot's keys.

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

/// Range of PIN sizes in bytes for a new key. The passphrase of an existing key may be shorter.
pub const PIN: std::ops::RangeInclusive<usize> = 4..=255;

/// The keys and secrets that are available after login.
#[derive(Default)]
pub struct Key {
    /// The epoch that all of them belong to.
    pub epoch: u64,
    /// The PIN, for a key that is still to be generated.
    pub pin: Option<Zeroizing<Vec<u8>>>,
    /// The seeds of the stateful key.
    pub kept: Option<Kept>,
    /// The open stateful key, if the slot holds it.
    pub held: Option<Stateful<'static>>,
    /// The signer of the stateless key.
    pub signer: Option<Signer<'static>>,
}

impl Key {
    /// Closes the key and discards its secrets.
    pub fn end(self) -> Result<(), Fault> {
        if let Some(held) = self.held {
            held.close()?;
        }
        Ok(())
    }
}

impl Slot {
    /// Checks the PIN and counts wrong ones. `in_session` runs a function under the sessions lock,
    /// provided that the session of this login still exists.
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

    /// Decrypts every encrypted key with the PIN. The PIN becomes the passphrase of a key that is
    /// still to be generated.
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

    /// Opens the stateful key, which then belongs to this process alone.
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
            // The next call reads the seeds again: these may be of a key that was replaced.
            key.kept = None;
        }
        Ok(opened?)
    }
}
