//! ML-KEM.

use aws_lc_rs::kem::{
    Algorithm, AlgorithmId, Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_512, ML_KEM_768,
    ML_KEM_1024,
};
use ml_kem::{Decapsulate, DecapsulationKey as Seeded, MlKem512, MlKem768, MlKem1024};
use zeroize::Zeroizing;

use super::quick;
use crate::{
    Error,
    decoded::{Decoded, DecodedPair},
    encapsulated::Encapsulated,
    encoding::{PrivateKey, PublicKey},
    registry::Row,
};

fn set(row: &Row) -> Result<&'static Algorithm<AlgorithmId>, Error> {
    match row.name.as_str() {
        "ML-KEM-512" => Ok(&ML_KEM_512),
        "ML-KEM-768" => Ok(&ML_KEM_768),
        "ML-KEM-1024" => Ok(&ML_KEM_1024),
        _ => Err(Error::NotBuiltIn),
    }
}

fn pair(row: &'static Row) -> Result<(DecapsulationKey, PublicKey), Error> {
    let failed = |_| Error::Randomness;
    let key = DecapsulationKey::generate(set(row)?).map_err(failed)?;
    let public = key.encapsulation_key().and_then(|key| key.key_bytes()).map_err(failed)?;
    let public = PublicKey::new(row, public.as_ref())?;
    Ok((key, public))
}

pub(crate) fn generate(row: &'static Row) -> Result<(PrivateKey, PublicKey), Error> {
    if let Some(made) = quick::generate(row) {
        return made;
    }
    let (key, public) = pair(row)?;
    let expanded = key.key_bytes().map_err(|_| Error::Randomness)?.as_ref().to_vec();
    Ok((PrivateKey { row, seed: None, expanded: Some(Zeroizing::new(expanded)) }, public))
}

/// Generates a key pair with a decoded private key.
pub(crate) fn decoded_pair(row: &'static Row) -> Result<DecodedPair, Error> {
    if let Some(made) = quick::decoded_pair(row) {
        return made;
    }
    let (key, public) = pair(row)?;
    Ok((Box::new(key), public))
}

pub(crate) fn encapsulate(key: &PublicKey) -> Result<Encapsulated, Error> {
    if let Some(made) = quick::encapsulate(key) {
        return made;
    }
    let key = EncapsulationKey::new(set(key.row)?, &key.raw).map_err(|_| Error::NotAKey)?;
    let (ciphertext, shared) = key.encapsulate().map_err(|_| Error::NotAKey)?;
    Ok(Encapsulated {
        ciphertext: ciphertext.as_ref().to_vec(),
        shared: Zeroizing::new(shared.as_ref().to_vec()),
    })
}

pub(crate) fn decapsulate(
    key: &PrivateKey,
    ciphertext: &[u8],
) -> Result<Zeroizing<Vec<u8>>, Error> {
    decode(key)?.decapsulate(ciphertext)
}

/// Decodes the key for the library that computes with it. aws-lc-rs reads expanded keys, not seeds.
pub(crate) fn decode(key: &PrivateKey) -> Result<Box<dyn Decoded>, Error> {
    if let Some(expanded) = key.expanded.as_deref() {
        let key = DecapsulationKey::new(set(key.row)?, expanded).map_err(|_| Error::NotAKey)?;
        return Ok(Box::new(key));
    }
    let seed = key.seed.as_deref().ok_or(Error::KeySize)?;
    quick::decode(key.row, seed).unwrap_or_else(|| from_seed(key.row, seed))
}

/// Derives a key from its seed (FIPS 203, Algorithm 16 (ML-KEM.KeyGen_internal)), by the crate
/// `ml-kem`.
fn from_seed(row: &Row, seed: &[u8]) -> Result<Box<dyn Decoded>, Error> {
    let seed = || seed.try_into().map_err(|_| Error::KeySize);
    Ok(match row.name.as_str() {
        "ML-KEM-512" => Box::new(Seeded::<MlKem512>::from_seed(seed()?)),
        "ML-KEM-768" => Box::new(Seeded::<MlKem768>::from_seed(seed()?)),
        "ML-KEM-1024" => Box::new(Seeded::<MlKem1024>::from_seed(seed()?)),
        _ => return Err(Error::NotBuiltIn),
    })
}

impl Decoded for DecapsulationKey {
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let shared = DecapsulationKey::decapsulate(self, Ciphertext::from(ciphertext));
        Ok(Zeroizing::new(shared.map_err(|_| Error::NotAKey)?.as_ref().to_vec()))
    }
}

macro_rules! seeded {
    ($($set:ty),*) => {$(
        impl Decoded for Seeded<$set> {
            fn decapsulate(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
                let shared = self.decapsulate_slice(ciphertext).map_err(|_| Error::KeySize)?;
                Ok(Zeroizing::new(shared.to_vec()))
            }
        }
    )*};
}

seeded!(MlKem512, MlKem768, MlKem1024);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{kem, registry};

    /// Two libraries derive the same key from a seed, and a third reads the written key. All give
    /// the same secret, for matching ciphertexts and for others.
    #[test]
    fn libraries_agree() {
        let row = registry::find("ML-KEM-768").unwrap();
        for i in 0..32 {
            let seed: [u8; 64] = core::array::from_fn(|at| i ^ (at as u8).wrapping_mul(29));
            let key = PrivateKey { row, seed: Some(Zeroizing::new(seed.to_vec())), expanded: None };
            let (either, slow) = (decode(&key).unwrap(), from_seed(row, &seed).unwrap());
            let other = [i; 1088];
            assert_eq!(either.decapsulate(&other), slow.decapsulate(&other), "{i}");
            let (written, public) = generate(row).unwrap();
            let sent = encapsulate(&public).unwrap();
            assert_eq!(decapsulate(&written, &sent.ciphertext).unwrap(), sent.shared);
            let (decoded, public) = pair(row).unwrap();
            let sent = encapsulate(&public).unwrap();
            assert_eq!(Decoded::decapsulate(&decoded, &sent.ciphertext).unwrap(), sent.shared);
        }
    }

    /// A coefficient that is not reduced modulo 3,329; FIPS 203 requires this check before
    /// encapsulation.
    #[test]
    fn unreduced_keys_are_none() {
        for name in ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"] {
            let (_, mut public) = generate(registry::find(name).unwrap()).unwrap();
            public.raw[..3].fill(0xff);
            assert_eq!(kem::encapsulate(&public).err(), Some(Error::NotAKey), "{name}");
        }
    }

    #[test]
    fn keys_of_another_size_are_none() {
        let row = registry::find("ML-KEM-768").unwrap();
        for size in [0, 63, 65] {
            let seed = Some(Zeroizing::new(vec![1; size]));
            let key = PrivateKey { row, seed, expanded: None };
            assert_eq!(decode(&key).err(), Some(Error::KeySize), "{size}");
        }
        let key = PrivateKey { row, seed: None, expanded: None };
        assert_eq!(decode(&key).err(), Some(Error::KeySize));
    }
}
