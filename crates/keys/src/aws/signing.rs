//! Private keys of ML-DSA, ECDSA and RSA: generation, expansion and signing.

use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der},
    rand::SystemRandom,
    rsa,
    signature::{self as sig, EcdsaKeyPair, EcdsaSigningAlgorithm, KeyPair, PqdsaKeyPair},
};
use zeroize::Zeroizing;

use crate::{
    Error,
    encoding::{PrivateKey, decode_pkcs8, encode_pkcs8},
    expanded::Expanded,
    registry::{Family, Row},
    variant::Variant,
};

fn ml_dsa_set(row: &Row) -> Result<&'static sig::PqdsaSigningAlgorithm, Error> {
    match row.name.as_str() {
        "ML-DSA-44" => Ok(&sig::ML_DSA_44_SIGNING),
        "ML-DSA-65" => Ok(&sig::ML_DSA_65_SIGNING),
        "ML-DSA-87" => Ok(&sig::ML_DSA_87_SIGNING),
        _ => Err(Error::NotBuiltIn),
    }
}

fn curve(row: &Row) -> Result<&'static EcdsaSigningAlgorithm, Error> {
    match row.name.as_str() {
        "ECDSA-P-256" => Ok(&sig::ECDSA_P256_SHA256_ASN1_SIGNING),
        "ECDSA-P-384" => Ok(&sig::ECDSA_P384_SHA384_ASN1_SIGNING),
        "ECDSA-P-521" => Ok(&sig::ECDSA_P521_SHA512_ASN1_SIGNING),
        _ => Err(Error::NotBuiltIn),
    }
}

fn modulus(row: &Row) -> Result<rsa::KeySize, Error> {
    match row.name.as_str() {
        "RSA-2048" => Ok(rsa::KeySize::Rsa2048),
        "RSA-3072" => Ok(rsa::KeySize::Rsa3072),
        "RSA-4096" => Ok(rsa::KeySize::Rsa4096),
        _ => Err(Error::NotBuiltIn),
    }
}

/// A private key expanded by the library.
pub(crate) enum Pair {
    /// The seed is needed to sign with a context; without it (expanded key only) this is not
    /// possible.
    MlDsa(PqdsaKeyPair, &'static Row, Option<Zeroizing<Vec<u8>>>),
    Ecdsa(EcdsaKeyPair),
    Rsa(rsa::KeyPair),
}

/// Expands a key into the library's own form.
pub(crate) fn expand(key: &PrivateKey) -> Result<Pair, Error> {
    Pair::of(key)
}

impl Pair {
    fn of(key: &PrivateKey) -> Result<Self, Error> {
        let wrong = |_| Error::NotAKey;
        match (key.row.family, &key.seed, &key.expanded) {
            (Family::MlDsa, Some(seed), _) => {
                let pair = PqdsaKeyPair::from_seed(ml_dsa_set(key.row)?, seed).map_err(wrong)?;
                Ok(Self::MlDsa(pair, key.row, Some(seed.clone())))
            }
            (Family::MlDsa, None, Some(expanded)) => {
                let pair = PqdsaKeyPair::from_raw_private_key(ml_dsa_set(key.row)?, expanded);
                pair.map(|pair| Self::MlDsa(pair, key.row, None)).map_err(wrong)
            }
            (Family::Ecdsa, ..) => {
                let pair = EcdsaKeyPair::from_pkcs8(curve(key.row)?, &encode_pkcs8(key)?);
                pair.map(Self::Ecdsa).map_err(wrong)
            }
            _ => rsa::KeyPair::from_pkcs8(&encode_pkcs8(key)?).map(Self::Rsa).map_err(wrong),
        }
    }
}

pub(crate) fn generate(row: &'static Row) -> Result<PrivateKey, Error> {
    let failed = |_| Error::Randomness;
    match row.family {
        Family::MlDsa => {
            let mut seed = Zeroizing::new(vec![0; row.sizes.seed]);
            getrandom::fill(&mut seed).map_err(|_| Error::Randomness)?;
            Ok(PrivateKey { row, seed: Some(seed), expanded: None })
        }
        Family::Ecdsa => {
            let pair = EcdsaKeyPair::generate(curve(row)?).map_err(failed)?;
            decode_pkcs8(pair.to_pkcs8v1().map_err(failed)?.as_ref())
        }
        _ => {
            let pair = rsa::KeyPair::generate(modulus(row)?).map_err(failed)?;
            let der: Pkcs8V1Der<'_> = pair.as_der().map_err(failed)?;
            decode_pkcs8(der.as_ref())
        }
    }
}

impl Expanded for Pair {
    fn raw_public(&self) -> Result<Vec<u8>, Error> {
        Ok(match self {
            Self::MlDsa(pair, ..) => pair.public_key().as_ref().to_vec(),
            Self::Ecdsa(pair) => pair.public_key().as_ref().to_vec(),
            Self::Rsa(pair) => pair.public_key().as_ref().to_vec(),
        })
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let (random, failed) = (SystemRandom::new(), |_| Error::Randomness);
        match self {
            Self::MlDsa(pair, ..) => {
                let mut out = vec![0; pair.algorithm().signature_len()];
                let length = pair.sign(message, &mut out).map_err(failed)?;
                out.truncate(length);
                Ok(out)
            }
            Self::Ecdsa(pair) => Ok(pair.sign(&random, message).map_err(failed)?.as_ref().to_vec()),
            Self::Rsa(pair) => {
                let mut out = vec![0; pair.public_modulus_len()];
                pair.sign(&sig::RSA_PSS_SHA256, &random, message, &mut out).map_err(failed)?;
                Ok(out)
            }
        }
    }

    fn sign_variant(&self, message: &[u8], variant: Variant<'_>) -> Result<Vec<u8>, Error> {
        match self {
            Self::MlDsa(_, row, Some(seed)) => super::variant::sign(row, seed, message, variant),
            _ => Err(Error::NotBuiltIn),
        }
    }
}
