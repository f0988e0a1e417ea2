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

/// A leaf of another algorithm, under which a chain fits.
#[cfg(feature = "provider")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherLeaf {
    /// The algorithm of the leaf's key.
    pub alg: &'static str,
    /// Holds what the side sends then, in bytes.
    pub bytes: usize,
}

/// Returns what to do about a chain that is too long, whose certificates have these lengths, the
/// leaf first, with a key of `row`: a leaf of ML-DSA-65 under the same authorities. Nothing where
/// that is too long as well: then the signatures of the certificates are too long.
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
