//! The digest of the content in the signed attributes.
//!
//! HSS/LMS (RFC 9708): the hash function of the trees and no other.
//!
//! SLH-DSA: the hash function of the trees, as RFC 9814, section 4 (Signed-Data Conventions) lists
//! it for each set: SHA-256 or SHA-512, SHAKE128 or SHAKE256. That section also requires a digest
//! of at least twice the length of the tree nodes, so verification accepts every digest of that
//! length.
//!
//! ML-DSA: SHA-512, which RFC 9882, section 3.3 (SignerInfo content) requires every implementation
//! to support. Verification accepts the digests that a table in that section lists for the set:
//! those with at least twice as many bytes as its security level.

use std::io::Read;

use der::asn1::{Any, Null, ObjectIdentifier};
use sha2::{Digest as _, Sha256, Sha384, Sha512};
use shake::{ExtendableOutput, Shake128, Shake256, Update as _, XofReader};
use spki::AlgorithmIdentifierOwned;

use crate::{Error, encoding::PublicKey, registry::Family, verify::each_part};

/// The digest algorithm of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Digest {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// 32 bytes of SHAKE128 (RFC 8702).
    Shake128,
    /// 64 bytes of SHAKE256 (RFC 8702).
    Shake256,
}

/// All digests: name, object identifier, size in bytes.
const ALL: [(Digest, &str, &str, usize); 5] = [
    (Digest::Sha256, "SHA-256", "2.16.840.1.101.3.4.2.1", 32),
    (Digest::Sha384, "SHA-384", "2.16.840.1.101.3.4.2.2", 48),
    (Digest::Sha512, "SHA-512", "2.16.840.1.101.3.4.2.3", 64),
    (Digest::Shake128, "SHAKE128", "2.16.840.1.101.3.4.2.11", 32),
    (Digest::Shake256, "SHAKE256", "2.16.840.1.101.3.4.2.12", 64),
];

impl Digest {
    /// Returns the digest that a key of this algorithm signs with.
    ///
    /// # Errors
    /// `NoCms` if no standard defines it.
    pub fn of(key: &PublicKey) -> Result<Self, Error> {
        let shake = key.tree().name.contains("SHAKE");
        match (key.row.family, shake) {
            (Family::Hss | Family::Lms, false) => Ok(Self::Sha256),
            (Family::Hss | Family::Lms, true) => Ok(Self::Shake256),
            (Family::MlDsa, _) => Ok(Self::Sha512),
            (Family::SlhDsa, _) if key.row.oid_now().is_none() => Err(Error::NoCms),
            (Family::SlhDsa, false) if security(key) == 16 => Ok(Self::Sha256),
            (Family::SlhDsa, false) => Ok(Self::Sha512),
            (Family::SlhDsa, true) if security(key) == 16 => Ok(Self::Shake128),
            (Family::SlhDsa, true) => Ok(Self::Shake256),
            _ => Err(Error::NoCms),
        }
    }

    /// Returns the name of the digest.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns the size of the digest in bytes.
    pub fn bytes(self) -> usize {
        self.row().3
    }

    /// Returns the digest of everything that `content` yields. `see` receives every part.
    ///
    /// # Errors
    /// `Io`.
    pub fn hash(
        self,
        content: &mut dyn Read,
        see: &mut dyn FnMut(&[u8]),
    ) -> Result<Vec<u8>, Error> {
        let mut hasher = self.hasher();
        each_part(content, &mut |part| {
            hasher.update(part);
            see(part);
        })?;
        Ok(hasher.finish(self.bytes()))
    }

    /// Returns true if verification accepts this digest for a key. It must be the key's own digest
    /// or, if the standard leaves the choice open, have a collision resistance no lower than the
    /// key's security.
    pub(super) fn is_for(self, key: &PublicKey) -> bool {
        let free = matches!(key.row.family, Family::MlDsa | Family::SlhDsa);
        Self::of(key) == Ok(self) || (free && self.bytes() >= 2 * security(key))
    }

