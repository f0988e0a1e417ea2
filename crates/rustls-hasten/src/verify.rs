//! Verification of hash-based signatures, for webpki and for CertificateVerify.

use std::sync::LazyLock;

use hasten_kernels::Kernels;
use hasten_keys::encoding::{PublicKey, hash_based, key_identifier};
use hasten_keys::registry::{self, Family, Row};
use hasten_keys::verify;
use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};

type Algorithm = &'static dyn SignatureVerificationAlgorithm;

/// One SLH-DSA set, or one of the families that many sets share an identifier in.
#[derive(Debug)]
struct HashBased {
    family: Family,
    /// The set, where the identifier says which.
    row: Option<&'static Row>,
    /// The contents of the AlgorithmIdentifier: its object identifier, parameters absent.
    identifier: Vec<u8>,
}

impl HashBased {
    fn of(row: &'static Row) -> Option<Self> {
        let oid = key_identifier(row).ok()?.oid;
        let identifier = [&[6, oid.as_bytes().len() as u8], oid.as_bytes()].concat();
        let row_said = (row.family != Family::Xmss).then_some(row);
        Some(Self { family: row.family, row: row_said, identifier })
    }

    fn key(&self, raw: &[u8]) -> Option<PublicKey> {
        let row = self.row.or_else(|| hash_based::xmss_public(self.family, raw))?;
        PublicKey::new(row, raw).ok()
    }
}

impl SignatureVerificationAlgorithm for HashBased {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let key = self.key(public_key).ok_or(InvalidSignature)?;
        let verdict = verify::verify(&key, &mut &*message, signature, Kernels::best());
        verdict.map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        AlgorithmIdentifier::from_slice(leaked(self))
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.public_key_alg_id()
    }
}

struct Tables {
    all: &'static [Algorithm],
    mapping: &'static [(SignatureScheme, &'static [Algorithm])],
}

/// Made once for the life of the process, for rustls keeps its tables in statics.
static OURS: LazyLock<Vec<HashBased>> = LazyLock::new(|| {
    let slh = registry::all().iter().filter(|row| row.family == Family::SlhDsa);
    let stateful =
        ["HSS", "XMSS-SHA2_10_256"].into_iter().filter_map(|name| registry::find(name).ok());
    slh.chain(stateful).filter_map(HashBased::of).collect()
});

/// The identifier of one of [`OURS`], which lives as long as the process.
fn leaked(algorithm: &HashBased) -> &'static [u8] {
    let same = |ours: &&HashBased| ours.identifier == algorithm.identifier;
    OURS.iter().find(same).map_or(&[], |ours| &ours.identifier)
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let stock = &rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
    let ours = OURS.iter().map(|algorithm| algorithm as Algorithm);
    let all: Vec<_> = stock.all.iter().copied().chain(ours).collect();
    let mut mapping = stock.mapping.to_vec();
    for algorithm in OURS.iter() {
        let scheme = algorithm.row.and_then(scheme);
        mapping.extend(scheme.map(|scheme| (scheme, &*Vec::leak(vec![algorithm as Algorithm]))));
    }
    Tables { all: Vec::leak(all), mapping: Vec::leak(mapping) }
});

/// The scheme of CertificateVerify: stateful sets have none.
pub(crate) fn scheme(row: &Row) -> Option<SignatureScheme> {
    row.tls.first().map(|(_, number)| SignatureScheme::from(*number))
}

/// The algorithms of aws-lc-rs and the ones here.
pub(crate) fn algorithms() -> WebPkiSupportedAlgorithms {
    WebPkiSupportedAlgorithms { all: TABLES.all, mapping: TABLES.mapping }
}
