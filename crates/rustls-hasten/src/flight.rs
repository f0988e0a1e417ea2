//! The limit of rustls on one flight of a peer, and its consequence for certificate chains.
//!
//! rustls 0.23 joins at most 65,535 bytes of handshake messages, and the Certificate and the
//! CertificateVerify of one side arrive together. Chains with large SLH-DSA signatures exceed this
//! limit. A handshake with them fails with an error at the receiver.

/// Largest number of bytes of handshake messages that the receiver joins.
pub const MOST: usize = 0xFFFF;

/// Allowance for the messages around Certificate and CertificateVerify: EncryptedExtensions,
/// CertificateRequest and Finished.
const OTHERS: usize = 512;

/// Lengths of the messages with which one side authenticates, in bytes (RFC 9846, section 4.5
/// (Authentication Messages)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Length of the Certificate message.
    pub certificate: usize,
    /// Length of the CertificateVerify message.
    pub verify: usize,
}

impl Flight {
    /// Returns the lengths for certificates of these lengths and a signature of that length.
    pub fn new(certificates: &[usize], signature: usize) -> Self {
        let entries: usize = certificates.iter().map(|length| 3 + length + 2).sum();
        Self { certificate: 4 + 1 + 3 + entries, verify: 4 + 2 + 2 + signature }
    }

    /// Returns the total length, with an allowance for the messages around it.
    pub fn bytes(&self) -> usize {
        self.certificate + self.verify + OTHERS
    }

    /// Returns true if rustls accepts it.
    pub fn fits(&self) -> bool {
        self.bytes() <= MOST
    }
}

/// A leaf with another algorithm, with which the chain fits.
#[cfg(feature = "provider")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherLeaf {
    /// The algorithm of the leaf's key.
    pub alg: &'static str,
    /// Total length that the side then sends, in bytes.
    pub bytes: usize,
}

/// Returns a remedy for a chain that is too long: a leaf of ML-DSA-65 under the same authorities.
/// `lengths` are the lengths of the certificates, the leaf first, and `row` is the algorithm of the
/// leaf's key. Returns `None` if such a chain is also too long, because the signatures in the
/// certificates are too long.
#[cfg(feature = "provider")]
pub fn other_leaf(lengths: &[usize], row: &hasten_keys::registry::Row) -> Option<OtherLeaf> {
    let other = hasten_keys::registry::find("ML-DSA-65").ok()?;
    let (leaf, above) = lengths.split_first().unwrap_or((&0, &[]));
    let with_leaf = leaf + other.sizes.public - row.sizes.public.min(*leaf);
    let flight = Flight::new(&[&[with_leaf], above].concat(), other.sizes.output);
    flight.fits().then(|| OtherLeaf { alg: &other.name, bytes: flight.bytes() })
}

#[cfg(all(test, feature = "provider"))]
mod tests {
    use super::*;

    #[test]
    fn a_long_leaf_has_another_in_its_place() {
        let row = hasten_keys::registry::find("SLH-DSA-SHA2-256f").expect("a row");
        let other = other_leaf(&[9000, 9000], row).expect("a leaf fits");
        assert_eq!(other.alg, "ML-DSA-65");
        assert!(other.bytes <= MOST);
        assert_eq!(other_leaf(&[9000, 60_000], row), None, "the authority's is too long");
    }
}
