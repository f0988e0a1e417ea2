//! Reasons for which a channel does not come about.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use hasten_channel::Error as Publishing;

use crate::table::grouped;
use crate::udp::Interface;

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
    /// The process may not use this core.
    NoCore(usize),
    /// An interface that cannot be used with this address.
    Interface { interface: Interface, address: SocketAddr },
    /// Nothing keeps the budget: the nearest, and the time that it needs.
    NoBudget { alg: String, needs_us: f64 },
    /// Nothing is prepared fast enough: the fastest.
    NoRate { alg: String, hz: f64 },
    /// A set whose times on the processor are not known.
    NotMeasured,
    /// The identity ends before the time asked for.
    Short { messages: u64, wanted: u64 },
    /// The file was not written by 'hasten subscribe --record'.
    NotARecording(PathBuf),
    /// The recording has no message of this number.
    NoMessage { path: PathBuf, number: usize, has: usize },
    /// A recorded message does not verify.
    Forged { path: PathBuf, number: usize },
    /// The file was not written by 'hasten subscribe --mark', or is damaged.
    NotAMark(PathBuf),
    /// The mark is of another identity.
    MarkOfOther(PathBuf),
    /// Another subscriber holds the mark.
    MarkInUse(PathBuf),
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
            Self::NotMeasured => Some("without --budget and --link any set of LMS is taken"),
            Self::Interface { .. } => {
                Some("a group of IPv4 takes the interface's address, one of IPv6 its number")
            }
            Self::NotARecording(_) => Some("'hasten subscribe --record FILE' writes one"),
            Self::NotAMark(_) => Some(
                "without its mark a subscriber can be shown an earlier session: remove the file only if that is no harm",
            ),
            Self::MarkOfOther(_) => Some("give each identity a mark of its own"),
            Self::MarkInUse(_) => Some("give each subscriber a mark of its own"),
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
            Self::NoBudget { alg, needs_us } => {
                write!(f, "nothing keeps the budget: the nearest, {alg}, needs {needs_us:.1} us")
            }
            Self::NoRate { alg, hz } => {
                write!(f, "nothing is prepared so fast: the nearest, {alg}, {hz:.0} times a second")
            }
            Self::NotMeasured => f.write_str("the times of this set are not in the reports"),
            Self::NoCore(core) => write!(f, "--cpu: this process may not use core {core}"),
            Self::Interface { interface, address } => {
                write!(f, "--interface: {interface} does not go with {address}")
            }
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
            Self::NotAMark(path) => write!(f, "{}: no mark, or a damaged one", path.display()),
            Self::MarkOfOther(path) => {
                write!(f, "{}: the mark of another identity", path.display())
            }
            Self::MarkInUse(path) => {
                write!(f, "{}: another subscriber holds this mark", path.display())
            }
        }
    }
}
