//! Reasons why an end of a connection could not be set up.

use std::fmt;

use rustls::server::VerifierBuilderError;

use super::reason;

/// Reason why an end of a connection could not be set up.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// rustls rejects the configuration.
    Tls(rustls::Error),
    /// The roots for clients' certificates cannot be used.
    Clients(VerifierBuilderError),
    /// No address of the peer can be reached.
    Connecting(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tls(error) => f.write_str(&reason::of(error)),
            Self::Clients(error) => write!(f, "{error}"),
            Self::Connecting(cause) => write!(f, "connecting: {cause}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<rustls::Error> for Error {
    fn from(error: rustls::Error) -> Self {
        Self::Tls(error)
    }
}
