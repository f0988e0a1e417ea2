//! `--backend rtl:ed25519`: the simulated Ed25519 core, which makes keys, signs and verifies on its
//! own.

use hasten_keys::Error as KeyError;
use hasten_keys::encoding::{PrivateKey, PublicKey};
use hasten_keys::registry::{Family, Row};
use hasten_rtlsim::{ED25519, Ed25519Core};

use crate::error::Error;

/// Returns the core. A key of another algorithm is an error.
pub fn core(row: &'static Row) -> Result<Ed25519Core, Error> {
    if row.family != Family::Ed25519 {
        return Err(Error::OtherCore { name: ED25519, alg: &row.name });
    }
    Ed25519Core::new().map_err(|_| Error::NotVerilated(ED25519))
}

fn seed(key: &PrivateKey) -> Result<&[u8; 32], KeyError> {
    let seed = key.seed.as_deref().ok_or(KeyError::KeySize)?;
    seed.as_slice().try_into().map_err(|_| KeyError::KeySize)
}

/// Returns the public key and the clock cycles.
pub fn public(core: &Ed25519Core, key: &PrivateKey) -> Result<(PublicKey, u64), KeyError> {
    let (public, cycles) = core.keygen(seed(key)?);
    Ok((PublicKey::new(key.row, &public)?, cycles))
}

/// Returns the signature and the clock cycles of signing. The key is loaded into the core
/// beforehand, which is not counted.
pub fn sign(
    core: &Ed25519Core,
    key: &PrivateKey,
    message: &[u8],
) -> Result<(Vec<u8>, u64), KeyError> {
    core.keygen(seed(key)?);
    let (signature, cycles) = core.sign(message).expect("the core holds a key");
    Ok((signature.to_vec(), cycles))
}

/// Returns the verdict and the clock cycles. A signature that does not have 64 bytes does not reach
/// the core.
pub fn verify(
    core: &Ed25519Core,
    key: &PublicKey,
    message: &[u8],
    signature: &[u8],
) -> (Result<(), KeyError>, Option<u64>) {
    let Ok(public) = <&[u8; 32]>::try_from(key.raw.as_slice()) else {
        return (Err(KeyError::KeySize), None);
    };
    let Ok(signature) = signature.try_into() else { return (Err(KeyError::BadSignature), None) };
    let (good, cycles) = core.verify(public, message, signature);
    (good.then_some(()).ok_or(KeyError::BadSignature), Some(cycles))
}
