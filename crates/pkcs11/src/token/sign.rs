//! Signing: an index is reserved, used and recorded; verifying; making a key pair.

use std::ops::ControlFlow;
use std::thread::available_parallelism;

use cryptoki_sys::*;
use hasten::Error;
use hasten::hbs::{Set, SignerLevel};
use hasten::kernels::Kernels;
use hasten::keys::encoding::PublicKey;
use hasten::keys::stateful::{Generation, NewStateful, Stateful};
use hasten::keys::verify::verify as verified;
use hasten::store::{Options, Signed, StoreError};
use sha2::{Digest, Sha256};

use crate::config::Config;
use crate::fault::Fault;
use crate::token::login::Key;
use crate::token::slot::{Slot, TAGS, Tags};

/// The operation that C_SignInit or C_VerifyInit begins. Nothing is reserved yet.
#[derive(Clone)]
pub struct Operation {
    /// The public key.
    pub public: PublicKey,
    /// Bytes of a signature, at most.
    pub most: usize,
}

/// Verifies a signature; its length alone may say that it is none.
pub fn verify(operation: &Operation, message: &[u8], signature: &[u8]) -> Result<(), Fault> {
    if signature.len() > operation.most {
        return Err(Fault::Rv(CKR_SIGNATURE_LEN_RANGE));
    }
    Ok(verified(&operation.public, &mut &message[..], signature, Kernels::best())?)
}

impl Slot {
    /// Reserves an index, signs with it and records it. The signature is returned only when the
    /// record is made.
    pub fn sign(&self, config: &Config, message: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut key = self.key()?;
        let mut open = match key.held.take() {
            Some(held) => held,
            None => self.open(&mut key, config.patience())?,
        };
        let signed = one(&mut open, self.place.acknowledge, message);
        if signed.is_ok() && self.place.hold {
            key.held = Some(open);
            return signed.map(|(_, signature)| signature);
        }
        let closed = open.close_confirmed();
        let (index, signature) = signed?;
        closed.map_err(|error| Fault::Lost(index, error))?;
        Ok(signature)
    }

    /// Makes a key pair in the slot's place, or goes on with one that was broken off there.
    pub fn generate(&self, set: &'static Set, tags: &Tags) -> Result<(), Fault> {
        let mut key = self.key()?;
        let pin = key.pin.clone().ok_or(Fault::Rv(CKR_USER_NOT_LOGGED_IN))?;
        let guard = self.place.guard.as_ref().ok_or_else(no_guard)?;
        let new = NewStateful { set, reserve: 1, sectors: 1 };
        let dir = &self.place.store;
        let begun = Generation::begin(dir, Options::new().guard(guard), new, Some(&pin))?;
        let threads = available_parallelism().map_or(1, usize::from);
        begun.run(Kernels::best(), threads, &mut |_| ControlFlow::Continue(()))?;
        *key = Key { pin: Some(pin), ..Key::default() };
        self.keep(tags)
    }

    /// Keeps label and identifier beside the store.
    fn keep(&self, tags: &Tags) -> Result<(), Fault> {
        let text = toml::to_string(tags).map_err(|_| Fault::Rv(CKR_GENERAL_ERROR))?;
        let store = Options::new().open(&self.place.store)?;
        store.replace_blob(TAGS, text.as_bytes())?;
        Ok(store.close().map(drop)?)
    }
}

/// Returns one signature and its index.
fn one(
    key: &mut Stateful<'static>,
    acknowledge: bool,
    message: &[u8],
) -> Result<(u64, Vec<u8>), Fault> {
    if acknowledge && key.status().near_exhaustion && !key.status().acknowledged {
        key.acknowledge()?;
    }
    let mut reserved = key.reserve(1)?;
    let index = reserved.range().start;
    let signed = || -> Result<Vec<u8>, Error> {
        let permit = reserved.next().ok_or(StoreError::Empty)?;
        let signature = key.prepare(permit, SignerLevel::None)?.finish(message)?;
        key.record_signed(&Signed::new(index, Sha256::digest(message).into()))?;
        Ok(signature)
    }();
    Ok((index, signed.map_err(|error| Fault::Lost(index, error))?))
}

fn no_guard() -> Fault {
    let line = "the configuration names no guard for a new key of this slot";
    Fault::Told(CKR_TOKEN_WRITE_PROTECTED, line.to_owned())
}
