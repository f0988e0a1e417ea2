//! Why an experiment ended early.

use std::fmt;

/// Why an experiment ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The watch asked for it.
    Stopped,
    /// A signature made here did not verify here.
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
    /// The simulated engine refuses.
    Engine(&'static str),
    /// The operating system refuses.
    System {
        /// The call, as a person would name it.
        doing: &'static str,
        /// Its error.
        cause: std::io::Error,
    },
}

impl Error {
    /// Returns a function that makes a system error.
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
            Self::Engine(why) => f.write_str(why),
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
