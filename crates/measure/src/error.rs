//! Errors that end an experiment early.

use std::fmt;

/// The reason why an experiment ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The experiment was stopped through its watch.
    Stopped,
    /// A signature made in the experiment did not verify.
    Rejected {
        /// Parameter set.
        alg: &'static str,
        /// Index of the signature.
        index: u64,
    },
    /// A key, a signature or a verification was refused.
    Scheme(hasten_hbs::Error),
    /// A stateless algorithm was refused.
    Key(hasten_keys::Error),
    /// The publisher of a channel cannot continue.
    Channel(hasten_channel::Error),
    /// The simulated engine reported an error.
    Engine(&'static str),
    /// A handshake failed.
    #[cfg(feature = "tls")]
    Tls(rustls::Error),
    /// The algorithm is not in this build.
    #[cfg(feature = "tls")]
    NotBuiltIn(&'static str),
    /// A table cannot be made on this machine or in this build, with the reason.
    #[cfg(feature = "tls")]
    Table(&'static str),
    /// A build of the tool with these features failed.
    #[cfg(feature = "tls")]
    Build(&'static str),
    /// The built tool cannot be read.
    #[cfg(feature = "tls")]
    Object(object::Error),
    /// A side of a handshake failed in its own process.
    #[cfg(feature = "tls")]
    Side {
        /// The group of the handshake, and the connection that was counted.
        with: String,
    },
    /// A system call failed.
    System {
        /// The action that failed, in words.
        doing: &'static str,
        /// The error of the operating system.
        cause: std::io::Error,
    },
}

impl Error {
    /// Returns a function that converts an I/O error to a system error.
    pub fn system(doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::System { doing, cause }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::Rejected { alg, index } => {
                write!(f, "signature {index} of {alg} did not verify")
            }
            Self::Scheme(error) => write!(f, "{error}"),
            Self::Key(error) => write!(f, "{error}"),
            Self::Channel(error) => write!(f, "{error}"),
            Self::Engine(why) => f.write_str(why),
            #[cfg(feature = "tls")]
            Self::Tls(error) => f.write_str(&rustls_hasten::endpoint::reason::of(error)),
            #[cfg(feature = "tls")]
            Self::NotBuiltIn(alg) => write!(f, "this build cannot compute with {alg}"),
            #[cfg(feature = "tls")]
            Self::Table(why) => f.write_str(why),
            #[cfg(feature = "tls")]
            Self::Build(features) => write!(f, "cargo could not build the features '{features}'"),
            #[cfg(feature = "tls")]
            Self::Object(error) => write!(f, "{error}"),
            #[cfg(feature = "tls")]
            Self::Side { with } => write!(f, "a side of the handshake with {with} failed"),
            Self::System { doing, cause } => write!(f, "{doing}: {cause}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<hasten_hbs::Error> for Error {
    fn from(error: hasten_hbs::Error) -> Self {
        match error {
            hasten_hbs::Error::Stopped => Self::Stopped,
            other => Self::Scheme(other),
        }
    }
}

impl From<hasten_channel::Error> for Error {
    fn from(error: hasten_channel::Error) -> Self {
        Self::Channel(error)
    }
}

impl From<hasten_keys::Error> for Error {
    fn from(error: hasten_keys::Error) -> Self {
        Self::Key(error)
    }
}
