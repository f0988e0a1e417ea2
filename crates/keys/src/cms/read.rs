//! Parsing of a SignedData in DER or PEM.

use cms::{
    cert::CertificateChoices,
    content_info::{CmsVersion, ContentInfo},
    signed_data::{SignedData as Inner, SignerIdentifier, SignerInfo},
};
use der::{
    Decode, Encode,
    asn1::{ObjectIdentifier, OctetStringRef},
};
use x509_cert::Certificate;

use super::{DATA, LABEL, SIGNED_DATA};
use crate::{Error, encoding::pem_blocks};

/// Accepted PEM labels: the current one, and that of an older OpenSSL command.
const LABELS: [&str; 2] = [LABEL, "PKCS7"];

/// A parsed SignedData, not verified yet.
#[derive(Debug)]
pub struct SignedData {
    pub(super) content_type: ObjectIdentifier,
    content: Option<Vec<u8>>,
    pub(super) certificates: Vec<Certificate>,
    pub(super) signers: Vec<SignerInfo>,
}

impl SignedData {
    /// Parses DER, or the first PEM block with an accepted label.
    ///
    /// # Errors
    /// `NotCms`; BER with indefinite lengths is rejected too.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let blocks = pem_blocks(bytes);
        let block = blocks.iter().find(|block| LABELS.contains(&block.label.as_str()));
        Self::of_der(block.map_or(bytes, |block| &block.der)).ok_or(Error::NotCms)
    }

    fn of_der(der: &[u8]) -> Option<Self> {
        let outer = ContentInfo::from_der(der).ok()?;
        if outer.content_type.to_string() != SIGNED_DATA {
            return None;
        }
        let inner: Inner = outer.content.decode_as().ok()?;
        let encapsulated = inner.encap_content_info;
        let content = match &encapsulated.econtent {
            Some(any) => Some(any.decode_as::<&OctetStringRef>().ok()?.as_bytes().to_vec()),
            None => None,
        };
        let certificates = inner.certificates.iter().flat_map(|set| set.0.iter());
        let certificates = certificates.filter_map(|choice| match choice {
            CertificateChoices::Certificate(certificate) => Some(certificate.clone()),
            CertificateChoices::Other(_) => None,
        });
        let signers = inner.signer_infos.0.into_vec();
        let versions = signers.iter().all(has_its_version);
        (versions && !signers.is_empty()).then(|| Self {
            content_type: encapsulated.econtent_type,
            content,
            certificates: certificates.collect(),
            signers,
        })
    }

    /// Returns the content if it is attached.
    pub fn content(&self) -> Option<&[u8]> {
        self.content.as_deref()
    }

    /// Returns the certificates in DER. Their order has no meaning.
    pub fn certificates(&self) -> Vec<Vec<u8>> {
        self.certificates.iter().filter_map(|certificate| certificate.to_der().ok()).collect()
    }

    /// Returns the number of signers.
    pub fn signers(&self) -> usize {
        self.signers.len()
    }

    /// Returns true if the content is plain bytes and not a structure of another type.
    pub(super) fn is_data(&self) -> bool {
        self.content_type.to_string() == DATA
    }
}

/// Returns true if the version of a signer matches the type of its identifier: RFC 5652, section
/// 5.3 (SignerInfo Type).
fn has_its_version(info: &SignerInfo) -> bool {
    match info.sid {
        SignerIdentifier::IssuerAndSerialNumber(_) => info.version == CmsVersion::V1,
        SignerIdentifier::SubjectKeyIdentifier(_) => info.version == CmsVersion::V3,
    }
}
