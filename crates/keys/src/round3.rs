//! Kyber and Dilithium of round 3, computed by PQClean's code of that time: `pqcrypto-kyber` 0.7.9
//! and `pqcrypto-dilithium` 0.4.6. Later versions of these crates compute the algorithms that
//! became ML-KEM and ML-DSA, under the old names. The known answers of liboqs tell the two apart,
//! and the tests check both crates against them.
//!
//! A private Dilithium key is followed by its public key, because the public key cannot be computed
//! from it.

use pqcrypto_traits::kem::{Ciphertext as _, PublicKey as _, SecretKey as _, SharedSecret as _};
use pqcrypto_traits::sign::{DetachedSignature as _, PublicKey as _, SecretKey as _};
use zeroize::Zeroizing;

use crate::{
    Error,
    encapsulated::Encapsulated,
    encoding::{PrivateKey, PublicKey},
    expanded::Expanded,
    registry::Row,
};

/// Evaluates `$work` with the module of the row's parameter set imported as `$set`.
macro_rules! with_set {
    ($row:expr, $set:ident of $crate_name:ident { $($name:literal => $module:ident),* } => $work:expr) => {
        match $row.name.as_str() {
            $($name => {
                use $crate_name::$module as $set;
                $work
            })*
            _ => Err(Error::NotBuiltIn),
        }
    };
}

macro_rules! kyber {
    ($row:expr, $set:ident => $work:expr) => {
        with_set!($row, $set of pqcrypto_kyber { "Kyber512" => kyber512, "Kyber768" => kyber768, "Kyber1024" => kyber1024 } => $work)
    };
}

macro_rules! dilithium {
    ($row:expr, $set:ident => $work:expr) => {
        with_set!($row, $set of pqcrypto_dilithium { "Dilithium2" => dilithium2, "Dilithium3" => dilithium3, "Dilithium5" => dilithium5 } => $work)
    };
}

fn not_a_key<E>(_: E) -> Error {
    Error::NotAKey
}

/// Returns the private key without the public key that may follow it.
fn secret(key: &PrivateKey) -> Result<&[u8], Error> {
    let whole = key.expanded.as_deref().ok_or(Error::KeySize)?;
    whole.get(..key.row.sizes.secret).ok_or(Error::KeySize)
}

pub(crate) fn kem_pair(row: &'static Row) -> Result<(PrivateKey, PublicKey), Error> {
    kyber!(row, set => {
        let (public, secret) = set::keypair();
        let expanded = Some(Zeroizing::new(secret.as_bytes().to_vec()));
        Ok((PrivateKey { row, seed: None, expanded }, PublicKey::new(row, public.as_bytes())?))
    })
}

pub(crate) fn encapsulate(key: &PublicKey) -> Result<Encapsulated, Error> {
    kyber!(key.row, set => {
        let key = set::PublicKey::from_bytes(&key.raw).map_err(not_a_key)?;
        let (shared, ciphertext) = set::encapsulate(&key);
        let shared = Zeroizing::new(shared.as_bytes().to_vec());
        Ok(Encapsulated { ciphertext: ciphertext.as_bytes().to_vec(), shared })
    })
}

pub(crate) fn decapsulate(key: &PrivateKey, from: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    kyber!(key.row, set => {
        let key = set::SecretKey::from_bytes(secret(key)?).map_err(not_a_key)?;
        let from = set::Ciphertext::from_bytes(from).map_err(|_| Error::KeySize)?;
        Ok(Zeroizing::new(set::decapsulate(&from, &key).as_bytes().to_vec()))
    })
}

pub(crate) fn generate(row: &'static Row) -> Result<PrivateKey, Error> {
    dilithium!(row, set => {
        let (public, secret) = set::keypair();
        let whole = [secret.as_bytes(), public.as_bytes()].concat();
        Ok(PrivateKey { row, seed: None, expanded: Some(Zeroizing::new(whole)) })
    })
}

/// A Dilithium key: the private key followed by the public key.
pub(crate) struct Halves {
    row: &'static Row,
    bytes: Zeroizing<Vec<u8>>,
}

pub(crate) fn expand(key: &PrivateKey) -> Result<Halves, Error> {
    let bytes = key.expanded.clone().ok_or(Error::KeySize)?;
    if bytes.len() < key.row.sizes.secret {
        Err(Error::KeySize)
    } else {
        Ok(Halves { row: key.row, bytes })
    }
}

impl Expanded for Halves {
    fn raw_public(&self) -> Result<Vec<u8>, Error> {
        Ok(self.bytes[self.row.sizes.secret..].to_vec())
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let secret = &self.bytes[..self.row.sizes.secret];
        dilithium!(self.row, set => {
            let key = set::SecretKey::from_bytes(secret).map_err(not_a_key)?;
            Ok(set::detached_sign(message, &key).as_bytes().to_vec())
        })
    }
}

pub(crate) fn verify(key: &PublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    dilithium!(key.row, set => {
        let bad = |_| Error::BadSignature;
        let public = set::PublicKey::from_bytes(&key.raw).map_err(not_a_key)?;
        if signature.len() != key.row.sizes.output {
            return Err(Error::BadSignature);
        }
        let signature = set::DetachedSignature::from_bytes(signature).map_err(bad)?;
        set::verify_detached_signature(&signature, message, &public).map_err(|_| Error::BadSignature)
    })
}
