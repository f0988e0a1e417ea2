//! The signer, named by issuer and serial number or by key identifier.

use cms::{
    cert::IssuerAndSerialNumber,
    signed_data::{SignerIdentifier, SignerInfo},
};
use der::{Decode, Encode};
use x509_cert::{Certificate, ext::pkix::SubjectKeyIdentifier};

use crate::{Error, encoding::PublicKey, x509};

/// The way a signer is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Named {
    /// By the issuer and the serial number of the certificate.
    #[default]
    Issuer,
    /// By the key identifier in the certificate or, without a certificate, by the SHA-1 of the key
    /// (RFC 5280, section 4.2.1.2 (Subject Key Identifier)).
    Key,
}

/// The signer's data that a SignedData contains besides the signature.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signer<'s> {
    /// The signer's certificate in DER, followed by those of its authorities; may be empty.
    pub certificates: &'s [Vec<u8>],
    /// How the signer is named. Without a certificate it is always named by its key.
    pub named: Named,
    /// True to omit the certificates from the SignedData.
    pub without_certificates: bool,
    /// The signing time, in seconds since 1970.
    pub time: Option<u64>,
}

impl Signer<'_> {
    /// Returns the signer identifier for the signer with this key.
    pub(super) fn identifier(&self, key: &PublicKey) -> Result<SignerIdentifier, Error> {
        let Some(der) = self.certificates.first() else {
            return Ok(SignerIdentifier::SubjectKeyIdentifier(x509::identifier_of(key)?));
        };
        if x509::public_key(der)? != *key {
            return Err(Error::NotThisKey);
        }
        let certificate = parsed(der)?;
        match self.named {
            Named::Issuer => Ok(issuer(&certificate)),
            Named::Key => Ok(SignerIdentifier::SubjectKeyIdentifier(own_identifier(&certificate)?)),
        }
    }

    /// Returns the certificates to include.
    pub(super) fn written(&self) -> Result<Vec<Certificate>, Error> {
        let given = if self.without_certificates { &[] } else { self.certificates };
        given.iter().map(|der| parsed(der)).collect()
    }
}

/// Parses a certificate. It must encode to the same bytes again.
fn parsed(der: &[u8]) -> Result<Certificate, Error> {
    let certificate = Certificate::from_der(der).map_err(|_| Error::NotACertificate)?;
    let same = certificate.to_der().is_ok_and(|again| again == der);
    if same { Ok(certificate) } else { Err(Error::NotACertificate) }
}

fn issuer(certificate: &Certificate) -> SignerIdentifier {
    let tbs = certificate.tbs_certificate();
    SignerIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber {
        issuer: tbs.issuer().clone(),
        serial_number: tbs.serial_number().clone(),
    })
}

/// Returns the key identifier in a certificate.
fn own_identifier(certificate: &Certificate) -> Result<SubjectKeyIdentifier, Error> {
    let found = certificate.tbs_certificate().get_extension::<SubjectKeyIdentifier>();
    let (_, identifier) = found.ok().flatten().ok_or(Error::NotThisSigner)?;
    Ok(identifier)
}

/// Returns true if the signer identifier matches this certificate.
pub(super) fn is_of_certificate(info: &SignerInfo, certificate: &Certificate) -> bool {
    match &info.sid {
        SignerIdentifier::IssuerAndSerialNumber(_) => info.sid == issuer(certificate),
        SignerIdentifier::SubjectKeyIdentifier(id) => {
            own_identifier(certificate).as_ref() == Ok(id)
        }
    }
}

/// Returns true if a signer may have this key. Every certificate in the SignedData that matches the
/// signer identifier must contain the key. If none matches, any identifier is accepted, because a
/// key identifier need not be the usual hash.
pub(super) fn is_of_key(info: &SignerInfo, key: &PublicKey, beside: &[Certificate]) -> bool {
    let mut named = beside.iter().filter(|certificate| is_of_certificate(info, certificate));
    let has_key = |certificate: &Certificate| {
        certificate.to_der().is_ok_and(|der| x509::public_key(&der).as_ref() == Ok(key))
    };
    named.all(has_key)
}

/// Returns true if the signer identifier names this key: by its key identifier, or by an included
/// certificate that contains the key.
pub(super) fn is_named(info: &SignerInfo, key: &PublicKey, beside: &[Certificate]) -> bool {
    let by_identifier = x509::identifier_of(key)
        .is_ok_and(|own| info.sid == SignerIdentifier::SubjectKeyIdentifier(own));
    let named = beside.iter().any(|certificate| is_of_certificate(info, certificate));
    by_identifier || (named && is_of_key(info, key, beside))
}
