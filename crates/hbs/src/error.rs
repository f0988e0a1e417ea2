//! The one error type of this crate.

use core::fmt;

/// The error type of this crate. Verification has exactly one failure, [`Error::BadSignature`],
/// whatever its cause. Errors about state are separate, one for each cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A signature did not verify. Wrong length, index, encoding and hash all give this error.
    BadSignature,
    /// A public key has the wrong length or names no known parameter set.
    BadKey,
    /// The cached public nodes do not lead to the root of the public key.
    BadCache,
    /// No parameter set has this name.
    UnknownSet,
    /// Every one-time key has been used or given up.
    Exhausted,
    /// The permit is for an index that was already used or passed over.
    IndexPassed,
    /// The permit no longer holds: its reservation was lost, or it belongs to another key.
    PermitLost,
    /// Key generation was stopped by its caller.
    Stopped,
    /// An announcement does not lead to the root, or too many are pending.
    BadAnnouncement,
    /// The seed, or the randomness of a signature, has the wrong length for the set. For a key with
    /// sectors, the seeds belong to different keys, or are more than the set allows.
    BadSeed,
    /// The index is in a sector whose seed is not available.
    OtherSector,
    /// The randomizer was requested after a part of the message had been absorbed.
    Begun,
    /// The random bit generator failed.
    Rng,
    /// A context is longer than 255 bytes.
    LongContext,
    /// A pre-hash digest has the wrong length, or its hash function is not available or is too weak
    /// for the set.
    PreHash,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadSignature => "the signature is not valid",
            Self::BadKey => "the key has the wrong length or names an unknown parameter set",
            Self::BadCache => "the cached tree does not match the public key",
            Self::UnknownSet => "no parameter set has this name",
            Self::Exhausted => "every one-time key of this key is used",
            Self::IndexPassed => "this index was already used or passed over",
            Self::PermitLost => "the permit for this index no longer holds",
            Self::Stopped => "stopped before the key was complete",
            Self::BadAnnouncement => "the announcement is not valid or too many are pending",
            Self::OtherSector => "this index lies in a sector whose seed is not here",
            Self::Begun => "a part of the message was absorbed before the randomizer was drawn",
            Self::Rng => "the random bit generator failed",
            Self::LongContext => "the context is longer than 255 bytes",
            Self::PreHash => {
                "the pre-hash digest has the wrong length, or its function is too weak for this set"
            }
            Self::BadSeed => "the seed has the wrong length for this parameter set",
        })
    }
}

impl core::error::Error for Error {}

impl From<Error> for signature::Error {
    fn from(_: Error) -> Self {
        Self::new()
    }
}
