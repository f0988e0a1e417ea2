//! ML-DSA, ECDSA and RSA by aws-lc-rs: formally verified or long-tested C and assembly.

pub(crate) mod kem;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod quick;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "no_quick.rs"]
mod quick;
#[cfg(feature = "sign")]
mod signing;
pub(crate) mod variant;

use aws_lc_rs::signature as sig;

#[cfg(feature = "sign")]
pub(crate) use signing::{expand, generate};

use crate::{Error, encoding::PublicKey, registry::Family};

/// Verifies a signature. RSA signatures may use PSS or, as other programs write them, PKCS #1 v1.5.
pub(crate) fn verify(key: &PublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    let algorithms: &[&'static dyn sig::VerificationAlgorithm] = match key.row.name.as_str() {
        "ML-DSA-44" => &[&sig::ML_DSA_44],
        "ML-DSA-65" => &[&sig::ML_DSA_65],
        "ML-DSA-87" => &[&sig::ML_DSA_87],
        "ECDSA-P-256" => &[&sig::ECDSA_P256_SHA256_ASN1],
        "ECDSA-P-384" => &[&sig::ECDSA_P384_SHA384_ASN1],
        "ECDSA-P-521" => &[&sig::ECDSA_P521_SHA512_ASN1],
        _ if key.row.family == Family::Rsa => {
            &[&sig::RSA_PSS_2048_8192_SHA256, &sig::RSA_PKCS1_2048_8192_SHA256]
        }
        _ => return Err(Error::NotBuiltIn),
    };
    let good = algorithms.iter().any(|algorithm| {
        sig::UnparsedPublicKey::new(*algorithm, &key.raw).verify(message, signature).is_ok()
    });
    if good { Ok(()) } else { Err(Error::BadSignature) }
}
