//! Signing, verification and key pair generation. A stateful key reserves, uses and records an
//! index for each signature.

use std::ops::ControlFlow;
use std::thread::available_parallelism;

use cryptoki_sys::*;
use hasten_pq::hbs::{Set, SignerLevel};
use hasten_pq::kernels::Kernels;
use hasten_pq::keys::stateful::{Generation, NewStateful, Note, Stateful};
use hasten_pq::keys::stateless::{Variant, verify_variant};
use hasten_pq::keys::verify::verify as verified;
use hasten_pq::store::Options;

use crate::config::Config;
use crate::fault::Fault;
use crate::sets::Wanted;
use crate::token::login::Key;
use crate::token::slot::{Pair, Slot, TAGS, Tags};

/// The operation begun by C_SignInit or C_VerifyInit. No index is reserved yet.
#[derive(Clone)]
pub struct Operation {
    /// The key pair.
    pub pair: Pair,
    /// The parameter of the mechanism.
    pub parameter: Parameter,
}

/// Fails if the session of a call no longer exists.
pub type Lives<'l> = &'l dyn Fn() -> Result<(), Fault>;

/// The parameter of a mechanism.
#[derive(Clone, Default)]
pub struct Parameter {
    /// The context of ML-DSA and SLH-DSA.
    pub context: Vec<u8>,
    /// True if no randomness goes into the signature.
    pub deterministic: bool,
}

impl Parameter {
    fn variant(&self) -> Result<Variant<'_>, Fault> {
        let variant = Variant::new(&self.context)?;
        Ok(if self.deterministic { variant.deterministic() } else { variant })
    }
}

/// Verifies a signature. A signature that is too long gives a separate error.
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
    /// Signs a message with the key of an operation, and with no other. `lives` fails if the
    /// session of the operation no longer exists; it is called while the key's lock is held.
    pub fn sign(
        &self,
        config: &Config,
        operation: &Operation,
        message: &[u8],
        lives: Lives<'_>,
    ) -> Result<Vec<u8>, Fault> {
        let mut key = self.key()?;
        lives()?;
        if !self.is_open(&operation.pair) {
            return Err(Fault::Rv(CKR_USER_NOT_LOGGED_IN));
        }
        match operation.pair.set {
            Some(_) => self.sign_with_index(&mut key, config, operation, message),
            None => self.sign_without_state(&mut key, operation, message),
        }
    }

    fn sign_without_state(
        &self,
        key: &mut Key,
        operation: &Operation,
        message: &[u8],
    ) -> Result<Vec<u8>, Fault> {
        let public = &operation.pair.public;
        // A key that was removed or replaced in the meantime must not sign.
        if self.filed_pair()?.is_none_or(|pair| pair.public != *public) {
            return Err(replaced());
        }
        if key.signer.as_ref().is_none_or(|signer| signer.public_key() != public) {
            // The files were not read yet, or were replaced in the meantime.
            let pin = key.pin.as_ref().map(|pin| &pin[..]);
            key.signer = Some(self.files()?.signer(pin)?);
        }
        match &key.signer {
            Some(signer) if signer.public_key() == public => {
                Ok(signer.sign_variant(message, operation.parameter.variant()?)?)
            }
            _ => Err(replaced()),
        }
    }

    /// Reserves an index, signs with it and records it. The signature is returned only after it is
    /// recorded.
    fn sign_with_index(
        &self,
        key: &mut Key,
        config: &Config,
        operation: &Operation,
        message: &[u8],
    ) -> Result<Vec<u8>, Fault> {
        let mut open = match key.held.take() {
            Some(held) => held,
            None => self.open(key, config.patience())?,
        };
        if open.public_key()? != operation.pair.public {
            open.close()?;
            key.kept = None;
            return Err(replaced());
        }
        let signed = one(&mut open, self.place.acknowledge, message);
        // If the epoch has ended in the meantime, the key is not kept open.
        if signed.is_ok() && self.place.hold && self.epoch() == key.epoch {
            key.held = Some(open);
            return signed.map(|(_, signature)| signature);
        }
        let closed = open.close();
        let (index, signature) = signed?;
        closed.map_err(|error| Fault::Lost(index, error))?;
        Ok(signature)
    }

    /// Generates a key pair in its place, or continues an interrupted generation there.
    pub fn generate(&self, wanted: &Wanted, tags: &Tags, lives: Lives<'_>) -> Result<(), Fault> {
        let mut key = self.key()?;
        lives()?;
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

    /// Saves the label and the identifier in the directory of the store.
    fn keep(&self, tags: &Tags) -> Result<(), Fault> {
        let text = toml::to_string(tags).map_err(|_| Fault::Rv(CKR_GENERAL_ERROR))?;
        let store = Options::new().open(self.store()?)?;
        store.replace_blob(TAGS, text.as_bytes())?;
        Ok(store.close().map(drop)?)
    }
}

/// Returns a signature with its index.
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
    let ready = reserved.first().and_then(|permit| key.prepare(permit, SignerLevel::None));
    let signed = ready.and_then(|ready| ready.finish(message, Note::message()));
    Ok((index, signed.map_err(|error| Fault::Lost(index, error))?))
}

/// Returns the error for a key whose files or store were replaced after C_SignInit.
fn replaced() -> Fault {
    let line = "the key was replaced by another one since this signature was begun";
    Fault::Told(CKR_KEY_HANDLE_INVALID, line.to_owned())
}

fn no_guard() -> Fault {
    let line = "the configuration names no guard for a new key of this slot";
    Fault::Told(CKR_TOKEN_WRITE_PROTECTED, line.to_owned())
}