    fn row(self) -> &'static (Self, &'static str, &'static str, usize) {
        ALL.iter().find(|row| row.0 == self).expect("every digest has a row")
    }

    /// Returns the algorithm identifier, without parameters.
    pub(super) fn identifier(self) -> AlgorithmIdentifierOwned {
        let oid = ObjectIdentifier::new_unwrap(self.row().2);
        AlgorithmIdentifierOwned { oid, parameters: None }
    }

    /// Returns the digest that an identifier names. Older writers add NULL parameters to SHA-2 (RFC
    /// 5754).
    pub(super) fn named(identifier: &AlgorithmIdentifierOwned) -> Option<Self> {
        let oid = identifier.oid.to_string();
        let digest = ALL.iter().find(|row| row.2 == oid)?.0;
        let sha2 = matches!(digest, Self::Sha256 | Self::Sha384 | Self::Sha512);
        let null = identifier.parameters == Some(Any::from(Null)) && sha2;
        (identifier.parameters.is_none() || null).then_some(digest)
    }

    fn hasher(self) -> Hasher {
        match self {
            Self::Sha256 => Hasher::Sha256(Sha256::new()),
            Self::Sha384 => Hasher::Sha384(Sha384::new()),
            Self::Sha512 => Hasher::Sha512(Sha512::new()),
            Self::Shake128 => Hasher::Shake128(Shake128::default()),
            Self::Shake256 => Hasher::Shake256(Shake256::default()),
        }
    }
}

/// Returns the security level of a key in bytes: 16, 24 or 32.
fn security(key: &PublicKey) -> usize {
    match (key.row.family, key.row.name.as_str()) {
        (Family::MlDsa, "ML-DSA-44") => 16,
        (Family::MlDsa, "ML-DSA-65") => 24,
        // The public key is the seed followed by the root, each half of it.
        (Family::SlhDsa, _) => key.raw.len() / 2,
        _ => 32,
    }
}

enum Hasher {
    Sha256(Sha256),
    Sha384(Sha384),
    Sha512(Sha512),
    Shake128(Shake128),
    Shake256(Shake256),
}

impl Hasher {
    fn update(&mut self, part: &[u8]) {
        match self {
            Self::Sha256(hash) => sha2::Digest::update(hash, part),
            Self::Sha384(hash) => sha2::Digest::update(hash, part),
            Self::Sha512(hash) => sha2::Digest::update(hash, part),
            Self::Shake128(hash) => hash.update(part),
            Self::Shake256(hash) => hash.update(part),
        }
    }

    fn finish(self, bytes: usize) -> Vec<u8> {
        let mut out = vec![0; bytes];
        match self {
            Self::Sha256(hash) => out.copy_from_slice(&hash.finalize()),
            Self::Sha384(hash) => out.copy_from_slice(&hash.finalize()),
            Self::Sha512(hash) => out.copy_from_slice(&hash.finalize()),
            Self::Shake128(hash) => hash.finalize_xof().read(&mut out),
            Self::Shake256(hash) => hash.finalize_xof().read(&mut out),
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn named(alg: &str) -> Result<&'static str, Error> {
        let row = registry::find(alg).unwrap();
        let key = PublicKey { row, raw: vec![0; row.sizes.public] };
        Digest::of(&key).map(Digest::name)
    }

    #[test]
    fn each_key_has_the_digest_of_its_standard() {
        for (alg, digest) in [
            ("ML-DSA-44", "SHA-512"),
            ("ML-DSA-65", "SHA-512"),
            ("ML-DSA-87", "SHA-512"),
            ("SLH-DSA-SHA2-128s", "SHA-256"),
            ("SLH-DSA-SHA2-128f", "SHA-256"),
            ("SLH-DSA-SHA2-192s", "SHA-512"),
            ("SLH-DSA-SHA2-192f", "SHA-512"),
            ("SLH-DSA-SHA2-256s", "SHA-512"),
            ("SLH-DSA-SHA2-256f", "SHA-512"),
            ("SLH-DSA-SHAKE-128s", "SHAKE128"),
            ("SLH-DSA-SHAKE-128f", "SHAKE128"),
            ("SLH-DSA-SHAKE-192s", "SHAKE256"),
            ("SLH-DSA-SHAKE-192f", "SHAKE256"),
            ("SLH-DSA-SHAKE-256s", "SHAKE256"),
            ("SLH-DSA-SHAKE-256f", "SHAKE256"),
            ("LMS_SHA256_M24_H10_W4", "SHA-256"),
            ("LMS_SHAKE_M32_H5_W8", "SHAKE256"),
        ] {
            assert_eq!(named(alg), Ok(digest), "{alg}");
        }
        for alg in ["Ed25519", "XMSS-SHA2_10_256", "SLH-DSA-SHA2-128-24", "ML-KEM-768"] {
            assert_eq!(named(alg), Err(Error::NoCms), "{alg}");
        }
    }

    /// Returns the digests that verification accepts for a key.
    fn taken(alg: &str) -> Vec<&'static str> {
        let row = registry::find(alg).unwrap();
        let key = PublicKey { row, raw: vec![0; row.sizes.public] };
        ALL.iter().filter(|row| row.0.is_for(&key)).map(|row| row.1).collect()
    }

