//! ML-KEM.

use aws_lc_rs::kem::{
    Algorithm, AlgorithmId, Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_512, ML_KEM_768,
    ML_KEM_1024,
};
use ml_kem::{Decapsulate, DecapsulationKey as Seeded, MlKem512, MlKem768, MlKem1024};
use zeroize::Zeroizing;

use crate::{
    Error,
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

pub(crate) fn generate(row: &'static Row) -> Result<(PrivateKey, PublicKey), Error> {
    let failed = |_| Error::Randomness;
    let key = DecapsulationKey::generate(set(row)?).map_err(failed)?;
    let expanded = Zeroizing::new(key.key_bytes().map_err(failed)?.as_ref().to_vec());
    let public = key.encapsulation_key().and_then(|key| key.key_bytes()).map_err(failed)?;
    let public = PublicKey::new(row, public.as_ref())?;
    Ok((PrivateKey { row, seed: None, expanded: Some(expanded) }, public))
}

pub(crate) fn encapsulate(key: &PublicKey) -> Result<Encapsulated, Error> {
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
    let Some(expanded) = key.expanded.as_deref() else { return from_seed(key, ciphertext) };
    let key = DecapsulationKey::new(set(key.row)?, expanded).map_err(|_| Error::NotAKey)?;
    let shared = key.decapsulate(Ciphertext::from(ciphertext)).map_err(|_| Error::NotAKey)?;
    Ok(Zeroizing::new(shared.as_ref().to_vec()))
}

/// Works with a key that is a seed alone, which aws-lc-rs does not take: by the crate `ml-kem`,
/// which derives the rest of it (FIPS 203, Algorithm 16 (ML-KEM.KeyGen_internal)).
fn from_seed(key: &PrivateKey, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let seed = key.seed.as_deref().ok_or(Error::KeySize)?;
    let seed = || seed.as_slice().try_into().map_err(|_| Error::KeySize);
    let shared = match key.row.name.as_str() {
        "ML-KEM-512" => Seeded::<MlKem512>::from_seed(seed()?).decapsulate_slice(ciphertext),
        "ML-KEM-768" => Seeded::<MlKem768>::from_seed(seed()?).decapsulate_slice(ciphertext),
        "ML-KEM-1024" => Seeded::<MlKem1024>::from_seed(seed()?).decapsulate_slice(ciphertext),
        _ => return Err(Error::NotBuiltIn),
    };
    Ok(Zeroizing::new(shared.map_err(|_| Error::KeySize)?.to_vec()))
}
