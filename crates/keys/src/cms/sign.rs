//! Signing: the bytes that a key signs, and the SignedData around the signature. RFC 5652, section
//! 5 (Signed-data Content Type).

use std::io::Read;

use cms::{
    cert::CertificateChoices,
    content_info::{CmsVersion, ContentInfo},
    signed_data::{
        CertificateSet, EncapsulatedContentInfo, SignedData, SignerIdentifier, SignerInfo,
        SignerInfos,
    },
};
use der::{
    Decode, Encode,
    asn1::{Any, ObjectIdentifier, OctetString, SetOfVec},
};
use x509_cert::Certificate;

use super::{
    DATA, Digest, SIGNED_DATA, Signer,
    attributes::{self, unwritten},
};
use crate::{
    Error,
    encoding::{PublicKey, key_identifier},
};

/// Maximum size in bytes of an attached content.
pub const MOST_ATTACHED: usize = 32 << 20;

/// The place of the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// In a separate file.
    #[default]
    Detached,
    /// Inside the SignedData.
    Attached,
}

/// The digest of a content, and its bytes if it is attached.
pub struct Content {
    digest: Digest,
    hash: Vec<u8>,
    bytes: Option<Vec<u8>>,
}

impl Content {
    /// Reads the content that `key` is to sign.
    ///
    /// # Errors
    /// `NoCms`, `Io`, and `TooLongToAttach` if it is to be attached and exceeds [`MOST_ATTACHED`].
    pub fn read(key: &PublicKey, content: &mut dyn Read, place: Place) -> Result<Self, Error> {
        let digest = Digest::of(key)?;
        if place == Place::Detached {
            return Ok(Self { digest, hash: digest.hash(content, &mut |_| ())?, bytes: None });
        }
        let mut bytes = Vec::new();
        content.take(MOST_ATTACHED as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > MOST_ATTACHED {
            return Err(Error::TooLongToAttach);
        }
        let hash = digest.hash(&mut &bytes[..], &mut |_| ())?;
        Ok(Self { digest, hash, bytes: Some(bytes) })
    }
}

/// A SignedData without its signature.
pub struct Unsigned {
    content: Option<Vec<u8>>,
    certificates: Vec<Certificate>,
    info: SignerInfo,
    message: Vec<u8>,
}

impl Unsigned {
    /// Prepares the SignedData of `content`, for signing by `key`.
    ///
    /// # Errors
    /// `NoCms`, `NotThisKey` if the certificate is of another key, `NotACertificate`,
    /// `NotThisSigner` if the signer is to be named by a key identifier and the certificate has
    /// none, `BadTime`.
    pub fn new(key: &PublicKey, content: Content, signer: &Signer<'_>) -> Result<Self, Error> {
        let Content { digest, hash, bytes } = content;
        let signature_algorithm = key_identifier(key.row).map_err(|_| Error::NoCms)?;
        let sid = signer.identifier(key)?;
        let version = match sid {
            SignerIdentifier::IssuerAndSerialNumber(_) => CmsVersion::V1,
            SignerIdentifier::SubjectKeyIdentifier(_) => CmsVersion::V3,
        };
        let said = attributes::write((digest, &hash), &signature_algorithm, signer.time)?;
        let message = said.to_der().map_err(unwritten)?;
        let info = SignerInfo {
            version,
            sid,
            digest_alg: digest.identifier(),
            signed_attrs: Some(said),
            signature_algorithm,
            signature: OctetString::new([]).map_err(unwritten)?,
            unsigned_attrs: None,
        };
        Ok(Self { content: bytes, certificates: signer.written()?, info, message })
    }

    /// Returns the bytes that the key signs: the attributes in DER.
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// Returns the maximum size in bytes of the SignedData without the signature.
    pub fn beside(&self) -> usize {
        let certificates = self.certificates.iter().filter_map(|c| c.encoded_len().ok());
        let certificates: usize = certificates.map(|n| u32::from(n) as usize).sum();
        let name = self.info.sid.encoded_len().map_or(0, |n| u32::from(n) as usize);
        let content = self.content.as_ref().map_or(0, Vec::len);
        FRAME + certificates + name + content + self.message.len()
    }

    /// Returns the SignedData with this signature, in DER.
    ///
    /// # Errors
    /// `TooLong` for sizes that DER cannot encode.
    pub fn finish(self, signature: &[u8]) -> Result<Vec<u8>, Error> {
        let signature = OctetString::new(signature).map_err(unwritten)?;
        let info = SignerInfo { signature, ..self.info };
        let certificates = certificate_set(self.certificates)?;
        let signed = SignedData {
            version: info.version,
            digest_algorithms: SetOfVec::try_from(vec![info.digest_alg.clone()])
                .map_err(unwritten)?,
            encap_content_info: EncapsulatedContentInfo {
                econtent_type: ObjectIdentifier::new_unwrap(DATA),
                econtent: self.content.map(octets).transpose()?,
            },
            certificates,
            crls: None,
            signer_infos: SignerInfos::try_from(vec![info]).map_err(unwritten)?,
        };
        let signed = signed.to_der().and_then(|der| Any::from_der(&der)).map_err(unwritten)?;
        let content_type = ObjectIdentifier::new_unwrap(SIGNED_DATA);
        ContentInfo { content_type, content: signed }.to_der().map_err(unwritten)
    }
}

/// Maximum size in bytes of the headers and identifiers.
const FRAME: usize = 256;

fn octets(content: Vec<u8>) -> Result<Any, Error> {
    let octets = OctetString::new(content).map_err(unwritten)?;
    Any::encode_from(&octets).map_err(unwritten)
}

/// Returns the set of certificates without duplicates; `None` if there are none.
fn certificate_set(mut certificates: Vec<Certificate>) -> Result<Option<CertificateSet>, Error> {
    let mut once = Vec::new();
    for certificate in certificates.drain(..) {
        if !once.contains(&certificate) {
            once.push(certificate);
        }
    }
    if once.is_empty() {
        return Ok(None);
    }
    let choices: Vec<_> = once.into_iter().map(CertificateChoices::Certificate).collect();
    CertificateSet::try_from(choices).map(Some).map_err(unwritten)
}
