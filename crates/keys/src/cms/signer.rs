//! Who signs: named by issuer and serial number, or by the key's identifier.

use cms::{
    cert::IssuerAndSerialNumber,
    signed_data::{SignerIdentifier, SignerInfo},
};
use der::{Decode, Encode};
use x509_cert::{Certificate, ext::pkix::SubjectKeyIdentifier};

use crate::{Error, encoding::PublicKey, x509};

/// By which words the signer is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Named {
    /// By the issuer and the serial number of its certificate.
    #[default]
    Issuer,
    /// By the identifier of its key: that of its certificate, or, without one, SHA-1 of the key
    /// (RFC 5280, section 4.2.1.2 (Subject Key Identifier)).
    Key,
}

/// Says what stands beside a signature.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signer<'s> {
    /// The signer's certificate in DER, then authorities above it; may be empty.
    pub certificates: &'s [Vec<u8>],
    /// How the signer is named; without a certificate by its key.
    pub named: Named,
    /// True if the certificates are left out.
    pub without_certificates: bool,
    /// When it was signed, in seconds since 1970.
    pub time: Option<u64>,
}

impl Signer<'_> {
    /// Returns the name of the signer whose key is `key`.
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

    /// Returns the certificates, as they are written.
    pub(super) fn written(&self) -> Result<Vec<Certificate>, Error> {
        let given = if self.without_certificates { &[] } else { self.certificates };
        given.iter().map(|der| parsed(der)).collect()
    }
}

/// Returns a certificate that is written again as it was read.
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

/// Returns the identifier that a certificate gives its key.
fn own_identifier(certificate: &Certificate) -> Result<SubjectKeyIdentifier, Error> {
    let found = certificate.tbs_certificate().get_extension::<SubjectKeyIdentifier>();
    let (_, identifier) = found.ok().flatten().ok_or(Error::NotThisSigner)?;
    Ok(identifier)
}

/// Returns whether a signer is named as this certificate is.
pub(super) fn is_of_certificate(info: &SignerInfo, certificate: &Certificate) -> bool {
    match &info.sid {
        SignerIdentifier::IssuerAndSerialNumber(_) => info.sid == issuer(certificate),
        SignerIdentifier::SubjectKeyIdentifier(id) => {
            own_identifier(certificate).as_ref() == Ok(id)
        }
    }
}

/// Returns whether a signer can be the one with this key: a certificate beside it that has its name
/// must have the key. Where there is none, the identifier of a key need not be the usual one.
pub(super) fn is_of_key(info: &SignerInfo, key: &PublicKey, beside: &[Certificate]) -> bool {
    let mut named = beside.iter().filter(|certificate| is_of_certificate(info, certificate));
    let has_key = |certificate: &Certificate| {
        certificate.to_der().is_ok_and(|der| x509::public_key(&der).as_ref() == Ok(key))
    };
    named.all(has_key)
}

/// Returns whether a signer is named as this key: by its identifier, or by a certificate beside it
/// that has the key.
pub(super) fn is_named(info: &SignerInfo, key: &PublicKey, beside: &[Certificate]) -> bool {
    let by_identifier = x509::identifier_of(key)
        .is_ok_and(|own| info.sid == SignerIdentifier::SubjectKeyIdentifier(own));
    let named = beside.iter().any(|certificate| is_of_certificate(info, certificate));
    by_identifier || (named && is_of_key(info, key, beside))
}
