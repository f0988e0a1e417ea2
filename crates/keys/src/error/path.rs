//! Errors of certificate path validation.

use core::fmt;

/// The reason why no path to a trusted authority was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError(pub webpki::Error);

impl PathError {
    /// Returns true if a path was examined and is invalid. Otherwise something in it is not
    /// supported, or it takes too much work to examine.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        use webpki::Error as E;
        !matches!(
            &self.0,
            E::BadDer
                | E::BadDerTime
                | E::TrailingData(_)
                | E::UnsupportedSignatureAlgorithmContext(_)
                | E::UnsupportedCertVersion
                | E::UnsupportedCriticalExtension
                | E::MaximumSignatureChecksExceeded
                | E::MaximumPathBuildCallsExceeded
                | E::MaximumNameConstraintComparisonsExceeded
        )
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use webpki::Error as E;
        f.write_str(match &self.0 {
            E::UnknownIssuer => "no path leads to a trusted authority: its issuer is unknown",
            E::CertExpired { .. } => "a certificate of the path has expired",
            E::CertNotValidYet { .. } => "a certificate of the path is not valid yet",
            E::CertNotValidForName(_) => "the certificate does not bear this name",
            E::InvalidSignatureForPublicKey => "a signature in the path does not verify",
            E::CaUsedAsEndEntity => "this is the certificate of an authority, not of a server, a client or a signer of code",
            E::EndEntityUsedAsCa => "a certificate of the path was issued by one that is no authority",
            E::RequiredEkuNotFoundContext(_) => "the certificate is not meant for this use",
            E::PathLenConstraintViolated | E::MaximumPathDepthExceeded => "the path is too long",
            E::UnsupportedSignatureAlgorithmForPublicKeyContext(_) => {
                "an authority of the issuer's name is trusted, but its key is another one"
            }
            E::UnsupportedSignatureAlgorithmContext(_) => {
                "a certificate of the path is signed with an algorithm that this build cannot verify"
            }
            other => return write!(f, "the path does not hold: {other:?}"),
        })
    }
}
