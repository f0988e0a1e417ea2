//! Reasons for which a datagram is not delivered.

use core::fmt;

/// Says why a datagram was refused. Nothing was kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// It is no datagram of this format, or cut short.
    Malformed,
    /// It was signed by a tree that was not announced here. An announcement will come.
    UnknownTree,
    /// It is of a session, or of a tree, that is over.
    Stale,
    /// It was delivered before.
    Replay,
    /// It is so far behind the newest message that it cannot be told from a replay.
    TooOld,
    /// Its signature, or that of the announced tree, is not valid.
    BadSignature,
    /// It announces an unknown tree, and no more of these are verified now
    /// ([`Subscriber::allow`](crate::Subscriber::allow)).
    NotNow,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "not a datagram of this channel",
            Self::UnknownTree => "its tree was not announced yet",
            Self::Stale => "its session or its tree is over",
            Self::Replay => "it was delivered before",
            Self::TooOld => "it is too old to tell it from a replay",
            Self::BadSignature => "its signature is not valid",
            Self::NotNow => "too many unknown trees were announced",
        })
    }
}

impl core::error::Error for Refusal {}
