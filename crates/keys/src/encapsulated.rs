//! The result of an encapsulation.

use zeroize::Zeroizing;

/// A ciphertext and the shared secret it carries.
pub struct Encapsulated {
    /// Ciphertext for the owner of the private key.
    pub ciphertext: Vec<u8>,
    /// Shared secret, 32 bytes.
    pub shared: Zeroizing<Vec<u8>>,
}
