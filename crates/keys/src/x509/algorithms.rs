//! Signature verification algorithms of certificates, in the form that webpki requires.

use std::sync::LazyLock;

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use rustls_pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};

use crate::{
    Error,
    encoding::{PublicKey, hash_based},
    registry::{self, Family, Row},
    verify,
};

/// An identifier, either of a single set or of a family whose sets share it.
#[derive(Debug)]
struct Algorithm {
    family: Family,
    /// The set, if the identifier determines it.
    row: Option<&'static Row>,
    /// The contents of the AlgorithmIdentifier: the object identifier, without parameters.
    identifier: &'static [u8],
}

impl Algorithm {
    /// Returns the identifiers of one row.
    fn of(row: &'static Row) -> impl Iterator<Item = Self> {
        let shared = [Family::Xmss, Family::XmssMt].contains(&row.family);
        row.oids.iter().map(move |(_, oid)| {
            let oid = oid.as_bytes();
            let identifier = [&[6, oid.len() as u8], oid].concat().leak();
            Self { family: row.family, row: (!shared).then_some(row), identifier }
        })
    }

    fn key(&self, raw: &[u8]) -> Option<PublicKey> {
        let row = self.row.or_else(|| hash_based::xmss_public(self.family, raw))?;
        PublicKey::new(row, raw).ok()
    }
}

impl SignatureVerificationAlgorithm for Algorithm {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let key = self.key(public_key).ok_or(InvalidSignature)?;
        verified(&key, message, signature, Kernels::best()).map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        AlgorithmIdentifier::from_slice(self.identifier)
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.public_key_alg_id()
    }
}

/// Verifies a signature. It must have the only form that its identifier stands for, so that nobody
/// can change the bytes of a certificate and keep it valid. The identifiers of Falcon stand for
/// signatures without padding, whose last byte is never zero.
///
/// # Errors
/// As [`verify::verify`].
pub(super) fn verified(
    key: &PublicKey,
    message: &[u8],
    signature: &[u8],
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    if key.row.family == Family::Falcon && signature.last() == Some(&0) {
        return Err(Error::BadSignature);
    }
    verify::verify(key, &mut &*message, signature, kernels)
}

/// One set of each family whose sets share an identifier.
const OF_FAMILIES: [&str; 3] = ["HSS", "XMSS-SHA2_10_256", "XMSSMT-SHA2_20/2_256"];

/// Returns true if certificates signed with this set can be verified. This includes the SPHINCS+
/// sets with SHAKE, if the build has them, under the numbers of rounds 3 and 3.1, because both
/// verify alike.
fn of_one_set(row: &Row) -> bool {
    match row.family {
        Family::Ed25519 | Family::SlhDsa | Family::Falcon | Family::Dilithium => true,
        Family::SphincsPlus => Set::named(&row.name).is_ok(),
        _ => false,
    }
}

/// Created once for the life of the process, because users of webpki keep their tables in statics.
static OWN: LazyLock<Vec<(Option<&'static Row>, Algorithm)>> = LazyLock::new(|| {
    let of_sets = registry::all().iter().filter(|row| of_one_set(row));
    let of_families = OF_FAMILIES.iter().filter_map(|name| registry::find(name).ok());
    let numbered = |row| Algorithm::of(row).map(|algorithm| (algorithm.row, algorithm));
    of_sets.chain(of_families).flat_map(numbered).collect()
});

type Shared = &'static dyn SignatureVerificationAlgorithm;

/// Returns the algorithms that this crate verifies instead of aws-lc-rs, each with its set if the
/// identifier determines it.
pub fn own_algorithms() -> impl Iterator<Item = (Option<&'static Row>, Shared)> {
    OWN.iter().map(|(row, algorithm)| (*row, algorithm as Shared))
}

/// Returns every algorithm with which this build verifies certificates.
pub fn algorithms() -> Vec<Shared> {
    let own = own_algorithms().map(|(_, algorithm)| algorithm);
    own.chain(webpki::ALL_VERIFICATION_ALGS.iter().copied()).collect()
}
