//! SLH-DSA (FIPS 205) by `hasten-hbs`: by default hedged and with the empty context. The feature
//! `legacy` adds the SHAKE sets of SPHINCS+ of round 3.1.

#[cfg(feature = "sign")]
use hasten_hbs::slhdsa::SigningKey;
use hasten_hbs::{
    Set,
    slhdsa::{Context, VerifyingKey},
};
use hasten_kernels::Kernels;
#[cfg(feature = "sign")]
use zeroize::Zeroizing;

use crate::{
    Error,
    encoding::PublicKey,
    registry::{Family, Row},
};
#[cfg(feature = "sign")]
use crate::{encoding::PrivateKey, expanded::Expanded, variant::Variant};

fn set(row: &Row) -> Result<&'static Set, Error> {
    match row.family {
        Family::SphincsPlus => Set::named(&row.name).map_err(|_| Error::NotBuiltIn),
        _ => Ok(Set::named(&row.name)?),
    }
}

#[cfg(feature = "sign")]
pub(crate) fn expand<'k>(key: &PrivateKey, kernels: &Kernels<'k>) -> Result<SigningKey<'k>, Error> {
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
impl Expanded for SigningKey<'_> {
    fn raw_public(&self) -> Result<Vec<u8>, Error> {
        Ok(self.verifying_key().as_bytes().to_vec())
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.sign_variant(message, Variant::default())
    }

    fn sign_variant(&self, message: &[u8], variant: Variant<'_>) -> Result<Vec<u8>, Error> {
        let context = Context::new(variant.context())?;
        if variant.is_deterministic() {
            return Ok(SigningKey::sign(self, context, message, None)?.into_bytes());
        }
        let mut randomness = Zeroizing::new(vec![0; self.set().n]);
        getrandom::fill(&mut randomness).map_err(|_| Error::Randomness)?;
        Ok(SigningKey::sign(self, context, message, Some(&randomness))?.into_bytes())
    }
}

pub(crate) fn verify(
    key: &PublicKey,
    context: &[u8],
    message: &[u8],
    signature: &[u8],
    kernels: &Kernels<'_>,
) -> Result<(), Error> {
    let key = VerifyingKey::from_bytes(kernels, set(key.row)?, &key.raw)?;
    Ok(key.verify(Context::new(context)?, message, signature)?)
}
