//! Paths from a certificate to a trusted authority (RFC 5280), by `rustls-webpki`.

use std::time::Duration;

use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use webpki::{EndEntityCert, KeyUsage, anchor_from_trusted_cert};

use super::algorithms;
use crate::{Error, error::PathError};

/// The usage of a certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Usage {
    /// TLS server.
    #[default]
    Server,
    /// TLS client.
    Client,
    /// Code signing.
    CodeSigning,
}

/// The contents of id-kp-codeSigning (RFC 5280).
const CODE_SIGNING: &[u8] = &[0x2B, 6, 1, 5, 5, 7, 3, 3];

/// A certificate and the requirements on it. All certificates are in DER.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The certificate, followed by the other certificates that were sent with it.
    pub chain: &'q [Vec<u8>],
    /// Certificates of the trusted authorities.
    pub roots: &'q [Vec<u8>],
    /// The DNS name or IP address that the certificate must contain.
    pub name: Option<&'q str>,
    /// The time of validation, in seconds since 1970.
    pub at: u64,
    /// The usage that must be allowed.
    pub usage: Usage,
}

fn bad(error: webpki::Error) -> Error {
    Error::Path(PathError(error))
}

/// Returns the certificates of the path: the validated one first, that of the trusted authority
/// last.
///
/// # Errors
/// `Path` with the reason, `BadName` if the requested name is invalid.
pub fn verify_path(question: &Question<'_>) -> Result<Vec<Vec<u8>>, Error> {
    let der = |bytes: &Vec<u8>| CertificateDer::from(bytes.clone());
    let (chain, roots): (Vec<_>, Vec<_>) =
        (question.chain.iter().map(der).collect(), question.roots.iter().map(der).collect());
    let (first, sent) = chain.split_first().ok_or(Error::NotACertificate)?;
    let anchors: Vec<_> =
        roots.iter().map(anchor_from_trusted_cert).collect::<Result<_, _>>().map_err(bad)?;
    let leaf = EndEntityCert::try_from(first).map_err(bad)?;
    let at = UnixTime::since_unix_epoch(Duration::from_secs(question.at));
    let usage = match question.usage {
        Usage::Server => KeyUsage::server_auth(),
        Usage::Client => KeyUsage::client_auth(),
        Usage::CodeSigning => KeyUsage::required(CODE_SIGNING),
    };
    let path =
        leaf.verify_for_usage(&algorithms(), &anchors, sent, at, usage, None, None).map_err(bad)?;
    if let Some(name) = question.name {
        let name = ServerName::try_from(name).map_err(|_| Error::BadName)?;
        leaf.verify_is_valid_for_subject_name(&name).map_err(bad)?;
    }
    let mut found = vec![first.to_vec()];
    found.extend(path.intermediate_certificates().map(|certificate| certificate.der().to_vec()));
    let anchor = anchors.iter().position(|anchor| anchor == path.anchor());
    found.extend(anchor.map(|at| question.roots[at].clone()));
    Ok(found)
}
