//! SLH-DSA (FIPS 205) by `hasten-hbs`: hedged, with the empty context; under the feature `legacy` also
//! SPHINCS+ of round 3.1, the sets with SHAKE.

use hasten_hbs::{
    Set,
    slhdsa::{Context, SigningKey, VerifyingKey},
};
use hasten_kernels::Kernels;
use zeroize::Zeroizing;

use crate::{
    Error,
    encoding::{PrivateKey, PublicKey},
    registry::{Family, Row},
};

fn set(row: &Row) -> Result<&'static Set, Error> {
    match row.family {
        Family::SphincsPlus => Set::named(&row.name).map_err(|_| Error::NotBuiltIn),
        _ => Ok(Set::named(&row.name)?),
    }
}

#[cfg(feature = "sign")]
fn signing<'k>(key: &PrivateKey, kernels: &Kernels<'k>) -> Result<SigningKey<'k>, Error> {
    let bytes = key.expanded.as_deref().ok_or(Error::KeySize)?;
    Ok(SigningKey::from_bytes(kernels, set(key.row)?, bytes)?)
}

#[cfg(feature = "sign")]
pub(crate) fn generate(row: &'static Row, kernels: &Kernels<'_>) -> Result<PrivateKey, Error> {
    let set = set(row)?;
    let mut seed = Zeroizing::new(vec![0; set.seed_bytes()]);
    getrandom::fill(&mut seed).map_err(|_| Error::Randomness)?;
    let key = SigningKey::from_seed(kernels, set, &seed)?;
    Ok(PrivateKey { row, seed: None, expanded: Some(key.to_bytes()) })
}

#[cfg(feature = "sign")]
pub(crate) fn public(key: &PrivateKey, kernels: &Kernels<'_>) -> Result<PublicKey, Error> {
    PublicKey::new(key.row, signing(key, kernels)?.verifying_key().as_bytes())
}

#[cfg(feature = "sign")]
pub(crate) fn sign(
    key: &PrivateKey,
    message: &[u8],
    kernels: &Kernels<'_>,
) -> Result<Vec<u8>, Error> {
    let signing = signing(key, kernels)?;
    let mut randomness = Zeroizing::new(vec![0; signing.set().n]);
    getrandom::fill(&mut randomness).map_err(|_| Error::Randomness)?;
    Ok(signing.sign(Context::EMPTY, message, Some(&randomness))?.into_bytes())
}

pub(crate) fn verify(
    key: &PublicKey,
    message: &[u8],
    signature: &[u8],
    kernels: &Kernels<'_>,
) -> Result<(), Error> {
    let key = VerifyingKey::from_bytes(kernels, set(key.row)?, &key.raw)?;
    Ok(key.verify(Context::EMPTY, message, signature)?)
}
