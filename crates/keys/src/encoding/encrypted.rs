//! Encrypted private keys: EncryptedPrivateKeyInfo of PKCS#8 (RFC 5958), compatible with OpenSSL.
//!
//! Keys are written with PBES2, PBKDF2-HMAC-SHA-256 (600,000 rounds) and AES-256-CBC. The crate
//! `pkcs5` reads PBKDF2 with HMAC-SHA-2 or scrypt, and AES in CBC or GCM. A file may request at
//! most 10,000,000 rounds and 1 GiB.

use der::{Decode, Encode, asn1::OctetStringRef};
use pkcs8::pkcs5::{self, pbes2};
use pkcs8::{AlgorithmIdentifierRef, EncryptedPrivateKeyInfoRef};
use zeroize::Zeroizing;

use super::pkcs8::{PrivateKey, decode_pkcs8, encode_pkcs8};
use crate::Error;

/// PEM label of an encrypted private key.
pub const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";
/// Number of PBKDF2 rounds in keys that are written.
const ROUNDS: u32 = 600_000;
/// Maximum number of rounds that a file may request.
const MOST_ROUNDS: u32 = 10_000_000;
/// Maximum memory in bytes that a file may request.
const MOST_MEMORY: u64 = 1 << 30;
/// Maximum parallelism of scrypt that a file may request.
const MOST_PARTS: u16 = 16;

/// EncryptedPrivateKeyInfo with any encryption scheme.
#[derive(der::Sequence)]
struct Encrypted<'a> {
    _algorithm: AlgorithmIdentifierRef<'a>,
    _data: &'a OctetStringRef,
}

/// Returns true if the bytes are an encrypted private key, with a supported encryption scheme or
/// not.
pub fn is_encrypted_pkcs8(der: &[u8]) -> bool {
    Encrypted::from_der(der).is_ok()
}

/// Decrypts and decodes a private key.
///
/// # Errors
/// `Passphrase` if the passphrase is wrong, `Encryption` if the encryption scheme is not supported;
/// otherwise as [`decode_pkcs8`].
pub fn decode_encrypted_pkcs8(der: &[u8], passphrase: &[u8]) -> Result<PrivateKey, Error> {
    if !is_encrypted_pkcs8(der) {
        return Err(Error::NotAKey);
    }
    let info = EncryptedPrivateKeyInfoRef::from_der(der).map_err(|_| Error::Encryption)?;
    let scheme = &info.encryption_algorithm;
    if !scheme.pbes2().is_some_and(|parameters| is_affordable(&parameters.kdf)) {
        return Err(Error::Encryption);
    }
    let inner = scheme.decrypt(passphrase, info.encrypted_data.as_bytes()).map_err(said)?;
    let inner = Zeroizing::new(inner);
    // For one wrong passphrase in 256 the padding is valid by chance; the result is not a key then.
    decode_pkcs8(&inner).map_err(|error| match error {
        Error::NotAKey => Error::Passphrase,
        error => error,
    })
}

fn said(error: pkcs5::Error) -> Error {
    match error {
        pkcs5::Error::DecryptFailed => Error::Passphrase,
        _ => Error::Encryption,
    }
}

/// Returns true if the requested time and memory are within the limits.
fn is_affordable(kdf: &pbes2::Kdf) -> bool {
    match kdf {
        pbes2::Kdf::Pbkdf2(asked) => asked.iteration_count <= MOST_ROUNDS,
        pbes2::Kdf::Scrypt(asked) => {
            let block = 128 * u64::from(asked.block_size);
            let memory = block.saturating_mul(asked.cost_parameter);
            memory <= MOST_MEMORY && asked.parallelization <= MOST_PARTS
        }
        _ => false,
    }
}

/// Encodes and encrypts a private key.
///
/// # Errors
/// `Randomness`; otherwise as [`encode_pkcs8`].
pub fn encode_encrypted_pkcs8(key: &PrivateKey, passphrase: &[u8]) -> Result<Vec<u8>, Error> {
    let inner = encode_pkcs8(key)?;
    let (mut salt, mut iv) = ([0; 16], [0; 16]);
    getrandom::fill(&mut salt).map_err(|_| Error::Randomness)?;
    getrandom::fill(&mut iv).map_err(|_| Error::Randomness)?;
    let wrong = |_| Error::KeySize;
    let parameters =
        pbes2::Parameters::generate_pbkdf2_sha256_aes256cbc(ROUNDS, &salt, iv).map_err(wrong)?;
    let data = parameters.encrypt(passphrase, &inner).map_err(wrong)?;
    let encrypted_data = OctetStringRef::new(&data).map_err(|_| Error::KeySize)?;
    let info =
        EncryptedPrivateKeyInfoRef { encryption_algorithm: parameters.into(), encrypted_data };
    info.to_der().map_err(|_| Error::KeySize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns scrypt parameters that request 2^`log` blocks.
    fn scrypt(log: u32, block_size: u16, parallelization: u16) -> pbes2::Kdf {
        let salt = [0u8; 8].as_slice().try_into().expect("short");
        let cost_parameter = 1 << log;
        pbes2::Kdf::Scrypt(pbes2::ScryptParams {
            salt,
            cost_parameter,
            block_size,
            parallelization,
            key_length: None,
        })
    }

    #[test]
    fn a_file_does_not_decide_how_much_time_and_memory_is_taken() {
        let rounds = |n| pbes2::Kdf::Pbkdf2(pbes2::Pbkdf2Params::hmac_sha256(n, &[0; 8]).unwrap());
        assert!(is_affordable(&rounds(ROUNDS)) && is_affordable(&rounds(MOST_ROUNDS)));
        assert!(!is_affordable(&rounds(MOST_ROUNDS + 1)));
        assert!(is_affordable(&scrypt(14, 8, 1)) && is_affordable(&scrypt(20, 8, 1)));
        assert!(!is_affordable(&scrypt(20, 9, 1)) && !is_affordable(&scrypt(63, u16::MAX, 1)));
        assert!(!is_affordable(&scrypt(14, 8, 17)));
    }
}
