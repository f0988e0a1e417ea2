//! Verification of hash-based signatures, for webpki and for CertificateVerify.

use std::sync::LazyLock;

use hasten_keys::registry::{Family, Row};
use hasten_keys::x509::own_algorithms;
use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::SignatureVerificationAlgorithm;

type Algorithm = &'static dyn SignatureVerificationAlgorithm;

/// The signature algorithms that a provider knows in addition to those of aws-lc-rs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// The algorithms of published standards.
    Standards,
    /// Also Falcon, Dilithium and SPHINCS+ of round 3.
    #[cfg(feature = "legacy")]
    Legacy,
}

impl Known {
    fn includes(self, row: Option<&Row>) -> bool {
        let earlier = [Family::Falcon, Family::Dilithium, Family::SphincsPlus];
        let of_round3 = |row: &Row| earlier.contains(&row.family);
        self != Self::Standards || !row.is_some_and(of_round3)
    }

    /// Returns the scheme of CertificateVerify, for keys that sign in this crate and not in
    /// aws-lc-rs. Stateful sets have none.
    pub(crate) fn scheme(self, row: &Row) -> Option<SignatureScheme> {
        let here = [Family::SlhDsa, Family::Falcon, Family::Dilithium].contains(&row.family);
        let number = row.tls.first().filter(|_| here && self.includes(Some(row)));
        number.map(|(_, number)| SignatureScheme::from(*number))
    }
}

struct Tables {
    all: &'static [Algorithm],
    mapping: &'static [(SignatureScheme, &'static [Algorithm])],
}

/// Created once for the lifetime of the process, because rustls requires static tables.
static STANDARDS: LazyLock<Tables> = LazyLock::new(|| Tables::of(Known::Standards));
#[cfg(feature = "legacy")]
static LEGACY: LazyLock<Tables> = LazyLock::new(|| Tables::of(Known::Legacy));

impl Tables {
    fn of(known: Known) -> Self {
        let stock =
            &rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
        let own = || own_algorithms().filter(|(row, _)| known.includes(*row));
        let all: Vec<_> = stock.all.iter().copied().chain(own().map(|(_, ours)| ours)).collect();
        let mut mapping = stock.mapping.to_vec();
        for row in own().filter_map(|(row, _)| row) {
            let of_row = own().filter(|(of, _)| *of == Some(row));
            let there = |scheme| mapping.iter().any(|(mapped, _)| *mapped == scheme);
            if let Some(scheme) = known.scheme(row).filter(|scheme| !there(*scheme)) {
                mapping.push((scheme, Vec::leak(of_row.map(|(_, algorithm)| algorithm).collect())));
            }
        }
        Self { all: Vec::leak(all), mapping: Vec::leak(mapping) }
    }
}

/// Returns the algorithms of aws-lc-rs and of this crate.
pub(crate) fn algorithms(known: Known) -> WebPkiSupportedAlgorithms {
    let tables = match known {
        Known::Standards => &STANDARDS,
        #[cfg(feature = "legacy")]
        Known::Legacy => &LEGACY,
    };
    WebPkiSupportedAlgorithms { all: tables.all, mapping: tables.mapping }
}
