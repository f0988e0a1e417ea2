//! Reasons why a datagram is not delivered.

use core::fmt;

/// Reason why a datagram was refused. Nothing of the datagram is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// It is not a datagram of this format, or it is truncated.
    Malformed,
    /// It was signed by a tree that was not announced here yet.
    UnknownTree,
    /// It belongs to a session or a tree that has ended.
    Stale,
    /// It was delivered before.
    Replay,
    /// It is so far behind the newest message that it cannot be distinguished from a replay.
    TooOld,
    /// Its signature, or the signature of the announced tree, is invalid.
    BadSignature,
    /// It announces an unknown tree, and no more of such announcements are verified at present
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
