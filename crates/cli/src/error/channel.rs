//! Reasons for which a channel does not come about.

use std::path::PathBuf;

use hasten_channel_udp::Error as End;
use hasten_model::sessions::Unreachable;

use hasten_report::grouped;

/// Says why nothing is published, received or extracted.
#[derive(Debug, thiserror::Error)]
pub enum Channel {
    /// An end of the channel cannot go on.
    #[error("{0}")]
    End(End),
    /// The public key has no level above another.
    #[error("{0}: no public key of a channel: it has no sessions")]
    NotAnIdentity(PathBuf),
    /// A key for session trees needs a set of HSS, the last level that of the session trees.
    #[error("--sessions: {0} has no level for session trees")]
    NotOfLevels(&'static str),
    /// A fleet's signers share no identity.
    #[error("--sessions: the identity of a channel has a state of its own")]
    OfFleet,
    /// No set keeps the budget, or none is known.
    #[error("{0}")]
    NoChoice(Unreachable),
    /// The identity ends before the time asked for.
    #[error(
        "the identity is good for {} messages, and {} are asked for",
        grouped(*.messages),
        grouped(*.wanted)
    )]
    Short { messages: u64, wanted: u64 },
}

impl Channel {
    /// Returns what to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotAnIdentity(_) | Self::NotOfLevels(_) => Some(
                "for example --alg 'HSS(LMS_SHA256_M24_H15_W4,LMS_SHA256_M24_H10_W4)' --sessions",
            ),
            Self::Short { .. } => Some(TALLER),
            Self::End(end) => end_hint(end),
            Self::NoChoice(Unreachable::NotMeasured) => {
                Some("without --budget and --link any set of LMS is taken")
            }
            _ => None,
        }
    }
}

const TALLER: &str = "make a taller identity with 'hasten keygen --sessions'";

/// Returns what to do about an end that cannot go on.
fn end_hint(end: &End) -> Option<&'static str> {
    match end {
        End::Publishing(hasten_channel::Error::UsedUp) => Some(TALLER),
        End::Interface { .. } => {
            Some("a group of IPv4 takes the interface's address, one of IPv6 its number")
        }
        End::NotARecording(_) => Some("'hasten subscribe --record FILE' writes one"),
        End::NotAMark(_) => Some(
            "without its mark a subscriber can be shown an earlier session: remove the file only if that is no harm",
        ),
        End::MarkOfOther(_) => Some("give each identity a mark of its own"),
        End::MarkInUse(_) => Some("give each subscriber a mark of its own"),
        _ => None,
    }
}
