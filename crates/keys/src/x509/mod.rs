//! X.509 certificates (RFC 5280) with every algorithm of this build.
//!
//! - [`issue`], [`request`]: built with `x509-cert`, signed by a key in a file or in a store.
//! - [`verify_path`]: from a certificate to a trusted authority, by `rustls-webpki`.
//! - [`algorithms`]: signature verification of certificates for webpki and rustls.
//!
//! Identifiers follow RFC 9802 (HSS, XMSS, XMSS^MT), RFC 9881 (ML-DSA), RFC 9909 (SLH-DSA),
//! RFC 8410 (Ed25519) and RFC 5758 (ECDSA); RSA signs with PSS and SHA-256 (RFC 4055).

mod algorithms;
#[cfg(feature = "sign")]
mod authority;
mod identifier;
#[cfg(feature = "sign")]
mod issue;
mod path;
#[cfg(feature = "sign")]
mod profile;
mod signed;
#[cfg(feature = "sign")]
mod signer;
mod times;

pub use crate::error::PathError;
pub use algorithms::{algorithms, own_algorithms};
#[cfg(feature = "sign")]
pub use authority::Authority;
pub use identifier::signature_identifier;
#[cfg(feature = "sign")]
pub use issue::{Asked, issue, read_request, request};
pub use path::{Question, Usage, verify_path};
#[cfg(feature = "sign")]
pub use profile::{New, Role, Subject};
pub(crate) use signed::identifier_of;
pub use signed::{Names, SignedPart, signed_parts};
#[cfg(feature = "sign")]
pub use signer::CertificateSigner;
pub use times::{Period, unix_seconds, written};

use ::der::{Decode, Encode};
use x509_cert::Certificate;

use crate::{
    Error,
    encoding::{PublicKey, decode_spki, pem_blocks},
};

/// Returns the DER certificates in a file: all PEM blocks, or the file itself.
///
/// # Errors
/// `NotACertificate` if there is none, or if one of them is not a certificate.
pub fn certificates(file: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let blocks = pem_blocks(file);
    let labelled = blocks.iter().filter(|block| block.label == "CERTIFICATE");
    let mut found: Vec<_> = labelled.map(|block| block.der.to_vec()).collect();
    if blocks.is_empty() {
        found.push(file.to_vec());
    }
    let all = found.iter().all(|der| Certificate::from_der(der).is_ok());
    if all && !found.is_empty() { Ok(found) } else { Err(Error::NotACertificate) }
}

/// Returns the public key of a certificate.
///
/// # Errors
/// `NotACertificate`, and the errors of [`decode_spki`].
pub fn public_key(certificate: &[u8]) -> Result<PublicKey, Error> {
    decode_spki(&spki(certificate)?)
}

/// Returns the DER SubjectPublicKeyInfo of a certificate.
///
/// # Errors
/// `NotACertificate`.
pub fn spki(certificate: &[u8]) -> Result<Vec<u8>, Error> {
    let wrong = |_| Error::NotACertificate;
    let certificate = Certificate::from_der(certificate).map_err(wrong)?;
    certificate.tbs_certificate().subject_public_key_info().to_der().map_err(wrong)
}

/// Returns true if the certificate names itself as its issuer: a root.
pub fn is_root(certificate: &[u8]) -> bool {
    Certificate::from_der(certificate).is_ok_and(|certificate| {
        let tbs = certificate.tbs_certificate();
        tbs.issuer() == tbs.subject()
    })
}
