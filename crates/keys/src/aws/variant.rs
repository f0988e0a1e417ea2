//! ML-DSA with a context, or deterministic, by the crate `ml-dsa`: FIPS 204, Algorithm 2
//! (ML-DSA.Sign) and FIPS 204, Algorithm 3 (ML-DSA.Verify). aws-lc-rs supports only the hedged
//! variant with an empty context.

#[cfg(feature = "sign")]
use ml_dsa::{B32, SigningKey};
use ml_dsa::{
    EncodedVerifyingKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, VerifyingKey,
};
#[cfg(feature = "sign")]
use zeroize::Zeroizing;

use crate::{Error, encoding::PublicKey};
#[cfg(feature = "sign")]
use crate::{registry::Row, variant::Variant};

/// Signs with the key derived from `seed`.
#[cfg(feature = "sign")]
pub(super) fn sign(
    row: &Row,
    seed: &[u8],
    message: &[u8],
    variant: Variant<'_>,
) -> Result<Vec<u8>, Error> {
    match row.name.as_str() {
        "ML-DSA-44" => sign_by::<MlDsa44>(seed, message, variant),
        "ML-DSA-65" => sign_by::<MlDsa65>(seed, message, variant),
        "ML-DSA-87" => sign_by::<MlDsa87>(seed, message, variant),
        _ => Err(Error::NotBuiltIn),
    }
}

#[cfg(feature = "sign")]
fn sign_by<P: MlDsaParams>(
    seed: &[u8],
    message: &[u8],
    variant: Variant<'_>,
) -> Result<Vec<u8>, Error> {
    let seed = Zeroizing::new(B32::try_from(seed).map_err(|_| Error::KeySize)?);
    let mut random = Zeroizing::new(B32::default());
    if !variant.is_deterministic() {
        getrandom::fill(&mut random).map_err(|_| Error::Randomness)?;
    }
    let context = variant.context();
    let front = [0, context.len() as u8];
    let key = SigningKey::<P>::from_seed(&seed);
    let signature = key.expanded_key().sign_internal(&[&front, context, message], &random);
    Ok(signature.encode().to_vec())
}

/// Verifies a signature with a context.
pub(crate) fn verify(
    key: &PublicKey,
    context: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    match key.row.name.as_str() {
        "ML-DSA-44" => verify_by::<MlDsa44>(&key.raw, context, message, signature),
        "ML-DSA-65" => verify_by::<MlDsa65>(&key.raw, context, message, signature),
        "ML-DSA-87" => verify_by::<MlDsa87>(&key.raw, context, message, signature),
        _ => Err(Error::NotBuiltIn),
    }
}

fn verify_by<P: MlDsaParams>(
    key: &[u8],
    context: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    let key = EncodedVerifyingKey::<P>::try_from(key).map_err(|_| Error::NotAKey)?;
    let signature = Signature::<P>::try_from(signature).map_err(|_| Error::BadSignature)?;
    let good = VerifyingKey::<P>::decode(&key).verify_with_context(message, context, &signature);
    if good { Ok(()) } else { Err(Error::BadSignature) }
}
