//! Reasons for which a channel does not come about.

use std::fmt;
use std::path::PathBuf;

use hasten_channel::Error as Publishing;

use crate::table::grouped;

/// Says why nothing is published, received or extracted.
#[derive(Debug)]
pub enum Channel {
    /// The publisher cannot go on.
    Publishing(Publishing),
    /// The public key has no level above another.
    NotAnIdentity(PathBuf),
    /// A key for session trees needs a set of HSS, the last level that of the session trees.
    NotOfLevels(&'static str),
    /// A fleet's signers share no identity.
    #[cfg(feature = "etcd")]
    OfFleet,
    /// The identity ends before the time asked for.
    Short { messages: u64, wanted: u64 },
    /// The file was not written by 'hasten subscribe --record'.
    NotARecording(PathBuf),
    /// The recording has no message of this number.
    NoMessage { path: PathBuf, number: usize, has: usize },
    /// A recorded message does not verify.
    Forged { path: PathBuf, number: usize },
}

impl Channel {
    /// Returns what to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotAnIdentity(_) | Self::NotOfLevels(_) => Some(
                "for example --alg 'HSS(LMS_SHA256_M24_H15_W4,LMS_SHA256_M24_H10_W4)' --sessions",
            ),
            Self::Short { .. } | Self::Publishing(Publishing::UsedUp) => {
                Some("make a taller identity with 'hasten keygen --sessions'")
            }
            Self::NotARecording(_) => Some("'hasten subscribe --record FILE' writes one"),
            _ => None,
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Publishing(error) => write!(f, "{error}"),
            Self::NotAnIdentity(path) => {
                write!(f, "{}: no public key of a channel: it has no sessions", path.display())
            }
            Self::NotOfLevels(alg) => {
                write!(f, "--sessions: {alg} has no level for session trees")
            }
            #[cfg(feature = "etcd")]
            Self::OfFleet => f.write_str("--sessions: a fleet has no identity of a channel"),
            Self::Short { messages, wanted } => {
                let (messages, wanted) = (grouped(*messages), grouped(*wanted));
                write!(
                    f,
                    "the identity is good for {messages} messages, and {wanted} are asked for"
                )
            }
            Self::NotARecording(path) => write!(f, "{}: no recording", path.display()),
            Self::NoMessage { path, number, has } => {
                let path = path.display();
                write!(f, "{path}: no message {number}: it holds {has}, counted from 0")
            }
            Self::Forged { path, number } => {
                write!(f, "{}: message {number} does not verify", path.display())
            }
        }
    }
}