    /// RFC 9882, section 3.3 (SignerInfo content): its table, limited to the digests supported
    /// here.
    #[test]
    fn verifiers_take_what_is_strong_enough_of_ml_dsa() {
        let all = ["SHA-256", "SHA-384", "SHA-512", "SHAKE128", "SHAKE256"];
        assert_eq!(taken("ML-DSA-44"), all);
        assert_eq!(taken("ML-DSA-65"), ["SHA-384", "SHA-512", "SHAKE256"]);
        assert_eq!(taken("ML-DSA-87"), ["SHA-512", "SHAKE256"]);
    }

    /// RFC 9814, section 4 (Signed-Data Conventions): at least twice the size of a tree node.
    #[test]
    fn verifiers_take_what_is_long_enough_of_slh_dsa() {
        let all = ["SHA-256", "SHA-384", "SHA-512", "SHAKE128", "SHAKE256"];
        for hash in ["SHA2", "SHAKE"] {
            assert_eq!(taken(&format!("SLH-DSA-{hash}-128s")), all);
            let long = ["SHA-384", "SHA-512", "SHAKE256"];
            assert_eq!(taken(&format!("SLH-DSA-{hash}-192f")), long);
            assert_eq!(taken(&format!("SLH-DSA-{hash}-256s")), ["SHA-512", "SHAKE256"]);
        }
    }

    /// RFC 9708: only the hash function of the trees.
    #[test]
    fn verifiers_take_the_digest_of_the_trees_alone_of_lms() {
        assert_eq!(taken("LMS_SHA256_M24_H10_W4"), ["SHA-256"]);
        assert_eq!(taken("LMS_SHA256_M32_H5_W8"), ["SHA-256"]);
        assert_eq!(taken("LMS_SHAKE_M24_H5_W8"), ["SHAKE256"]);
        assert_eq!(taken("LMS_SHAKE_M32_H5_W8"), ["SHAKE256"]);
    }

    #[test]
    fn digests_are_those_of_their_standards() {
        let of = |digest: Digest| digest.hash(&mut &b"abc"[..], &mut |_| ()).unwrap();
        assert_eq!(of(Digest::Sha256)[..4], [0xba, 0x78, 0x16, 0xbf]);
        assert_eq!(of(Digest::Sha384)[..4], [0xcb, 0x00, 0x75, 0x3f]);
        assert_eq!(of(Digest::Sha512)[..4], [0xdd, 0xaf, 0x35, 0xa1]);
        assert_eq!(of(Digest::Shake128)[..4], [0x58, 0x81, 0x09, 0x2d]);
        assert_eq!(of(Digest::Shake256)[..4], [0x48, 0x33, 0x66, 0x60]);
        assert!(ALL.iter().all(|row| of(row.0).len() == row.3));
    }
}
