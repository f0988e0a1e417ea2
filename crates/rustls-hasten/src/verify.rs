//! Verification of hash-based signatures, for webpki and for CertificateVerify.

use std::sync::LazyLock;

use hasten_keys::registry::{Family, Row};
use hasten_keys::x509::own_algorithms;
use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::SignatureVerificationAlgorithm;

type Algorithm = &'static dyn SignatureVerificationAlgorithm;

struct Tables {
    all: &'static [Algorithm],
    mapping: &'static [(SignatureScheme, &'static [Algorithm])],
}

/// Made once for the life of the process, for rustls keeps its tables in statics.
static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let stock = &rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
    let ours = own_algorithms().map(|(_, algorithm)| algorithm);
    let all: Vec<_> = stock.all.iter().copied().chain(ours).collect();
    let mut mapping = stock.mapping.to_vec();
    for row in own_algorithms().filter_map(|(row, _)| row) {
        let of_row = own_algorithms().filter(|(of, _)| *of == Some(row));
        let known = |scheme| mapping.iter().any(|(mapped, _)| *mapped == scheme);
        if let Some(scheme) = scheme(row).filter(|scheme| !known(*scheme)) {
            mapping.push((scheme, Vec::leak(of_row.map(|(_, algorithm)| algorithm).collect())));
        }
    }
    Tables { all: Vec::leak(all), mapping: Vec::leak(mapping) }
});

/// The scheme of CertificateVerify, for the keys that sign here and not in aws-lc-rs. Stateful
/// sets have none.
pub(crate) fn scheme(row: &Row) -> Option<SignatureScheme> {
    let of_round3 = [Family::Falcon, Family::Dilithium].contains(&row.family);
    let legacy = cfg!(feature = "legacy") && of_round3;
    let ours = row.family == Family::SlhDsa || legacy;
    let number = row.tls.first().filter(|_| ours);
    number.map(|(_, number)| SignatureScheme::from(*number))
}

/// The algorithms of aws-lc-rs and the ones here.
pub(crate) fn algorithms() -> WebPkiSupportedAlgorithms {
    WebPkiSupportedAlgorithms { all: TABLES.all, mapping: TABLES.mapping }
}
