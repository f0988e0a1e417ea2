//! Signing: an index, where the key has a state, is reserved, used and recorded; verifying; making
//! a key pair.

use std::ops::ControlFlow;
use std::thread::available_parallelism;

use cryptoki_sys::*;
use hasten::Error;
use hasten::hbs::{Set, SignerLevel};
use hasten::kernels::Kernels;
use hasten::keys::stateful::{Generation, NewStateful, Stateful};
use hasten::keys::stateless::{Variant, verify_variant};
use hasten::keys::verify::verify as verified;
use hasten::store::{Options, Signed, StoreError};
use sha2::{Digest, Sha256};

use crate::config::Config;
use crate::fault::Fault;
use crate::sets::Wanted;
use crate::token::slot::{Pair, Slot, TAGS, Tags};

/// The operation that C_SignInit or C_VerifyInit begins. Nothing is reserved yet.
#[derive(Clone)]
pub struct Operation {
    /// The key pair.
    pub pair: Pair,
    /// The mechanism's parameter.
    pub parameter: Parameter,
}

/// The parameter of a mechanism.
#[derive(Clone, Default)]
pub struct Parameter {
    /// The context of ML-DSA and SLH-DSA.
    pub context: Vec<u8>,
    /// No randomness goes into the signature.
    pub deterministic: bool,
}

impl Parameter {
    fn variant(&self) -> Result<Variant<'_>, Fault> {
        let variant = Variant::new(&self.context)?;
        Ok(if self.deterministic { variant.deterministic() } else { variant })
    }
}

/// Verifies a signature; its length alone may say that it is none.
pub fn verify(operation: &Operation, message: &[u8], signature: &[u8]) -> Result<(), Fault> {
    let Operation { pair, parameter } = operation;
    if signature.len() > pair.most() {
        return Err(Fault::Rv(CKR_SIGNATURE_LEN_RANGE));
    }
    let (key, kernels) = (&pair.public, Kernels::best());
    let good = match pair.set {
        Some(_) => verified(key, &mut &message[..], signature, kernels),
        None => verify_variant(key, message, signature, parameter.variant()?, kernels),
    };
    Ok(good?)
}

impl Slot {
    /// Signs a message with the key of an operation.
    pub fn sign(
        &self,
        config: &Config,
        operation: &Operation,
        message: &[u8],
    ) -> Result<Vec<u8>, Fault> {
        match operation.pair.set {
            Some(_) => self.sign_with_index(config, message),
            None => self.sign_without_state(operation.parameter.variant()?, message),
        }
    }

    fn sign_without_state(&self, variant: Variant<'_>, message: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut key = self.key()?;
        if key.signer.is_none() {
            let pin = key.pin.as_ref().map(|pin| &pin[..]);
            key.signer = Some(self.files()?.signer(pin)?);
        }
        let signer = key.signer.as_ref().ok_or(Fault::Rv(CKR_KEY_HANDLE_INVALID))?;
        Ok(signer.sign_variant(message, variant)?)
    }

    /// Reserves an index, signs with it and records it. The signature is returned only when the
    /// record is made.
    fn sign_with_index(&self, config: &Config, message: &[u8]) -> Result<Vec<u8>, Fault> {
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

    /// Makes a key pair in its place, or goes on with one that was broken off there.
    pub fn generate(&self, wanted: &Wanted, tags: &Tags) -> Result<(), Fault> {
        let mut key = self.key()?;
        let pin = key.pin.clone().ok_or(Fault::Rv(CKR_USER_NOT_LOGGED_IN))?;
        match *wanted {
            Wanted::Row(row) => {
                key.signer = Some(self.files()?.make(row, &pin, tags)?);
                Ok(())
            }
            Wanted::Set(set) => {
                self.generate_in_store(set, &pin)?;
                (key.kept, key.held) = (None, None);
                self.keep(tags)
            }
        }
    }

    fn generate_in_store(&self, set: &'static Set, pin: &[u8]) -> Result<(), Fault> {
        let dir = self.store()?;
        let guard = self.place.guard.as_ref().ok_or_else(no_guard)?;
        let new = NewStateful { set, reserve: 1, sectors: 1 };
        let begun = Generation::begin(dir, Options::new().guard(guard), new, Some(pin))?;
        let threads = available_parallelism().map_or(1, usize::from);
        Ok(begun.run(Kernels::best(), threads, &mut |_| ControlFlow::Continue(())).map(drop)?)
    }

    /// Keeps label and identifier beside the store.
    fn keep(&self, tags: &Tags) -> Result<(), Fault> {
        let text = toml::to_string(tags).map_err(|_| Fault::Rv(CKR_GENERAL_ERROR))?;
        let store = Options::new().open(self.store()?)?;
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
