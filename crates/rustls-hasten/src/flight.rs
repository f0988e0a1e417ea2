//! The limit of rustls on what a peer sends in one go, and what that means for a chain.
//!
//! rustls 0.23 joins at most 65,535 bytes of handshake messages, and the Certificate and the
//! CertificateVerify of one side come together. Chains of large SLH-DSA signatures exceed that; a
//! handshake with them ends with an error of the receiver.

/// Most bytes of handshake messages that the receiver joins.
pub const MOST: usize = 0xFFFF;

/// Room for the messages around Certificate and CertificateVerify: EncryptedExtensions,
/// CertificateRequest and Finished.
const OTHERS: usize = 512;

/// Holds what one side sends to prove who it is, in bytes (RFC 9846, section 4.5 (Authentication
/// Messages)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// The Certificate message.
    pub certificate: usize,
    /// The CertificateVerify message.
    pub verify: usize,
}

impl Flight {
    /// Computes it for certificates of these lengths and a signature of that length.
    pub fn new(certificates: &[usize], signature: usize) -> Self {
        let entries: usize = certificates.iter().map(|length| 3 + length + 2).sum();
        Self { certificate: 4 + 1 + 3 + entries, verify: 4 + 2 + 2 + signature }
    }

    /// Returns all of it, with room for what stands around it.
    pub fn bytes(&self) -> usize {
        self.certificate + self.verify + OTHERS
    }

    /// Returns whether rustls takes it.
    pub fn fits(&self) -> bool {
        self.bytes() <= MOST
    }
}
