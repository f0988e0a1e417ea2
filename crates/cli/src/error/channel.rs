//! Errors of channels.

use std::path::PathBuf;

use hasten_channel_udp::Error as End;
use hasten_model::sessions::Unreachable;

use hasten_report::grouped;

/// Reason why nothing is published, received or extracted.
#[derive(Debug, thiserror::Error)]
pub enum Channel {
    /// An end of the channel failed.
    #[error("{0}")]
    End(End),
    /// The public key has only one level, so that it has no sessions.
    #[error("{0}: no public key of a channel: it has no sessions")]
    NotAnIdentity(PathBuf),
    /// The set has no level for session trees. It needs several levels, the last of which is
    /// theirs.
    #[error("--sessions: {0} has no level for session trees")]
    NotOfLevels(&'static str),
    /// The identity of a channel cannot belong to a fleet.
    #[error("--sessions: the identity of a channel has a state of its own")]
    OfFleet,
    /// No set meets the budget, or the times of the set are unknown.
    #[error("{0}")]
    NoChoice(Unreachable),
    /// The identity does not last for the requested time.
    #[error(
        "the identity is good for {} messages, and {} are asked for",
        grouped(*.messages),
        grouped(*.wanted)
    )]
    Short { messages: u64, wanted: u64 },
}

impl Channel {
    /// Returns the hint, if there is one.
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

/// Returns the hint on an end that failed.
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
