//! Falcon of round 3 (header, nonce, compressed signature) by `fn-dsa` 0.3.0, the last version that
//! implements the format of the submission. Version 0.4 follows a guess at FN-DSA that no draft has
//! confirmed.
//!
//! Signatures are written without padding, as the object identifiers and TLS numbers of Open
//! Quantum Safe and wolfSSL prescribe. Verification accepts unpadded signatures and padded ones of
//! 666 and 1280 bytes; longer signatures are rejected.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fn_dsa::{
    CryptoRng, DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON, KeyPairGenerator, KeyPairGeneratorStandard,
    RngCore, RngError, SigningKey, SigningKeyStandard, VerifyingKey, VerifyingKeyStandard,
    sign_key_size, signature_size, vrfy_key_size,
};
use zeroize::Zeroizing;

use crate::{
    Error,
    encoding::{PrivateKey, PublicKey},
    expanded::Expanded,
    registry::Row,
};

/// Returns the binary logarithm of the degree.
fn degree(row: &Row) -> Result<u32, Error> {
    match row.name.as_str() {
        "Falcon-512" => Ok(9),
        "Falcon-1024" => Ok(10),
        _ => Err(Error::NotBuiltIn),
    }
}

/// Randomness of the operating system. The trait cannot report a failure, so it is recorded and
/// checked afterwards.
#[derive(Default)]
struct System {
    failed: bool,
}

impl CryptoRng for System {}

impl RngCore for System {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, into: &mut [u8]) {
        self.failed |= getrandom::fill(into).is_err();
    }

    fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(into);
        Ok(())
    }
}

impl System {
    fn checked<T>(&self, made: T) -> Result<T, Error> {
        if self.failed { Err(Error::Randomness) } else { Ok(made) }
    }
}

pub(crate) fn generate(row: &'static Row) -> Result<PrivateKey, Error> {
    let (degree, mut system) = (degree(row)?, System::default());
    let mut secret = Zeroizing::new(vec![0; sign_key_size(degree)]);
    let mut public = vec![0; vrfy_key_size(degree)];
    let mut generator = KeyPairGeneratorStandard::default();
    generator.keygen(degree, &mut system, &mut secret, &mut public);
    system.checked(PrivateKey { row, seed: None, expanded: Some(secret) })
}

/// A decoded key. The library signs with scratch space inside the key, so only one signature is
/// made at a time.
pub(crate) struct Decoded {
    row: &'static Row,
    key: Mutex<SigningKeyStandard>,
}

/// Decodes a key. The key takes some hundred kilobytes and is moved around on the stack. If this
/// function were inlined into its caller, every other algorithm would pay for that stack space too.
#[inline(never)]
pub(crate) fn expand(key: &PrivateKey) -> Result<Box<Decoded>, Error> {
    let secret = key.expanded.as_deref().ok_or(Error::KeySize)?;
    let decoded = SigningKeyStandard::decode(secret).ok_or(Error::NotAKey)?;
    Ok(Box::new(Decoded { row: key.row, key: Mutex::new(decoded) }))
}

impl Decoded {
    fn key(&self) -> MutexGuard<'_, SigningKeyStandard> {
        self.key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Expanded for Decoded {
    fn raw_public(&self) -> Result<Vec<u8>, Error> {
        let mut raw = vec![0; vrfy_key_size(degree(self.row)?)];
        self.key().to_verifying_key(&mut raw);
        Ok(raw)
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut system = System::default();
        let mut signature = vec![0; signature_size(degree(self.row)?)];
        self.key().sign(
            &mut system,
            &DOMAIN_NONE,
            &HASH_ID_ORIGINAL_FALCON,
            message,
            &mut signature,
        );
        while signature.last() == Some(&0) {
            signature.pop();
        }
        system.checked(signature)
    }
}

pub(crate) fn verify(key: &PublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    let size = signature_size(degree(key.row)?);
    let verifying = VerifyingKeyStandard::decode(&key.raw).ok_or(Error::NotAKey)?;
    // The last byte of an unpadded signature holds the end mark of the last coefficient: never
    // zero.
    let cut = signature.len() < size && signature.last() == Some(&0);
    if signature.len() > size || cut {
        return Err(Error::BadSignature);
    }
    let mut padded = signature.to_vec();
    padded.resize(size, 0);
    let good = verifying.verify(&padded, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message);
    if good { Ok(()) } else { Err(Error::BadSignature) }
}
