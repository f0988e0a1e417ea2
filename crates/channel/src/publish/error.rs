//! Reasons for which nothing is sealed.

use crate::MOST_BYTES;
use core::fmt;

/// Says why a publisher cannot go on, or refused one message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The identity refused: its store, or no index is left.
    Identity(hasten_keys::Error),
    /// The identity has signed its last tree, and that is used up.
    UsedUp,
    /// A public key that can sign no session trees, or a set that is not of LMS.
    NoSessions,
    /// The operating system gave no random bytes.
    Randomness,
    /// This process is a child that was forked from the publisher's. The channel has ended here,
    /// and goes on in the parent.
    Forked,
    /// The payload does not fit into one datagram.
    LongPayload {
        /// The most bytes of a payload.
        most: usize,
    },
    /// The announcement of a tree with its leaves does not fit into one datagram.
    LongLeaves {
        /// The bytes of the announcement, at least.
        needs: usize,
    },
    /// The buffer is shorter than the datagram.
    ShortBuffer {
        /// The bytes of the datagram.
        needs: usize,
    },
    /// The thread that prepares has ended.
    Ended,
    /// The identity's signature of a tree does not verify: a fault of the machine.
    Faulty,
    /// The scheme refused.
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

/// Permits of session trees are lost by a fork alone.
impl From<hasten_hbs::Error> for Error {
    fn from(error: hasten_hbs::Error) -> Self {
        match error {
            hasten_hbs::Error::PermitLost => Self::Forked,
            error => Self::Scheme(error),
        }
    }
}
