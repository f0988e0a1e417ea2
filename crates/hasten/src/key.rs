//! Stateless private keys; reading any public key, and verifying with it.

use hasten_kernels::Kernels;
use hasten_keys::{
    Error,
    encoding::{self, PrivateKey, PublicKey},
    registry, stateless,
};
use zeroize::Zeroizing;

/// A stateless private key, expanded once and ready to sign. It is not `Clone`. Its `Debug` output
/// shows only the algorithm.
///
/// ```
/// use hasten_pq::{Key, verify};
///
/// let (key, pem) = Key::generate("SLH-DSA-SHA2-128f")?;
/// let signature = key.sign(b"message")?;
/// verify(key.public_key(), b"message", &signature)?;
/// assert_eq!(Key::from_pem(&pem)?.public_key(), key.public_key());
/// # Ok::<(), hasten_pq::Error>(())
/// ```
#[derive(Debug)]
pub struct Key(stateless::Signer<'static>);

impl Key {
    /// Generates a key of the algorithm `alg`. Returns the key and its PKCS#8 encoding in PEM,
    /// which is zeroised when it is dropped.
    ///
    /// # Errors
    /// `UnknownAlgorithm`, `NotBuiltIn` or `OtherPurpose` if this build cannot sign with `alg`;
    /// `Randomness`.
    pub fn generate(alg: &str) -> Result<(Self, Zeroizing<String>), Error> {
        let key = stateless::generate(registry::find(alg)?, Kernels::best())?;
        let pem = encoding::to_pem("PRIVATE KEY", &encoding::encode_pkcs8(&key)?)?;
        Ok((Self::expand(&key)?, pem))
    }

    /// Reads a key from PKCS#8 in PEM.
    ///
    /// # Errors
    /// `NotAKey`, `KeySize` or `NotBuiltIn`.
    pub fn from_pem(pem: &str) -> Result<Self, Error> {
        let blocks = encoding::pem_blocks(pem.as_bytes());
        let block = blocks.first().ok_or(Error::NotAKey)?;
        Self::expand(&encoding::decode_pkcs8(&block.der)?)
    }

    fn expand(key: &PrivateKey) -> Result<Self, Error> {
        Ok(Self(stateless::Signer::new(key, Kernels::best())?))
    }

    /// Returns the public key.
    pub fn public_key(&self) -> &PublicKey {
        self.0.public_key()
    }

    /// Signs `message`.
    ///
    /// # Errors
    /// `Randomness` if the operating system provides no random bytes.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.sign(message)
    }
}

/// Reads a public key from PEM, DER or the raw encoding of its standard.
///
/// # Errors
/// `NotAKey` if the bytes are no public key; `Ambiguous` if raw bytes fit several algorithms.
pub fn read_public(bytes: &[u8]) -> Result<PublicKey, Error> {
    encoding::read_public(bytes, None)
}

/// Verifies `signature` of `message` with any algorithm that this build supports.
///
/// # Errors
/// `BadSignature` if the signature is wrong in any way; `NotBuiltIn`.
pub fn verify(key: &PublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    hasten_keys::verify::verify(key, &mut &message[..], signature, Kernels::best())
}
