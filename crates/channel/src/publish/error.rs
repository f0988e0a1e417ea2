//! Reasons why a message is not sealed.

use crate::MOST_BYTES;
use core::fmt;

/// Reason why a publisher cannot continue, or refused one message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The identity returned an error: its store failed, or no index is left.
    Identity(hasten_keys::Error),
    /// The identity has signed its last tree, and the keys of that tree are used up.
    UsedUp,
    /// The public key cannot sign session trees, or the set is not of LMS.
    NoSessions,
    /// The operating system provided no random bytes.
    Randomness,
    /// This process is a child that was forked from the publisher's process. The channel continues
    /// in the parent, but not here.
    Forked,
    /// The payload does not fit into one datagram.
    LongPayload {
        /// Largest length of a payload, in bytes.
        most: usize,
    },
    /// The announcement of a tree with its leaves does not fit into one datagram.
    LongLeaves {
        /// Length of the announcement in bytes, at least.
        needs: usize,
    },
    /// The buffer is shorter than the datagram.
    ShortBuffer {
        /// Length of the datagram, in bytes.
        needs: usize,
    },
    /// The preparing thread has ended.
    Ended,
    /// The identity's signature of a tree does not verify, which is a fault of the machine.
    Faulty,
    /// The signature scheme returned an error.
    Scheme(hasten_hbs::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identity(error) => return error.fmt(f),
            Self::Scheme(error) => return error.fmt(f),
            Self::LongPayload { most } => {
                return write!(f, "the message is longer than {most} bytes");
            }
            Self::LongLeaves { needs } => {
                return write!(
                    f,
                    "a tree's announcement with its leaves has {needs} bytes, and a datagram {MOST_BYTES} at most"
                );
            }
            Self::ShortBuffer { needs } => return write!(f, "the datagram has {needs} bytes"),
            Self::UsedUp => "the identity has signed its last session tree: make a new one",
            Self::NoSessions => {
                "session trees are of LMS, under an identity of HSS, XMSS or XMSS^MT"
            }
            Self::Randomness => "the operating system gave no random bytes",
            Self::Forked => "this process was forked from the publisher's: the channel ended here",
            Self::Ended => "the thread that prepares has ended",
            Self::Faulty => "the identity signed a tree wrongly: the machine is faulty",
        })
    }
}

impl core::error::Error for Error {}

impl From<hasten_keys::Error> for Error {
    fn from(error: hasten_keys::Error) -> Self {
        Self::Identity(error)
    }
}

/// Permits of session trees are lost only by a fork.
impl From<hasten_hbs::Error> for Error {
    fn from(error: hasten_hbs::Error) -> Self {
        match error {
            hasten_hbs::Error::PermitLost => Self::Forked,
            error => Self::Scheme(error),
        }
    }
}
