//! The answer of a library that encapsulates a secret.

use zeroize::Zeroizing;

/// A ciphertext and the secret that it carries.
pub struct Encapsulated {
    /// For the holder of the private key.
    pub ciphertext: Vec<u8>,
    /// 32 bytes.
    pub shared: Zeroizing<Vec<u8>>,
}
